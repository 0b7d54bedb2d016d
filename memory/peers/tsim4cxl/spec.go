package tsim4cxl

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// Spec is TSim4CXL's configuration.
type Spec struct {
	// Hosts is the hosts that share the controller.
	Hosts int `yaml:"hosts" jsonschema:"minimum=1,maximum=1024" doc:"Hosts, each with a port of its own"`
	// Clock is the clock of all threads.
	Clock units.Frequency `yaml:"clock" doc:"Clock of hosts and controller"`
	// Port is TSim4CXL's cxl_port_latency.
	Port units.Latency `yaml:"port" doc:"Latency of a CXL port"`
	// Interconnect is TSim4CXL's cxl_dev_ic_latency.
	Interconnect units.Latency `yaml:"interconnect" doc:"Latency of the device's interconnect"`
	// Link is the time of a flit: its size over bandwidth and efficiency, rounded up
	// to ns.
	Link units.Latency `yaml:"link" doc:"Time of a flit"`
}

// DefaultSpec has the values of TSim4CXL: a flit takes 64 B / (35 GB/s x 0.924), 2 ns.
func DefaultSpec() Spec {
	ns := func(n units.Time) units.Latency { return units.InTime(n * units.Nanosecond) }
	return Spec{Hosts: 1, Clock: units.Frequency{Clock: clock.Hz(2.1e9)}, Port: ns(42), Interconnect: ns(20), Link: ns(2)}
}

// fine is the clock of all ports: picoseconds.
var fine = clock.Hz(1e12)

func ps(l units.Latency) int64 { return int64(l.In(fine)) }

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "cxl_tsim4cxl",
		Doc:     "CXL memory by the rules of time of TSim4CXL, to be compared with its runs.",
		Source:  "TSim4CXL (Euro-Par 2025), the rules of its published program",
		Subject: system.OfLinks, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if s.Hosts < 1 {
				return nil, v.Get("hosts").Errorf(nil, "is %d (want 1 or more)", s.Hosts)
			}
			c, err := New(name, env.Engine, s)
			if err != nil {
				return nil, v.Errorf(nil, "%v", err)
			}
			return c, nil
		},
	})
}

// check returns an error for impossible values.
func (s *Spec) check() error {
	for _, l := range []units.Latency{s.Port, s.Interconnect, s.Link} {
		if !l.IsZero() && l != units.InTime(units.Time(l.In(fine))*units.Picosecond) {
			return fmt.Errorf("latency %s is in cycles or in parts of a ps; want ns", l)
		}
		if l.In(fine) > 1e9 {
			return fmt.Errorf("latency %s is beyond 1ms: threads look every clock", l)
		}
	}
	return nil
}
