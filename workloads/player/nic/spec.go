package nic

import (
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Spec says what an interface is like.
type Spec struct {
	seat.NIC `yaml:",inline"`
	// Memory is for the sums and copies of collectives.
	Memory units.Bandwidth `yaml:"memory" doc:"Bandwidth of the memory in which collectives add up and copy; 0B/s takes no time"`
	// Clock of the interface.
	Clock units.Frequency `yaml:"clock" doc:"Clock of the interface; all of one system have the same"`
}

// DefaultSpec is an interface that costs nothing.
func DefaultSpec() Spec {
	return Spec{NIC: seat.DefaultNIC(), Clock: units.Frequency{Clock: clock.GHz}}
}

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "nic",
		Doc:     "The network interface of a chip: carries out the transfers that a schedule issues.",
		Source:  "as kind ranks",
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			var errs configs.Errors
			errs.Add(s.NIC.Check(v))
			if s.Clock.IsZero() {
				errs.Add(v.Place("clock").Errorf(nil, "is missing"))
			}
			if err := errs.Err(); err != nil {
				return nil, err
			}
			c := New(name, env.Engine, s)
			c.at = v
			return c, nil
		},
	})
}
