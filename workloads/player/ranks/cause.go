package ranks

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Causes implements system.Causal: the time of each rank up to its last operation. Seats report
// their own time.
func (c *Comp) Causes() *cause.Tree {
	if c.chairs != nil {
		return nil
	}
	t := cause.New(c.Name(), cause.Player).Of("the ranks of " + c.Name())
	t.Nodes = len(c.ranks)
	var all spent
	late := uint64(0)
	for i := range c.ranks {
		r := c.simulated(i)
		all.add(r)
		late += c.count.last - r.book.upto
	}
	c.divide(t, &all)
	ns := c.Clock().Nanoseconds
	t.Add("asleep", "not begun", ns(all.cycles[asleep]))
	t.Add("late_ranks", "done before the last rank", ns(late))
	if bound, ok := c.boundTime(); ok && c.count.last > 0 {
		t.Remark("the bytes alone need %.1f %% of the time", 100*bound/ns(c.count.last))
	}
	return t
}

// Spent implements seat.Accountant.
func (c *Comp) Spent(s seat.Seat, t *cause.Tree, home *memory.Map) {
	r := c.rankOf(s)
	if r == nil {
		return
	}
	var one spent
	one.add(r)
	c.divide(t, &one)
	if p := t.Part("memory"); p != nil {
		p.Below(home.HomeName())
	}
}

// Booked implements seat.Accountant.
func (c *Comp) Booked(s seat.Seat) []any {
	if r := c.rankOf(s); r != nil {
		return []any{&r.book.cycles, &r.nic.bytes}
	}
	return nil
}

// Sent implements seat.Accountant.
func (c *Comp) Sent(s seat.Seat) uint64 {
	for i := range c.ranks {
		if c.ranks[i].seat == s {
			return c.simulated(i).nic.bytes
		}
	}
	return 0
}

// rankOf is the rank of a seat, nil if it has none.
func (c *Comp) rankOf(s seat.Seat) *rank {
	for i := range c.ranks {
		if c.ranks[i].seat == s {
			return &c.ranks[i]
		}
	}
	return nil
}

// spent is the cycles of ranks by deed, and of those of injecting the overheads.
type spent struct {
	cycles   [deeds]uint64
	overhead uint64
}

// add adds those of a rank.
func (s *spent) add(r *rank) {
	for d, n := range r.book.cycles {
		s.cycles[d] += n
	}
	if all := r.nic.overheads + r.nic.transfers; all > 0 {
		s.overhead += uint64(float64(r.book.cycles[injecting]) * float64(r.nic.overheads) / float64(all))
	}
}

// divide adds the parts in which ranks do something or wait for others.
func (c *Comp) divide(t *cause.Tree, s *spent) {
	ns := c.Clock().Nanoseconds
	t.Add("compute", "computing", ns(s.cycles[computing]))
	t.Add("sums", "with sums and copies in their own memory", ns(s.cycles[summing]))
	t.Add("bandwidth", "with bytes on their links", ns(s.cycles[injecting]-s.overhead))
	t.Add("overhead", "in the overheads of messages", ns(s.overhead))
	t.Add("memory", "reading and writing their memory", ns(s.cycles[fetching]))
	t.Add("late_senders", "waiting for ranks that have not begun the collective or the send", ns(s.cycles[lacking]))
	t.Add("messages", "waiting for messages", ns(s.cycles[awaiting])).Below(c.network())
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
