package cxl

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// home is the coherent side of a root: its cache for lines of coherent devices and
// its home agent, memory/cxl/coherence with times.
type home struct {
	*coherence.Host
	f     *fabric
	root  *Root
	snoop int64 // ps
	trips []trip
	// pinned is when snoops came to the pins, by device and tag.
	pinned map[uint64]snooped
	now    int64
	// arriving is the message that is looked at, -1 none; tag is its line's.
	arriving int32
	tag      uint32
	snooping bool // it is a snoop
	count    struct {
		quick, quickTime uint64 // snoops answered without a write
		slow, slowTime   uint64
	}
}

// snooped is a snoop that is not answered.
type snooped struct {
	at    int64 // at the pins
	quick bool  // answered as soon as it was looked at
}

// A trip is one request to a device, from its sending to its answer.
type trip struct {
	line    int32 // that it was sent for; -1: none
	sent    int64
	pin     int64 // at the device
	wrote   bool  // a MemWr
	load    load
	parts   [parts]int64 // on the way to the device, and in its memory
	arrived int64        // at the device's engine
}

// cohere makes the home of a root.
func (r *Root) cohere(f *fabric) error {
	c := r.spec.Cache
	sets, err := c.geometry()
	if err != nil {
		return r.at.Get("cache").Errorf(nil, "%s", err)
	}
	ways := c.Ways
	if c.Size == 0 {
		ways = 0
	}
	r.home = &home{f: f, root: r, snoop: ps(c.Snoop), pinned: map[uint64]snooped{}, arriving: -1}
	r.home.Host = coherence.NewHost(uint8(r.index), sets, ways, r.home)
	r.home.stats()
	return nil
}

func (h *home) trip(tag uint32) *trip {
	for int(tag) >= len(h.trips) {
		h.trips = append(h.trips, trip{})
	}
	return &h.trips[tag]
}

// look has a line looked up in the cache.
func (h *home) look(i int32, t int64) {
	f := h.f
	l := &f.lines[i]
	h.now = t
	kind := coherence.Load
	if l.write {
		if kind = coherence.Store; l.partial {
			kind = coherence.Update
		}
	}
	x := f.lds[l.ld]
	addr, _ := f.space.Host(int(l.ld), l.addr-x.base)
	if hit, _ := h.Access(addr, kind, i, 0); hit {
		l.load = x.load()
		f.push(t, i, stepDone)
	}
}

// receive takes a message of a device.
func (h *home) receive(f *fabric, i int32, m coherence.Message, t int64) {
	h.now, h.arriving, h.tag = t, i, m.Tag
	h.snooping = m.Channel() == flit.S2MBISnp || m.Channel() == flit.D2HReq
	h.Receive(m)
	h.arriving = -1
}

// Send implements coherence.HostSink.
func (h *home) Send(m coherence.Message) {
	f := h.f
	i, err := f.newLine(h.root, m.Addr)
	if err != nil {
		f.err = err
		return
	}
	l := &f.lines[i]
	m.Addr = l.addr
	l = f.post(i, m)
	l.start, l.mark = h.now, h.now
	switch m.Op {
	case coherence.MemRd, coherence.MemInv:
		*h.trip(m.Tag) = trip{line: h.First(m.Tag), sent: h.now}
	case coherence.MemWr:
		*h.trip(m.Tag) = trip{line: -1, sent: h.now, wrote: true}
	case coherence.MemClnEvct:
		*h.trip(m.Tag) = trip{line: -1, sent: h.now}
	case coherence.BIRspI, coherence.BIRspS, coherence.BIRspE, coherence.MemRdFwd:
		key := snoopKey(l.device, m.Tag)
		s := h.pinned[key]
		s.quick = h.snooping && h.tag == m.Tag && f.lines[h.arriving].device == l.device
		h.pinned[key] = s
	}
	l.add(partPort, h.now+h.root.times.bridge+h.root.times.protocol)
	f.push(l.mark, i, stepIssue)
}

// Done implements coherence.HostSink.
func (h *home) Done(ref int32, _ uint64) {
	f := h.f
	l := &f.lines[ref]
	t := h.now
	if x := h.trip(h.tag); h.arriving >= 0 && x.line == ref {
		back := &f.lines[h.arriving]
		l.add(partHost, x.sent)
		for p, v := range x.parts {
			l.parts[p] += v
			l.mark += v
		}
		l.add(partDevice, back.start) // what is left of the time there
		for p, v := range back.parts {
			l.parts[p] += v
			l.mark += v
		}
		l.load = x.load
	}
	l.add(partHost, t) // behind another access of the same line
	f.push(t, ref, stepDone)
}

// answered counts the answer to a snoop.
func (h *home) answered(key uint64, start int64) {
	s := h.pinned[key]
	took := uint64(start - s.at)
	delete(h.pinned, key)
	if !s.quick {
		h.count.slow++
		h.count.slowTime += took
		return
	}
	h.count.quick++
	h.count.quickTime += took
}

func (h *home) stats() {
	c, g := &h.Count, h.root.stats
	g.Count("coherent_hits", stats.Request, "Accesses to coherent lines that the host's cache had in a sufficient state.", &c.Hits)
	g.Count("coherent_misses", stats.Request, "Accesses to coherent lines that had to wait for the device, or behind another one.", &c.Misses)
	g.Count("coherent_writebacks", stats.Request, "Modified lines written to coherent devices.", &c.Writebacks)
	g.Count("clean_evicts", stats.Request, "Clean lines given up (MemClnEvct).", &c.CleanEvicts)
	g.Count("back_invalidates", stats.One, "Back-invalidate snoops that came.", &c.Snoops)
	g.Count("bias_requests", stats.One, "CXL.cache requests that came for lines of the device's own memory.", &c.Flips)
	g.Count("snoop_invalidated", stats.One, "Copies that snoops took away.", &c.Invalidated)
	g.Count("conflicts_early", stats.One, "Snoops that met an own request that the device had not served.", &c.Early)
	g.Count("conflicts_late", stats.One, "Snoops that met an own request that the device had served.", &c.Late)
	g.Value("snoop_latency_mean", stats.NS, "Mean time from the last bit of a snoop at the pins to the first bit of its answer, where nothing had to be written or waited for.", func() (float64, bool) {
		return float64(h.count.quickTime) / float64(max(h.count.quick, 1)) / 1000, h.count.quick > 0
	})
	g.Value("snoop_slow_latency_mean", stats.NS, "The same where a modified line had to be written first, or a request of the host stood in the way.", func() (float64, bool) {
		return float64(h.count.slowTime) / float64(max(h.count.slow, 1)) / 1000, h.count.slow > 0
	})
	g.Check("no line is left busy", func() error {
		if n := h.Busy(); n > 0 {
			return fmt.Errorf("%d lines", n)
		}
		return nil
	})
}
