package cxl

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/pool"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

func (r *Root) newStats() {
	c, g := &r.count, r.stats
	r.sumWires()
	g.Sum(&c.busy.Sum)
	g.Count("reads", stats.Request, "Read requests accepted.", &c.Reads)
	g.Count("writes", stats.Request, "Write requests accepted.", &c.Writes)
	g.Count("read_bytes", stats.Byte, "Bytes asked for by the reads.", &c.ReadBytes)
	g.Count("write_bytes", stats.Byte, "Bytes brought by the writes.", &c.WriteBytes)
	g.Value("bandwidth", stats.GBps, "Bytes read and written per second, from the first request to the last answer.", func() (float64, bool) {
		return float64(c.ReadBytes+c.WriteBytes) / float64(c.last-c.first) * 1000, c.last > c.first
	})
	for k, name := range []string{"load", "store"} {
		what := []string{"read", "write"}[k]
		g.Value(name+"_latency_mean", stats.NS, "Mean time from a "+what+" request at the host port to its answer.", func() (float64, bool) {
			return float64(c.latency[k]) / float64(max(c.requests[k], 1)) / 1000, c.requests[k] > 0
		})
		for p := range transit.Parts {
			g.Value(name+"_"+transit.PartNames[p][0]+"_mean", stats.NS, "Mean time of a line "+transit.PartNames[p][1]+"; of "+what+"s. The parts add up to the latency of a line.", func() (float64, bool) {
				return float64(c.parts[k][p]) / float64(max(c.lines[k], 1)) / 1000, c.lines[k] > 0
			})
		}
	}
	for i := range pool.Loads {
		name := i.String()
		g.Count("devload_"+name, stats.One, "Answers in which a device told of "+name+" load (DevLoad).", &c.loads[i])
	}
	r.linkStats()
	r.energyStats(r.cacheEnergy, r.spec.Link)
	g.Check("every request is answered once", func() error {
		if n := c.Reads + c.Writes; n != c.answered && !g.Repeated() {
			return fmt.Errorf("%d requests, %d answers", n, c.answered)
		}
		return nil
	})
	g.Check("parts of latency add up", func() error {
		for k := range c.total {
			sum := int64(0)
			for _, v := range c.parts[k] {
				sum += v
			}
			if sum != c.total[k] {
				return fmt.Errorf("%d ps in parts, %d ps in all", sum, c.total[k])
			}
		}
		return nil
	})
	g.Check("all credits are back", func() error {
		for _, h := range c.links {
			if err := h.Settled(); err != nil {
				return err
			}
		}
		return nil
	})
}

// sumWires declares what links count that metrics are made of, for Repeat.
func (f *face) sumWires() {
	f.stats.Sum(func() (all []any) {
		for _, w := range f.wires {
			for d := range w.hop.Count {
				k := &w.hop.Count[d]
				all = append(all, &k.Flits, &k.Control, &k.Replayed, &k.Wrong, &k.Busy, &k.Messages, &k.Extra)
			}
		}
		return all
	})
}

// energyStats declares the energy of the links of a node, where there is a figure for all
// of them.
func (f *face) energyStats(cached func() float64, specs ...setting.LinkSpec) {
	for _, s := range specs {
		if _, ok, err := s.PerBit(); !ok || err != nil {
			return
		}
	}
	f.stats.Value("energy", stats.PJ, "Energy of the links below, and of channels between switches, by a figure per bit that flits take on the wires; of a root its cache besides.", func() (float64, bool) {
		return f.wireEnergy() + cached(), true
	})
	for _, s := range specs {
		perBit, _, _ := s.PerBit()
		f.assumptions = append(f.assumptions, fmt.Sprintf("Energy of CXL links of %d GT/s is %.4g pJ per bit that flits take on the wires (%s); idle links are not in it.", s.Rate, perBit, s.LinkEnergy().Source()))
	}
}

// linkStats are of the links below the root.
func (r *Root) linkStats() {
	c, g := &r.count, r.stats
	for d, name := range []string{"down", "up"} {
		way := []string{"towards devices", "towards the host"}[d]
		g.TimeSeries("wire_bytes_"+name, stats.Byte, "Bytes of flits at the root ports, "+way+".", func() (sum float64) {
			for _, h := range c.links {
				sum += h.Peak()
			}
			return sum
		}, &c.wires[d])
		link := func(metric string, unit stats.Unit, text string, read func(h *transit.Hop) float64) {
			g.Value(metric+"_"+name, unit, text+", "+way+".", func() (float64, bool) {
				sum := 0.
				for _, h := range c.links {
					sum += read(h)
				}
				return sum, len(c.links) > 0
			})
		}
		link("flits", stats.Flit, "Flits of messages, each counted once, at the root ports", func(h *transit.Hop) float64 { return float64(h.Count[d].Flits) })
		link("control_flits", stats.Flit, "Flits for credits and Acks alone, at the root ports", func(h *transit.Hop) float64 { return float64(h.Count[d].Control) })
		link("replayed_flits", stats.Flit, "Flits sent again, at the root ports", func(h *transit.Hop) float64 { return float64(h.Count[d].Replayed) })
		link("wrong_flits", stats.Flit, "Flits that came with errors, at the root ports", func(h *transit.Hop) float64 { return float64(h.Count[d].Wrong) })
		link("other_retry", stats.Flit, "Flit times lost to the retry of the other direction, at the root ports", func(h *transit.Hop) float64 { return h.Count[d].Extra })
		g.Value("replay_distance_"+name, stats.Flit, "Mean flit times from the start of a wrong flit to the start of its replay, "+way+" (N of goodput).", func() (float64, bool) {
			n, sum := uint64(0), 0.
			for _, h := range c.links {
				n += h.Count[d].Replays
				sum += h.Count[d].ReplayWait
			}
			return sum / float64(max(n, 1)), n > 0
		})
		g.Value("link_utilization_"+name, stats.Percent, "Share of the time in which the root ports sent, "+way+".", func() (float64, bool) {
			busy := uint64(0)
			for _, h := range c.links {
				busy += h.Count[d].Busy
			}
			return 100 * float64(busy) / float64(max(len(c.links), 1)) / float64(c.last-c.first), c.last > c.first && len(c.links) > 0
		})
	}
	for _, x := range []struct {
		name  string
		class flit.Class
	}{{"req", flit.M2SReq}, {"rwd", flit.M2SRwD}, {"ndr", flit.S2MNDR}, {"drs", flit.S2MDRS}} {
		g.Value("credit_round_trip_"+x.name+"_mean", stats.NS, "Mean time from spending a credit of "+x.class.String()+" to spending it again, at the root ports.", func() (float64, bool) {
			n, sum := uint64(0), uint64(0)
			for _, h := range c.links {
				n += h.Count[x.class.Direction()].Respent[x.class]
				sum += h.RoundTrip(x.class.Direction(), x.class)
			}
			return float64(sum) / float64(max(n, 1)) / 1000, n > 0
		})
	}
}

func (d *Type3) newStats() {
	c, g := &d.count, d.stats
	g.Count("line_reads", stats.Request, "Lines of 64 B read from the memory inside.", &c.reads)
	g.Count("line_writes", stats.Request, "Lines of 64 B written to the memory inside.", &c.writes)
	if perLine, ok, _ := d.spec.Energy.PerLine(d.spec.Entries); ok { // checked
		d.rest.Watts = float64(d.spec.Energy.Idle)
		d.rest.Declare(g, "Energy of the device's controller, of its cache and at rest; memory and links have their own.", func() float64 {
			return perLine*float64(c.reads+c.writes) + d.cacheEnergy()
		})
		d.assumptions = append(d.assumptions, d.spec.Energy.Assumption(d.Name(), d.spec.Entries))
	}
	for k, name := range []string{"read", "write"} {
		g.Value("pin_"+name+"_latency_mean", stats.NS, "Mean time from the last bit of a "+name+" at the pins to the first bit of its answer.", func() (float64, bool) {
			return float64(c.pins[k]) / float64(max(c.pinned[k], 1)) / 1000, c.pinned[k] > 0
		})
	}
	if len(d.spec.LDs) > 0 {
		for _, x := range d.lds {
			x.newStats(g)
		}
	}
	g.Check("nothing is left inside", func() error {
		if d.pool.Inside > 0 || d.pool.Waiting > 0 {
			return fmt.Errorf("%d lines at the memory, %d in front of it", d.pool.Inside, d.pool.Waiting)
		}
		return nil
	})
}

// lossStats are metrics of roots in a fabric that may lose links.
func (r *Root) lossStats() {
	c, g := &r.count, r.stats
	g.Count("lines_lost", stats.One, "Lines that were lost with a link, or for which no way was left.", &c.lost)
	if r.times.timeout == 0 {
		return
	}
	g.Count("reads_timed_out", stats.One, "Lines of reads without an answer in time: poison. They are in no other metric of lines.", &c.expired[0])
	g.Count("writes_timed_out", stats.One, "Lines of writes without an answer in time. They are in no other metric of lines.", &c.expired[1])
	g.Count("late_lines", stats.One, "Lines whose answer came when the host had given them up.", &c.late)
	g.Count("requests_failed", stats.Request, "Requests with lines that had no answer in time.", &c.failed)
	g.Check("every line is answered or given up, and lost or late if it is given up", func() error {
		done, expired := c.lines[0]+c.lines[1], c.expired[0]+c.expired[1]
		if c.issued != done+expired {
			return fmt.Errorf("%d lines issued, %d answered, %d given up", c.issued, done, expired)
		}
		if expired != c.lost+c.late {
			return fmt.Errorf("%d lines given up, %d lost, %d late", expired, c.lost, c.late)
		}
		return nil
	})
}

func (p *PBR) newStats() {
	g := p.stats
	specs := []setting.LinkSpec{p.spec.Link}
	if len(p.channels) > 0 {
		specs = append(specs, p.spec.Channel.LinkSpec)
	}
	p.energyStats(noCache, specs...)
	p.sumWires()
	g.Before(p.counted)
	g.Count("messages_down", stats.One, "Messages that passed a switch towards devices.", &p.Down)
	g.Count("messages_up", stats.One, "Messages that passed a switch towards hosts.", &p.Up)
	g.Value("hops_mean", stats.One, "Mean number of switches between a host and a device, all pairs that see each other.", func() (float64, bool) {
		return float64(p.count.hops) / float64(max(p.count.ways, 1)), p.count.ways > 0
	})
	g.Count("hops_max", stats.One, "Switches between a host and a device, at most.", &p.count.longest)
	if len(p.spec.Lost) > 0 {
		g.Count("tables_filled_again", stats.One, "Times that tables were filled again after a loss.", &p.tables)
		g.Count("messages_resumed", stats.One, "Messages that went on by new tables from the switch where they were.", &p.resumed)
	}
	sum := func(read func(h *transit.Hop, d int) uint64) uint64 {
		n := uint64(0)
		for _, h := range p.hops {
			n += read(h, 0) + read(h, 1)
		}
		return n
	}
	g.Value("channel_flits", stats.Flit, "Flits of messages between switches, each counted once.", func() (float64, bool) {
		return float64(sum(func(h *transit.Hop, d int) uint64 { return h.Count[d].Flits })), len(p.hops) > 0
	})
	g.Value("channel_messages", stats.One, "Messages between switches.", func() (float64, bool) {
		return float64(sum(func(h *transit.Hop, d int) (n uint64) {
			for _, m := range h.Count[d].Messages {
				n += m
			}
			return n
		})), len(p.hops) > 0
	})
	g.Check("all credits of the channels are back", func() error {
		for i, h := range p.hops {
			if err := h.Settled(); err != nil {
				return fmt.Errorf("channel %d - %d: %w", p.channels[i].router, p.channels[i].to, err)
			}
		}
		return nil
	})
}

func (a *accelerator) newStats(g *stats.Group) {
	c := &a.count
	g.Count("dev_reads", stats.Request, "Read requests at port dev.", &c.Reads)
	g.Count("dev_writes", stats.Request, "Write requests at port dev.", &c.Writes)
	g.Count("dev_read_bytes", stats.Byte, "Bytes asked for by the reads at port dev.", &c.ReadBytes)
	g.Count("dev_write_bytes", stats.Byte, "Bytes brought by the writes at port dev.", &c.WriteBytes)
	g.Value("dev_latency_mean", stats.NS, "Mean time from a request at port dev to its answer.", func() (float64, bool) {
		return float64(c.latency) / float64(max(c.answered, 1)) / 1000, c.answered > 0
	})
	g.Value("dev_bandwidth", stats.GBps, "Bytes read and written at port dev per second, from the first request to the last answer.", func() (float64, bool) {
		return float64(c.ReadBytes+c.WriteBytes) / float64(c.last-c.first) * 1000, c.last > c.first
	})
	g.Check("every request at port dev is answered once", func() error {
		if n := c.Reads + c.Writes; n != c.answered {
			return fmt.Errorf("%d requests, %d answers", n, c.answered)
		}
		return nil
	})
}

// newStats of a logical device, if it is one of several.
func (x *logical) newStats(g *stats.Group) {
	c := &x.count
	what := fmt.Sprintf("ld%d_", x.id)
	for k, name := range []string{"read", "write"} {
		g.Count(what+"line_"+name+"s", stats.Request, fmt.Sprintf("Lines that LD %d gave to the memory inside, %ss.", x.id, name), &c.lines[k])
	}
	for k, name := range []string{"load", "store"} {
		g.Value(what+name+"_latency_mean", stats.NS, fmt.Sprintf("Mean time of a line of LD %d from the port of its host and back, %ss.", x.id, name), func() (float64, bool) {
			return float64(c.latency[k]) / float64(max(c.done[k], 1)) / 1000, c.done[k] > 0
		})
	}
}

func (w *Switch) newStats() {
	w.stats.Before(w.counted)
	w.stats.Count("messages_down", stats.One, "Messages passed on towards devices.", &w.Down)
	w.stats.Count("messages_up", stats.One, "Messages passed on towards hosts.", &w.Up)
	w.energyStats(noCache, w.spec.Link)
	w.sumWires()
}

func noCache() float64 { return 0 }

// cacheEnergy is that of the root's cache of coherent lines: what hosts read and write passes it.
func (r *Root) cacheEnergy() float64 {
	return sramEnergy(energy.DefaultProcess, r.spec.Cache.Size, r.count.ReadBytes+r.count.WriteBytes)
}

// cacheEnergy is that of the cache of a Type 2 device.
func (d *Type3) cacheEnergy() float64 {
	if d.dev == nil || d.spec.Energy.Process == energy.None {
		return 0
	}
	return sramEnergy(d.spec.Energy.Process, d.type2.Cache.Size, d.dev.count.ReadBytes+d.dev.count.WriteBytes)
}

// sramEnergy is the energy of bytes read from, or written to, a cache of a size; 0 without one.
func sramEnergy(process string, size units.Bytes, bytes uint64) float64 {
	if size == 0 {
		return 0
	}
	pj, _ := energy.SRAMByte(process, size) // checked
	return pj * float64(bytes)
}

// LastActivity implements system.Rester: the fabric has no time of its own besides that of its hosts.
func (d *Type3) LastActivity() float64 { return 0 }

// RestUntil implements system.Rester.
func (d *Type3) RestUntil(ns float64) { d.rest.Until(ns) }
