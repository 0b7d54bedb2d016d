package steps

import (
	"math/rand/v2"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/service"
)

// Spec holds the keys of a steps node.
type Spec struct {
	Work        Work        `yaml:"work" jsonschema:"required" doc:"Program by name (causeway list services) with its parameters"`
	Place       []Place     `yaml:"place" doc:"Where the program's regions lie; a region that is not named begins at 0"`
	Compute     units.FLOPS `yaml:"compute" doc:"Rate of computation; 0FLOP/s takes no time"`
	Burst       units.Bytes `yaml:"burst" doc:"Most bytes of a request"`
	Outstanding int         `yaml:"outstanding" jsonschema:"minimum=1,maximum=1048576" doc:"Requests under way to each region"`
	Ahead       int         `yaml:"ahead" jsonschema:"minimum=0,maximum=1048576" doc:"Steps before the one that computes whose reads may begin, where their addresses are free"`
}

// A Place has the addresses of a region.
type Place struct {
	Region string        `yaml:"region" jsonschema:"required" doc:"Name of a region of the program"`
	Base   []units.Bytes `yaml:"base" jsonschema:"required" doc:"Address, or several that take turns"`
}

// DefaultSpec reads the next step's data while one computes.
//
// assumption: 256 KiB under way, in bursts of 4 KiB; compute takes no time.
func DefaultSpec() Spec { return Spec{Burst: 4 << 10, Outstanding: 64, Ahead: 1} }

// Work is the name of an entry of service.All with its parameters.
type Work struct {
	Name string
	Spec any // of the entry
}

// String is the name.
func (w Work) String() string { return w.Name }

// UnmarshalConfig implements configs.Unmarshaler.
func (w *Work) UnmarshalConfig(v configs.Value) error {
	name, err := v.Choice("work", service.All.Names())
	if err != nil {
		return err
	}
	e, _ := service.All.Entry(name)
	spec, err := v.Parameters(e.Spec)
	*w = Work{name, spec}
	return err
}

// fine is the clock of the node: picoseconds.
var fine = clock.Hz(1e12)

// check returns errors of keys; at returns the value of a key.
func (s *Spec) check(at func(key string) configs.Value) error {
	var errs configs.Errors
	if s.Burst < 1 || s.Burst > memory.MaxBurst {
		errs.Add(at("burst").Errorf(nil, "is %s (want 1B to %s)", s.Burst, units.Bytes(memory.MaxBurst)))
	}
	if s.Outstanding < 1 {
		errs.Add(at("outstanding").Errorf(nil, "is %d (want 1 or more)", s.Outstanding))
	}
	if s.Ahead < 0 {
		errs.Add(at("ahead").Errorf(nil, "is %d (want 0 or more)", s.Ahead))
	}
	if s.Compute < 0 {
		errs.Add(at("compute").Errorf(nil, "is %s", s.Compute))
	}
	return errs.Err()
}

func init() {
	schema.RegisterFunc[Work](func() schema.Schema {
		return schema.Schema{
			"title": "a service: its name and parameters",
			"anyOf": []any{
				schema.Schema{"type": "string", "enum": service.All.Names()},
				schema.Schema{"type": "object", "required": []any{"name"}},
			},
		}
	})
	system.Register(system.Kind[Spec]{
		Name:    "steps",
		Doc:     "Plays an inference service step by step: reads that may depend on each other, and computation.",
		Source:  "none: arithmetic, see the package's doc; the programs have theirs",
		Subject: system.OfPrograms, Headlines: headlines, Goal: goal, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if s.Work.Name == "" {
				return nil, v.Errorf(service.All.Names(), "there is no work")
			}
			if err := s.check(v.Place); err != nil {
				return nil, err
			}
			p, err := service.New(s.Work.Name, s.Work.Spec)
			if err != nil {
				return nil, v.Place("work").Errorf(nil, "%s", err)
			}
			c, err := New(name, env.Engine, s, p, env.Rand(name))
			if err != nil {
				return nil, v.Place("place").Errorf(nil, "%s", err)
			}
			return c, nil
		},
	})
}

// bases are the addresses of each region of a program.
func (s *Spec) bases(p *service.Program) ([][]uint64, error) {
	out := make([][]uint64, len(p.Regions))
	var errs configs.Errors
	names := make([]string, len(p.Regions))
	for i := range p.Regions {
		out[i], names[i] = []uint64{0}, p.Regions[i].Name
	}
next:
	for _, x := range s.Place {
		for i, name := range names {
			if name != x.Region {
				continue
			}
			if len(x.Base) == 0 {
				errs.Add(&configs.Error{Msg: "region " + name + " has no base"})
			}
			out[i] = out[i][:0]
			for _, b := range x.Base {
				out[i] = append(out[i], uint64(b))
			}
			continue next
		}
		errs.Add(&configs.Error{Msg: "there is no region " + x.Region, Want: names})
	}
	return out, errs.Err()
}

type random = *rand.Rand
