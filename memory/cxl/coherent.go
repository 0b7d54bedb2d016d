package cxl

import (
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// A note is a coherence message under way. It travels as a line does, and is one as
// far as links and switches know.
type note struct {
	coherence.Message
	peer bool // of CXL.cache, for the host's memory
}

// cohere makes the machines of coherent devices and of the hosts that reach them.
func (f *fabric) cohere(x *system.Fusion) error {
	var errs configs.Errors
	f.notes = make([]note, 1) // 0 is none
	coherent := false
	for _, d := range f.devices {
		if d.spec.HDM != "db" && d.at.Get("filter").Exists() {
			errs.Add(d.at.Get("filter").Errorf(nil, "filter has no effect with hdm: %s, which has no snoop filter", d.spec.HDM))
		}
		if d.spec.HDM == "h" {
			if d.dev != nil {
				d.dcoh = &dcoh{f: f, device: d, ld: d.first, dev: d.dev}
			}
			continue
		}
		coherent = true
		errs.Add(f.coherentDevice(d))
	}
	for _, d := range f.devices {
		if d.dev != nil && d.dev.spec.Reach == "host" {
			errs.Add(d.attend(f, x))
		}
	}
	for _, r := range f.roots {
		switch {
		case coherent:
			errs.Add(r.cohere(f))
		case r.spec.Cache.Size > 0:
			errs.Add(r.at.Get("cache").Errorf(nil, "cache has no effect: no device of the fabric is coherent (hdm: d or db)"))
		}
	}
	return errs.Err()
}

// coherentDevice checks what a coherent device asks of its surroundings.
func (f *fabric) coherentDevice(d *Type3) error {
	hosts := 0
	for _, r := range f.roots {
		w := f.ways[int(r.index)*len(f.lds)+int(d.first)]
		if w.down < 0 {
			continue
		}
		hosts++
		for _, leg := range f.packed.list(f.packed.list(nil, w.down), w.up) {
			if f.links[leg.link()].Config().Mode == flit.Flit68 && d.spec.HDM == "db" {
				return d.at.Get("hdm").Errorf(nil, "the way from %s to %s has flits of 68 B, which carry no back-invalidation (want flit: 256B, latency or pbr)", r.Name(), d.Name())
			}
		}
	}
	if d.spec.HDM == "d" && hosts != 1 {
		return d.at.Get("hdm").Errorf(nil, "%d hosts reach %s; bias (hdm: d) is between a device and one host", hosts, d.Name())
	}
	if len(f.roots) > 64 {
		return d.at.Get("hdm").Errorf(nil, "%d hosts; a snoop filter tells 64 apart", len(f.roots))
	}
	return d.cohere(f)
}

// freshLine is a line that no request asked for.
func (f *fabric) freshLine(x line) int32 {
	if n := len(f.free); n > 0 {
		i := f.free[n-1]
		f.free = f.free[:n-1]
		f.lines[i] = x
		return i
	}
	f.lines = append(f.lines, x)
	return int32(len(f.lines) - 1)
}

// post makes a line of a message that goes to a device or to a host.
func (f *fabric) post(i int32, m coherence.Message) *line {
	var n int32
	if k := len(f.noteless); k > 0 {
		n = f.noteless[k-1]
		f.noteless = f.noteless[:k-1]
	} else {
		n = int32(len(f.notes))
		f.notes = append(f.notes, note{})
	}
	f.notes[n] = note{Message: m}
	l := &f.lines[i]
	l.note, l.carries = n, m.Channel()
	return l
}

// noted is called when a message is at the end of its route.
func (h *hop) noted(i int32, at link.Times) {
	f := h.f
	l := &f.lines[i]
	if f.notes[l.note].peer {
		h.peerNoted(i, at)
		return
	}
	m := &f.notes[l.note]
	if l.up {
		h.Release(at.At, l.carries)
		r := f.roots[l.root]
		if l.carries == flit.S2MBISnp || l.carries == flit.D2HReq {
			r.home.pinned[snoopKey(l.device, m.Tag)] = snooped{at: at.At}
		}
		l.add(partReturn, at.At+r.times.protocol+r.times.bridge)
		if l.carries == flit.S2MBISnp || l.carries == flit.D2HReq {
			l.add(partHost, l.mark+r.home.snoop)
		}
		f.push(l.mark, i, stepNote)
		return
	}
	d := f.devices[l.device]
	l.in = h.index
	if m.Op == coherence.MemRd || m.Op == coherence.MemWr {
		f.roots[l.root].home.trip(m.Tag).pin = at.At
	}
	l.add(partDevice, at.At+d.protocol)
	f.push(l.mark, i, stepNote)
}

// leaves is called when a message has been sent by its first link.
func (f *fabric) leaves(l *line, at link.Times) {
	if f.notes[l.note].peer {
		f.peerLeaves(l, at)
		return
	}
	m := &f.notes[l.note]
	home := f.roots[l.root].home
	switch m.Op {
	case coherence.MemData:
		f.devices[l.device].count.pin(false, at.Start-home.trip(m.Tag).pin)
	case coherence.Cmp:
		if x := home.trip(m.Tag); x.wrote {
			f.devices[l.device].count.pin(true, at.Start-x.pin)
		}
	case coherence.BIRspI, coherence.BIRspS, coherence.BIRspE, coherence.MemRdFwd:
		home.answered(snoopKey(l.device, m.Tag), at.Start)
	}
}

// read gives a message to the machine that it is for.
func (f *fabric) read(i int32, t int64) error {
	l := &f.lines[i]
	if f.notes[l.note].peer {
		f.peerRead(i, t)
		return f.err
	}
	m := f.notes[l.note].Message
	f.noteless = append(f.noteless, l.note)
	if l.up {
		f.roots[l.root].home.receive(f, i, m, t)
	} else {
		f.links[l.in].Release(t, l.carries)
		f.devices[l.device].dcoh.receive(f, i, m, t)
	}
	f.freeLine(i)
	return f.err
}

func snoopKey(device int32, tag uint32) uint64 { return uint64(device)<<32 | uint64(tag) }

// coherent tells whether the device itself keeps its memory coherent.
func (c *dcoh) coherent() bool { return c != nil && c.Device != nil }
