package nic

import (
	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Causes implements system.Causal: the activity and waits of the interface while it has transfers,
// as recorded by its player. Without transfers it is idle.
func (c *Comp) Causes() *cause.Tree {
	t := cause.New(c.Name(), cause.Player)
	if a, ok := c.player.(seat.Accountant); ok {
		a.Spent(c, t, c.data.homes)
	}
	return t
}
