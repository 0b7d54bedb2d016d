package ranks

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/cause"
)

// Causes implements system.Causal: the time of all ranks, of each up to its last operation.
// Ranks on chips are nodes of their own, which say it themselves.
func (c *Comp) Causes() *cause.Tree {
	if c.chairs != nil {
		return nil
	}
	t := cause.New(c.Name(), cause.Player).Of("the ranks of " + c.Name())
	t.Nodes = len(c.ranks)
	var sum [deeds]uint64
	var overhead, late uint64
	for i := range c.ranks {
		r := &c.ranks[i]
		for d, n := range r.book.cycles {
			sum[d] += n
		}
		if all := r.nic.overheads + r.nic.transfers; all > 0 {
			overhead += uint64(float64(r.book.cycles[injecting]) * float64(r.nic.overheads) / float64(all))
		}
		late += c.count.last - r.book.upto
	}
	ns := c.Clock().Nanoseconds
	t.Add("compute", "computing", ns(sum[computing]))
	t.Add("sums", "with sums and copies in their own memory", ns(sum[summing]))
	t.Add("bandwidth", "with bytes on their links", ns(sum[injecting]-overhead))
	t.Add("overhead", "in the overheads of messages", ns(overhead))
	t.Add("late_senders", "waiting for ranks that have not begun the collective or the send", ns(sum[lacking]))
	t.Add("messages", "waiting for messages", ns(sum[awaiting])).Below(c.network())
	t.Add("asleep", "not begun", ns(sum[asleep]))
	t.Add("late_ranks", "done before the last rank", ns(late))
	if bound, ok := c.boundTime(); ok && c.count.last > 0 {
		t.Remark("the bytes alone need %.1f %% of the time", 100*bound/ns(c.count.last))
	}
	return t
}

// network is the name of the network that the ranks are on, "" where there is none.
func (c *Comp) network() string {
	for i := range c.places {
		if n, ok := c.places[i].Channel.(sim.Named); ok {
			return n.Name()
		}
	}
	return ""
}
