package packet

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/transport"
)

// Spec is the configuration of fidelity packet.
type Spec struct {
	channel.Spec
	transport.Settings
	Packet       int         `yaml:"packet" jsonschema:"minimum=0,maximum=65536" doc:"Most flits of a packet, its header left out; longer messages go as several; 0 is no limit"`
	PacketHeader units.Bytes `yaml:"packet_header" doc:"Header bytes of each packet, in addition to its payload"`
	PacketFill   bool        `yaml:"packet_fill" doc:"Packets are all of the size packet, the last of a message filled up: a network of messages of one size"`
	Buffer       *int        `yaml:"buffer" jsonschema:"minimum=0,maximum=16777216" doc:"Flits that a router holds per channel and class of virtual channels, at least a packet; packets wait for room, and routers feel congestion elsewhere; 0 is no limit. Left out it is no limit where the routing does not look at queues, else what covers the longest round trip of a channel"`
	// VirtualNetworks is 2 if answers have separate buffers.
	VirtualNetworks int `yaml:"virtual_networks" jsonschema:"minimum=1,maximum=2" doc:"2: requests and answers have buffers of their own, so that no answer waits behind a request; 1: all share them. Goes with buffer"`
}

// DefaultSpec is a mesh of 8 x 8.
func DefaultSpec() Spec {
	return Spec{Spec: channel.DefaultSpec(), Settings: transport.DefaultSettings(), Packet: 16, VirtualNetworks: 1}
}

// Comp is a network node of fidelity packet.
type Comp struct{ *channel.Comp }

// New makes a node without congestion control. The name must be valid for Akita. The error is an
// impossible Spec, or classes that may deadlock.
func New(name string, e sim.Engine, s Spec, seed uint64) (*Comp, error) {
	if s.On() {
		return nil, fmt.Errorf("packet: congestion is %s (want none; NewControlled makes such a network)", s.Congestion)
	}
	k := channel.Packets{Bytes: s.Packet * int(s.Width), Header: int(s.PacketHeader), Fill: s.PacketFill, Cover: s.Buffer == nil, Networks: s.VirtualNetworks}
	if s.Buffer != nil {
		k.Buffer = *s.Buffer
	}
	c, err := channel.NewComp(name, e, s.Spec, k, seed)
	if err != nil {
		return nil, err
	}
	return &Comp{c}, nil
}

// NewControlled makes a node with congestion control. The name must be valid for Akita. The error
// is an impossible Spec.
func NewControlled(name string, e sim.Engine, s Spec, seed uint64) (*transport.Comp, error) {
	return transport.NewComp(name, e, s.Spec, s.Settings, s.Packet*int(s.Width), int(s.PacketHeader), seed)
}

// maxHeader bounds packet_header. The least and most of keys with numbers are in their schema, which
// is checked before.
const maxHeader = 1 << 20

func (s *Spec) check(v configs.Value) error {
	var errs configs.Errors
	errs.Add(s.Spec.Check(v))
	if int64(s.Packet)*int64(s.Width) > 1<<30 {
		errs.Add(v.Get("packet").Errorf(nil, "is %d flits of %s (want at most %s together)", s.Packet, s.Width, units.Bytes(1<<30)))
	}
	switch flits := (s.Packet*int(s.Width) + int(s.PacketHeader) + int(s.Width) - 1) / int(max(s.Width, 1)); {
	case s.Buffer == nil || *s.Buffer == 0:
	case s.Packet == 0:
		errs.Add(v.Get("buffer").Errorf(nil, "is %d, but packets have no limit (want packet: the most flits of one)", *s.Buffer))
	case *s.Buffer < flits:
		errs.Add(v.Get("buffer").Errorf(nil, "is %d, but packets have up to %d flits, header included", *s.Buffer, flits))
	}
	if s.PacketFill && s.Packet == 0 {
		errs.Add(v.Get("packet_fill").Errorf(nil, "has no effect without a size (want packet: the flits of one)"))
	}
	if x := v.Get("virtual_networks"); x.Exists() && (s.Buffer == nil || *s.Buffer == 0) {
		errs.Add(x.Errorf(nil, "goes with buffer: no packet waits for room else"))
	}
	if s.PacketHeader > maxHeader {
		errs.Add(v.Get("packet_header").Errorf(nil, "is %s (want at most %s)", s.PacketHeader, units.Bytes(maxHeader)))
	}
	errs.Add(s.Settings.Check(v, s.Packet*int(s.Width)+int(s.PacketHeader)))
	if s.On() {
		s.checkControlled(v, &errs)
	}
	return errs.Err()
}

// checkControlled reports keys that have no effect with congestion control.
func (s *Spec) checkControlled(v configs.Value, errs *configs.Errors) {
	for _, x := range []struct {
		key string
		why string
		bad bool
	}{
		{"packet", "endpoints number packets (want at least 1)", s.Packet == 0},
		{"packet_fill", "flows are of their own size", s.PacketFill},
		{"buffer", "queues have bytes (want queue.size)", v.Get("buffer").Exists()},
		{"virtual_networks", "answers have no buffers of their own", v.Get("virtual_networks").Exists()},
		{"reduce", "routers that add up acknowledge nothing", s.Reduce},
		{"skip", "endpoints control each flow apart (want off)", s.Skip != network.SkipOff},
		{"rounding", "times are exact", s.Rounding != channel.Exact},
		{"failed", "channels that fail during the run are not simulated (want failed without at)", s.Fails()},
	} {
		if x.bad {
			errs.Add(v.Get(x.key).Errorf(nil, "does not go with congestion: %s", x.why))
		}
	}
}

func init() {
	system.Register(system.Kind[Spec]{
		Name: "network", Fidelity: "packet", DefaultFidelity: true,
		Doc:     "A network whose packets are routed one by one and wait in queues, endless ones or with room for a round trip.",
		Source:  "Dally and Towles, Principles and Practices of Interconnection Networks, 2004, section 12.2",
		Subject: system.OfNetworks, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.check(v); err != nil {
				return nil, err
			}
			if err := s.Resolve(v, env.File); err != nil {
				return nil, err
			}
			if s.On() {
				return channel.Located(v, func() (*transport.Comp, error) { return NewControlled(name, env.Engine, s, env.Seed) })
			}
			return channel.Located(v, func() (*Comp, error) { return New(name, env.Engine, s, env.Seed) })
		},
	})
}
