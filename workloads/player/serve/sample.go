package serve

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/issue"
	"github.com/causeway-sim/causeway/workloads/schedule"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// tolerance is how far the times of two periods may lie apart that count as equal.
//
// assumption: a third of the error of 3 % that a sampled run may have.
const tolerance = 0.01

// sampling is what a server knows of periods that repeat: layers of a step, and steps.
type sampling struct {
	meter  work.Meter
	layers *schedule.Sampler
	steps  *schedule.Sampler
	marks  map[uint64][2]work.Mark // of a period of each signature: before it and after it

	signatures    []uint64 // of the periods of the step under way
	step          uint64   // of the step
	began         units.Time
	mark          work.Mark
	before        [2]work.Mark // of the period before
	stepMark      work.Mark
	operators     uint64
	stepOperators uint64
	hold          units.Time // until then what is skipped goes on; 0: nothing is
	until         int32      // last period that is skipped
	ran           map[uint64]uint64
}

// Sample implements work.Sampler.
func (c *Comp) Sample(m work.Meter) {
	c.sample = &sampling{meter: m, layers: schedule.NewSampler(tolerance), steps: schedule.NewSampler(tolerance), marks: map[uint64][2]work.Mark{}, ran: map[uint64]uint64{}}
	c.state.ByPeriod()
}

// knows reports whether a step takes what one before it took; it is carried out as that.
// The last step of a run is simulated: it tells the error, and rates have an end.
func (s *sampling) knows(c *Comp, b work.Batch, at units.Time, last bool) (units.Time, bool) {
	s.step = signatureOf(b)
	for _, n := range c.tiers.sizes {
		s.step = s.step*31 + uint64(coarse(n))
	}
	if !last {
		if t, ok := s.steps.Known(s.step); ok {
			m := s.marks[s.step]
			s.meter.Repeat(m[0], m[1], 1, at+t)
			c.counts.operators += s.ran[s.step]
			return t, true
		}
	}
	s.stepMark, s.stepOperators = s.meter.Mark(), c.counts.operators
	return 0, false
}

// begin starts a step whose operators are issued.
func (s *sampling) begin(c *Comp, now units.Time, parts []work.Part) {
	s.signatures = s.signatures[:0]
	s.signatures = append(s.signatures, periodsOf(parts)...)
	s.layers.Begin()
	s.began, s.mark, s.operators = now, s.meter.Mark(), c.counts.operators
	c.state.OpenPeriod(0)
}

// alike rounds the entries that one token attends to up, by no more than the tolerance, so
// that steps which differ by some entries are alike.
func (c *Comp) alike(g *zoo.Group) int {
	n := coarse(g.Context)
	if g.Tokens > 1 || n*g.Requests > c.entries {
		return g.Context
	}
	return n
}

// coarse rounds a number up, by no more than the tolerance.
func coarse(n int) int {
	grain := 1
	for float64(2*grain) <= tolerance*float64(n) {
		grain *= 2
	}
	return (n + grain - 1) / grain * grain
}

// signatureOf is a number for batches of equal groups.
func signatureOf(b work.Batch) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%+v", b.Groups)
	return h.Sum64()
}

// periodsOf is a number for each period of the parts of a step, equal for those with
// operators of equal kinds on tensors of equal sizes.
func periodsOf(parts []work.Part) []uint64 {
	texts := map[int32]*[]byte{}
	last := int32(0)
	seen := map[*graph.Graph]bool{}
	for k := range parts {
		p := &parts[k]
		if seen[p.Graph] {
			continue
		}
		seen[p.Graph] = true
		for i, period := range issue.Periods(p.Graph, p.Jobs, p.Layers) {
			last = max(last, period)
			if texts[period] == nil {
				texts[period] = new([]byte)
			}
			for _, n := range append([]int{p.Jobs[i].Op}, p.Jobs[i].Fused...) {
				op := &p.Graph.Ops[n]
				*texts[period] = fmt.Appendf(*texts[period], "%T%+v", op.Kind, op.Kind)
				for _, id := range slices.Concat(op.In, op.Out) {
					if id != graph.None {
						t := p.Graph.Tensor(id)
						*texts[period] = fmt.Appendf(*texts[period], "%v%v%v", t.Shape, t.Role, t.DType)
					}
				}
			}
		}
	}
	out := make([]uint64, last+1)
	for k := range out {
		h := fnv.New64a()
		if t := texts[int32(k)]; t != nil {
			h.Write(*t)
		}
		out[k] = h.Sum64()
	}
	return out
}

// periods looks whether a period has ended, and opens the next one that is simulated.
func (c *Comp) periods(now units.Time) {
	s := c.sample
	if steps := c.lanes[0].steps; s == nil || len(steps) == 0 || !steps[0].begun || steps[0].taken {
		return
	}
	if s.hold > 0 {
		if now < s.hold {
			return
		}
		k, _ := c.state.Period()
		c.state.Skip(now, k+1, s.until)
		s.hold = 0
		s.open(c, now, s.until)
		return
	}
	k, over := c.state.Period()
	if !over {
		return
	}
	sum, took, mark := s.signatures[k], now-s.began, s.meter.Mark()
	after := 0
	for i := int(k) + 1; i < len(s.signatures) && s.signatures[i] == sum; i++ {
		after++
	}
	if int(k)+after == len(s.signatures)-1 {
		after-- // somebody has to end the step
	}
	period := [2]work.Mark{s.mark, mark}
	moved := 0.0
	if k > 0 && s.signatures[k-1] == sum {
		moved = s.meter.Differ(s.before, period)
	}
	s.before = period
	skip := s.layers.Ended(sum, took, moved, max(after, 0))
	if _, ok := s.marks[sum]; !ok || skip == 0 || s.layers.Fresh() {
		s.marks[sum] = period
		s.ran[sum] = c.counts.operators - s.operators
	}
	if skip == 0 {
		s.open(c, now, k)
		return
	}
	m := s.marks[sum]
	s.hold, s.until = now+units.Time(skip)*s.layers.Took(), k+int32(skip)
	s.meter.Repeat(m[0], m[1], uint64(skip), s.hold)
	c.counts.operators += s.ran[sum] * uint64(skip)
}

// open lets the period after k go.
func (s *sampling) open(c *Comp, now units.Time, k int32) {
	s.began, s.mark, s.operators = now, s.meter.Mark(), c.counts.operators
	c.state.OpenPeriod(k + 1)
}

// ended notes what a step has taken.
func (s *sampling) ended(c *Comp, took units.Time) {
	s.steps.Note(s.step, took)
	s.ran[s.step] = c.counts.operators - s.stepOperators
	s.marks[s.step] = [2]work.Mark{s.stepMark, s.meter.Mark()}
}

// final reports whether nothing comes after a step.
func (c *Comp) final(s *step) bool {
	if c.next < len(c.service.Requests) {
		return false
	}
	for i, x := range s.of {
		e := c.engines[i]
		if x == nil {
			continue
		}
		if e.Waiting() > 0 || e.Running() > len(x.Parts) {
			return false
		}
		for k := range x.Parts {
			if p := &x.Parts[k]; !p.Sample || p.Sequence.Got+1 < p.Sequence.Output {
				return false
			}
		}
	}
	return true
}

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string {
	s := c.sample
	if s == nil {
		return nil
	}
	return []string{
		fmt.Sprintf("%s: of the parts of steps (layers, and what comes before and after them), %s.", c.Name(), s.layers.Count),
		fmt.Sprintf("%s: of the steps, %s; entries that a token attends to are rounded up by %g %% at most.", c.Name(), s.steps.Count, 100*tolerance),
	}
}
