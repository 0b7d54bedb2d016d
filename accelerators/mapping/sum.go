package mapping

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Where the results of a product are too few to keep all cores busy, cores make parts of
// its sum over k: each multiplies its range of k, and has partial sums of all results of
// their group. They exchange them over the bus that multicast uses: each adds up a part of
// the results with its vector unit, those of all others to its own, and stores it.
//
// assumption: the cores run in step, so that partial sums are there when one's own are, and
// the bus between them is no bottleneck, as for operands that they fetch together (cast).

// summed corrects a plan for partial sums that are exchanged: what it stores and reads of
// other operands is its part, all its partial sums are read once from the ofmap buffer, and
// the last of them are added before it ends.
func (p *Plan) summed() {
	p.Traffic.Psum, p.Traffic.Spill, p.Traffic.Output = 0, 0, 0
	for st := range p.All() {
		for i := range st.Loads {
			if t := &st.Loads[i]; t.Buffer == dma.Ofmap {
				p.Traffic.Psum += t.Bytes()
			}
		}
		for i := range st.Stores {
			if t := &st.Stores[i]; t.Tensor == dma.Scratch {
				p.Traffic.Spill += t.Bytes()
			} else {
				p.Traffic.Output += t.Bytes()
			}
		}
	}
	p.SRAM.OfmapReads += p.tiles.S.Batch * p.tiles.S.M() * p.tiles.S.N
}

// Exchanged is the bytes of partial sums that a core sends to others of its group.
func (p *Plan) Exchanged() int64 {
	if !p.tiles.Sum.Shared() {
		return 0
	}
	return p.tiles.S.Acc.Size(p.tiles.S.Batch*p.tiles.S.M()*p.tiles.S.N) * (p.tiles.Sum.Of - 1) / p.tiles.Sum.Of
}

// sums lists divisions of a product among n cores that cut its sum, too: for
// products whose results fill no array of all cores. unit is what k is cut in.
func (t *grids) sums(n int, even bool) (list []division) {
	m, _ := t.op.Matrix()
	core := &t.cores[0]
	side := int64(core.Array.Rows) * int64(core.Array.Cols)
	if m.Conv != nil || n < 2 || core.Planner != nil || tile.Goals[t.spec.Objective] != tile.LeastTime || !t.multicast ||
		t.all.Batch.Len()*t.all.Row.Len()*t.all.N.Len() > int64(n)*side {
		return nil
	}
	unit := sumUnit(t.g, t.op)
	for k := 2; k <= n; k++ {
		if !even && n%k > 0 || t.length%(int64(k)*unit) > 0 || t.length/int64(k) < int64(max(core.Array.Rows, core.Array.Cols)) {
			continue
		}
		for _, d := range divisions(t.all, 1, n/k, even) {
			d.k = k
			list = append(list, d)
		}
	}
	return list
}

// sumUnit is what ranges of k are a multiple of, so that they begin with a unit of either
// operand.
func sumUnit(g *graph.Graph, op *graph.Op) int64 {
	n := int64(1)
	for _, id := range op.In[:2] {
		if e := g.Tensor(id).Unit().Elements; e > 1 {
			n = n / integer.GCD(n, e) * e
		}
	}
	return n
}
