package traffic

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/noc/topology"
)

// The values of Until.
const (
	untilRules = "rules"
	untilJobs  = "jobs"
)

// RunUntilJobsEnd implements system.Background.
func (c *Comp) RunUntilJobsEnd(jobs bool) (bool, error) {
	if c.spec.Until == untilJobs && !jobs {
		return false, c.at.Place("until").Errorf(nil, "has no effect: no job goes on besides %s (want a workload, or a node of kind ranks)", c.Name())
	}
	c.company = jobs && (c.spec.Until == untilJobs || c.spec.Until == "" && !c.at.Get("rules").Exists() && c.spec.Search.Repeats == 0)
	if c.company {
		c.assumptions = append(c.assumptions, c.Name()+": goes on until all jobs have ended, and all of that time is measured (until: jobs)")
	}
	return c.company, nil
}

// Acts implements system.Background.
func (c *Comp) Acts(h sim.Handler) bool {
	switch h := h.(type) {
	case *Comp:
		return h == c
	case *stepper:
		return (*direct)(h) == c.direct
	}
	return false
}

// JobsEnded implements system.Background: from the next cycle on no packets are created.
func (c *Comp) JobsEnded(now sim.VTimeInSec) {
	c.window.next = 0
	c.wake(now)
}

// nextAct is the next cycle with work. Beside jobs, which take millions of cycles, it is the cycle
// of the next due packet; arriving messages wake the node.
func (c *Comp) nextAct() int64 {
	soon := c.now + 1
	if !c.company || c.state != running {
		return soon
	}
	next := int64(far)
	for t, due := range c.src.due {
		if next = min(next, due); c.answers != nil && c.answers[t].len() > 0 {
			return soon
		}
	}
	if list := c.spec.Changes.list; c.change < len(list) {
		next = min(next, list[c.change].at)
	}
	return max(soon, next)
}

// open begins the one sample of a measurement that lasts until JobsEnded.
func (w *window) open() {
	w.rules.Count, w.rules.Warmup, w.rules.Limit = "arrived", 0, 0
	w.series.Rules.Warmup, w.series.Rules.Samples = 0, 1
	w.series.Measuring, w.next = true, far
	w.start = w.begun
}

// A region is a part of the terminals of a network, numbered from 0 in the order of the node's
// ports. It has neither the groups nor the rows of the whole.
type region struct {
	topology.Topology
	terminals []int32
}

// Terminals implements topology.Topology.
func (r region) Terminals() int { return len(r.terminals) }

// Home implements topology.Topology.
func (r region) Home(t int) (router, port int) { return r.Topology.Home(int(r.terminals[t])) }

// patterned is the network as patterns see it: all of it, or the part that the node drives.
func (c *Comp) patterned() topology.Topology {
	t := c.net.Topology()
	if !c.partial {
		return t
	}
	return region{topology.Intact(t), c.terminal}
}

// partly explains an error of a pattern on a part of a network.
func (c *Comp) partly(err error) error {
	if err == nil || !c.partial {
		return err
	}
	return fmt.Errorf("%w: %s drives %d of the %d terminals of %s, a part without groups or rows", err, c.Name(), len(c.ports), c.net.Topology().Terminals(), c.netName)
}
