package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Cores that make parts of a sum multiply each pair of elements once, read each byte of both
// operands once for each part of the others' axes, and store each result once; each adds
// its part of the results.
func TestPartsOfASum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(s string, a, b int) int { return rapid.IntRange(a, b).Draw(t, s) }
		d := division{1, 1, n("rows", 1, 2), n("cols", 1, 2), n("parts", 2, 4)}
		m, cols, k := n("m", d.row, 20), n("n", d.col, 60), 8*d.k*n("k", 1, 20)
		types := graph.Uniform(rapid.SampledFrom([]graph.DType{graph.Int8, graph.BF16}).Draw(t, "dtype"))
		if rapid.Bool().Draw(t, "blocks") {
			types.Weight = graph.MXFP8
			k *= 4
		}
		g, op := one(graph.MatMul{Batch: 1, M: m, N: cols, K: k}, types, false)
		core := drawCore(t, 1<<11)
		cores := make([]machine.Core, d.cores())
		for i := range cores {
			cores[i] = core
		}
		all := product.Whole(graph.Matrix{Batch: 1, M: int64(m), N: int64(cols), K: int64(k)})
		portions := d.portions(nil, &all, 1, int64(k))
		d.shareFetches(portions, &all, 1)
		moved := map[graph.TensorID][]int{}
		for _, id := range []graph.TensorID{op.In[0], op.In[1], op.Out[0]} {
			moved[id] = make([]int, g.Tensor(id).Bytes())
		}
		x, macs, adds := NewMapper(), int64(0), int64(0)
		for i := range portions {
			p, err := x.planPortion(op, g, cores, Spec{Objective: "traffic", Layout: nil}, &portions[i], nil)
			if tooSmall(t, err) {
				return
			}
			macs, adds = macs+p.MACs, adds+p.Vector
			var total, done int64
			for st := range p.All() {
				done += st.MACs
				for _, list := range [][]dma.Transfer{st.Loads, st.Stores} {
					for j := range list {
						total += list[j].Bytes()
						if list[j].Tensor == dma.Scratch {
							continue
						}
						forEach(&list[j], func(a, b int64) {
							for ; a < b; a++ {
								moved[list[j].Tensor][a]++
							}
						})
					}
				}
			}
			require.Equal(t, p.Traffic.Total(), total)
			require.Equal(t, p.MACs, done)
		}
		require.Equal(t, int64(m)*int64(cols)*int64(k), macs)
		require.GreaterOrEqual(t, adds, int64(m*cols*(d.k-1)))
		require.Less(t, adds, int64(m*cols*(d.k-1)+d.cores()))
		for _, times := range moved[op.Out[0]] {
			require.Equal(t, 1, times)
		}
		for _, id := range op.In {
			for _, times := range moved[id] {
				require.Positive(t, times)
			}
		}
	})
}

// Products whose results fill no array of all cores are cut along the sum, where that is
// estimated to be faster, and no others.
func TestSumsAreCutWhereFaster(t *testing.T) {
	for _, c := range []struct {
		m, n, k int
		cut     bool
	}{{1, 128, 65536, true}, {64, 64, 65536, true}, {4096, 4096, 65536, false}, {1, 128, 128, false}} {
		g, _ := one(graph.MatMul{Batch: 1, M: c.m, N: c.n, K: c.k}, graph.Uniform(graph.Int8), false)
		cores := equalCores(8)
		programs, err := Split(g, cores, Spec{Split: "auto", Objective: "time"})
		require.NoError(t, err)
		macs := int64(0)
		for i := range programs {
			for j := range programs[i].Jobs {
				p := programs[i].Jobs[j].Plan
				macs += p.MACs
				require.Equal(t, c.cut, p.Exchanged() > 0, "%+v", c)
			}
		}
		require.Equal(t, int64(c.m)*int64(c.n)*int64(c.k), macs)
		apart, _ := spent(t, g, cores, Spec{Split: "column", Objective: "time"})
		auto, _ := spent(t, g, cores, Spec{Split: "auto", Objective: "time"})
		require.LessOrEqual(t, auto, apart)
	}
}
