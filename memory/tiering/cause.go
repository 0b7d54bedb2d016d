package tiering

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/cause"
)

// What the node does in an instant: the first that holds.
const (
	resting = iota
	held
	translating
	farther
	nearest
	migrating
	answering
)

// judge books what the node does from a cycle on.
func (c *Comp) judge(cycle uint64) {
	to, far, moves := resting, 0, false
	for i := range c.moving.active {
		moves = moves || c.moving.active[i].busy
	}
	for i := range c.load[1:] {
		far += int(c.load[i+1].under)
	}
	switch {
	case c.open() == 0 && moves:
		to = migrating
	case c.open() == 0:
	case len(c.parked) > 0:
		to = held
	case far > 0:
		to = farther
	case c.load[0].under > 0:
		to = nearest
	case c.delayed.Len() > 0:
		to = translating
	default:
		to = answering
	}
	c.turns.Turn(cycle, to)
}

// Causes implements system.Causal: an instant belongs to the farthest tier with reads in flight.
func (c *Comp) Causes() *cause.Tree {
	t := cause.New(c.Name(), cause.Fabric)
	ns := func(of int) float64 { return c.clock.Nanoseconds(c.turns.Sum(of)) }
	t.Add("moving_pages", "with accesses to pages that move", ns(held))
	t.Add("translation", "with translations and faults alone", ns(translating))
	far := "tier 1"
	if n := len(c.below); n > 2 {
		far = fmt.Sprintf("tiers 1 to %d", n-1)
	}
	t.Add("far", "waiting for reads of "+far, ns(farther)).Below(c.below[len(c.below)-1].homes.HomeName())
	t.Add("near", "waiting for reads of tier 0", ns(nearest)).Below(c.below[0].homes.HomeName())
	t.Add("migration", "moving pages while no request is open", ns(migrating))
	t.Add("writes", "with writes and answers", ns(answering))
	return t
}
