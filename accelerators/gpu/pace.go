package gpu

import (
	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A pace is the clock of a chip whose workload repeats for minutes (load: steady). Its governor is slower than a
// kernel, so that all kernels of a graph have one clock: the greatest at which their mean power keeps the limit.
type pace struct {
	of    *graph.Graph // nil: none
	share float64      // of the full clock
	trial bool         // kernels are asked for their times at all clocks
}

// paceOf is clock k of those that kernels are asked for, over the full one.
func paceOf(k int) float64 { return 1 - (1-power.Slowest)*float64(k)/(kernel.Paces-1) }

// settlePace finds the clock of a graph. Time between kernels does not count.
//
// assumption: SMs that wait for a transfer take as much power as kernels do in the mean.
func (c *record) settlePace(s *work.Share) {
	if c.spec.Load != steady || c.spec.share > 0 || c.pace.trial || c.pace.of == s.Graph || c.prof != nil {
		return
	}
	c.pace = pace{of: s.Graph, trial: true}
	c.costs, c.mixed = costs{}, nil
	var dynamic power.Parts
	var seconds [kernel.Paces]float64
	carried := operatorsOf(s)
	for i := range s.Graph.Ops {
		if _, transfer := s.Graph.Ops[i].Kind.(graph.Transfer); transfer || carried != nil && !carried[i] {
			continue
		}
		l, cost := c.plan(s, i, 0)
		for k, t := range cost.Paces {
			seconds[k] += t
		}
		for k, pj := range l.dynamic {
			dynamic[k] += pj
		}
	}
	c.pace.trial, c.pace.share = false, c.chip.Pace(dynamic, seconds[:], paceOf)
	c.costs, c.mixed = costs{}, nil
}
