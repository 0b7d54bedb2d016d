package arbiter

import (
	"slices"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// Spec is the configuration of an arbiter.
type Spec struct {
	Policy string          `yaml:"policy" jsonschema:"enum=arrival,enum=turns,enum=first" doc:"Whose request goes on: the one that came first, one of each port in turns, or those of port first before those of port later"`
	Queue  units.Bytes     `yaml:"queue" doc:"Bytes of requests at the memory below which another one goes on: the queue of the memory"`
	Below  units.Bytes     `yaml:"below" doc:"Bytes of requests at the memory below which one of port later goes on (policy: first); 0B: as queue"`
	Starve units.Time      `yaml:"starve" doc:"A request of port later that has waited so long goes before those of port first (policy: first); 0s: none does"`
	Clock  units.Frequency `yaml:"clock" doc:"Clock of the arbiter, in whose cycles requests come and go"`
}

// The values of Spec.Policy.
const (
	Arrival = "arrival"
	Turns   = "turns"
	First   = "first"
)

// DefaultSpec has policy arrival.
//
// assumption: a queue of 64 entries of 64 B in each of 16 channels.
func DefaultSpec() Spec {
	return Spec{Policy: Arrival, Queue: 64 << 10, Clock: units.Frequency{Clock: clock.GHz}}
}

// check reports what no arbiter can be, and keys without an effect; v is its mapping.
func (s *Spec) check(v configs.Value) error {
	var errs configs.Errors
	if want := []string{Arrival, Turns, First}; !slices.Contains(want, s.Policy) {
		errs.Add(v.Place("policy").Errorf(want, "unknown policy %q", s.Policy))
	}
	if s.Queue < 1 || s.Queue > 1<<40 {
		errs.Add(v.Place("queue").Errorf(nil, "is %s (want 1B to 1TiB)", s.Queue))
	}
	if s.Below > s.Queue {
		errs.Add(v.Place("below").Errorf(nil, "is %s, more than queue: %s", s.Below, s.Queue))
	}
	if s.Starve > units.Second {
		errs.Add(v.Place("starve").Errorf(nil, "is %s (want at most 1s)", s.Starve))
	}
	for _, k := range []struct {
		key string
		set bool
	}{{"below", s.Below > 0}, {"starve", s.Starve > 0}} {
		if k.set && s.Policy != First {
			errs.Add(v.Place(k.key).Errorf(nil, "has no effect with policy: %s (used by: %s)", s.Policy, First))
		}
	}
	if s.Clock.IsZero() {
		errs.Add(v.Place("clock").Errorf(nil, "is missing"))
	}
	return errs.Err()
}

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "arbiter",
		Doc:     "Arbitrates between two streams of requests to a memory: in order, in turns, or one first.",
		Source:  "Pati et al., T3, ASPLOS 2024 (policy first)",
		Subject: system.OfNetworks, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.check(v); err != nil {
				return nil, err
			}
			return New(name, env.Engine, s), nil
		},
	})
}

// MakeBuilder returns a builder with the values of DefaultSpec. Build panics without an engine.
func MakeBuilder() system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		return New(name, env.Engine, s), nil
	})
}
