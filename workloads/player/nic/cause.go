package nic

import (
	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Causes implements system.Causal: what the interface does and waits for while it has
// transfers, as its player has booked it. It is idle without any.
func (c *Comp) Causes() *cause.Tree {
	t := cause.New(c.Name(), cause.Player)
	if a, ok := c.player.(seat.Accountant); ok {
		a.Spent(c, t, c.data.homes)
	}
	return t
}
