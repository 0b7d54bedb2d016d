package mapping

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Tiles are chosen as if nothing stayed on the chip. Of a batch on one core, jobs with operands or results
// that stay are then planned anew, without the time of what does not move. A result for which there is no room stays
// all the same where smaller tiles of the jobs during its life save more time than they cost.

// smallest bounds the tiles that are tried: those for buffers of 1/2, 1/4 and so on to 1/2^smallest.
const smallest = 3

// roomGain is the part of the time of these operators that room has to save: a walk of one job does not
// see weights that are fetched ahead. assumption: a 256th.
const roomGain = 256

// A smaller is a plan of a job for smaller buffers: sizes shifted right by so many bits.
type smaller struct {
	plan  *Plan
	shift int
}

// A tiling is plans of the jobs of a program, and what stays meanwhile.
type tiling struct {
	w *single
	o *outline
	*allocation
}

// makeRoom plans the jobs anew for what stays, and keeps more results by smaller tiles, where that is faster.
func (w *single) makeRoom(o *outline) {
	was, q, core := *o, *o.p, &w.cores[0]
	who := makers(w.g, []Program{q}, o.sliced)
	t := tiling{w, o, newAllocation(w.g, o.p, core.SRAM, who, o.sliced)}
	if t.allocation == nil {
		return
	}
	if !o.sliced {
		w.whole = t.allocation
	}
	q.Jobs = slices.Clone(q.Jobs)
	o.p = &q
	t.inOrder()
	t.retile()
	for _, x := range t.could {
		if t.spills[x.id] {
			t.fit(x)
		}
	}
	t.retile()
	again := newAllocation(w.g, &q, core.SRAM, who, o.sliced)
	again.inOrder()
	q.Residents, q.Scratch = again.residents(), 0
	for i := range q.Jobs {
		q.Scratch = max(q.Scratch, q.Jobs[i].Plan.Scratch)
	}
	if w.measure(o); o.total >= was.total {
		*o = was
	}
}

// retile plans the jobs whose operands or results stay anew, without the time of what does not move.
func (t *tiling) retile() {
	r := t.residents()
	for k, i := range t.jobs {
		p := t.o.p.Jobs[i].Plan
		if !p.Matrix || p.attn != nil || len(p.tiles.Kept) == 0 && !p.spares(r) || t.w.settled(p, t.o.each[i]) {
			continue
		}
		if s := t.plan(k, t.room[k]-t.free[k], r, 0); s.plan != nil && t.w.time(s.plan, r) < t.o.each[i] {
			t.take(k, s, r)
		}
	}
}

// sparesLeast is the part of its traffic that a plan has to be spared to be made anew. The walk of one job
// does not see weights that are fetched ahead: a token of LLaMA-3 8B for 8 requests took
// 3.9% longer with tiles for the few rows that stay. assumption: a 16th.
const sparesLeast = 16

// spares reports whether enough of a plan's operands and results stays for other tiles to be worth it.
func (p *Plan) spares(r *Residents) bool {
	stays := func(id graph.TensorID) bool { return id >= 0 && r.Stays[id] }
	k := product.Kept{A: stays(p.tiles.At.A), B: stays(p.tiles.At.B), C: stays(p.tiles.At.C)}
	t := p.Traffic
	k.Leave(&t)
	return (p.Traffic.Total()-t.Total())*sparesLeast >= p.Traffic.Total()
}

// settled reports whether a plan takes hardly longer than the array needs at the least.
func (w *single) settled(p *Plan, time int64) bool {
	h := *p.tiles.H
	h.Rows, h.Cols, h.Mem = int64(w.cores[0].Array.Rows), int64(w.cores[0].Array.Cols), machine.Memory{}
	return tile.Enough(p.tiles.S, &h, time)
}

// fit keeps a result by smaller tiles during its life, if that is faster.
func (t *tiling) fit(x residency) {
	t.stays[x.id] = true
	r := t.residents()
	t.stays[x.id] = false
	var plans []smaller
	before, after := int64(0), int64(0)
	for k := int(x.from); k <= int(x.to); k++ {
		i := t.jobs[k]
		s := smaller{plan: t.o.p.Jobs[i].Plan}
		if t.free[k] < x.bytes {
			if s = t.plan(k, t.room[k]-t.free[k]+x.bytes, r, 1); s.plan == nil {
				return
			}
		}
		plans = append(plans, s)
		before, after = before+t.o.each[i], after+t.w.time(s.plan, r)
	}
	if after >= before-before/roomGain {
		return
	}
	for k, s := range plans {
		t.take(int(x.from)+k, s, r)
	}
	t.keep(x)
}

// take plans a job, and those of other slices, anew.
func (t *tiling) take(k int, s smaller, r *Residents) {
	i := t.jobs[k]
	t.o.each[i] = t.w.time(s.plan, r)
	if s.plan == t.o.p.Jobs[i].Plan {
		return
	}
	room := s.plan.room(t.w.cores[0].SRAM)
	t.free[k], t.room[k] = t.free[k]+room-t.room[k], room
	for j := range t.o.p.Jobs {
		if t.o.p.Jobs[j].Op == t.o.p.Jobs[i].Op {
			t.o.p.Jobs[j].Plan = t.within(j, s.shift, r)
		}
	}
}

// plan is the plan of a job with the largest tiles that leave so much room, those of a shift or smaller;
// no plan if there is none.
func (t *tiling) plan(k int, room int64, r *Residents, shift int) smaller {
	i := t.jobs[k]
	if !product.OnArray(&t.w.g.Ops[t.o.p.Jobs[i].Op]) {
		return smaller{}
	}
	for ; shift <= smallest; shift++ {
		p := t.within(i, shift, r)
		if p == nil {
			break
		}
		if p.room(t.w.cores[0].SRAM) >= room {
			return smaller{p, shift}
		}
	}
	return smaller{}
}

// within is the plan of job i for smaller buffers; nil if there is none.
func (t *tiling) within(i, shift int, r *Residents) *Plan {
	w, j := t.w, &t.o.p.Jobs[i]
	cores := []machine.Core{w.cores[0]}
	s := &cores[0].SRAM
	s.Ifmap, s.Filter, s.Ofmap = s.Ifmap>>shift, s.Filter>>shift, s.Ofmap>>shift
	q := t.o.drafts[i].q
	w.x.stays, w.x.coarse = r.Stays, true
	p, err := w.x.planPortion(&w.g.Ops[j.Op], w.g, cores, w.spec, &q, opsOf(w.g, j.Fused))
	w.x.stays, w.x.coarse = nil, false
	if err != nil {
		return nil
	}
	return p
}

// kept is which of the tensors of a product are known to stay, and lists them.
func (x *Mapper) kept(at *product.Place) (k product.Kept, ids []graph.TensorID) {
	if x.stays == nil {
		return k, nil
	}
	has := func(id graph.TensorID) bool {
		if id < 0 || !x.stays[id] {
			return false
		}
		ids = append(ids, id)
		return true
	}
	k.A, k.B, k.Bias, k.C = has(at.A), has(at.B), has(at.Bias), has(at.C)
	for i := range at.Sides {
		if has(at.Sides[i].Tensor) {
			k.Which |= 1 << min(i, 63)
			if at.Sides[i].Full {
				k.Sides++
			}
		}
	}
	return k, ids
}
