package communicator

import (
	"github.com/causeway-sim/causeway/accelerators/gpu/library"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// Spec holds the keys of a communicator.
type Spec struct {
	Architecture string          `yaml:"architecture" doc:"Generation of SMs whose kernels of NCCL run: sm80, sm90, sm100 or sm103"`
	Domain       int             `yaml:"domain" jsonschema:"minimum=1,maximum=65536" doc:"Ranks that reach each other over links: the chips of a machine, or of a rack"`
	Link         units.Bandwidth `yaml:"link" doc:"Of a chip to the others of its domain, in each direction"`
	Interface    units.Bandwidth `yaml:"interface" doc:"Of a chip to other domains, in each direction"`
	Blocks       int             `yaml:"blocks" jsonschema:"minimum=0,maximum=256" doc:"Thread blocks of a transfer's kernel: each takes an SM of the chip while the transfer is under way (channels of NCCL); 0: none"`
	Clock        units.Frequency `yaml:"clock" doc:"Clock of the node; all of one system have the same"`
}

// DefaultSpec has machines of eight chips. NCCL's logs of eight H800 say 16 channels (NVIDIA/nccl,
// issue 892).
//
// assumption: all collectives and messages have as many.
func DefaultSpec() Spec {
	return Spec{Architecture: "sm90", Domain: 8, Blocks: 16, Link: 8 * 450e9, Interface: 8 * 50e9, Clock: units.Frequency{Clock: clock.GHz}}
}

// MakeBuilder returns a builder with the values of DefaultSpec.
func MakeBuilder() system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		return New(name, env.Engine, s), nil
	})
}

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "communicator",
		Doc:     "The links and the interface of a chip that stands for others: prices of NCCL in place of messages.",
		Source:  "as accelerators/gpu/library",
		Subject: system.OfNetworks, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			var errs configs.Errors
			if _, ok := library.LinksOf(s.Architecture); !ok {
				errs.Add(v.Place("architecture").Errorf([]string{"sm80", "sm90", "sm100", "sm103"}, "no kernels of NCCL were measured for %q", s.Architecture))
			}
			if s.Domain < 1 || s.Domain > 1<<16 {
				errs.Add(v.Place("domain").Errorf(nil, "is %d (want 1 to 65536)", s.Domain))
			}
			for key, b := range map[string]units.Bandwidth{"link": s.Link, "interface": s.Interface} {
				if b == 0 {
					errs.Add(v.Place(key).Errorf(nil, "is 0B/s (want more)"))
				}
			}
			if s.Clock.IsZero() {
				errs.Add(v.Place("clock").Errorf(nil, "is missing"))
			}
			if err := errs.Err(); err != nil {
				return nil, err
			}
			return New(name, env.Engine, s), nil
		},
	})
}
