package steps

import "github.com/causeway-sim/causeway/components/cause"

// What a player does in an instant: the first that holds.
const (
	resting = iota
	computing
	reading
)

// judge records the activity of the player from a time in ps on.
func (c *Comp) judge(t uint64) {
	to := reading
	switch p := &c.play; {
	case p.over():
		to = resting
	case p.end != never:
		to = computing
	}
	c.turns.Turn(t, to)
}

// Causes implements system.Causal.
func (c *Comp) Causes() *cause.Tree {
	t, ns := cause.New(c.Name(), cause.Player), fine.Nanoseconds
	home := c.faces[0].homes.HomeName()
	for _, f := range c.faces[1:] {
		if f.homes.HomeName() != home {
			home = ""
		}
	}
	t.Add("compute", "computing", ns(c.turns.Sum(computing)))
	t.Add("memory", "waiting for the reads of a step", ns(c.turns.Sum(reading))).Below(home)
	return t
}
