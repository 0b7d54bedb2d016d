package nic

import (
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Spec holds the keys of an interface.
type Spec struct {
	seat.NIC `yaml:",inline"`
	// Burst and Outstanding are for the memory at port mem.
	Burst       units.Bytes `yaml:"burst" doc:"Bytes of a request to the memory at port mem, at most; requests end where the address is a multiple of it"`
	Outstanding int         `yaml:"outstanding" jsonschema:"minimum=1,maximum=4096" doc:"Requests to the memory at port mem without an answer, at most"`
	// Sums is Interface or NearMemory.
	Sums string `yaml:"sums" jsonschema:"enum=interface,enum=memory" doc:"Who adds up in collectives: the interface, which reads the rank's own operand and writes the sum; or the memory at port mem, which adds what is written to what it has"`
	// Memory is for the sums and copies of collectives.
	Memory units.Bandwidth `yaml:"memory" doc:"Bandwidth of the memory in which collectives add up and copy, where port mem is not linked; 0B/s takes no time"`
	// Clock of the interface.
	Clock units.Frequency `yaml:"clock" doc:"Clock of the interface; all of one system have the same"`
}

// The values of Sums.
const (
	Interface  = "interface"
	NearMemory = "memory" // as T3 does: ASPLOS 2024, section 4.3
)

// DefaultSpec is an interface without limits and overhead.
//
// assumption: requests as large as those of the cores, as many under way as cover 1 us at
// 128 GB/s.
func DefaultSpec() Spec {
	return Spec{NIC: seat.DefaultNIC(), Burst: 4 << 10, Outstanding: 32, Sums: Interface, Clock: units.Frequency{Clock: clock.GHz}}
}

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "nic",
		Doc:     "The network interface of a chip: carries out the transfers that a schedule issues.",
		Source:  "as kind ranks",
		Subject: system.OfNetworks, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			var errs configs.Errors
			errs.Add(s.NIC.Check(v))
			if s.Burst < 1 || s.Burst > memory.MaxBurst {
				errs.Add(v.Place("burst").Errorf(nil, "is %s (want 1B to %s)", s.Burst, units.Bytes(memory.MaxBurst)))
			}
			if s.Outstanding < 1 || s.Outstanding > 4096 {
				errs.Add(v.Place("outstanding").Errorf(nil, "is %d (want 1 to 4096)", s.Outstanding))
			}
			if s.Sums != Interface && s.Sums != NearMemory {
				errs.Add(v.Place("sums").Errorf([]string{Interface, NearMemory}, "unknown sums %q", s.Sums))
			}
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
