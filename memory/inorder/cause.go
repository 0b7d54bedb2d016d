package inorder

import (
	"math"

	"github.com/causeway-sim/causeway/components/cause"
)

// full is the share of its time in which a memory moves bytes from which on its bandwidth is the limit,
// whatever most of the time of a request goes to.
const full = 0.95

// Causes implements system.Causal. Requests overlap. The busy time is at most the time from the
// first request to the last answer, and at most the sum of latencies; it is divided in proportion
// to the parts of the latencies.
func (c *Comp) Causes() *cause.Tree {
	t := cause.New(c.Name(), cause.Memory)
	n := &c.count
	c.catchUp(math.Inf(1))
	if n.last <= n.first || n.latency == 0 {
		return t
	}
	latency, peak := c.timing.Nominal()
	all := c.clock.Nanoseconds(n.latency)
	busy := min(all, c.clock.Nanoseconds(n.last-n.first))
	left := all
	part := func(name, words string, ns float64) {
		ns = min(ns, left)
		left -= ns
		t.Add(name, words, busy*ns/all)
	}
	part("latency", "in the latency of the memory", c.clock.Nanoseconds(latency*n.answered))
	if peak > 0 {
		moving := float64(n.bytesDone) * 8e9 / float64(peak)
		part("transfer", "moving bytes", moving)
		if share := moving / c.clock.Nanoseconds(n.last-n.first); share >= full {
			t.Remark("%s moves bytes %.1f %% of its time: its bandwidth is the limit", c.Name(), 100*min(share, 1))
		}
	}
	part("bandwidth", "waiting for bandwidth", left)
	return t
}
