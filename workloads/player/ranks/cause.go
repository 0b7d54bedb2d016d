package ranks

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/cause"
)

// Causes implements system.Causal: the time of all ranks, of each up to its last operation.
// What an interface needs for bytes and messages is time of a rank as far as it does not
// compute meanwhile. Ranks on chips are nodes of their own, which say it themselves.
func (c *Comp) Causes() *cause.Tree {
	if c.chairs != nil {
		return nil
	}
	t := cause.New(c.Name(), cause.Player).Of("the ranks of " + c.Name())
	t.Nodes = len(c.ranks)
	var compute, overhead, bytes, wait, late uint64
	for i := range c.ranks {
		r := &c.ranks[i]
		left := r.finish
		spend := func(to *uint64, n uint64) {
			n = min(n, left)
			*to += n
			left -= n
		}
		rate := r.nic.wire
		if r.nic.slower() {
			rate = r.nic.Bandwidth
		}
		side := uint64(max(1, len(r.nic.lanes)))
		spend(&compute, r.computing())
		spend(&bytes, r.nic.time(rate, r.nic.bytes)/side)
		spend(&overhead, r.nic.overhead*r.nic.messages/side)
		wait += left
		late += c.count.last - r.finish
	}
	ns := c.Clock().Nanoseconds
	t.Add("compute", "computing", ns(compute))
	t.Add("bandwidth", "with bytes on their links", ns(bytes))
	t.Add("overhead", "in the overheads of messages", ns(overhead))
	t.Add("messages", "waiting for messages", ns(wait)).Below(c.network())
	t.Add("late_ranks", "done before the last rank", ns(late))
	return t
}

// network is the name of the network that the ranks are on, "" where there is none.
func (c *Comp) network() string {
	for i := range c.places {
		if n, ok := c.places[i].channel.(sim.Named); ok {
			return n.Name()
		}
	}
	return ""
}
