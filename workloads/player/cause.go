package player

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/cause"
)

// Causes implements system.Causal. Requests overlap: the time with some under way is at most
// that of the run, and at most their sum. It is divided as the sum of their latencies is.
func (c *Comp) Causes() *cause.Tree {
	n := &c.count
	t := cause.New(c.Name(), cause.Player)
	arrived := float64(n.arrived.Sum() + n.wrote.arrived)
	if arrived == 0 || n.last == 0 {
		return t
	}
	k := c.target.Clock()
	all := k.Nanoseconds(n.last)
	busy := min(all, arrived*k.Nanoseconds(1))
	accepted := min(busy, busy*float64(n.accepted.Sum()+n.wrote.accepted)/arrived)
	home := c.homes.HomeName()
	t.Add("memory", "waiting for answers", accepted).Below(home)
	t.Add("acceptance", "waiting until requests are accepted", busy-accepted).Below(home)
	if c.spec.Mode.Kind == Closed {
		t.Add("between", "between an answer and the next request", all-busy)
	} else {
		t.Add("arrivals", "waiting for requests to arrive", all-busy)
	}
	if many := fmt.Sprintf("%.3g", arrived/float64(n.last)); many == "1" {
		t.Remark("1 request is under way on average")
	} else {
		t.Remark("%s requests are under way on average", many)
	}
	return t
}
