package serve

import (
	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/serving"
)

// A spent is the time of steps, by why requests waited meanwhile and by whether prompts were
// computed.
type spent [serving.Lefts][2]units.Time

var spentNames = [serving.Lefts][2]string{
	serving.None:      {"compute", "in steps for which no request waits"},
	serving.ForBlocks: {"blocks", "in steps while requests wait for blocks of keys and values"},
	serving.ForTokens: {"tokens", "in steps while requests wait for room in a step"},
	serving.ForPlaces: {"sequences", "in steps while requests wait since as many run as may"},
}

// note counts a step that took so long.
func (c *Comp) note(s *step, took units.Time) {
	left, prompts := serving.None, 0
	for _, x := range s.of {
		if x == nil {
			continue
		}
		if x.Left != serving.None && (left == serving.None || x.Left < left) {
			left = x.Left
		}
		for i := range x.Parts {
			if !x.Parts[i].Single() {
				prompts = 1
			}
		}
	}
	c.spent[left][prompts] += took
}

// Causes implements system.Causal: the time of the steps of each engine.
func (c *Comp) Causes() *cause.Tree {
	t := cause.New(c.Name(), cause.Work)
	t.Nodes = max(1, len(c.lanes))
	t.Until(ns(c.end))
	for left, by := range c.spent {
		name := spentNames[left]
		p := t.Add(name[0], name[1], ns(by[0]+by[1]))
		p.Add("tokens", "with tokens after the first alone", ns(by[0]))
		p.Add("prompts", "with prompts among them", ns(by[1]))
	}
	if c.engines == nil {
		return t
	}
	wait, all := units.Time(0), units.Time(0)
	for i := range c.service.Requests {
		if q := c.sequence(i); q.State == serving.Done {
			wait += q.Scheduled - c.since(i)
			all += q.Last - c.since(i)
		}
	}
	if 100*wait >= all && all > 0 { // less than a percent is not worth a clause
		t.Remark("of the time of a request, %.1f %% is until its first step", 100*float64(wait)/float64(all))
	}
	return t
}
