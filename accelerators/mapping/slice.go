package mapping

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// One core that keeps results on the chip may carry a batch through the first operators of a graph in
// slices: all of these operators for some images (or requests), then for the next ones. The operators
// after them follow for the whole batch. Results of a slice fit on the chip where those of the batch do
// not; weights are read again for each slice. The search tries every number of slices that divides the
// batch. Each has tiles of its own for what stays (room.go). Jobs are walked one by one, without the
// transfers of results that stay, and the least sum of their times wins.

// mostSlices bounds the number of slices: each has a job for each of its operators.
const mostSlices = 64

// A single is a graph to be mapped onto one core that keeps results on the chip.
type single struct {
	x     *Mapper
	g     *graph.Graph
	cores []machine.Core // one
	spec  Spec
	fused [][]int
	by    []int
	jobs  func(*pipeline) ([]Program, []draft, error)
	known map[walkKey]int64
	whole *allocation // of the whole batch
}

// An outline is a program for the core.
type outline struct {
	p      *Program
	drafts []draft // of the jobs, in their order
	sliced bool
	end    int     // operator after the sliced ones
	each   []int64 // time of each job; those of later slices have none
	times  []int64 // of all jobs of each operator
	total  int64
}

// slicing is a pipeline of one core, in which the operators of a slice are one chunk. Operators from end
// on are late, and so are those with results that the batch does not divide.
func (w *single) slicing(slices, end int) *pipeline {
	spec, s := w.spec, newSplitter(w.g, w.spec.Split, 1)
	spec.MicroBatches = slices
	p := &pipeline{x: w.x, s: s, batch: newSplitter(s.g, "batch", slices), cores: w.cores, spec: spec, fused: w.fused, width: 1, sliced: true,
		shares: make([][][]portion, len(s.g.Ops)), order: timetable{chunk: make([]int, len(s.g.Ops)), rank: map[[2]int]int{}}}
	for m := range slices {
		p.order.rank[[2]int{0, m}] = m
	}
	p.findLate(w.by)
	end = min(end, firstUndivided(s.g, slices))
	for i := range p.late {
		p.late[i] = p.late[i] || i >= end
	}
	return p
}

// firstUndivided is the first operator with a result of which a slice does not make its part.
func firstUndivided(g *graph.Graph, slices int) int {
	for i := range g.Ops {
		for _, id := range g.Ops[i].Out {
			if t := g.Tensor(id); len(t.Shape) == 0 || t.Shape[0]%slices > 0 {
				return i
			}
		}
	}
	return len(g.Ops)
}

// best is the program of least time, with tiles for what stays: that of the whole batch, or one with the batch
// in slices.
func (w *single) best(whole *outline) *Program {
	batch, r := newSplitter(w.g, w.spec.Split, 1).batch, whole.p.Residents
	if r == nil {
		return whole.p
	}
	w.measure(whole)
	w.makeRoom(whole)
	best := whole
	for n := int64(2); n <= min(batch, mostSlices) && slices.Contains(r.Spills, true); n++ {
		if batch%n > 0 {
			continue
		}
		if o := w.inSlices(int(n), whole); o != nil && o.total < best.total {
			best = o
		}
	}
	w.skipRows(best)
	return best.p
}

// skipRows leaves out the rows between those that a stride reads where the input stays on the chip, so that
// no request carries them.
func (w *single) skipRows(o *outline) {
	r := o.p.Residents
	for i := range o.p.Jobs {
		j := &o.p.Jobs[i]
		if p := j.Plan; p.tiles.S == nil || !p.tiles.S.Between || !r.Stays[p.tiles.At.A] {
			continue
		}
		q := o.drafts[i].q
		q.tile, q.order = j.Plan.Tile, j.Plan.Order
		w.x.stays = r.Stays
		if p, err := w.x.planPortion(&w.g.Ops[j.Op], w.g, w.cores, w.spec, &q, opsOf(w.g, j.Fused)); err == nil {
			j.Plan = p
		}
		w.x.stays = nil
	}
}

// inSlices is the program with the first operators in slices, as many of them as are faster so; nil if
// none is.
func (w *single) inSlices(n int, whole *outline) *outline {
	o := w.outline(n, len(w.g.Ops))
	if o == nil {
		return nil
	}
	switch end := w.firstWhole(o, whole); {
	case end == 0:
		return nil
	case end < o.end:
		return w.outline(n, end)
	}
	return o
}

// outline is the program with so many operators in so many slices; nil if there is none. Tiles are
// chosen as if all results of a slice stayed that are smaller than the buffers, and anew where they do not.
func (w *single) outline(n, end int) *outline {
	w.x.coarse, w.x.stays = true, w.hopes(int64(n))
	all, drafts, err := w.jobs(w.slicing(n, end))
	w.x.coarse, w.x.stays = false, nil
	if err != nil {
		return nil
	}
	o := &outline{p: &all[0], drafts: drafts, sliced: true, end: end}
	w.measure(o)
	w.makeRoom(o)
	return o
}

// hopes is the results that could stay if their slices are smaller than the buffers, by tensor.
func (w *single) hopes(n int64) []bool {
	s := &w.cores[0].SRAM
	out := make([]bool, len(w.g.Tensors))
	for _, x := range w.whole.could {
		out[x.id] = x.bytes/n < int64(s.Ifmap+s.Filter+s.Ofmap)
	}
	for i := range out { // views are their storage
		out[i] = out[w.whole.life.Of[i].Storage]
	}
	return out
}

// firstWhole is the operator from which on the whole batch is faster than slices, by the times of each
// operator both ways. Results that one part makes and the other reads go through memory.
func (w *single) firstWhole(sliced, whole *outline) (end int) {
	sum, best := int64(0), int64(0)
	for i := range w.g.Ops {
		if sum += sliced.times[i] - whole.times[i]; sum < best {
			if at := sum + w.crossing(i+1, sliced, whole); at < best {
				best, end = at, i+1
			}
		}
	}
	return end
}

// crossing is the time of the memory for results that operators before end make and others read, as far as
// they stay in a program of which only a part is carried out.
func (w *single) crossing(end int, sliced, whole *outline) int64 {
	bytes := int64(0)
	for _, x := range w.whole.could {
		if op := func(k int32) int { return whole.p.Jobs[w.whole.jobs[k]].Op }; op(x.from) >= end || op(x.to) < end {
			continue
		}
		if sliced.p.Residents.Stays[x.id] {
			bytes += x.bytes
		}
		if whole.p.Residents.Stays[x.id] {
			bytes += x.bytes
		}
	}
	return w.cores[0].Memory.Busy(bytes, 0)
}

// measure walks the jobs, without the transfers of results that stay. Slices of an operator are alike.
func (w *single) measure(o *outline) {
	o.each, o.times, o.total = make([]int64, len(o.p.Jobs)), make([]int64, len(w.g.Ops)), 0
	first := make([]int64, len(w.g.Ops))
	for i := range o.p.Jobs {
		j := &o.p.Jobs[i]
		if j.Part == 0 {
			first[j.Op] = w.time(j.Plan, o.p.Residents)
			o.each[i] = first[j.Op]
		}
		o.times[j.Op] += first[j.Op]
		o.total += first[j.Op]
	}
}

// A walkKey is what the walk of a product depends on: layers that are alike are walked once.
type walkKey struct {
	s     *product.Shape
	sol   *tile.Solution
	stays uint64
}

// time is how long the core takes for a plan alone, without the transfers of what stays.
func (w *single) time(p *Plan, r *Residents) int64 {
	key := walkKey{s: p.tiles.S, sol: p.tiles.Sol}
	alike := p.tiled() && len(p.tiles.At.Sides) < 60
	if alike && r != nil {
		ids := []graph.TensorID{p.tiles.At.A, p.tiles.At.B, p.tiles.At.Bias, p.tiles.At.C}
		for _, s := range p.tiles.At.Sides {
			ids = append(ids, s.Tensor)
		}
		for i, id := range ids {
			if id >= 0 && r.Stays[id] {
				key.stays |= 1 << i
			}
		}
	}
	t, ok := w.known[key]
	if !alike || !ok {
		t = p.without(r, &w.cores[0])
	}
	if alike {
		w.known[key] = t
	}
	return t
}
