package cxl

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/route"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// Switch is the node of kind cxl_switch. Each upstream port is the root of a virtual hierarchy,
// bound to all downstream ports or to those of vcs.
type Switch struct {
	face
	transit.Switch
	spec       setting.SwitchSpec
	at         configs.Value
	ups, downs []sim.Port
}

// NewSwitch makes a switch. Errors are at their places in v.
func NewSwitch(name string, env *system.Env, s setting.SwitchSpec, v configs.Value) (*Switch, error) {
	if err := setting.InTime(s.Latency); err != nil {
		return nil, err
	}
	if err := checkSwitch(s, v); err != nil {
		return nil, err
	}
	w := &Switch{face: newFace(name, env), at: v, spec: s, Switch: transit.Switch{Latency: setting.Ps(s.Latency)}}
	w.ups = w.fused(w, "Up", s.Upstream)
	w.downs = w.fused(w, "Down", s.Downstream)
	w.newStats()
	return w, nil
}

// PortSpecs implements system.Node. Addresses find their way through, so the
// roles are symmetric.
func (w *Switch) PortSpecs() []system.PortSpec {
	return []system.PortSpec{
		{Name: "up", Protocol: protocol, Role: system.Peers, Ports: w.ups, Array: w.spec.Upstream > 1, Fused: true, Clock: setting.Fine},
		{Name: "down", Protocol: protocol, Role: system.Peers, Ports: w.downs, Array: true, Optional: true, Fused: true, Clock: setting.Fine},
	}
}

// Through implements system.Transparent: requests go from up to down only.
func (w *Switch) Through(port string) (exits []string, latency uint64) {
	if port[0] == 'd' {
		return nil, 0
	}
	for i := range w.downs {
		if _, ok := w.bound(index(port), i, nil); ok {
			exits = append(exits, fmt.Sprintf("down[%d]", i))
		}
	}
	return exits, uint64(w.Latency)
}

// Leave implements route.Node.
func (w *Switch) Leave(_ *route.Walk, in, out int, only []int) ([]int, bool) {
	return w.bound(in, out, only)
}

// bound reports whether an upstream port leads to a downstream one, and to which
// LD-IDs there; nil: any. only are those that switches above are bound to.
func (w *Switch) bound(up, down int, only []int) ([]int, bool) {
	if len(w.spec.VCS) == 0 {
		return only, true
	}
	for _, v := range w.spec.VCS {
		if v.Up != up {
			continue
		}
		for _, b := range v.Bind {
			if b.Down != down {
				continue
			}
			if len(b.LDs) == 0 {
				return only, true
			}
			if only == nil {
				return b.LDs, true
			}
			var both []int
			for _, id := range only {
				if slices.Contains(b.LDs, id) {
					both = append(both, id)
				}
			}
			return both, len(both) > 0
		}
	}
	return nil, false
}

// checkLDs checks that the device at a downstream port has the bound LD-IDs.
func (w *Switch) checkLDs(down int, device string, lds int) error {
	var errs configs.Errors
	for i, v := range w.spec.VCS {
		for k, b := range v.Bind {
			for _, id := range b.LDs {
				if b.Down == down && id >= lds {
					errs.Add(item(item(w.at, "vcs", i), "bind", k).Get("lds").Errorf(nil, "%s has no LD-ID %d (want 0 to %d)", device, id, lds-1))
				}
			}
		}
	}
	return errs.Err()
}

// checkSwitch finds what is wrong with the virtual switches of v.
func checkSwitch(s setting.SwitchSpec, v configs.Value) error {
	var errs configs.Errors
	ups := map[int]bool{}
	for i, c := range s.VCS {
		at := item(v, "vcs", i)
		if c.Up >= s.Upstream {
			errs.Add(at.Get("up").Errorf(nil, "there is no upstream port %d (want 0 to %d)", c.Up, s.Upstream-1))
		}
		if ups[c.Up] {
			errs.Add(at.Get("up").Errorf(nil, "upstream port %d has a virtual switch already", c.Up))
		}
		ups[c.Up] = true
		downs := map[int]bool{}
		for k, b := range c.Bind {
			at := item(at, "bind", k)
			if b.Down >= s.Downstream {
				errs.Add(at.Get("down").Errorf(nil, "there is no downstream port %d (want 0 to %d)", b.Down, s.Downstream-1))
			}
			if downs[b.Down] {
				errs.Add(at.Get("down").Errorf(nil, "upstream port %d is bound to downstream port %d already", c.Up, b.Down))
			}
			downs[b.Down] = true
			for _, id := range b.LDs {
				if id < 0 || id >= setting.MaxLogical {
					errs.Add(at.Get("lds").Errorf(nil, "there is no LD-ID %d (want 0 to %d)", id, setting.MaxLogical-1))
				}
			}
		}
	}
	return errs.Err()
}
