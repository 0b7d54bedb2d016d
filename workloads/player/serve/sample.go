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

// sampling is the state of skipping repeated layers of a step, and repeated steps.
type sampling struct {
	*issue.Sampling
	meter  work.Meter
	ledger *work.Ledger // of steps
	steps  *schedule.Sampler
	marks  map[uint64][2]work.Mark // of a step of each signature: before it and after it

	step          uint64 // signature of the one under way
	stepMark      work.Mark
	stepOperators uint64
	ran           map[uint64]uint64
}

// Sample implements work.Sampler.
func (c *Comp) Sample(m work.Meter) {
	layers := issue.NewSampling(m, c.state, &c.counts.operators)
	layers.Again = func() bool { return !c.final(&c.lanes[0].steps[0]) }
	c.sample = &sampling{
		Sampling: layers, meter: m, ledger: work.NewLedger(m), steps: layers.Sampler.Whole(),
		marks: map[uint64][2]work.Mark{}, ran: map[uint64]uint64{},
	}
}

// knows reports whether a step is skipped and takes the time of an earlier one. The last step of a
// run is simulated, to measure the error and to end rates.
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
	for float64(2*grain) <= issue.Tolerance*float64(n) {
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

// periodsOf are the periods of the parts of a step, alike with operators of equal kinds on
// tensors of equal sizes.
func periodsOf(parts []work.Part) []schedule.Shape {
	texts := map[int32]*[]byte{}
	last := int32(0)
	seen := map[*graph.Graph]bool{}
	bytes := map[int32]uint64{}
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
						bytes[period] += uint64(t.Bytes())
					}
				}
			}
		}
	}
	out := make([]schedule.Shape, last+1)
	for k := range out {
		h := fnv.New64a()
		if t := texts[int32(k)]; t != nil {
			h.Write(*t)
		}
		out[k] = schedule.Shape{Signature: h.Sum64(), Bytes: bytes[int32(k)]}
	}
	return out
}

// periods looks whether a period has ended, and opens the next one that is simulated.
func (c *Comp) periods(now units.Time) {
	s := c.sample
	if steps := c.lanes[0].steps; s == nil || len(steps) == 0 || !steps[0].begun || steps[0].taken {
		return
	}
	held := s.Hold()
	s.Look(now)
	if until := s.Hold(); held == 0 && until > now {
		c.explainHeld(&c.lanes[0].steps[0], s.Like(), now, until)
	}
}

// ended records the time of a step.
func (s *sampling) ended(c *Comp, took units.Time) {
	if s.Edge != nil {
		s.Edge(true)
	}
	of := [2]work.Mark{s.stepMark, s.meter.Mark()}
	p := schedule.Period{Signature: s.step, Took: took}
	s.ledger.Return(&p, of)
	s.steps.Note(p)
	s.ran[s.step] = c.counts.operators - s.stepOperators
	s.marks[s.step] = of
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
	out := []string{
		fmt.Sprintf("%s: of the parts of steps (layers, and what comes before and after them), %s.", c.Name(), s.Sampler.Count),
		fmt.Sprintf("%s: of the steps, %s; entries that a token attends to are rounded up by %g %% at most.", c.Name(), s.steps.Count, 100*issue.Tolerance),
	}
	if c.follow != nil {
		out = append(out, c.follow.said(c.Name()))
	}
	return out
}
