package memlink

import "github.com/causeway-sim/causeway/components/cause"

// What a link does in an instant: the first that holds.
const (
	resting = iota
	lacking
	starving
	awaiting
	carrying
)

// judge books what the link does from a time in ps on.
func (c *Comp) judge(t uint64) {
	to := resting
	switch {
	case c.waiting.Len() > 0:
		to = lacking
	case c.starved():
		to = starving
	case c.far.calls.InFlight() > 0:
		to = awaiting
	case c.requests.Taken() > 0:
		to = carrying
	}
	c.turns.Turn(t, to)
}

// Causes implements system.Causal.
func (c *Comp) Causes() *cause.Tree {
	t, ns := cause.New(c.Name(), cause.Fabric), fine.Nanoseconds
	t.Add("places", "with operations that wait for a place among those outstanding", ns(c.turns.Sum(lacking)))
	if c.gates[away].limited || c.gates[home].limited {
		t.Add("credits", "with packets that wait for room at the other end", ns(c.turns.Sum(starving)))
	}
	t.Add("below", "waiting for the memory at the far end", ns(c.turns.Sum(awaiting))).Below(c.far.homes.HomeName())
	t.Add("link", "with operations and packets on the link", ns(c.turns.Sum(carrying)))
	return t
}
