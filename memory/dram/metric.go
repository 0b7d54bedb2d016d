package dram

import (
	"fmt"
	"math"
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/dram/hammer"
	"github.com/causeway-sim/causeway/memory/dram/latency"
	"github.com/causeway-sim/causeway/memory/dram/power"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// counters are of requests at the port, in requests, bytes and clocks.
type counters struct {
	memory.Traffic
	unsent              memory.Traffic // of Traffic: what Charge has set
	bursts              uint64
	bytesDone           uint64
	answered            uint64
	latency, latencyMax int64
	first, last         int64 // clock of the first request, of the last answer
	came                int64 // clock of the last request
}

// arrived counts a request of n bursts.
func (c *counters) arrived(q memory.Request, bursts int, at int64) {
	c.Count(q)
	c.bursts += uint64(bursts)
	c.came = at
}

func (c *counters) answer(latency, cycle int64) {
	c.answered++
	c.latency += latency
	c.latencyMax = max(c.latencyMax, latency)
	c.last = max(c.last, cycle)
}

// total sums over the channels, after their accounts are closed.
func (c *Comp) total() *Counters {
	for _, g := range c.gangs {
		g.Finish(c.count.last)
		g.next = c.count.last
		if g.Idle() {
			g.tail(Never)
		}
		g.settle()
	}
	var sum Counters
	for i := range c.accounts {
		sum.add(&c.accounts[i].Counters)
	}
	return &sum
}

func (c *Comp) newStats() *stats.Group {
	n := &c.count
	g := stats.NewGroup(c.Name())
	g.Count("reads", stats.Request, "Read requests accepted.", &n.Reads)
	g.Count("writes", stats.Request, "Write requests accepted.", &n.Writes)
	g.Count("read_bytes", stats.Byte, "Bytes asked for by the reads.", &n.ReadBytes)
	g.Count("write_bytes", stats.Byte, "Bytes brought by the writes.", &n.WriteBytes)
	g.Count("bursts", stats.One, "Bursts that the requests were cut into.", &n.bursts)
	c.spans.Clock = c.clock
	g.TimeSeries("moved_bytes", stats.Byte, "Bytes on the pins: whole bursts, as their beats pass.", func() float64 { return c.peak() / 1e9 }, &c.spans.Moved)
	g.Count("bytes_done", stats.Byte, "Bytes of the requests answered: over an interval of time, the bandwidth in it.", &n.bytesDone)
	rate := func() (float64, bool) {
		return float64(n.bytesDone) / c.clock.Nanoseconds(uint64(n.last-n.first)), n.last > n.first
	}
	g.Value("bandwidth", stats.GBps, "Bytes read and written per second, from the first request to the last answer.", rate)
	g.Value("bandwidth_utilization", stats.Percent, "Share of the peak bandwidth in use, from the first request to the last answer.", func() (float64, bool) {
		r, ok := rate()
		return 100 * r * 1e9 / c.peak(), ok
	})
	g.Value("latency_mean", stats.NS, "Mean time from the acceptance of a request to the sending of its answer: of a read its last beat, of a write its entry into the queues, or its last beat with posted: false.", func() (float64, bool) {
		return c.clock.Nanoseconds(uint64(n.latency)) / float64(max(n.answered, 1)), n.answered > 0
	})
	g.Value("latency_max", stats.NS, "Longest time from the acceptance of a request to the sending of its answer.", func() (float64, bool) {
		return c.clock.Nanoseconds(uint64(n.latencyMax)), n.answered > 0
	})
	c.latencyStats(g, "read_latency_from_accept", "read burst from entering the controller's queues to the last beat", func(s *spans) *latency.Histogram { return &s.FromAccept })
	c.latencyStats(g, "read_latency_from_arrival", "read burst from the arrival of the request to the last beat", func(s *spans) *latency.Histogram { return &s.FromArrival })
	c.latencyStats(g, "write_latency", "write burst from the arrival of the request to the last beat, or to its absorption by a waiting write", func(s *spans) *latency.Histogram { return &s.Writes })
	c.commandStats(g)
	g.Before(func(now float64) {
		c.catchUp(now)
		c.reach()
		if math.IsInf(now, 1) { // at the end; before it commands are not read
			c.rest()
			for _, g := range c.gangs {
				g.open(min(g.now, c.count.last))
			}
		}
		c.settle()
	})
	for i := range c.accounts { // refresh goes by the time
		k := &c.accounts[i].Counters
		for _, cmd := range []standard.Command{standard.ACT, standard.PRE, standard.PREA, standard.PRES, standard.RD, standard.WR, standard.RDA, standard.WRA} {
			g.Sum(&k.Commands[cmd])
		}
		g.Sum(&k.Hits, &k.Misses, &k.Conflicts, &k.Forwarded, &k.Merged, &k.OpenClocks, &k.BankClocks, &k.Holds, &k.Limits, &k.Full, &k.Preventive, &k.Alerts, &k.Delayed, &k.Own)
	}
	g.Check("every request is answered once", func() error {
		if t := n.sent(); n.answered != t.Reads+t.Writes && !g.Repeated() {
			return fmt.Errorf("%d requests, %d answers", t.Reads+t.Writes, n.answered)
		}
		return nil
	})
	g.Check("every burst is a hit, a miss, a conflict, forwarded or merged", func() error {
		s := c.total()
		sum := s.bursts()
		for _, n := range s.Own {
			sum -= n
		}
		for _, g := range c.gangs {
			if !g.Idle() {
				return nil // stopped in the middle
			}
		}
		if sum != n.bursts && !g.Repeated() {
			return fmt.Errorf("%d bursts, %d are accounted for", n.bursts, sum)
		}
		return nil
	})
	return g
}

func (c *Comp) latencyStats(g *stats.Group, name, what string, of func(*spans) *latency.Histogram) {
	all := func() *latency.Histogram { return of(&c.spans) }
	for _, x := range []struct {
		suffix, text string
		read         func(*latency.Histogram) (float64, bool)
	}{
		{"_mean", "Mean time of a " + what, (*latency.Histogram).Mean},
		{"_p50", "Median time of a " + what, func(l *latency.Histogram) (float64, bool) { q, ok := l.Quantile(0.5); return float64(q), ok }},
		{"_p99", "Time of a " + what + " that 99% do not exceed", func(l *latency.Histogram) (float64, bool) { q, ok := l.Quantile(0.99); return float64(q), ok }},
	} {
		g.Value(name+x.suffix, stats.Cycle, x.text+", in cycles of the memory.", func() (float64, bool) { return x.read(all()) })
		g.Value(name+x.suffix+"_ns", stats.NS, x.text+".", func() (float64, bool) {
			v, ok := x.read(all())
			return v * c.clock.Nanoseconds(1), ok
		})
	}
}

func (c *Comp) commandStats(g *stats.Group) {
	for k := range standard.Commands {
		if c.cfg.Grade.Slots[k] > 0 && (!k.IsRFM() && !k.IsState() || c.cfg.usable()[k]) {
			g.Value("commands_"+strings.ToLower(k.String()), stats.One, "Commands "+k.String()+" issued.", func() (float64, bool) { return float64(c.total().Commands[k]), true })
		}
	}
	for _, x := range []struct {
		name, text string
		of         func(*Counters) [2]uint64
	}{
		{"row_hits", "Bursts that found their row open.", func(n *Counters) [2]uint64 { return n.Hits }},
		{"row_misses", "Bursts that found no row open.", func(n *Counters) [2]uint64 { return n.Misses }},
		{"row_conflicts", "Bursts that found another row open.", func(n *Counters) [2]uint64 { return n.Conflicts }},
	} {
		g.Value(x.name, stats.One, x.text, func() (float64, bool) { v := x.of(c.total()); return float64(v[read] + v[write]), true })
	}
	g.Value("channel_balance", stats.One, "Bursts of the busiest channel (of HBM: pseudo channel) over the mean of all channels: 1 where they share the load evenly, their number where one has all of it.", c.balance)
	g.Value("bank_balance", stats.One, "Bursts of the busiest bank over the mean of all banks of all channels: 1 where they share the load evenly, their number where one has all of it.", c.bankBalance)
	g.Value("forwarded", stats.One, "Read bursts answered by a waiting write.", func() (float64, bool) { return float64(c.total().Forwarded), true })
	g.Value("merged", stats.One, "Write bursts absorbed by a waiting write.", func() (float64, bool) { return float64(c.total().Merged), true })
	c.hammerStats(g)
	c.restStats(g)
	c.checkStats(g)
	c.energyStats(g)
}

// hammerStats declares what is counted of row hammer, if rows are.
func (c *Comp) hammerStats(g *stats.Group) {
	if c.cfg.Hammer.Mitigation == "" {
		return
	}
	most := func(of func(*hammer.Exposure) int) func() (float64, bool) {
		return func() (float64, bool) {
			n := 0
			for _, g := range c.gangs {
				n = max(n, of(g.guard.exposure))
			}
			return float64(n), true
		}
	}
	g.Value("preventive_refreshes", stats.One, "Rows that the controller, or a chip in an RFM command, refreshed against row hammer.", func() (float64, bool) { return float64(c.total().Preventive), true })
	g.Value("alerts", stats.One, "Alerts of chips that count rows (prac).", func() (float64, bool) { return float64(c.total().Alerts), true })
	switch c.cfg.Hammer.Mitigation {
	case "hydra":
		g.Value("counter_reads", stats.One, "Bursts of counters of rows that the defence read (hydra).", func() (float64, bool) { return float64(c.total().Own[ownCounterRead]), true })
		g.Value("counter_writes", stats.One, "Bursts of counters of rows that the defence wrote (hydra).", func() (float64, bool) { return float64(c.total().Own[ownCounterWrite]), true })
	case "blockhammer":
		g.Value("delayed_activations", stats.One, "Activations that were kept back since their row was opened too often (blockhammer).", func() (float64, bool) { return float64(c.total().Delayed), true })
	}
	g.Value("row_activations_max", stats.One, "Most activations of one row between two regular refreshes of it.", most(func(e *hammer.Exposure) int { return e.Rows }))
	g.Value("neighbour_activations_max", stats.One, "Most activations of the two neighbours of a row since it was last refreshed, by any command: above what the chip stands, bits may flip.", most(func(e *hammer.Exposure) int { return e.Near }))
}

// checkStats declares what error correction takes, if there is some.
func (c *Comp) checkStats(g *stats.Group) {
	if !c.cfg.ECC.On() {
		return
	}
	for _, x := range []struct {
		name, text string
		what       int
	}{
		{"check_reads", "Bursts of check bits that the controller read (inline ECC).", ownCheckRead},
		{"check_writes", "Bursts of check bits that the controller wrote (inline ECC).", ownCheckWrite},
		{"scrub_reads", "Bursts of data that the scrubber read.", ownScrub},
		{"modify_reads", "Bursts that the controller read since a write brought a part of them.", ownModify},
	} {
		g.Value(x.name, stats.One, x.text, func() (float64, bool) { return float64(c.total().Own[x.what]), true })
	}
}

// restStats declares how long ranks rest, if they do.
func (c *Comp) restStats(g *stats.Group) {
	if !c.cfg.Rest.On() {
		return
	}
	for _, x := range []struct {
		name, text string
		states     []power.State
	}{
		{"time_power_down_active", "Time in power-down with rows open, summed over the ranks of all channels.", []power.State{power.ActiveDown}},
		{"time_power_down", "Time in power-down with all banks closed, summed over the ranks of all channels.", []power.State{power.Down, power.SlowDown}},
		{"time_self_refresh", "Time in self-refresh after the refresh with which it begins, summed over the ranks of all channels.", []power.State{power.SelfRefresh}},
	} {
		g.Value(x.name, stats.NS, x.text, func() (float64, bool) {
			n, clocks := c.total(), uint64(0)
			for _, s := range x.states {
				clocks += n.Resting[s]
			}
			return c.clock.Nanoseconds(clocks), true
		})
	}
}

// balance is the load of the busiest channel over the mean.
func (c *Comp) balance() (float64, bool) {
	c.total()
	most, sum := uint64(0), uint64(0)
	for i := range c.accounts {
		n := c.accounts[i].bursts()
		most, sum = max(most, n), sum+n
	}
	return float64(most) * float64(len(c.accounts)) / float64(max(sum, 1)), sum > 0
}

// bursts returns the bursts of a channel that have ended.
func (n *Counters) bursts() (sum uint64) {
	for k := range n.Hits {
		sum += n.Hits[k] + n.Misses[k] + n.Conflicts[k]
	}
	return sum + n.Forwarded + n.Merged
}

// energyStats declares the energy of the chips and its parts, as far as they have a
// source.
func (c *Comp) energyStats(g *stats.Group) {
	declare := func(name, text string, of func(*power.Energies) float64) {
		g.Value(name, stats.PJ, text, func() (float64, bool) {
			sum := 0.0
			c.total()
			for i := range c.accounts {
				e, ok := c.accounts[i].Energy(c.cfg.Grade, max(c.count.last, c.gangOf[i].acted))
				if !ok || math.IsNaN(of(&e)) {
					return 0, false
				}
				sum += of(&e)
			}
			e, _ := c.energyOfBytes()
			sum += of(&e)
			return sum, !math.IsNaN(sum) // 0 of a memory without requests
		})
	}
	declare("energy", "Energy of the chips: the sum of the parts that have a source.", func(e *power.Energies) float64 { return e.Total() })
	for _, p := range power.Parts {
		declare("energy_"+p.Name, p.Text, p.Of)
	}
}
