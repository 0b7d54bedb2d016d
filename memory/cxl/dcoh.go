package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// dcoh is the coherence engine of a device, memory/cxl/coherence with times.
type dcoh struct {
	*coherence.Device
	f      *fabric
	device *Type3
	ld     int32
	now    int64
	desk   desk
	dev    *accelerator // nil: there is none
}

// cohere makes the engine of a device.
func (d *Type3) cohere(f *fabric) error {
	if !d.spec.Early {
		return d.at.Get("early").Errorf(nil, "early: false has no effect on a coherent device, which answers writes when it has put them in order")
	}
	if len(d.spec.LDs) > 0 {
		return d.at.Get("lds").Errorf(nil, "a coherent device has no logical devices")
	}
	model, filter := coherence.HDMD, coherence.NewFilter(0, 0)
	if d.spec.HDM == "db" {
		model = coherence.HDMDB
		s := d.spec.Filter
		if s.Entries%s.Ways != 0 {
			return d.at.Get("filter").Errorf(nil, "%d entries are no multiple of %d ways", s.Entries, s.Ways)
		}
		filter = coherence.NewFilter(s.Entries/s.Ways, s.Ways)
	}
	c := &dcoh{f: f, device: d, ld: d.first}
	sets, ways := 1, 0
	if d.dev != nil {
		var err error
		if sets, err = d.dev.spec.Cache.geometry(); err != nil {
			return d.at.Get("cache").Errorf(nil, "%s", err)
		}
		if ways = d.dev.spec.Cache.Ways; d.dev.spec.Cache.Size == 0 {
			ways = 0
		}
		c.dev = d.dev
	}
	c.Device = coherence.NewDevice(model, filter, sets, ways, c)
	d.dcoh = c
	c.stats()
	return nil
}

// receive takes a message of a host.
func (c *dcoh) receive(f *fabric, i int32, m coherence.Message, t int64) {
	c.now = t
	if m.Op == coherence.MemRd || m.Op == coherence.MemInv {
		x := f.roots[m.Host].home.trip(m.Tag)
		x.parts, x.arrived = f.lines[i].parts, t
	}
	c.Receive(m)
}

// Send implements coherence.DeviceSink.
func (c *dcoh) Send(m coherence.Message) {
	f := c.f
	i := f.freshLine(line{root: int32(m.Host), device: c.device.index, ld: c.ld, addr: m.Addr, up: true})
	if x := m.Channel(); x == flit.S2MNDR || x == flit.S2MDRS {
		f.roots[m.Host].home.trip(m.Tag).load = f.lds[c.ld].load()
	}
	m.Addr, _ = f.space.Host(int(c.ld), m.Addr)
	l := f.post(i, m)
	l.start, l.mark = c.now, c.now
	l.add(partDevice, c.now+c.device.protocol)
	f.push(l.mark, i, stepReply)
}

// Fetch implements coherence.DeviceSink.
func (c *dcoh) Fetch(id int32, addr uint64) {
	c.desk.push(job{addr: addr, id: id, kind: fetch, asked: c.now})
}

// Store implements coherence.DeviceSink.
func (c *dcoh) Store(addr, _ uint64) { c.desk.push(job{addr: addr, kind: store, asked: c.now}) }

// Done implements coherence.DeviceSink.
func (c *dcoh) Done(ref int32, _ uint64) { c.f.endDev(ref) }

// feed gives lines to the memory, as far as there are places and the wire takes
// them.
func (c *dcoh) feed(f *fabric, now sim.VTimeInSec) error {
	d := c.device
	for !c.desk.empty() && d.inside < d.spec.Entries && d.port.CanSend() {
		k, j := c.desk.next()
		write := j.kind == store || j.kind == plain && f.devs[j.id].kind != coherence.Load
		if d.port.Send(d.slots.message(-1-k, write, j.addr, d.dst, nil, now)) != nil {
			return fmt.Errorf("cxl: %s: the wire refused a message after it had room", d.Name())
		}
		d.inside++
		f.lds[c.ld].inside++
		if write {
			d.count.writes++
		} else {
			d.count.reads++
		}
	}
	return nil
}

// back takes an answer of the memory.
func (c *dcoh) back(s *slot, t int64) {
	f := c.f
	j := c.desk.done(s.line)
	f.lds[c.ld].inside--
	c.now = t
	switch j.kind {
	case plain:
		f.endDev(j.id)
	case fetch:
		if host, tag, ok := c.Requester(j.id); ok {
			x := f.roots[host].home.trip(tag)
			// waits for other hosts, and for a place at the memory, are the device's
			x.parts[partDevice] += j.asked - x.arrived
			l := line{mark: j.asked}
			l.memory(s, t)
			for p, v := range l.parts {
				x.parts[p] += v
			}
		}
		c.Fetched(j.id, 0)
	}
}

func (c *dcoh) stats() {
	n, g := &c.Count, c.device.stats
	g.Count("coherent_requests", stats.Request, "Requests of hosts for coherent lines.", &n.Requests)
	g.Count("coherent_writes", stats.Request, "Lines that hosts wrote back.", &n.Writes)
	g.Count("snoops", stats.One, "Snoops sent to hosts: back-invalidates, or CXL.cache requests.", &n.Snoops)
	g.Count("filter_evictions", stats.One, "Lines that a full snoop filter took from the hosts.", &n.Evictions)
	g.Count("filter_stalls", stats.One, "Requests that had to wait for a place in the snoop filter.", &n.Stalled)
	g.Count("blocked", stats.One, "Requests that found their line busy.", &n.Blocked)
	g.Count("conflicts", stats.One, "Questions of hosts who was first (BIConflict).", &n.Conflicts)
	g.Value("filter_lines_most", stats.One, "Lines in the snoop filter at once.", func() (float64, bool) { return float64(n.Most), true })
	if c.dev != nil {
		g.Count("device_cache_hits", stats.Request, "Accesses of accelerator and hosts that the device's cache had.", &n.CacheHits)
		g.Count("local_accesses", stats.Request, "Lines of the accelerator that needed no host.", &n.Hits)
		g.Count("remote_accesses", stats.Request, "Lines of the accelerator that had to wait for a host.", &n.Misses)
	}
	if c.device.spec.HDM == "d" {
		g.Count("bias_to_device", stats.One, "Lines that went from host bias to device bias.", &n.ToDevice)
		g.Count("bias_to_host", stats.One, "Lines that went from device bias to host bias.", &n.ToHost)
	}
	g.Check("no line is left busy", func() error {
		if n := c.Busy(); n > 0 {
			return fmt.Errorf("%d lines", n)
		}
		return nil
	})
}
