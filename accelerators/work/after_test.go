package work

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// A residual block with a fused activation and a view in front of the last layer.
func TestAfterOfABlock(t *testing.T) {
	b := graph.NewBuilder("block")
	x := b.Input("input", 1, 4, 8, 8)
	a := b.Conv("conv1", x, graph.SquareConv(4, 1, 1, 0))
	r := b.Elementwise("relu1", "relu", a)
	c := b.Conv("conv2", r, graph.SquareConv(4, 1, 1, 0))
	s := b.Add("add", c, r)
	f := b.Reshape("flatten", s, 1, 256)
	b.Output(b.Linear("fc", f, 10))
	g, err := b.Graph()
	require.NoError(t, err)
	jobs := []Job{{Op: 0, Fused: []int{1}}, {Op: 2}, {Op: 3}, {Op: 5}}
	require.Equal(t, [][]int32{nil, {0}, {1, 0}, {2}}, After(g, jobs))
}

// Who reads parts put together waits for all of them, also by way of a view of the whole.
func TestAfterParts(t *testing.T) {
	b := graph.NewBuilder("parts")
	x, y := b.Linear("a", b.Input("x", 1, 8), 8), b.Linear("b", b.Input("y", 1, 8), 8)
	all := b.Op("all", graph.Move{Func: "concat"}, []graph.TensorID{x, y}, 2, 8)
	b.Output(b.Linear("fc", b.Reshape("view", all, 1, 16), 10))
	g, err := b.Graph()
	require.NoError(t, err)
	require.Equal(t, [][]int32{nil, nil, {0, 1}}, After(g, []Job{{Op: 0}, {Op: 1}, {Op: 4}}))
}

// Who reads a result twice waits for it once.
func TestAfterOnce(t *testing.T) {
	b := graph.NewBuilder("square")
	y := b.Linear("fc", b.Input("x", 1, 8), 8)
	b.Output(b.Mul("square", y, y))
	g, err := b.Graph()
	require.NoError(t, err)
	require.Equal(t, [][]int32{nil, {0}}, After(g, []Job{{Op: 0}, {Op: 1}}))
}

// What After says of a split over two cores by layer is what the joins of the mapper say:
// every join that a core waits for is of a job that comes before.
func TestAfterAgreesWithJoins(t *testing.T) {
	g, err := zoo.Build("gpt2", zoo.Params{Phase: "decode", Context: 64})
	require.NoError(t, err)
	core := machine.Core{Dataflow: "ws", Accumulator: graph.Int32, Lanes: 16, SRAM: machine.SRAM{Ifmap: 1 << 20, Filter: 1 << 20, Ofmap: 1 << 20}}
	core.Array.Rows, core.Array.Cols = 32, 32
	spec := mapping.DefaultSpec()
	one, err := mapping.Split(g, []machine.Core{core}, spec)
	require.NoError(t, err)
	var jobs []Job
	index := map[int]int32{}
	for i, j := range one[0].Jobs {
		jobs = append(jobs, Job{j.Op, j.Fused})
		index[j.Op] = int32(i)
	}
	after := After(g, jobs)
	spec.Split = "layer"
	two, err := mapping.Split(g, []machine.Core{core, core}, spec)
	require.NoError(t, err)
	waits := 0
	for _, p := range two {
		for _, j := range p.Jobs {
			for _, w := range j.After {
				waits++
				require.Contains(t, after[index[j.Op]], index[w.Op()], g.Ops[j.Op].Name)
			}
		}
	}
	require.Positive(t, waits)
}

// A view of several results waits for all of them, views of it too; what is written in
// place is a result of the last that did.
func TestAfterJoinsAndInPlace(t *testing.T) {
	g := &graph.Graph{Name: "joined"}
	add := func(role graph.Role) graph.TensorID {
		return g.Add(graph.Tensor{Name: "x", Shape: []int{8}, Role: role})
	}
	one := graph.Elementwise{Func: "identity", Elements: 8, Inputs: 1}
	x, a, b, both, seen, sum := add(graph.Input), add(graph.Activation), add(graph.Activation), add(graph.Activation), add(graph.Activation), add(graph.Gradient)
	g.Append(graph.Op{Name: "a", In: []graph.TensorID{x}, Out: []graph.TensorID{a}, Kind: one})
	g.Append(graph.Op{Name: "b", In: []graph.TensorID{x}, Out: []graph.TensorID{b}, Kind: one})
	g.Append(graph.Op{Name: "both", In: []graph.TensorID{a, b}, Out: []graph.TensorID{both}, Kind: graph.Move{Func: "concat"}})
	g.Append(graph.Op{Name: "seen", In: []graph.TensorID{both}, Out: []graph.TensorID{seen}, Kind: graph.Move{Func: "reshape"}})
	g.Append(graph.Op{Name: "first", In: []graph.TensorID{seen}, Out: []graph.TensorID{sum}, Kind: one})
	g.Append(graph.Op{Name: "second", In: []graph.TensorID{x, sum}, Out: []graph.TensorID{sum}, Kind: one})
	g.Append(graph.Op{Name: "third", In: []graph.TensorID{sum}, Out: []graph.TensorID{add(graph.Output)}, Kind: one})
	require.NoError(t, g.Validate())
	require.Equal(t, [][]int32{nil, nil, {0, 1}, {2}, {3}}, After(g, []Job{{Op: 0}, {Op: 1}, {Op: 4}, {Op: 5}, {Op: 6}}))
}
