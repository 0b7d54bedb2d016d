package mapping

import (
	"sort"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A pipeline carries the batch through the cores in micro-batches. The cores are
// divided into stages of equally many. The operators are cut into chunks of
// consecutive ones of about equal time, and chunk q belongs to stage q mod stages:
// with several chunks per stage all of them are at work after a part of the time that
// one micro-batch takes for the whole network (an interleaved schedule: Narayanan et
// al., SC 2021, section 2.2). The cores of a stage share its operators out as the split
// auto does. How many stages and chunks there are, and in which order a stage does its
// chunks of the micro-batches, comes from schedules with estimated times.
//
// Operators that do not divide into micro-batches, and all that read what they make,
// are done at the end for the whole batch, by all cores.
type pipeline struct {
	x      *Mapper
	s      *splitter // over all cores
	batch  *splitter // cuts the batch into micro-batches
	cores  []machine.Core
	spec   Spec
	fused  [][]int
	late   []bool // by operator
	sliced bool   // of one core (slice.go)
	width  int    // cores of a stage
	order  timetable
	shares [][][]portion // by operator and micro-batch: on the cores of a stage, once known
}

// A timetable is an assignment of operators to chunks, and an order of chunks of
// micro-batches.
type timetable struct {
	chunk  []int          // by operator
	rank   map[[2]int]int // by chunk and micro-batch
	finish int64          // estimated
}

func (x *Mapper) newPipeline(s *splitter, cores []machine.Core, spec Spec, fused [][]int, by []int) *pipeline {
	spec.Layers = nil // rules do not change the timetable, as in divide
	p := &pipeline{x: x, s: s, batch: newSplitter(s.g, "batch", spec.MicroBatches), cores: cores, spec: spec, fused: fused}
	p.findLate(by)
	var best *pipeline
	for width := 1; width < len(cores); width++ {
		if len(cores)%width > 0 {
			continue
		}
		q := *p
		q.width, q.shares = width, make([][][]portion, len(s.g.Ops))
		q.order = plan(q.times(by), len(cores)/width, spec.MicroBatches)
		if best == nil || q.order.finish < best.order.finish {
			best = &q
		}
	}
	return best
}

// findLate finds the operators that are done at the end.
func (p *pipeline) findLate(by []int) {
	g := p.s.g
	p.late = make([]bool, len(g.Ops))
	whole := make([]bool, len(g.Tensors))
	for i := range g.Ops {
		op := &g.Ops[i]
		for _, id := range op.In {
			p.late[i] = p.late[i] || id != graph.None && whole[id]
		}
		if k, ok := op.Kind.(graph.Move); by[i] < 0 && (!ok || k.Elements > 0) {
			p.late[i] = p.late[i] || !p.batch.portions(i)[0].local
		}
		if by[i] >= 0 {
			p.late[i] = p.late[by[i]]
		}
		for _, id := range op.Out {
			whole[id] = p.late[i]
		}
	}
}

// times is how long a stage takes for each operator of one micro-batch.
func (p *pipeline) times(by []int) []int64 {
	g := p.s.g
	out := make([]int64, len(g.Ops))
	for i := range g.Ops {
		op := &g.Ops[i]
		if k, ok := op.Kind.(graph.Move); by[i] >= 0 || p.late[i] || ok && k.Elements == 0 {
			continue
		}
		q := p.stage(i, 0)[0]
		q.together = len(p.cores)
		if plan, err := p.x.planPortion(op, g, p.cores, p.spec, &q, opsOf(g, p.fused[i])); err == nil {
			out[i] = plan.Time
		}
	}
	return out
}

// stage is what the first stage would do of a micro-batch of operator i, core by core.
func (p *pipeline) stage(i, micro int) []portion {
	if p.shares[i] == nil {
		p.shares[i] = make([][]portion, p.spec.MicroBatches)
	}
	if p.shares[i][micro] == nil {
		p.shares[i][micro] = p.cut(i, p.batch.portions(i)[micro])
	}
	return p.shares[i][micro]
}

// cut divides a portion among the cores of a stage.
func (p *pipeline) cut(i int, q portion) []portion {
	op := &p.s.g.Ops[i]
	n := p.width
	var out []portion
	switch k, attention := op.Kind.(graph.Attention); {
	case q.none() || n == 1:
		return []portion{q}
	case attention:
		heads := q.sh.Batch
		k.Batch = int(heads.Len())
		for _, x := range (&splitter{g: p.s.g, split: "head", cores: n}).attention(i, k) {
			x.sh.Batch = product.Part{From: x.sh.Batch.From + heads.From, To: x.sh.Batch.To + heads.From}
			out = append(out, x)
		}
	case product.OnArray(op):
		out = p.x.divide(p.s.g, op, &q.sh, p.cores[:n], len(p.cores), p.spec, opsOf(p.s.g, p.fused[i]))
	default:
		for c := range int64(n) {
			out = append(out, portion{cut: product.Part{From: q.cut.From*int64(n) + c*q.cut.Len(), To: q.cut.From*int64(n) + (c+1)*q.cut.Len()}, of: q.of * int64(n)})
		}
	}
	return out
}

// portions is operator i micro-batch after micro-batch, on the cores of its stage.
func (p *pipeline) portions(i int) (out []portion) {
	if op := &p.s.g.Ops[i]; p.late[i] {
		if m, ok := op.Matrix(); ok {
			all := product.Whole(product.Collapse(m))
			return p.x.divide(p.s.g, op, &all, p.cores, len(p.cores), p.spec, opsOf(p.s.g, p.fused[i]))
		}
		return []portion{{sh: product.WholeOf(op), cut: product.Part{From: 0, To: 1}, of: 1}}
	}
	first := p.order.chunk[i] % (len(p.cores) / p.width) * p.width
	for m := range p.spec.MicroBatches {
		for c, q := range p.stage(i, m) {
			q.core, q.part, q.pipelined, q.local = first+c, m, true, true
			out = append(out, q)
		}
	}
	return out
}

// arrange sorts drafts by the timetable.
func (p *pipeline) arrange(drafts []draft) {
	place := func(d *draft) int {
		if !d.q.pipelined {
			return len(p.order.rank) // after all
		}
		return p.order.rank[[2]int{p.order.chunk[d.job.Op], d.q.part}]
	}
	sort.SliceStable(drafts, func(i, j int) bool { return place(&drafts[i]) < place(&drafts[j]) })
}

// plan finds the timetable that ends first, for operators of such times on so many
// stages. It tries chunks of at most a tenth to one and a half of a stage's share of the
// time: in steps of a twentieth, and of a hundredth where the number of chunks is new.
func plan(times []int64, stages, micro int) (best timetable) {
	total := int64(0)
	for _, t := range times {
		total += t
	}
	tried := map[int]bool{}
	for percent := int64(150); percent >= 10; percent-- {
		chunk, n := chunks(times, max(1, integer.Scale(total, percent, int64(100*stages))))
		if tried[n] && percent%5 > 0 {
			continue
		}
		tried[n] = true
		rank, finish := timeline(times, chunk, n, stages, micro)
		if best.rank == nil || finish < best.finish {
			best = timetable{chunk, rank, finish}
		}
	}
	return best
}

// chunks cuts operators into runs that take no longer than limit, or are one operator.
func chunks(times []int64, limit int64) (chunk []int, n int) {
	sum := int64(0)
	chunk = make([]int, len(times))
	for i, t := range times {
		if sum > 0 && sum+t > limit {
			n, sum = n+1, 0
		}
		sum += t
		chunk[i] = n
	}
	return chunk, n + 1
}

// timeline carries chunks of micro-batches out on stages, each as early as may be, and
// numbers them in the order in which they begin. Of those that could begin at the same
// time the one that is least far goes first.
func timeline(times []int64, chunk []int, n, stages, micro int) (rank map[[2]int]int, finish int64) {
	length := make([]int64, n)
	for i, q := range chunk {
		length[q] += times[i]
	}
	next, ready, free := make([]int, micro), make([]int64, micro), make([]int64, stages)
	rank = map[[2]int]int{}
	for range n * micro {
		best, at := -1, int64(0)
		for m, q := range next {
			if q == n {
				continue
			}
			if t := max(ready[m], free[q%stages]); best < 0 || t < at || t == at && q < next[best] {
				best, at = m, t
			}
		}
		q := next[best]
		rank[[2]int{q, best}] = len(rank)
		end := at + length[q]
		next[best], ready[best], free[q%stages] = q+1, end, end
		finish = max(finish, end)
	}
	return rank, finish
}
