package inorder

import "github.com/causeway-sim/causeway/components/cause"

// Causes implements system.Causal. Requests overlap. The busy time is at most the time from the
// first request to the last answer, and at most the sum of latencies; it is divided in proportion
// to the parts of the latencies.
func (c *Comp) Causes() *cause.Tree {
	t := cause.New(c.Name(), cause.Memory)
	n := &c.count
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
		part("transfer", "moving bytes", float64(n.bytesDone)*8e9/float64(peak))
	}
	part("bandwidth", "waiting for bandwidth", left)
	return t
}
