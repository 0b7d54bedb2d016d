package cache

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
)

// moreStats declares what only a cache with time has.
func (c *Timed) moreStats() {
	g := c.stats
	g.Sum(&c.book.cycles)
	g.TimeSeries("moved_bytes", stats.Byte, "Bytes of lookups, while they take their banks.", func() float64 {
		_, most := c.Nominal()
		return float64(most) / 8e9
	}, &c.moved)
	g.Count("merges", stats.One, "Misses whose line was under way already.", &c.count.merges)
	g.Count("delayed_hits", stats.One, "Hits on lines under way, which had to wait for them.", &c.late)
	g.Count("mshr_waits", stats.One, "Misses that had to wait for a free MSHR.", &c.book.waits.mshr)
	g.Count("merge_waits", stats.One, "Accesses that had to wait because too many waited for their line.", &c.book.waits.merge)
	g.Count("write_buffer_waits", stats.One, "Accesses that had to wait for room in the write buffer.", &c.book.waits.buffer)
	if c.prefetcher.On() {
		g.Count("late_prefetches", stats.One, "Of the useful prefetches, those whose line was still under way when it was asked for.", &c.ahead.late)
		g.Count("dropped_prefetches", stats.One, "Prefetches that found no MSHR or no room in the write buffer.", &c.ahead.dropped)
	}
	g.Count("mshrs_max", stats.One, "Most MSHRs in use at once, of all slices.", &c.mshrs.Most)
	g.Check("nothing is under way", func() error {
		if c.waiting > 0 || c.mshrs.Open() > 0 || c.held > 0 || c.fetches.Len() > 0 || c.writes.Len() > 0 {
			return fmt.Errorf("%d lines not looked up, %d MSHRs, %d writes, %d fetches", c.waiting, c.mshrs.Open(), c.held, c.fetches.Len())
		}
		return nil
	})
}

// Waiting implements engine.Waiter.
func (c *Timed) Waiting() []engine.Wait {
	out := c.base.Waiting()
	if c.below.InFlight() == 0 && c.fetches.Len()+c.writes.Len()+c.below.Queue.Len() > 0 {
		out = append(out, engine.Wait{Who: c.Name(), For: c.below.Port.Name(), Why: fmt.Sprintf("%d requests below are not sent", c.fetches.Len()+c.writes.Len()+c.below.Queue.Len())})
	}
	return out
}
