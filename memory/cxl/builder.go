package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
)

// A Builder builds a host with one root port per device, in the manner of Akita's builders. The
// devices' ranges follow each other from address 0 on.
type Builder struct {
	engine  sim.Engine
	seed    uint64
	root    setting.RootSpec
	devices []builtDevice
}

type builtDevice struct {
	spec  setting.Type3Spec
	type2 *setting.Type2Spec
	inner system.Home
}

// MakeBuilder returns a builder with the values of DefaultRoot and no device.
func MakeBuilder() Builder { return Builder{root: setting.DefaultRoot()} }

// WithEngine sets the engine.
func (b Builder) WithEngine(e sim.Engine) Builder { b.engine = e; return b }

// WithSeed sets the seed of link errors.
func (b Builder) WithSeed(seed uint64) Builder { b.seed = seed; return b }

// WithRoot sets the root's Spec, except Ports, which is the number of devices.
func (b Builder) WithRoot(s setting.RootSpec) Builder { b.root = s; return b }

// WithDevice adds a device over a memory, whose port must not be connected and whose size is a
// multiple of 256 MiB.
func (b Builder) WithDevice(s setting.Type3Spec, memory system.Home) Builder {
	b.devices = append(b.devices[:len(b.devices):len(b.devices)], builtDevice{s, nil, memory})
	return b
}

// WithType2 is like WithDevice, for a device with an accelerator. The accelerator's port is
// called Dev; see Root.Device.
func (b Builder) WithType2(s setting.Type2Spec, memory system.Home) Builder {
	b.devices = append(b.devices[:len(b.devices):len(b.devices)], builtDevice{s.Type3(), &s, memory})
	return b
}

// Build makes the root, whose port is called Host. It panics without an engine or device, and for
// impossible Specs.
func (b Builder) Build(name string) *Root {
	if b.engine == nil || len(b.devices) == 0 {
		panic("cxl: " + name + " has no engine or no devices")
	}
	env := &system.Env{Engine: b.engine, Seed: b.seed}
	b.root.Ports = len(b.devices)
	r, err := NewRoot(name, env, b.root, configs.Value{})
	if err != nil {
		panic("cxl: " + err.Error())
	}
	f := &system.Fusion{Parts: []system.Node{r}}
	at := uint64(0)
	for i, x := range b.devices {
		d, err := newType3(fmt.Sprintf("%s.Device[%d]", name, i), env, x.spec, x.inner, configs.Value{})
		if err != nil {
			panic("cxl: " + err.Error())
		}
		if x.type2 != nil {
			d.accelerate(*x.type2)
		}
		r.devices = append(r.devices, d)
		size := x.inner.Home()
		if size == 0 {
			size = 1 << 40
		}
		f.Parts = append(f.Parts, d)
		f.Joints = append(f.Joints, system.Joint{From: r, To: d, FromPort: fmt.Sprintf("down[%d]", i), ToPort: "up"})
		f.Tiers = append(f.Tiers, system.FusedTier{Name: d.Name(), Base: at, Size: size, Homes: []system.Node{d}})
		at += size
	}
	if err := fuse(f); err != nil {
		panic("cxl: " + err.Error())
	}
	return r
}

// Device returns the device below root port i, of a Builder.
func (r *Root) Device(i int) *Type3 { return r.devices[i] }
