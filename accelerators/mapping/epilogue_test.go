package mapping

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// fusedNames is what is fused into each operator, by name.
func fusedNames(g *graph.Graph, wide bool) map[string]string {
	out := map[string]string{}
	fused, _ := fusible(g, true, wide)
	for i, list := range fused {
		var names []string
		for _, j := range list {
			names = append(names, g.Ops[j].Name)
		}
		if names != nil {
			out[g.Ops[i].Name] = strings.Join(names, "+")
		}
	}
	return out
}

// A layer of a decoder: rotary positions, appends to the caches, the gate and the sums
// with the residual go with the products that they follow. Without it functions of one
// operand alone do.
func TestEpiloguesOfADecoder(t *testing.T) {
	g, err := zoo.Decoder{Name: "small", Layers: 1, Hidden: 64, Heads: 4, KVHeads: 2, FF: 96, Words: 10}.Graph(zoo.Params{Sequence: 16})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	require.Equal(t, map[string]string{"L0.gate": "L0.silu"}, fusedNames(g, false))
	require.Equal(t, map[string]string{
		"L0.q": "L0.q.heads+L0.q.rope", "L0.k": "L0.k.heads+L0.k.rope+L0.k_cache.append", "L0.v": "L0.v.heads+L0.v_cache.append",
		"L0.gate": "L0.silu", "L0.up": "L0.mul", "L0.o": "L0.add1", "L0.down": "L0.add2",
	}, fusedNames(g, true))
	// Other types in the cache: the append stays with the product, whose other operand is small.
	g.SetDTypes(graph.DTypes{Weight: graph.Int8, Activation: graph.BF16, KV: graph.Int8, Accumulator: graph.FP32})
	require.Equal(t, "L0.k.heads+L0.k.rope+L0.k_cache.append", fusedNames(g, true)["L0.k"])
}

// The sum of a residual block of ResNet goes with its later convolution.
func TestEpiloguesOfResNet(t *testing.T) {
	g, err := zoo.Build("resnet18", zoo.Params{Image: 64})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	n := 0
	for _, names := range fusedNames(g, true) {
		if strings.Contains(names, "add") {
			require.Contains(t, names, "relu", "the sum is not the end")
			n++
		}
	}
	require.Equal(t, 8, n)
}

// Whatever the sharing, the dataflow and the buffers: the steps move what the plans say,
// every result is written once, and every other operand that is as large is read once.
func TestEpiloguesMoveEveryTileOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 150 {
		var g *graph.Graph
		var err error
		if i%3 == 0 {
			g, err = zoo.Build("resnet18", zoo.Params{Image: 32 + 8*r.IntN(4), Batch: 1 + r.IntN(3)})
		} else {
			d := zoo.Decoder{Name: "small", Layers: 1, Hidden: 32 * (1 + r.IntN(3)), Heads: 2, FF: 8 * (1 + r.IntN(20)), Words: 10, Norm: "layer", QKVBias: true}
			g, err = d.Graph(zoo.Params{Sequence: 1 + r.IntN(60), Batch: 1 + r.IntN(3)})
		}
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform([]graph.DType{graph.Int8, graph.BF16}[r.IntN(2)]))
		core := attentionCore([]string{"ws", "os", "is"}[r.IntN(3)], 8<<r.IntN(3), 8<<r.IntN(3), 4<<r.IntN(5), r.IntN(2) == 0)
		core.OnChip = machine.KeepOutputs
		cores := make([]machine.Core, 1+r.IntN(3))
		for c := range cores {
			cores[c] = core
		}
		split := Splits()[r.IntN(5)]
		what := fmt.Sprintf("%d: %s over %d cores %+v", i, split, len(cores), core)
		programs, err := Split(g, cores, Spec{Split: split, Objective: []string{"traffic", "time"}[r.IntN(2)], Fuse: true})
		require.NoError(t, err, what)
		written := map[graph.TensorID]int64{}
		read := map[[2]graph.TensorID]int64{} // other operand, result
		for _, p := range programs {
			for _, j := range p.Jobs {
				var moved int64
				for st := range j.Plan.All() {
					for k := range st.Loads {
						l := &st.Loads[k]
						moved += l.Bytes()
						if l.Tensor >= 0 && j.Plan.Matrix {
							read[[2]graph.TensorID{l.Tensor, j.Plan.tiles.At.C}] += l.Bytes()
						}
					}
					for k := range st.Stores {
						moved += st.Stores[k].Bytes()
						if id := st.Stores[k].Tensor; id >= 0 {
							written[id] += st.Stores[k].Bytes()
						}
					}
				}
				require.Equal(t, j.Plan.Traffic.Total(), moved, "%s: %s", what, g.Ops[j.Op].Name)
			}
		}
		for _, p := range programs {
			for _, j := range p.Jobs {
				if !j.Plan.Matrix {
					continue
				}
				at := &j.Plan.tiles.At
				require.Equal(t, g.Tensor(at.C).Bytes(), written[at.C], "%s: %s", what, g.Ops[j.Op].Name)
				for _, d := range at.Sides {
					if got := read[[2]graph.TensorID{d.Tensor, at.C}]; d.Full {
						require.Equal(t, g.Tensor(d.Tensor).Bytes(), got, "%s: %s", what, g.Tensor(d.Tensor).Name)
					} else {
						require.GreaterOrEqual(t, got, g.Tensor(d.Tensor).Bytes(), "%s: %s", what, g.Tensor(d.Tensor).Name)
					}
				}
			}
		}
	}
}

// The plans of a graph do not depend on what its mapper was asked for before.
func TestMappersHaveNoHistory(t *testing.T) {
	var cores []machine.Core
	for _, mem := range []machine.Memory{{Bandwidth: 320, Cycles: 1, Latency: 282}, {Bandwidth: 160, Cycles: 1, Latency: 564}, {Bandwidth: 25, Cycles: 1, Latency: 1000}} {
		c := tpu("ws")
		c.OnChip, c.Memory, c.SRAM = machine.KeepAll, mem, machine.SRAM{Ifmap: 64 << 10, Filter: 64 << 10, Ofmap: 64 << 10}
		c.Memory.Burst, c.Memory.Outstanding = 4096, 16
		cores = append(cores, c)
	}
	known := NewMapper()
	for name, p := range map[string]zoo.Params{"bert_base": {Sequence: 64}, "resnet50": {}} {
		g := model(t, name, p)
		for _, c := range append(cores, cores...) {
			again, err := known.Split(g, []machine.Core{c}, DefaultSpec())
			require.NoError(t, err)
			require.False(t, known.coarse, "the next search goes through all sizes of tiles")
			require.Nil(t, known.stays)
			fresh, err := Split(g, []machine.Core{c}, DefaultSpec())
			require.NoError(t, err)
			require.Equal(t, len(fresh[0].Jobs), len(again[0].Jobs))
			for i := range fresh[0].Jobs {
				a, b := &fresh[0].Jobs[i], &again[0].Jobs[i]
				require.Equal(t, a.All(), b.All(), "%s: %s", name, g.Ops[a.Op].Name)
				require.Equal(t, a.Plan.Tile, b.Plan.Tile)
				require.Equal(t, a.Plan.Traffic, b.Plan.Traffic)
			}
		}
	}
}
