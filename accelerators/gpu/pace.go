package gpu

import (
	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A pace is how a graph keeps the power limit. The governor is slower than a kernel: what it keeps is the mean. With load:
// steady all kernels have one clock, the greatest at which their mean power is the limit. With auto a part of the work is
// done as a burst, and the rest held at the limit kernel by kernel.
type pace struct {
	of    *graph.Graph // nil: none
	free  float64      // part of the work that is done as a burst (load: auto)
	loop  bool         // rows of the graph run in loops of a known time, and have each a part of their own
	share float64      // of the full clock (load: steady); 0: each kernel has one
	// trial is set while kernels are asked for their times at clocks from high down to low.
	trial     bool
	high, low float64
}

// at is clock k of those that kernels are asked for, over the full one.
func (p *pace) at(k int) float64 { return p.high - (p.high-p.low)*float64(k)/(kernel.Clocks-1) }

// settlePace finds how a graph keeps the limit: as a burst, if it ends before the limit binds (load: auto), and else which
// part of it. With load: steady it finds the clock of the graph, among clocks from the full one to the slowest, and then
// among those between the two that are next to it. Time between kernels does not count.
//
// assumption: SMs that wait for a transfer take as much power as kernels do in the mean.
func (c *record) settlePace(s *work.Share) {
	if !c.limits() || c.nested || c.forced != "" || c.spec.share > 0 || c.pace.trial || c.pace.of == s.Graph {
		return
	}
	switch c.spec.Load {
	case auto:
		c.settlePart(s)
	case continuous:
		c.settled(pace{of: s.Graph})
	default:
		low, share, high := power.Slowest, 0.0, 1.0
		for trials := 0; trials < 2 && low < high; trials++ {
			c.pace = pace{of: s.Graph, trial: true, high: high, low: low}
			low, share, high = c.chip.Among(c.paces(s))
		}
		c.settled(pace{of: s.Graph, share: share})
	}
}

// settled is the pace of kernels that are not all bursts.
func (c *record) settled(p pace) { c.pace, c.costs, c.mixed, c.bursts = p, costs{}, nil, false }

// settlePart finds the part of a graph's work that is done as a burst. The graph begins at rest and is as long as all of its
// requests; steps of a server follow each other without end. Rows that run in loops have each a part of their own.
func (c *record) settlePart(s *work.Share) {
	if c.apart(s.Graph) && !c.spec.LoopTime.IsZero() {
		c.settled(pace{of: s.Graph, loop: true})
		return
	}
	if !c.bursts {
		c.costs, c.mixed, c.bursts = costs{}, nil, true
	}
	c.pace = pace{of: s.Graph, free: 1}
	burst, n := c.stateOf(s), float64(max(1, s.Requests))
	if s.Step {
		n = endless
	}
	free := c.chip.Free(burst.Times(n))
	if free == 1 {
		return
	}
	c.limitedAt = "kernels of a graph"
	c.settled(pace{of: s.Graph})
	held := c.stateOf(s)
	c.settled(pace{of: s.Graph, free: c.chip.Part(free, burst, held)})
}

// stateOf is the state of the chip with all kernels of a share.
func (c *record) stateOf(s *work.Share) (all power.State) {
	carried := operatorsOf(s)
	for i := range s.Graph.Ops {
		op := &s.Graph.Ops[i]
		times := float64(op.Times())
		if _, transfer := op.Kind.(graph.Transfer); transfer || times == 0 || carried != nil && !carried[i] {
			continue
		}
		if l, cost := c.plan(s, i, 0); cost.Total > 0 {
			parts, _ := c.energyOf(l.dynamic, cost.Total, cost.Share, cost.Free)
			all.Seconds, all.Energy = all.Seconds+times*cost.Total, all.Energy+times*parts.Total()
		}
	}
	return all
}

// endless is how often the steps of a server repeat.
const endless = 1e9

// paces are the states of the chip with all kernels of a share, at the clocks of the trial.
func (c *record) paces(s *work.Share) []power.State {
	states := make([]power.State, kernel.Clocks)
	for k := range states {
		states[k].Share = c.pace.at(k)
	}
	c.costs, c.mixed = costs{}, nil
	carried := operatorsOf(s)
	for i := range s.Graph.Ops {
		if _, transfer := s.Graph.Ops[i].Kind.(graph.Transfer); transfer || carried != nil && !carried[i] {
			continue
		}
		times := float64(s.Graph.Ops[i].Times())
		if times == 0 {
			continue
		}
		if _, cost := c.plan(s, i, 0); cost.Paces != nil {
			for k := range states {
				states[k].Seconds += times * cost.Paces.Seconds[k]
				states[k].Energy += times * cost.Paces.Energy[k]
			}
		}
	}
	return states
}
