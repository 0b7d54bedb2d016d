package cores

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/shift"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

func chip(cores, represented int) Spec {
	return Spec{Represented: represented, Block: 4096, Machine: shift.Machine{Cores: cores, Memory: 4 << 20, Buffer: 8 << 10, Compute: 170e9, Local: 32e9, Link: 5.3e9, Sync: 200e-9}}
}

// one is a product with a weight of sizes that divide, and a softmax.
func one(t *testing.T) *graph.Graph {
	b := graph.NewBuilder("one")
	x := b.Linear("fc", b.Input("x", 64, 256), 512)
	b.Output(b.Softmax("softmax", x))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.FP16))
	return g
}

// sum is what all ranks send, compute and read from outside.
func sum(t *testing.T, ranks []*graph.Graph) (bytes, macs, read int64) {
	type end struct{ from, to, tag int }
	sent := map[end]int64{}
	for k, g := range ranks {
		macs += g.MACs()
		for i := range g.Ops {
			switch op := g.Ops[i].Kind.(type) {
			case graph.Transfer:
				if op.Func == "send" {
					sent[end{k, op.Peer, op.Tag}] = op.Bytes
					bytes += op.Bytes
				}
			case graph.Move:
				if op.Func == "load" {
					read += 2 * op.Elements
				}
			}
		}
	}
	for k, g := range ranks {
		for i := range g.Ops {
			if op, ok := g.Ops[i].Kind.(graph.Transfer); ok && op.Func == "recv" {
				e := end{op.Peer, k, op.Tag}
				require.Equal(t, sent[e], op.Bytes)
				delete(sent, e)
			}
		}
	}
	require.Empty(t, sent, "every send has its recv")
	return bytes, macs, read
}

// All cores together do the model's products once, and send what the plan says.
func TestShiftConserves(t *testing.T) {
	o := chip(16, 16)
	g := one(t)
	ranks, plan, err := Shift(g, o)
	require.NoError(t, err)
	require.Len(t, plan, 1)
	p := &plan[0]
	bytes, macs, _ := sum(t, ranks)
	require.EqualValues(t, 16, p.Cores())
	require.Equal(t, g.MACs(), macs)
	require.Equal(t, 16*(p.Setup+p.Shifted()+int64(p.Pk-1)*p.Partial()), bytes)
}

// A core of few represents those of all: each has the same bytes, with every plan.
func TestRepresentedCoresAreAlike(t *testing.T) {
	g, err := zoo.Build("bert_base", zoo.Params{Sequence: 128})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	all, few := chip(16, 16), chip(16, 4)
	all.Memory, few.Memory = 12<<20, 12<<20
	whole, _, err := Shift(g, all)
	require.NoError(t, err)
	part, plan, err := Shift(g, few)
	require.NoError(t, err)
	for i := range plan {
		require.Equal(t, 16, plan[i].Cores(), plan[i].Name)
	}
	b1, m1, _ := sum(t, whole)
	b2, m2, _ := sum(t, part)
	require.Equal(t, m1, 4*m2)
	require.Equal(t, b1, 4*b2)
}

// A stored operand comes from outside once: each channel reads its share of it, and the
// core gets the window of its plan.
func TestOutsideIsReadOnce(t *testing.T) {
	o := chip(16, 4)
	o.Outside = 2.7e9
	for o.Loading = shift.Basic; o.Loading <= shift.Dynamic; o.Loading++ {
		ranks, plan, err := Shift(one(t), o)
		require.NoError(t, err)
		require.Len(t, ranks, 8)
		bytes, _, read := sum(t, ranks)
		require.EqualValues(t, 2*256*512/16*4, read)
		_, window := plan[0].Windows()
		p := &plan[0]
		require.Equal(t, 4*(window+p.Setup+p.Shifted()+int64(p.Pk-1)*p.Partial()), bytes)
	}
}

// Cores that keep nothing load every slab, but for blocks that lie on themselves.
func TestLoadsEverySlab(t *testing.T) {
	o := chip(16, 16)
	o.Loads, o.Block = true, 1024
	g := one(t)
	ranks, plan, err := Shift(g, o)
	require.NoError(t, err)
	bytes, macs, _ := sum(t, ranks)
	require.Equal(t, g.MACs(), macs)
	p := &plan[0]
	a, b := p.Slabs()
	last := p.Results()
	if p.Pk > 1 {
		last = int64(p.Pk-1) * p.Partial()
	}
	whole := 16 * (int64(p.Steps())*(a+b) + last)
	require.Less(t, bytes, whole*102/100) // requests are 16 B per block
	require.Greater(t, bytes, whole*85/100)
}

func TestShiftRefuses(t *testing.T) {
	o := chip(16, 4)
	o.Memory = 9 << 10
	_, _, err := Shift(one(t), o)
	require.ErrorContains(t, err, "one: fc: no plan fits into")
	b := graph.NewBuilder("fused")
	q := b.Input("q", 1, 2, 8, 16)
	b.Output(b.Op("attend", graph.Attention{Batch: 2, Group: 1, Queries: 8, Keys: 8, Size: 16, Value: 16}, []graph.TensorID{q, q, q}, 1, 2, 8, 16))
	g, err := b.Graph()
	require.NoError(t, err)
	_, _, err = Shift(g, chip(16, 4))
	require.EqualError(t, err, "fused: attend is an attention as one operator (want attention: unfused)")
}
