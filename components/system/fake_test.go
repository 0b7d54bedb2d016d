package system_test

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
)

// The small nodes of the tests: ports and what they say about themselves, no
// behaviour.
type fake struct {
	*sim.ComponentBase
	specs []system.PortSpec
	maps  map[string]*memory.Map
	spec  any
}

func newFake(name string, spec any) *fake {
	return &fake{ComponentBase: sim.NewComponentBase(name), maps: map[string]*memory.Map{}, spec: spec}
}

func (f *fake) port(e sim.Engine, akita string, p system.PortSpec, n int) {
	for i := range n {
		name := f.Name() + "." + akita
		if p.Array {
			name = fmt.Sprintf("%s[%d]", name, i)
		}
		p.Ports = append(p.Ports, engine.NewPort(f, name, 4))
	}
	f.specs = append(f.specs, p)
}

func (f *fake) PortSpecs() []system.PortSpec            { return f.specs }
func (f *fake) Stats() *stats.Group                     { return stats.NewGroup(f.Name()) }
func (f *fake) Handle(sim.Event) error                  { return nil }
func (f *fake) NotifyRecv(sim.VTimeInSec, sim.Port)     {}
func (f *fake) NotifyPortFree(sim.VTimeInSec, sim.Port) {}
func (f *fake) SetMap(port string, m *memory.Map) error { f.maps[port] = m; return nil }

type coreSpec struct {
	Rows  int             `yaml:"rows" jsonschema:"minimum=1"`
	Clock units.Frequency `yaml:"clock"`
}

type tileSpec struct {
	Rows  int             `yaml:"rows" jsonschema:"minimum=1"`
	Clock units.Frequency `yaml:"clock"`
	Queue int             `yaml:"queue"`
}

type core struct{ *fake }

func newCore(env *system.Env, name string, rows int, c clock.Clock, spec any) (system.Node, error) {
	f := newFake(name, spec)
	f.port(env.Engine, "Mem", system.PortSpec{Name: "mem", Protocol: system.Mem, Role: system.Requests, Many: true, Clock: c}, 1)
	if rows == 13 {
		return nil, fmt.Errorf("13 rows bring bad luck")
	}
	return core{f}, nil
}

type cacheSpec struct {
	Clock units.Frequency `yaml:"clock"`
}

type cache struct{ *fake }

func (cache) Nominal() (uint64, units.Bandwidth) { return 5, 0 }
func (cache) Below(string) []string              { return []string{"bottom"} }

type netSpec struct {
	Ports   int           `yaml:"ports"`
	Latency units.Latency `yaml:"latency"`
}

type net struct {
	*fake
	spec netSpec
}

func (n net) Through(port string) (exits []string, latency uint64) {
	for i := range n.spec.Ports {
		if p := fmt.Sprintf("terminal[%d]", i); p != port {
			exits = append(exits, p)
		}
	}
	return exits, n.spec.Latency.In(clock.GHz)
}

type rank struct{ *fake }

func ghz() units.Frequency { return units.Frequency{Clock: clock.GHz} }

func init() {
	system.Register(system.Kind[coreSpec]{
		Name: "core", Fidelity: "analytic", Doc: "Sends requests.", Default: coreSpec{8, ghz()},
		New: func(env *system.Env, name string, s coreSpec, _ configs.Value) (system.Node, error) {
			return newCore(env, name, s.Rows, s.Clock.Clock, s)
		},
	})
	system.Register(system.Kind[tileSpec]{
		Name: "core", Fidelity: "tile", DefaultFidelity: true, Doc: "Sends requests.", Default: tileSpec{8, ghz(), 4},
		New: func(env *system.Env, name string, s tileSpec, v configs.Value) (system.Node, error) {
			if s.Queue == 99 {
				return nil, v.Get("queue").Errorf([]string{"1", "2"}, "99 is too many")
			}
			return newCore(env, name, s.Rows, s.Clock.Clock, s)
		},
	})
	system.Register(system.Kind[cacheSpec]{
		Name: "cache", Doc: "Answers above, asks below.", Default: cacheSpec{ghz()},
		New: func(env *system.Env, name string, s cacheSpec, _ configs.Value) (system.Node, error) {
			f := newFake(name, s)
			f.port(env.Engine, "Top", system.PortSpec{Name: "top", Protocol: system.Mem, Role: system.Responds, Many: true, Clock: s.Clock.Clock}, 1)
			f.port(env.Engine, "Bottom", system.PortSpec{Name: "bottom", Protocol: system.Mem, Role: system.Requests, Many: true, Clock: s.Clock.Clock}, 1)
			return cache{f}, nil
		},
	})
	system.Register(system.Kind[netSpec]{
		Name: "net", Doc: "Passes everything on.", Default: netSpec{Ports: 8},
		New: func(env *system.Env, name string, s netSpec, _ configs.Value) (system.Node, error) {
			f := newFake(name, s)
			f.port(env.Engine, "Terminal", system.PortSpec{Name: "terminal", Protocol: system.Any, Role: system.Peers, Array: true, Optional: true, Clock: clock.GHz}, s.Ports)
			return net{f, s}, nil
		},
	})
	type rankSpec struct{}
	system.Register(system.Kind[rankSpec]{
		Name: "rank", Doc: "Sends messages.",
		New: func(env *system.Env, name string, s rankSpec, _ configs.Value) (system.Node, error) {
			f := newFake(name, s)
			f.port(env.Engine, "Net", system.PortSpec{Name: "net", Protocol: system.Net, Role: system.Peers, Clock: clock.GHz}, 1)
			return rank{f}, nil
		},
	})
}
