package arbiter

import "github.com/causeway-sim/causeway/components/cause"

// What an arbiter does in an instant: the first that holds.
const (
	resting = iota
	queueing
	awaiting
	answering
)

// judge books what the arbiter does from a cycle on.
func (c *Comp) judge(cycle uint64) {
	to := resting
	switch {
	case c.view.waits[first] || c.view.waits[later]:
		to = queueing
	case c.calls.InFlight() > 0:
		to = awaiting
	case c.requests.Taken() > 0:
		to = answering
	}
	c.turns.Turn(cycle, to)
}

// Causes implements system.Causal.
func (c *Comp) Causes() *cause.Tree {
	t, ns := cause.New(c.Name(), cause.Fabric), c.clock.Nanoseconds
	t.Until(ns(c.end))
	t.Add("queue", "with requests that wait for their turn", ns(c.turns.Sum(queueing))).Below(c.homes.HomeName())
	t.Add("below", "waiting for the memory", ns(c.turns.Sum(awaiting))).Below(c.homes.HomeName())
	t.Add("answers", "with answers that wait for room", ns(c.turns.Sum(answering)))
	return t
}
