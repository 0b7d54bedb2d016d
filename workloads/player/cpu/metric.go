package cpu

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
)

// counters are in accesses, bytes and cycles of the core.
type counters struct {
	loads, stores         uint64 // begun
	loadBytes, storeBytes uint64
	answered              uint64
	walks, walkReads      uint64
	walkCycles            uint64
	translations          uint64
	tlbMisses             uint64

	measured uint64 // bytes answered after skip
	last     uint64 // cycle of the last answer
	accesses uint64 // answered after skip
	latency  stats.Histogram
}

func (n *counters) begin(write bool) {
	if write {
		n.stores++
	} else {
		n.loads++
	}
}

func (n *counters) sent(write bool, bytes uint64) {
	if write {
		n.storeBytes += bytes
	} else {
		n.loadBytes += bytes
	}
}

// answer notes the last answer of an access.
func (n *counters) answer(c *Comp, o *op, cycle uint64) {
	n.answered++
	n.last = cycle
	if cycle <= c.skip || cycle > c.until { // an answer in cycle 0 there is none
		return
	}
	n.accesses++
	n.measured += o.bytes
	if !o.rec.Write && o.begun >= c.skip {
		n.latency.Add(cycle - o.begun)
	}
}

// time is the cycles that metrics look at.
func (c *Comp) time() uint64 {
	end := c.count.last
	if !c.spec.Until.IsZero() {
		end = max(min(c.until, end), c.skip)
	}
	return end - min(c.skip, end)
}

func (c *Comp) newStats() *stats.Group {
	n := &c.count
	g := stats.NewGroup(c.Name())
	g.Sum(&c.book.cycles)
	g.Count("loads", stats.Request, "Loads sent.", &n.loads)
	g.Count("stores", stats.Request, "Stores sent.", &n.stores)
	g.Count("load_bytes", stats.Byte, "Bytes of the loads sent.", &n.loadBytes)
	g.Count("store_bytes", stats.Byte, "Bytes of the stores sent.", &n.storeBytes)
	g.Count("accesses_done", stats.Request, "Loads and stores answered.", &n.answered)
	g.Count("total_cycles", stats.Cycle, "Cycles of the core until the last answer.", &n.last)
	if pj, ok, _ := c.spec.Energy.PerInstruction(); ok { // checked
		c.rest.Watts = float64(c.spec.Energy.Idle)
		c.rest.Declare(g, "Energy of the core's instructions, and at rest; caches and memory have their own.", func() float64 {
			return pj * float64(c.spec.Instructions) * float64(n.loads+n.stores)
		})
	}
	perNS := func(cycles float64) float64 { return cycles * c.clock.Nanoseconds(1) }
	g.Value("bandwidth", stats.GBps, "Bytes of loads and stores answered after skip, over the time from there to the end.", func() (float64, bool) {
		return float64(n.measured) / perNS(float64(max(c.time(), 1))), c.time() > 0 && n.accesses > 0
	})
	g.Value("access_time", stats.NS, "Time per access: from skip to the end over the accesses answered; of a chain of loads their latency.", func() (float64, bool) {
		return perNS(float64(c.time())) / float64(max(n.accesses, 1)), n.accesses > 0
	})
	for _, v := range []struct {
		name, text string
		f          func() float64
	}{
		{"mean", "Mean", func() float64 { return float64(n.latency.Sum()) / float64(n.latency.Count()) }},
		{"min", "Least", func() float64 { return float64(n.latency.Min()) }},
		{"p50", "Median", func() float64 { return float64(n.latency.Percentile(50)) }},
		{"p99", "99th percentile of the", func() float64 { return float64(n.latency.Percentile(99)) }},
		{"max", "Greatest", func() float64 { return float64(n.latency.Max()) }},
	} {
		g.Value("load_latency_"+v.name, stats.NS, v.text+" time from a load that could be sent, translation included, to its answer, after skip.", func() (float64, bool) {
			if n.latency.Count() == 0 {
				return 0, false
			}
			return perNS(v.f()), true
		})
	}
	if c.paged {
		c.tlbStats(g, perNS)
	}
	if c.spec.Warm > 0 {
		g.Count("warm_accesses", stats.Request, "Accesses that were carried out in no time before the run.", &c.warmup.done)
	}
	g.Check("every access is answered", func() error {
		if c.calls.InFlight() > 0 || n.answered != n.loads+n.stores {
			return fmt.Errorf("%d accesses, %d answered, %d requests outstanding", n.loads+n.stores, n.answered, c.calls.InFlight())
		}
		return nil
	})
	return g
}

func (c *Comp) tlbStats(g *stats.Group, perNS func(float64) float64) {
	n := &c.count
	g.Count("tlb_misses", stats.One, "Translations that the first level did not have.", &n.tlbMisses)
	g.Value("tlb_miss_rate", stats.One, "Translations that the first level did not have, of all.", func() (float64, bool) {
		return float64(n.tlbMisses) / float64(max(n.translations, 1)), n.translations > 0
	})
	g.Count("walks", stats.One, "Walks of the page table.", &n.walks)
	g.Count("walk_reads", stats.Request, "Entries of the page table that walks read.", &n.walkReads)
	g.Value("walk_time_mean", stats.NS, "Mean time of a walk.", func() (float64, bool) {
		return perNS(float64(n.walkCycles)) / float64(max(n.walks, 1)), n.walks > 0
	})
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	if k := c.calls.InFlight(); k > 0 {
		return []engine.Wait{{Who: c.Name(), For: c.calls.Waits().Name(), Why: fmt.Sprintf("%d requests are not answered", k)}}
	}
	if c.loads+c.stores > 0 || c.program.ok && (c.spec.Limit == 0 || c.program.handed < c.spec.Limit) {
		return []engine.Wait{{Who: c.Name(), For: c.Name(), Why: fmt.Sprintf("access %d is not sent", c.count.loads+c.count.stores)}}
	}
	return nil
}

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string {
	pj, ok, _ := c.spec.Energy.PerInstruction() // checked
	if !ok {
		return nil
	}
	return []string{fmt.Sprintf("Energy of %s is %.4g pJ per instruction (%s) and %s at rest.", c.Name(), pj, c.spec.Energy.Source(), c.spec.Energy.Idle)}
}

// LastActivity implements system.Rester.
func (c *Comp) LastActivity() float64 { return c.clock.Nanoseconds(c.count.last) }

// RestUntil implements system.Rester.
func (c *Comp) RestUntil(ns float64) { c.rest.Until(ns) }
