package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// normed is a product whose results a norm reads.
func normed(rows, cols int, fn string) *graph.Graph {
	g, _ := one(graph.MatMul{Batch: 1, M: rows, N: cols, K: 256}, graph.Uniform(graph.Int8), false)
	c := g.Ops[0].Out[0]
	g.Tensors[c].Role = graph.Activation
	scale := g.Add(graph.Tensor{Name: "scale", Shape: []int{cols}, Role: graph.Weight, DType: graph.Int8})
	y := g.Add(graph.Tensor{Name: "y", Shape: []int{rows, cols}, Role: graph.Output, DType: graph.Int8})
	g.Append(graph.Op{Name: "norm", In: []graph.TensorID{c, scale}, Out: []graph.TensorID{y}, Kind: graph.Norm{Func: fn, Rows: int64(rows), Cols: int64(cols)}})
	return g
}

// Statistics of a norm go with the product: all operations are done once, and rows that fit
// into no buffer go by once in place of twice.
func TestNormsBesideTheArray(t *testing.T) {
	for _, c := range []struct {
		fn         string
		rows, cols int
		each       int64 // operations of the statistics, per element
		passes     int64 // of the norm alone
		sums       bool
	}{{"layer", 64, 512, 3, 1, true}, {"rms", 64, 512, 2, 1, true}, {"rms", 4, 40000, 2, 2, true}, {"batch", 64, 512, 0, 1, false}} {
		g := normed(c.rows, c.cols, c.fn)
		for _, n := range []int{1, 3} {
			plans := func(beside bool) (product, norm []*Plan, sums bool) {
				cores := equalCores(n)
				for i := range cores {
					cores[i].SRAM = machine.SRAM{Ifmap: 64 << 10, Filter: 256 << 10, Ofmap: 256 << 10}
					cores[i].Norms = beside
				}
				programs, err := Split(g, cores, Spec{Split: "row", Objective: "traffic"})
				require.NoError(t, err)
				for i := range programs {
					for _, j := range programs[i].Jobs {
						if j.Op == 0 {
							product, sums = append(product, j.Plan), len(j.Sums) > 0
						} else {
							norm = append(norm, j.Plan)
						}
					}
				}
				return product, norm, sums
			}
			of := func(ps []*Plan, f func(*Plan) int64) (sum int64) {
				for _, p := range ps {
					sum += f(p)
				}
				return sum
			}
			ops, ifmap := func(p *Plan) int64 { return p.Vector }, func(p *Plan) int64 { return p.Traffic.Ifmap }
			a, x, _ := plans(false)
			b, y, sums := plans(true)
			require.Equal(t, c.sums, sums, c.fn)
			elements := int64(c.rows * c.cols)
			require.InDelta(t, of(a, ops)+c.each*elements, of(b, ops), float64(n))
			require.Equal(t, of(x, ops)-c.each*elements, of(y, ops))
			require.Equal(t, c.passes*elements, of(x, ifmap))
			require.Equal(t, elements, of(y, ifmap))
			for _, p := range append(b, y...) { // steps have what the plan says
				var in int64
				for s := range p.All() {
					for i := range s.Loads {
						if s.Loads[i].Buffer == dma.Ifmap {
							in += s.Loads[i].Bytes()
						}
					}
				}
				require.Equal(t, p.Traffic.Ifmap, in)
			}
		}
	}
}
