package tiering

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
)

// counters are in requests, bytes and cycles.
type counters struct {
	memory.Traffic
	answered, last     uint64
	latency, readsDone uint64 // of reads
	walks, stalled     uint64
	faults             uint64
	moves, moveTime    uint64
	dropped            uint64

	warm   uint64 // cycle from which on measured counts
	marked bool
	start  mark // at warm
	now    mark // at the last arrival
}

// A mark is what was answered up to a cycle.
type mark struct {
	cycle, requests, bytes uint64
	latency, reads         uint64
}

// arrive notes that a request came: the load goes on until here. It returns true
// where the warm-up is over.
func (n *counters) arrive(cycle uint64) (warm bool) {
	if !n.marked && cycle >= n.warm {
		n.marked, warm = true, true
		n.start = n.now
		n.start.cycle = cycle
	}
	n.now.cycle = cycle
	return warm
}

func (n *counters) answer(cycle, latency, bytes uint64, read bool) {
	n.answered++
	n.last = cycle
	n.now.requests++
	n.now.bytes += bytes
	if read {
		n.readsDone++
		n.latency += latency
		n.now.latency += latency
		n.now.reads++
	}
}

func (c *Comp) newStats() *stats.Group {
	n := &c.count
	n.warm = c.spec.Warmup.In(c.clock)
	ns := func(cycles float64) float64 { return cycles * c.clock.Nanoseconds(1) }
	g := stats.NewGroup(c.Name())
	g.Count("reads", stats.Request, "Reads that came.", &n.Reads)
	g.Count("writes", stats.Request, "Writes that came.", &n.Writes)
	g.Count("read_bytes", stats.Byte, "Bytes of the reads.", &n.ReadBytes)
	g.Count("write_bytes", stats.Byte, "Bytes of the writes.", &n.WriteBytes)
	g.Count("walks", stats.One, "Translations that were not at hand.", &n.walks)
	if c.spec.TLB.Reads > 0 {
		w := &c.walker
		g.Count("walk_reads", stats.Request, "Lines of the page table that walks read.", &w.reads)
		g.Value("walk_time_mean", stats.NS, "Mean time from a missing translation to its coming.", func() (float64, bool) {
			return ns(float64(w.time) / float64(max(w.done, 1))), w.done > 0
		})
	}
	if !c.spec.Fault.IsZero() {
		g.Count("faults", stats.One, "Hinting faults.", &n.faults)
	}
	g.Count("stalled", stats.Request, "Requests that waited for a page to be moved, by page.", &n.stalled)
	g.Count("moves", stats.One, "Moves carried out; an exchange is one.", &n.moves)
	g.Count("moves_dropped", stats.One, "Moves that were planned and not begun in their interval.", &n.dropped)
	g.Value("move_time_mean", stats.NS, "Mean time of a move, during which its pages take no requests.", func() (float64, bool) {
		return ns(float64(n.moveTime) / float64(n.moves)), n.moves > 0
	})
	g.Value("read_latency_mean", stats.NS, "Mean time from a read's arrival to its answer.", func() (float64, bool) {
		return ns(float64(n.latency) / float64(n.readsDone)), n.readsDone > 0
	})
	measured := func(f func(a, b mark) (float64, bool)) func() (float64, bool) {
		return func() (float64, bool) {
			if !n.marked || n.now.cycle <= n.start.cycle {
				return 0, false
			}
			return f(n.start, n.now)
		}
	}
	g.ValueIn("measure", "bandwidth", stats.GBps, "Bytes answered from the end of the warm-up to the last answer, over the time to the last arrival.", measured(func(a, b mark) (float64, bool) {
		return float64(b.bytes-a.bytes) / ns(float64(b.cycle-a.cycle)), true
	}))
	g.ValueIn("measure", "read_latency_mean", stats.NS, "Mean time from a read's arrival to its answer, of those answered behind the warm-up.", measured(func(a, b mark) (float64, bool) {
		return ns(float64(b.latency-a.latency) / float64(b.reads-a.reads)), b.reads > a.reads
	}))
	g.Sum(&n.answered, &n.latency, &n.readsDone, &n.moveTime)
	for i := range c.load {
		c.tierStats(g, i, ns)
	}
	g.Check("every request is answered", func() error {
		if n.answered != n.Reads+n.Writes || c.open() > 0 || len(c.parked) > 0 {
			return fmt.Errorf("%d requests, %d answered, %d pieces held up", n.Reads+n.Writes, n.answered, len(c.parked))
		}
		return nil
	})
	g.Check("occupancy over time is latency over reads", func() error {
		for i := range c.load {
			if l := &c.load[i]; l.under != 0 || l.area != l.latency {
				return fmt.Errorf("tier %d: %d reads under way, area %d, latencies %d", i, l.under, l.area, l.latency)
			}
		}
		return nil
	})
	g.Check("every page has its own frame", c.checkFrames)
	return g
}

// tierStats declares what is counted of one tier.
func (c *Comp) tierStats(g *stats.Group, i int, ns func(float64) float64) {
	l, f := &c.load[i], &c.table.tiers[i]
	name := func(s string) string { return fmt.Sprintf("tier%d_%s", i, s) }
	of := fmt.Sprintf("of tier %d", i)
	g.Sum(&l.area, &l.latency, &l.answered, &l.readBytes)
	g.Holds(func() stats.Holding {
		return stats.Holding{What: "pages " + of, Size: uint64(f.limit), Held: uint64(f.used), Gone: l.movedOut, Used: l.reads + l.writes}
	})
	g.Count(name("reads"), stats.Request, "Reads "+of+", cut by page.", &l.reads)
	g.Count(name("writes"), stats.Request, "Writes "+of+", cut by page.", &l.writes)
	g.Count(name("pages_in"), stats.One, "Pages moved to tier "+fmt.Sprint(i)+".", &l.movedIn)
	g.Count(name("pages_out"), stats.One, "Pages moved away from tier "+fmt.Sprint(i)+".", &l.movedOut)
	g.Count(name("move_read_bytes"), stats.Byte, "Bytes "+of+" read by moves.", &l.moveReads)
	g.Count(name("move_write_bytes"), stats.Byte, "Bytes "+of+" written by moves.", &l.moveWrites)
	g.Value(name("pages"), stats.One, "Pages that live there at the end.", func() (float64, bool) { return float64(f.used), true })
	g.Stays(name("pages"))
	g.Value(name("occupancy"), stats.Request, "Reads under way, mean over the run.", func() (float64, bool) {
		return float64(l.area) / float64(c.count.last), c.count.last > 0
	})
	g.Value(name("arrivals"), stats.GBps, "Bytes of reads over the time of the run.", func() (float64, bool) {
		return float64(l.readBytes) / ns(float64(c.count.last)), c.count.last > 0
	})
	g.Value(name("latency"), stats.NS, "Mean latency of its reads.", func() (float64, bool) {
		return ns(float64(l.latency) / float64(l.answered)), l.answered > 0
	})
	g.Value(name("share"), stats.Percent, "Share of all reads.", func() (float64, bool) {
		all := uint64(0)
		for k := range c.load {
			all += c.load[k].reads
		}
		return 100 * float64(l.reads) / float64(all), all > 0
	})
	at := func(f func(a, b *load) (float64, bool)) func() (float64, bool) {
		return func() (float64, bool) {
			if !c.count.marked {
				return 0, false
			}
			return f(&c.warm[i], l)
		}
	}
	g.ValueIn("measure", name("latency"), stats.NS, "Mean latency of its reads behind the warm-up.", at(func(a, b *load) (float64, bool) {
		return ns(float64(b.latency-a.latency) / float64(b.answered-a.answered)), b.answered > a.answered
	}))
	g.ValueIn("measure", name("share"), stats.Percent, "Share of all reads behind the warm-up.", at(func(a, b *load) (float64, bool) {
		all := uint64(0)
		for k := range c.load {
			all += c.load[k].reads - c.warm[k].reads
		}
		return 100 * float64(b.reads-a.reads) / float64(all), all > 0
	}))
	g.ValueIn("measure", name("pages_in"), stats.One, "Pages moved there behind the warm-up.", at(func(a, b *load) (float64, bool) {
		return float64(b.movedIn - a.movedIn), true
	}))
}

// checkFrames finds pages that share a frame, and tiers whose count of used frames is wrong.
func (c *Comp) checkFrames() error {
	seen := make([]bool, len(c.table.frame))
	used := make([]int, len(c.below))
	for p, f := range c.table.frame {
		if f == noFrame {
			continue
		}
		if seen[f] {
			return fmt.Errorf("page %d shares frame %d", p, f)
		}
		seen[f] = true
		used[c.table.info[p].Tier]++
	}
	for i := range c.moving.active { // a run may end in the middle of a move
		if a := &c.moving.active[i]; a.busy && a.frame != noFrame {
			used[a.To]++
		}
	}
	for i, n := range used {
		if n != c.table.tiers[i].used {
			return fmt.Errorf("tier %d has %d pages and counts %d", i, n, c.table.tiers[i].used)
		}
	}
	return nil
}
