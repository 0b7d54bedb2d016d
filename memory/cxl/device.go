package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// Type3 is a memory device.
type Type3 struct {
	face
	spec     Type3Spec
	protocol int64 // of spec, in ps
	index    int32
	up       []sim.Port
	port     *engine.Port // to the memory inside
	inner    system.Home
	dst      sim.Port
	clock    clock.Clock // of dst
	slots    slots
	lds      []*logical
	first    int32  // number of the first of them, of all in the fabric
	waiting  int    // lines in front of the memory, of all lds
	inside   int    // lines at it
	virtual  uint64 // time of the arbiter between lds
	later    int64  // when one may go on that has reached its limit
	at       configs.Value
	count    deviceCount
	dcoh     *dcoh        // its coherence engine; nil: hosts keep it coherent
	peer     *peer        // its cache of the host's memory; nil: there is none
	dev      *accelerator // nil: it is a Type 3
}

// NewType3 makes a device with its memory inside.
func NewType3(name string, env *system.Env, s Type3Spec, v configs.Value) (*Type3, error) {
	if err := inTime(s.Protocol); err != nil {
		return nil, err
	}
	n, err := env.Inside(name+".Memory", s.Memory)
	if err != nil {
		return nil, err
	}
	inner, ok := n.(system.Home)
	if !ok {
		return nil, s.Memory.Errorf(nil, "is no memory (%T)", n)
	}
	return newType3(name, env, s, inner, v)
}

func newType3(name string, env *system.Env, s Type3Spec, inner system.Home, v configs.Value) (*Type3, error) {
	d := &Type3{face: newFace(name, env), spec: s, protocol: ps(s.Protocol), inner: inner, later: link.Never, at: v}
	for _, p := range inner.PortSpecs() {
		if p.Role != system.Responds {
			return nil, fmt.Errorf("memory %s inside has a port %s that does not answer", inner.Name(), p.Name)
		}
	}
	top := inner.PortSpecs()[0]
	d.dst, d.clock = top.Ports[0], top.Clock
	d.port = engine.NewPort(d, name+".Port", portBuffer)
	d.AddPort("Port", d.port)
	d.slots.src = d.port
	if err := newLogicals(d); err != nil {
		return nil, err
	}
	w := engine.NewWire("Link."+name, env.Engine)
	w.Attach(d.port, fine, engine.EndOptions{Buffer: 64})
	w.Attach(d.dst, top.Clock, engine.EndOptions{Buffer: portBuffer})
	d.up = d.fused(d, "Up", s.Heads)
	d.newStats()
	return d, nil
}

// PortSpecs implements system.Node.
func (d *Type3) PortSpecs() []system.PortSpec {
	out := []system.PortSpec{{Name: "up", Protocol: protocol, Role: system.Responds, Ports: d.up, Array: d.spec.Heads > 1, Fused: true, Clock: fine}}
	if d.dev != nil {
		out = append(out, system.PortSpec{Name: "dev", Protocol: system.Mem, Role: system.Responds, Ports: []sim.Port{d.dev.port}, Many: true, Optional: true, Clock: fine, Buffer: portBuffer})
	}
	return out
}

// Nominal implements system.Responder.
func (d *Type3) Nominal() (uint64, units.Bandwidth) {
	n, b := d.inner.Nominal()
	return uint64(2*d.protocol) + uint64(1000*d.clock.Nanoseconds(n)), b
}

// Home implements system.Home.
func (d *Type3) Home() uint64 { return d.inner.Home() }

// Beyond implements system.Gateway: an accelerator may reach the host's memory.
func (d *Type3) Beyond(port string) []string {
	if port != "dev" || d.dev == nil || d.dev.spec.Reach != "host" {
		return nil
	}
	return []string{"up"}
}

// Extend implements system.Extender, if the memory inside does.
func (d *Type3) Extend(size uint64) error {
	if x, ok := d.inner.(system.Extender); ok {
		return x.Extend(size)
	}
	return fmt.Errorf("%s holds no more", d.inner.Name())
}

// Fuse implements system.Part.
func (d *Type3) Fuse(f *system.Fusion) error { return fuse(f) }

// feed gives lines to the memory, as far as there are places and the wire takes
// them.
func (d *Type3) feed(f *fabric, now sim.VTimeInSec, t int64) error {
	d.later = link.Never
	if d.dcoh != nil {
		if err := d.dcoh.feed(f, now); err != nil {
			return err
		}
	}
	for d.waiting > 0 && d.inside < d.spec.Entries && d.port.CanSend() {
		var x *logical
		if x, d.later = d.next(t); x == nil {
			break
		}
		i := x.queue.pop(f.lines)
		l := &f.lines[i]
		d.served(x, t)
		if !l.early {
			l.add(partDevice, t)
		}
		if d.port.Send(d.slots.message(i, l.write, l.addr, d.dst, f.hint(l), now)) != nil {
			return fmt.Errorf("cxl: %s: the wire refused a message after it had room", d.Name())
		}
		d.waiting--
		d.inside++
		x.inside++
		x.count.lines[kind(l.write)]++
		if l.write {
			d.count.writes++
		} else {
			d.count.reads++
		}
		f.links[l.in].Release(t, classDown(l.write))
	}
	return nil
}

// back takes an answer of the memory.
func (d *Type3) back(f *fabric, m sim.Rsp, t int64) error {
	s, err := d.slots.answered(m.GetRspTo())
	if err != nil {
		return fmt.Errorf("cxl: %s: %w", d.Name(), err)
	}
	d.inside--
	i := s.line
	if i < 0 {
		d.dcoh.back(s, t)
		return f.err
	}
	l := &f.lines[i]
	f.lds[l.ld].inside--
	if l.early {
		l.stored = true
		f.end(i)
		return nil
	}
	l.load = f.lds[l.ld].load()
	l.memory(s, t)
	l.add(partDevice, t+d.protocol)
	f.push(l.mark, i, stepReply)
	return nil
}

// Waiting implements engine.Waiter.
func (d *Type3) Waiting() []engine.Wait {
	if d.inside == 0 && d.waiting == 0 {
		return nil
	}
	return []engine.Wait{{Who: d.Name(), For: d.inner.Name(), Why: fmt.Sprintf("%d lines at the memory, %d in front of it", d.inside, d.waiting)}}
}

func classDown(write bool) flit.Class {
	if write {
		return flit.M2SRwD
	}
	return flit.M2SReq
}

func classUp(write bool) flit.Class {
	if write {
		return flit.S2MNDR
	}
	return flit.S2MDRS
}
