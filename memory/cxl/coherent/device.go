package coherent

import (
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/pool"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// A Device is the coherence engine (DCOH) of a device. With hdm: h it only forwards accesses of
// the accelerator to the memory.
type Device struct {
	*coherence.Device
	DeviceSpec
	Jobs   Jobs // for the memory
	system *System
	index  int32
	now    int64
}

// DeviceSpec is the parameters of a Device.
type DeviceSpec struct {
	Coherent   bool // hdm: d or db
	Model      coherence.Model
	Filter     coherence.Filter
	Sets, Ways int // of the accelerator's cache
	LD         int32
	Protocol   int64 // latency between link and engine, ps
	Pool       *pool.Device
	// Pin is called with the time of a request at the pins.
	Pin func(write bool, t int64)
	// Done ends an access of the accelerator; nil without one.
	Done func(ref int32)
}

// AddDevice adds the coherence engine of a device.
func (s *System) AddDevice(index int32, spec DeviceSpec) *Device {
	d := &Device{DeviceSpec: spec, system: s, index: index}
	if spec.Coherent {
		d.Device = coherence.NewDevice(spec.Model, spec.Filter, spec.Sets, spec.Ways, d)
	}
	s.Devices[index] = d
	return d
}

// IsCoherent reports whether the device keeps its memory coherent (hdm: d or db).
func (d *Device) IsCoherent() bool { return d != nil && d.Coherent }

// receive takes a message of a host.
func (d *Device) receive(l *transit.Line, m coherence.Message, t int64) {
	d.now = t
	if m.Op == coherence.MemRd || m.Op == coherence.MemInv {
		x := d.system.Hosts[m.Host].trip(m.Tag)
		x.parts, x.arrived = l.Parts, t
	}
	d.Receive(m)
}

// Begin begins an access of the accelerator; done: it is over already.
func (d *Device) Begin(ref int32, addr uint64, kind coherence.Access, t int64) (done bool) {
	d.now = t
	if !d.Coherent {
		d.push(Job{Addr: addr, Write: kind != coherence.Load, id: ref, kind: plain, asked: t})
		return false
	}
	done, _ = d.Access(addr, kind, ref, 0)
	return done
}

// Send implements coherence.DeviceSink.
func (d *Device) Send(m coherence.Message) {
	s := d.system
	i, l := s.Network.Lines.New()
	l.Transaction = transit.Transaction{Root: int32(m.Host), Device: d.index, LD: d.LD, Addr: m.Addr, Up: true}
	if x := m.Channel(); x == flit.S2MNDR || x == flit.S2MDRS {
		s.Hosts[m.Host].trip(m.Tag).load = d.Pool.Load(0)
	}
	m.Addr, _ = s.Space.Host(int(d.LD), m.Addr)
	s.post(l, m, false)
	l.Begin(d.now)
	l.Add(transit.Device, d.now+d.Protocol)
	s.Network.Add(l.Mark, i, s.Network.Device(d.index), transit.Reply)
}

// sent counts the time of a request at the pins, when the first link has sent its answer.
func (d *Device) sent(to *Host, m *coherence.Message, at link.Times) {
	switch m.Op {
	case coherence.MemData:
		d.Pin(false, at.Start-to.trip(m.Tag).pin)
	case coherence.Cmp:
		if x := to.trip(m.Tag); x.wrote {
			d.Pin(true, at.Start-x.pin)
		}
	}
}

// push has a job wait for the memory.
func (d *Device) push(j Job) {
	d.Jobs.push(j)
	d.system.Network.Ready.Add(d.system.Network.Device(d.index))
}

// Fetch implements coherence.DeviceSink.
func (d *Device) Fetch(id int32, addr uint64) {
	d.push(Job{Addr: addr, id: id, kind: fetch, asked: d.now})
}

// Store implements coherence.DeviceSink.
func (d *Device) Store(addr, _ uint64) {
	d.push(Job{Addr: addr, Write: true, kind: store, asked: d.now})
}

// Done implements coherence.DeviceSink.
func (d *Device) Done(ref int32, _ uint64) { d.DeviceSpec.Done(ref) }

// Complete handles the memory's answer to a job; see transit.Breakdown.AddMemory.
func (d *Device) Complete(job int32, accepted, t int64) {
	j := d.Jobs.done(job)
	d.now = t
	switch j.kind {
	case plain:
		d.DeviceSpec.Done(j.id)
	case fetch:
		if host, tag, ok := d.Requester(j.id); ok {
			x := d.system.Hosts[host].trip(tag)
			// waits for other hosts, and for a place at the memory, are the device's
			x.parts[transit.Device] += j.asked - x.arrived
			b := transit.Breakdown{Mark: j.asked}
			b.AddMemory(accepted, t)
			for p, v := range b.Parts {
				x.parts[p] += v
			}
		}
		d.Fetched(j.id, 0)
	}
}
