package gpu

import (
	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A pace is the clock of a chip whose workload repeats for minutes (load: steady, and auto). Its governor is slower than a
// kernel, so that all kernels of a graph have one clock: the greatest at which their mean power keeps the limit.
type pace struct {
	of    *graph.Graph // nil: none
	share float64      // of the full clock
	// trial is set while kernels are asked for their times at clocks from high down to low.
	trial     bool
	high, low float64
}

// at is clock k of those that kernels are asked for, over the full one.
func (p *pace) at(k int) float64 { return p.high - (p.high-p.low)*float64(k)/(kernel.Clocks-1) }

// settlePace finds the clock of a graph: among clocks from the full one to the slowest, and then among those between
// the two that are next to it. Time between kernels does not count.
//
// assumption: SMs that wait for a transfer take as much power as kernels do in the mean.
func (c *record) settlePace(s *work.Share) {
	if c.bursts() || c.spec.share > 0 || c.pace.trial || c.pace.of == s.Graph || c.prof != nil {
		return
	}
	if c.load(s.Graph) == continuous {
		c.pace = pace{}
		return
	}
	low, share, high := power.Slowest, 0.0, 1.0
	for trials := 0; trials < 2 && low < high; trials++ {
		c.pace = pace{of: s.Graph, trial: true, high: high, low: low}
		low, share, high = c.chip.Among(c.paces(s))
	}
	c.pace = pace{of: s.Graph, share: share}
	c.costs, c.mixed = costs{}, nil
}

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
