package flow

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/network"
)

// Spec is the configuration of fidelity flow.
type Spec struct {
	channel.Spec
	Express units.Bytes `yaml:"express" doc:"Messages of at most so many bytes (header included) wait for no others on a channel, which they keep busy for their own time: what packets of long messages in turn with short ones nearly come to. 0B: all messages in their order"`
}

// DefaultSpec is a mesh of 8 x 8.
func DefaultSpec() Spec { return Spec{Spec: channel.DefaultSpec()} }

// maxExpress bounds what passes long messages.
const maxExpress = 1 << 20

// Comp is a network node of fidelity flow.
type Comp struct{ *channel.Comp }

// New makes a node. The name must be valid for Akita. The error is an impossible Spec.
func New(name string, e sim.Engine, s Spec, seed uint64) (*Comp, error) {
	c, err := channel.NewComp(name, e, s.Spec, channel.Packets{Express: int(s.Express)}, seed)
	if err != nil {
		return nil, err
	}
	return &Comp{c}, nil
}

func init() {
	system.Register(system.Kind[Spec]{
		Name: "network", Fidelity: "flow",
		Doc:     "A network of first-in first-out channels that move whole messages.",
		Source:  "Won, Heo, Rashidi, Sridharan, Srinivasan, Krishna, ASTRA-sim2.0, ISPASS 2023, section IV",
		Subject: system.OfNetworks, Headlines: network.Headlines, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.Check(v); err != nil {
				return nil, err
			}
			if s.Express > maxExpress {
				return nil, v.Get("express").Errorf(nil, "is %s (want at most %s)", s.Express, units.Bytes(maxExpress))
			}
			if err := s.Resolve(v, env.File); err != nil {
				return nil, err
			}
			return channel.Located(v, func() (*Comp, error) { return New(name, env.Engine, s, env.Seed) })
		},
	})
}
