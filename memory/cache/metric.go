package cache

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/cache/flush"
	"github.com/causeway-sim/causeway/memory/cache/inclusion"
)

func (b *base) newStats() *stats.Group {
	n, k := &b.count, &b.core.Count
	g := stats.NewGroup(b.Name())
	g.Count("reads", stats.Request, "Read requests accepted.", &n.Reads)
	g.Count("writes", stats.Request, "Write requests accepted.", &n.Writes)
	g.Count("read_bytes", stats.Byte, "Bytes asked for by the reads.", &n.ReadBytes)
	g.Count("write_bytes", stats.Byte, "Bytes brought by the writes.", &n.WriteBytes)
	g.Count("controls", stats.Request, "Requests to clean, flush or invalidate lines.", &n.controls)
	g.Count("accesses", stats.One, "Accesses to lines that the requests were cut into.", &k.Accesses)
	g.Count("hits", stats.One, "Accesses that found their line, and all they need of it.", &k.Hits)
	g.Sum(&k.Misses, &n.answered, &n.latency)
	g.Value("misses", stats.One, "Accesses that did not find all they need, merges left out.", func() (float64, bool) { return float64(k.Misses - n.merges), true })
	g.Count("evictions", stats.One, "Lines that went to make room for others.", &k.Evictions)
	g.Count("unused_evictions", stats.One, "Lines that went before anyone had used them again.", &k.Unused)
	g.Count("write_backs", stats.One, "Lines that went and were written back.", &k.WriteBacks)
	g.Count("bypasses", stats.One, "Misses that left no line behind.", &k.Bypasses)
	g.Count("sector_misses", stats.One, "Misses that found their line, but not the sectors they need.", &k.SectorMisses)
	g.Value("hit_rate", stats.One, "Hits per access.", func() (float64, bool) {
		return float64(k.Hits) / float64(max(k.Accesses, 1)), k.Accesses > 0
	})
	g.Value("miss_ratio", stats.One, "Misses per access.", func() (float64, bool) {
		return float64(k.Misses-n.merges) / float64(max(k.Accesses, 1)), k.Accesses > 0
	})
	g.Count("below_reads", stats.Request, "Reads sent below.", &b.below.Sent.Reads)
	g.Count("below_writes", stats.Request, "Writes sent below.", &b.below.Sent.Writes)
	g.Count("below_read_bytes", stats.Byte, "Bytes read from below.", &b.below.Sent.ReadBytes)
	g.Count("below_write_bytes", stats.Byte, "Bytes written below.", &b.below.Sent.WriteBytes)
	g.Value("dirty_bytes", stats.Byte, "Bytes written above that are still to be written below: a run ends before them.", func() (float64, bool) {
		return float64(b.core.Dirty() << b.layout.Sector), true
	})
	g.Stays("dirty_bytes")
	g.Value("bandwidth", stats.GBps, "Bytes read and written above per second, from the first request to the last answer.", func() (float64, bool) {
		return float64(n.ReadBytes+n.WriteBytes) / b.clock.Nanoseconds(n.last-n.first), n.last > n.first
	})
	g.Value("latency_mean", stats.NS, "Mean time from the acceptance of a request to the sending of its answer.", func() (float64, bool) {
		return b.clock.Nanoseconds(n.latency) / float64(max(n.answered, 1)), n.answered > 0
	})
	g.Value("latency_max", stats.NS, "Longest time from the acceptance of a request to the sending of its answer.", func() (float64, bool) {
		return b.clock.Nanoseconds(n.latencyMax), n.answered > 0
	})
	if b.detail != nil {
		b.detail.Declare(g)
	}
	if b.spec.Flush.Op != "none" {
		flushStats(g, &b.flush, b.clock)
	}
	inclusionStats(g, &b.incl)
	b.optionalStats(g)
	g.Holds(func() stats.Holding {
		return stats.Holding{What: "lines", Size: uint64(b.core.Size()), Bytes: uint64(b.core.Size()) * uint64(b.spec.Line), Held: b.core.Held(), Gone: k.Evictions, Used: k.Accesses}
	})
	g.Check("every request is answered once", func() error {
		if n.answered != n.Reads+n.Writes || b.open() > 0 || b.below.InFlight() > 0 || b.below.Queue.Len() > 0 {
			return fmt.Errorf("%d requests, %d answers; below %d under way and %d not sent", n.Reads+n.Writes, n.answered, b.below.InFlight(), b.below.Queue.Len())
		}
		return nil
	})
	g.Check("hits and misses add up to accesses", func() error {
		if k.Hits+k.Misses != k.Accesses {
			return fmt.Errorf("%d hits, %d misses, %d accesses", k.Hits, k.Misses, k.Accesses)
		}
		return nil
	})
	return g
}

// optionalStats declares what only some configurations ask for.
func (b *base) optionalStats(g *stats.Group) {
	k := &b.core.Count
	if b.core.Prefetching() {
		g.Count("prefetches", stats.One, "Lines brought before anyone asked for them.", &k.Prefetches)
		g.Count("useful_prefetches", stats.One, "Prefetched lines that were hit before they went.", &k.Useful)
		g.Count("useless_prefetches", stats.One, "Prefetched lines that went before anyone asked for them.", &k.Useless)
	}
	if b.hindsight != nil {
		b.hindsightStats(g)
	}
	if b.reuse == nil {
		return
	}
	for _, p := range []uint64{50, 90, 99} {
		g.Value(fmt.Sprintf("reuse_distance_p%d", p), stats.One, fmt.Sprintf("Other lines accessed between two accesses to a line, percentile %d.", p), func() (float64, bool) {
			d, ok := b.reuse.Percentile(p)
			return float64(d), ok
		})
	}
	lines := int(b.spec.Size / b.spec.Line)
	g.Value("cold_misses", stats.One, "First accesses to a line, which no cache hits.", func() (float64, bool) { return float64(b.reuse.Cold()), true })
	g.Value("lru_hits", stats.One, "Hits of a fully associative LRU cache of the same size.", func() (float64, bool) { return float64(b.reuse.Hits(lines)), true })
	g.Stays("reuse_distance_p50", "reuse_distance_p90", "reuse_distance_p99", "cold_misses", "lru_hits")
}

// hindsightStats declares what other policies would have missed.
func (b *base) hindsightStats(g *stats.Group) {
	g.Value("misses_lru", stats.One, "Misses of LRU over the same accesses, in an empty cache of the same sets.", func() (float64, bool) {
		lru, _ := b.hindsight.Misses()
		return float64(lru), true
	})
	g.Value("misses_opt", stats.One, "Misses of OPT with bypass, which knows the future, over the same accesses.", func() (float64, bool) {
		_, opt := b.hindsight.Misses()
		return float64(opt), true
	})
	g.Value("gap_closed", stats.Percent, "Of the misses that LRU has more than OPT, the part that the policy does not have; below 0 if it has more than LRU.", func() (float64, bool) {
		lru, opt := b.hindsight.Misses()
		own := b.core.Count.Misses - b.count.merges
		return 100 * (float64(lru) - float64(own)) / float64(lru-opt), lru > opt
	})
	g.Stays("misses_lru", "misses_opt", "gap_closed")
}

// flushStats declares what a cache counts that flushes by itself.
func flushStats(g *stats.Group, f *flush.State, c clock.Clock) {
	g.Count("flushed_bytes", stats.Byte, "Bytes that the flush wrote back.", &f.Written)
	g.Value("flush_time", stats.NS, "Time from the beginning of the flush until memory had all of it.", func() (float64, bool) {
		return c.Nanoseconds(f.Ended - f.Begun), f.Done()
	})
	g.Stays("flushed_bytes", "flush_time")
}

// energyStats declares the energy of the data array, which is cut into that many
// arrays of equal size. Each byte that crosses the upper or the lower port is read or
// written once in it: a hit is read, a fill and a write are written, a victim is read.
//
// assumption: a miss that fills no line passes the array like a fill; tags
// and the wires between arrays are not counted.
func (b *base) energyStats(g *stats.Group, arrays int) {
	areaStats(g, &b.spec)
	array := b.spec.Size / units.Bytes(arrays)
	perByte, ok, _ := b.spec.Energy.perByte(array) // checked
	if !ok {
		return
	}
	g.Value("energy", stats.PJ, "Energy of the data array: bytes through the upper and the lower port.", func() (float64, bool) {
		n, l := &b.count, &b.below.Sent
		return perByte * float64(n.ReadBytes+n.WriteBytes+l.ReadBytes+l.WriteBytes), true
	})
	b.assumptions = []string{fmt.Sprintf("Energy of %s is %.4g pJ per byte read or written in an array of %s (see go doc components/energy); tags are not in it. Its area is that of SRAM cells, without tags, decoders and wires.", b.Name(), perByte, array)}
}

// areaStats declares the area of what has a published figure: the cells of the data
// array, and the unit of policy dco.
func areaStats(g *stats.Group, s *Spec) {
	cells := func() (float64, bool) { return energy.SRAMArea(s.Energy.Process, s.Size) }
	unit := func() (float64, bool) { return dcoUnit, s.Policy.Name == "dco" }
	g.Value("area", stats.MM2, "Area of what has a published figure: the cells of the data array, and the unit of policy dco.", func() (float64, bool) {
		sum, ok := cells()
		if u, has := unit(); has {
			sum, ok = sum+u, true
		}
		return sum, ok
	})
	g.Value("area_policy", stats.MM2, "Area of the unit that policy dco needs, as published for 15 nm.", unit)
}

// inclusionStats declares what inclusion counts; a cache that has nothing to do with it
// has none of these.
func inclusionStats(g *stats.Group, n *inclusion.State) {
	count := func(name, text string, v *uint64, has func() bool) {
		g.Value(name, stats.One, text, func() (float64, bool) { return float64(*v), has() })
	}
	inclusive := func() bool { return n.Inclusive }
	exclusive := func() bool { return n.Exclusive }
	above := func() bool { return n.Below && !n.BelowExclusive }
	count("back_invalidations", "Lines that caches above were told to drop, since this one gave them up.", &n.Recalled, inclusive)
	count("lines_lost", "Lines that went because an inclusive cache below gave them up.", &n.Lost, above)
	count("dirty_lines_lost", "Of the lines lost, those that were written below.", &n.LostDirty, above)
	count("lines_moved_up", "Hits whose line went to the cache above.", &n.MovedUp, exclusive)
	count("victims", "Lines that came because a cache above gave them up.", &n.Victims, exclusive)
	count("clean_victims", "Of the victims, those that memory had all of.", &n.Clean, exclusive)
}
