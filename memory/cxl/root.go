package cxl

import (
	"fmt"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cxl/coherent"
	"github.com/causeway-sim/causeway/memory/cxl/outstanding"
	"github.com/causeway-sim/causeway/memory/cxl/pool"
	"github.com/causeway-sim/causeway/memory/cxl/route"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// Root is the node of kind cxl_root: a host's root complex.
type Root struct {
	face
	spec  setting.RootSpec
	times struct{ host, bridge, protocol, local, timeout int64 } // of spec, in ps
	index int32
	host  *engine.Port
	guest *block.GuestPort // of the one guest at host; nil: requests are messages
	local *engine.Port
	down  []sim.Port
	homes *memory.Map // of local
	// hidden are the tiers of the fabric that it is not bound to
	hidden []string
	slots  outstanding.Slots // messages to local
	// lines
	open      int             // outstanding
	throttles []pool.Throttle // of each logical device; nil: the root does not throttle
	queue     transit.Queue
	atLocal   transit.Queue // in front of the local port
	watches   watches
	watcher   int   // its number among the roots with a timeout
	lost      []int // lines that are lost and not given up, by where
	at        configs.Value
	responses memory.Responses
	tasks     task.Source
	answers   []int32 // requests that are done and not answered, oldest first
	count     rootCount
	cache     *coherent.Host      // for lines of coherent devices; nil: there is none
	home      *coherent.HomeAgent // of local memory that devices cache; nil: none does
	devices   []*Type3            // that a builder made
}

// NewRoot makes a root, which runs after Fuse. Errors are at their places in v.
func NewRoot(name string, env *system.Env, s setting.RootSpec, v configs.Value) (*Root, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if at := v.Get("on_timeout"); at.Exists() && s.Timeout.IsZero() {
		return nil, at.Errorf(nil, "has no effect without timeout")
	}
	r := &Root{face: newFace(name, env), spec: s, at: v}
	r.host = engine.NewPort(r, name+".Host", portBuffer)
	r.local = engine.NewPort(r, name+".Mem", portBuffer)
	r.AddPort("Host", r.host)
	r.AddPort("Mem", r.local)
	r.down = r.fused(r, "Down", s.Ports)
	r.slots.Src = r.local
	r.times.host, r.times.bridge, r.times.protocol, r.times.local = setting.Ps(s.HostLatency), setting.Ps(s.Bridge), setting.Ps(s.Protocol), setting.Ps(s.LocalLatency)
	r.times.timeout = setting.Ps(s.Timeout)
	r.newStats()
	return r, nil
}

// PortSpecs implements system.Node.
func (r *Root) PortSpecs() []system.PortSpec {
	return []system.PortSpec{
		{Name: "host", Protocol: system.Mem, Role: system.Responds, Ports: []sim.Port{r.host}, Many: true, Clock: setting.Fine, Buffer: portBuffer},
		{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{r.local}, Optional: true, Clock: setting.Fine},
		{Name: "down", Protocol: protocol, Role: system.Requests, Ports: r.down, Array: true, Optional: true, Fused: true, Clock: setting.Fine},
	}
}

// Nominal implements system.Responder.
func (r *Root) Nominal() (uint64, units.Bandwidth) {
	return uint64(r.times.host + 2*r.times.bridge + 2*r.times.protocol), 0
}

// Below implements system.Relay.
func (r *Root) Below(string) []string {
	out := []string{"mem"}
	for i := range r.down {
		out = append(out, fmt.Sprintf("down[%d]", i))
	}
	return out
}

// SetMap implements system.Requester.
func (r *Root) SetMap(_ string, m *memory.Map) error {
	r.homes = m
	if err := m.TimingOnly(r.Name()); err != nil {
		return r.at.Errorf(nil, "%s", err)
	}
	return nil
}

// Serves implements system.Selective.
func (r *Root) Serves(tier string) bool {
	for _, t := range r.hidden {
		if t == tier {
			return false
		}
	}
	return true
}

// Leave implements route.Node: every root port leads down.
func (r *Root) Leave(_ *route.Walk, _, _ int, only []int) ([]int, bool) { return only, true }
