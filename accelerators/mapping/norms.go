package mapping

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// With Core.Norms the vector unit makes the statistics of a layer or rms norm, sums of
// elements and of their squares, as the results that the norm reads leave the array, tile by
// tile during the products of the next. The norm then goes through its rows once, to
// normalise, scale and shift.
//
// assumption: the sums of a row fit into registers of the vector unit besides the buffers.
// Where columns of a product are shared by cores, their sums meet over the bus of multicast,
// which is no bottleneck.

// sumsOfNorms finds, by matrix operator, the norms that read what leaves with it, and notes
// the operations that go with it (Mapper.norms).
func (x *Mapper) sumsOfNorms(g *graph.Graph, cores []machine.Core, fused [][]int) [][]int {
	out := make([][]int, len(g.Ops))
	for i := range cores {
		if !cores[i].Norms || cores[i].Planner != nil {
			return out
		}
	}
	x.norms = map[*graph.Op]int64{}
	for i := range g.Ops {
		op := &g.Ops[i]
		if _, ok := op.Matrix(); !ok || len(op.Out) != 1 {
			continue
		}
		last := op.Out[0]
		if f := fused[i]; len(f) > 0 {
			last = g.Ops[f[len(f)-1]].Out[0]
		}
		for j := i + 1; j < len(g.Ops); j++ {
			k, ok := g.Ops[j].Kind.(graph.Norm)
			if !ok || g.Ops[j].In[0] != last || k.Rows*k.Cols != g.Tensor(last).Elements() {
				continue
			}
			if n := k.Statistics(); n > 0 {
				out[i] = append(out[i], j)
				x.norms[op] += n
				x.norms[&g.Ops[j]] = -n
			}
		}
	}
	return out
}
