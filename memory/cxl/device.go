package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/coherent"
	"github.com/causeway-sim/causeway/memory/cxl/outstanding"
	"github.com/causeway-sim/causeway/memory/cxl/pool"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
)

// Type3 is the node of kinds cxl_type3 and cxl_type2: a memory device.
type Type3 struct {
	face
	spec     setting.Type3Spec
	protocol int64 // of spec, in ps
	index    int32
	up       []sim.Port
	port     *engine.Port // to the memory inside
	inner    system.Home
	dst      sim.Port
	clock    clock.Clock // of dst
	slots    outstanding.Slots
	carried  *carried // nil: requests to the memory are messages
	lds      []*logical
	pool     pool.Device // its places, and what waits for them
	first    int32       // number of the first of lds, of all in the fabric
	at       configs.Value
	count    deviceCount
	rest     energy.Rest
	dcoh     *coherent.Device   // its coherence engine; nil: hosts keep it coherent
	dev      *accelerator       // nil: it is a Type 3
	type2    *setting.Type2Spec // of dev
}

// NewType3 makes a device with its memory inside. Errors are at their places in v.
func NewType3(name string, env *system.Env, s setting.Type3Spec, v configs.Value) (*Type3, error) {
	if err := setting.InTime(s.Protocol); err != nil {
		return nil, err
	}
	if _, _, err := s.Energy.PerLine(s.Entries); err != nil {
		return nil, v.Get("energy").Errorf(nil, "%s", err)
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

func newType3(name string, env *system.Env, s setting.Type3Spec, inner system.Home, v configs.Value) (*Type3, error) {
	d := &Type3{face: newFace(name, env), spec: s, protocol: setting.Ps(s.Protocol), inner: inner, at: v}
	for _, p := range inner.PortSpecs() {
		if p.Role != system.Responds {
			return nil, fmt.Errorf("memory %s inside has a port %s that does not answer", inner.Name(), p.Name)
		}
	}
	if memory.Holds(inner) {
		return nil, noBytes(s.Memory.Place("functional"), inner.Name())
	}
	top := inner.PortSpecs()[0]
	d.dst, d.clock = top.Ports[0], top.Clock
	d.port = engine.NewPort(d, name+".Port", portBuffer)
	d.AddPort("Port", d.port)
	d.slots.Src = d.port
	if err := newLogicals(d); err != nil {
		return nil, err
	}
	w := engine.NewWire("Link."+name, env.Engine)
	w.Attach(d.port, setting.Fine, engine.EndOptions{Buffer: wireBuffer})
	w.Attach(d.dst, top.Clock, engine.EndOptions{Buffer: portBuffer})
	d.up = d.fused(d, "Up", s.Heads)
	d.newStats()
	return d, nil
}

// wireBuffer is how many requests of an instant the wire to the memory takes.
const wireBuffer = 64

// noBytes refuses a memory that holds bytes: lines on a CXL link carry timing only.
func noBytes(at configs.Value, memory string) error {
	return at.Errorf(nil, "functional: true has no effect: the bytes of %s do not reach the requester, since CXL links carry timing only", memory)
}

// PortSpecs implements system.Node.
func (d *Type3) PortSpecs() []system.PortSpec {
	out := []system.PortSpec{{Name: "up", Protocol: protocol, Role: system.Responds, Ports: d.up, Array: d.spec.Heads > 1, Fused: true, Clock: setting.Fine}}
	if d.dev != nil {
		out = append(out, system.PortSpec{Name: "dev", Protocol: system.Mem, Role: system.Responds, Ports: []sim.Port{d.dev.port}, Many: true, Optional: true, Clock: setting.Fine, Buffer: portBuffer})
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
	if port != "dev" || d.dev == nil || !d.dev.host {
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
