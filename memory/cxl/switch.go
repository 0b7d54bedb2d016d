package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// Switch joins hosts and devices. Each upstream port is the root of a virtual
// hierarchy; a device that several reach is shared by them, as a multi-logical
// device is.
type Switch struct {
	face
	junction
	spec       SwitchSpec
	ups, downs []sim.Port
}

// NewSwitch makes a switch.
func NewSwitch(name string, env *system.Env, s SwitchSpec) (*Switch, error) {
	if err := inTime(s.Latency); err != nil {
		return nil, err
	}
	w := &Switch{face: newFace(name, env), spec: s, junction: junction{latency: ps(s.Latency)}}
	w.ups = w.fused(w, "Up", s.Upstream)
	w.downs = w.fused(w, "Down", s.Downstream)
	w.stats.Count("messages_down", stats.One, "Messages passed on towards devices.", &w.junction.down)
	w.stats.Count("messages_up", stats.One, "Messages passed on towards hosts.", &w.junction.up)
	return w, nil
}

// PortSpecs implements system.Node. Addresses find their way through, so the
// roles are symmetric.
func (w *Switch) PortSpecs() []system.PortSpec {
	return []system.PortSpec{
		{Name: "up", Protocol: protocol, Role: system.Peers, Ports: w.ups, Array: w.spec.Upstream > 1, Fused: true, Clock: fine},
		{Name: "down", Protocol: protocol, Role: system.Peers, Ports: w.downs, Array: true, Optional: true, Fused: true, Clock: fine},
	}
}

// Through implements system.Transparent: requests go from up to down only.
func (w *Switch) Through(port string) (exits []string, latency uint64) {
	if port[0] == 'd' {
		return nil, 0
	}
	for i := range w.downs {
		exits = append(exits, fmt.Sprintf("down[%d]", i))
	}
	return exits, uint64(w.latency)
}

// Fuse implements system.Part.
func (w *Switch) Fuse(f *system.Fusion) error { return fuse(f) }
