package mapping

import "github.com/causeway-sim/causeway/workloads/graph"

// One core that keeps results on the chip may carry a batch through the first operators of a graph in
// slices: all of these operators for some images (or requests), then for the next ones. The operators
// after them follow for the whole batch. Results of a slice fit on the chip where those of the batch do
// not; weights are read again for each slice. The search tries every number of slices that divides the
// batch. Jobs are walked one by one, without the transfers of results that stay, and the least sum of
// their times wins.

// sliceGain is the part of the time of the whole batch that slices have to save: a walk of one job does
// not see weights that are fetched ahead.
// assumption: a 64th.
const sliceGain = 64

// mostSlices bounds the number of slices: each has a job for each of its operators.
const mostSlices = 64

// slicing is a pipeline of one core, in which the operators of a slice are one chunk. Operators from end
// on are late, and so are those with results that the batch does not divide.
func (x *Mapper) slicing(s *splitter, cores []Core, spec Spec, fused [][]int, by []int, slices, end int) *pipeline {
	spec.MicroBatches = slices
	p := &pipeline{x: x, s: s, batch: newSplitter(s.g, "batch", slices), cores: cores, spec: spec, fused: fused, width: 1, sliced: true,
		shares: make([][][]portion, len(s.g.Ops)), order: timetable{chunk: make([]int, len(s.g.Ops)), rank: map[[2]int]int{}}}
	for m := range slices {
		p.order.rank[[2]int{0, m}] = m
	}
	p.findLate(by)
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

// inSlices is the best program of one core with the batch in slices, or that without.
func (x *Mapper) inSlices(g *graph.Graph, cores []Core, spec Spec, whole []Program, jobs func(*pipeline) ([]Program, error), fused [][]int, by []int) []Program {
	s := newSplitter(g, spec.Split, 1)
	if s.batch < 2 || len(cores) != 1 || cores[0].OnChip == KeepNone || cores[0].Planner != nil || spec.Objective != "time" || spec.peer() != nil {
		return whole
	}
	best, least := whole, opTimes(g, &whole[0], &cores[0])
	limit := total(least) - total(least)/sliceGain
	for n := 2; n <= int(min(s.batch, mostSlices)); n++ {
		if s.batch%int64(n) > 0 {
			continue
		}
		all, err := jobs(x.slicing(s, cores, spec, fused, by, n, len(g.Ops)))
		if err != nil {
			return best
		}
		end := firstWhole(opTimes(g, &all[0], &cores[0]), least)
		if end == 0 {
			continue
		}
		if end < len(g.Ops) {
			if all, err = jobs(x.slicing(s, cores, spec, fused, by, n, end)); err != nil {
				return best
			}
		}
		if t := total(opTimes(g, &all[0], &cores[0])); t < limit {
			best, limit = all, t
		}
	}
	return best
}

// firstWhole is the operator from which on the whole batch is faster than slices, by the times of each
// operator both ways.
func firstWhole(sliced, whole []int64) (end int) {
	sum, best := int64(0), int64(0)
	for i := range whole {
		if sum += sliced[i] - whole[i]; sum < best {
			best, end = sum, i+1
		}
	}
	return end
}

func total(times []int64) (sum int64) {
	for _, t := range times {
		sum += t
	}
	return sum
}

// opTimes is how long the jobs of each operator take on a core, without the transfers of results that
// stay. Slices of an operator are alike.
func opTimes(g *graph.Graph, p *Program, core *Core) []int64 {
	out := make([]int64, len(g.Ops))
	first := make([]int64, len(g.Ops))
	for i := range p.Jobs {
		j := &p.Jobs[i]
		if j.Part == 0 {
			first[j.Op] = j.Plan.without(p.Residents, core)
		}
		out[j.Op] += first[j.Op]
	}
	return out
}
