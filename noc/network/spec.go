package network

import (
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Spec has the keys that all fidelities share. A fidelity embeds it. Units are in the values.
type Spec struct {
	Topology Topology        `yaml:"topology" doc:"Topology by name, with its parameters (causeway list topologies)"`
	Routing  Routing         `yaml:"routing" doc:"Routing algorithm by name, with its parameters (causeway list routings); default is the first of min, dor, nca, up_down that goes with the topology"`
	Failed   []Failure       `yaml:"failed" doc:"Channels between routers that are broken, in both directions: a list of router with port, or with to. Routing: up_down (the default then), shortest or table"`
	Clock    units.Frequency `yaml:"clock" doc:"Clock of routers and channels"`
	Width    units.Bytes     `yaml:"width" doc:"Bytes of a flit: what a channel carries in a cycle"`
	Header   units.Bytes     `yaml:"header" doc:"Header bytes of every message, in addition to its payload"`
	Terminal Channel         `yaml:"terminal" doc:"Channels between routers and terminals"`
	Local    Channel         `yaml:"local" doc:"Channels within a group, or all between routers where there are no groups; like global on a topology without them"`
	Global   Channel         `yaml:"global" doc:"Channels between groups. On a topology without groups an error, unless the topology was chosen elsewhere than here (--set, an axis of a sweep, a file that extends this one): then the result notes it"`

	// Energy is that of routers and channels.
	Energy energy.Router `yaml:"energy" doc:"Energy per byte and router, and power of routers at rest; without it the network has no energy model: nothing is published of networks in general"`

	node configs.Value   // of Resolve
	gone []failedChannel // of Plan
}

// A Channel is the configuration of the channels of one class.
type Channel struct {
	Latency   units.Latency   `yaml:"latency" doc:"Time on the channel, rounded up to cycles; 0ns leaves it to the router"`
	Bandwidth units.Bandwidth `yaml:"bandwidth" doc:"In each direction; 0B/s is width times clock"`
}

// DefaultSpec is a mesh of 8 x 8 with flits of 16 bytes at 1 GHz.
func DefaultSpec() Spec {
	return Spec{Topology: Topology{Name: "mesh"}, Clock: units.Frequency{Clock: clock.GHz}, Width: 16}
}

// Channel returns the configuration of the channels of a class.
func (s *Spec) Channel(c topology.Class) Channel {
	switch c {
	case topology.Terminal:
		return s.Terminal
	case topology.Global:
		return s.Global
	}
	return s.Local
}

// Limits of a flit and of the latency of a channel in cycles.
const (
	maxWidth   = 1 << 20
	maxLatency = 1 << 16
)

// Check returns errors of impossible values, at their places in the node v.
func (s *Spec) Check(v configs.Value) error {
	var errs configs.Errors
	if s.Width < 1 || s.Width > maxWidth {
		errs.Add(v.Get("width").Errorf(nil, "is %s (want 1B to %s)", s.Width, units.Bytes(maxWidth)))
	}
	if s.Header > maxWidth {
		errs.Add(v.Get("header").Errorf(nil, "is %s (want at most %s)", s.Header, units.Bytes(maxWidth)))
	}
	if _, _, err := s.Energy.PerByte(); err != nil {
		errs.Add(v.Get("energy").Errorf(nil, "%s", err))
	}
	for _, x := range []struct {
		key string
		c   Channel
	}{{"terminal", s.Terminal}, {"local", s.Local}, {"global", s.Global}} {
		if n := x.c.Latency.In(s.Clock.Clock); n > maxLatency {
			errs.Add(v.Get(x.key).Get("latency").Errorf(nil, "is %d cycles (want at most %d)", n, maxLatency))
		}
	}
	return errs.Err()
}

// Full returns the bandwidth of a channel with a flit in every cycle, in bit/s, rounded down.
func (s *Spec) Full() units.Bandwidth {
	c := s.Clock.Clock
	return units.Bandwidth(float64(s.Width) * 8 * float64(c.Den()) / float64(c.Num()))
}

// Flits returns the flits of a message of so many bytes with its header, at least 1.
func (s *Spec) Flits(bytes int) int {
	return max(1, (max(bytes, 0)+int(s.Header)+int(s.Width)-1)/int(s.Width))
}
