package mapping

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// An epilogue is not free: tiles of its other operands take room of the results in the ofmap
// buffer, so that tiles of the product get smaller and what they share is read again. Where
// that costs more than carrying out the operators apart, the product keeps what is free
// (functions of one operand, folded norms).

// epilogues are the operators that are applied on the way out of each product, and the
// product of each operator, as fusible says them, with those left out that cost more than
// they save.
func (x *Mapper) epilogues(g *graph.Graph, cores []machine.Core, spec Spec) (fused [][]int, by []int) {
	fused, by = fusible(g, spec.Fuse, keeps(cores))
	if !keeps(cores) || !spec.Fuse {
		return fused, by
	}
	free, _ := fusible(g, true, false)
	x.walks = map[*tile.Solution]int64{} // of this graph on these cores alone
	for i := range g.Ops {
		if len(fused[i]) == len(free[i]) || x.saves(g, cores[0], spec, i, fused[i], free[i]) {
			continue
		}
		for _, j := range fused[i] {
			by[j] = -1
		}
		fused[i] = free[i]
		for _, j := range fused[i] {
			by[j] = i
		}
	}
	return fused, by
}

// saves reports whether a product with all of its epilogue takes no longer than with what is
// free and the others apart, on one core, all through memory. Where its tiles move no more of the
// product's operands, closed forms cannot tell the two apart, and their steps are walked: tiles of the
// other operands are read in short requests, which a DMA engine of few requests in flight waits for.
func (x *Mapper) saves(g *graph.Graph, core machine.Core, spec Spec, i int, all, free []int) bool {
	whole, err := x.planOf(g, core, spec, i, all)
	if err != nil {
		return false
	}
	apart, err := x.planOf(g, core, spec, i, free)
	if err != nil {
		return true
	}
	operands := func(p *Plan) int64 { return p.Traffic.Ifmap + p.Traffic.Filter }
	time, slack := func(p *Plan) int64 { return p.Time }, int64(0)
	if operands(whole) <= operands(apart) && whole.Cycles <= apart.Cycles {
		time, slack = x.walkedTime, tile.Margin
	}
	sum := time(apart)
	for _, j := range all[len(free):] {
		if k, ok := g.Ops[j].Kind.(graph.Move); ok && k.Elements == 0 {
			continue // a view
		}
		p, err := x.planOf(g, core, spec, j, nil)
		if err != nil {
			return true
		}
		sum += time(p)
	}
	if slack > 0 {
		sum += sum / slack
	}
	return time(whole) <= sum
}

// planOf is the plan of an operator with what is applied to its results, on one core.
func (x *Mapper) planOf(g *graph.Graph, core machine.Core, spec Spec, i int, fused []int) (*Plan, error) {
	return x.plan(&g.Ops[i], g, core, spec.Objective, Rule{}, nil, opsOf(g, fused))
}

// walkedTime is Estimate of a plan. Products that are alike are walked once.
func (x *Mapper) walkedTime(p *Plan) int64 {
	if !p.tiled() {
		return p.Estimate()
	}
	t, ok := x.walks[p.tiles.Sol]
	if !ok {
		t = p.Estimate()
		x.walks[p.tiles.Sol] = t
	}
	return t
}
