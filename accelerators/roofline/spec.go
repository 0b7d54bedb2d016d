package roofline

import (
	"maps"
	"slices"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Spec is the configuration of a roofline node. Units are in the values.
type Spec struct {
	// Compute is the peak in FLOP/s; a multiply-accumulate is two.
	Compute units.FLOPS `yaml:"compute" jsonschema:"description=Peak compute rate; a multiply-accumulate is two"`
	// Memory is the bandwidth of the node's own memory.
	Memory units.Bandwidth `yaml:"memory" jsonschema:"description=Bandwidth of the node's own memory"`
	// Overhead is added to every operator: the launch of a kernel.
	Overhead units.Latency `yaml:"overhead" jsonschema:"description=Added to every operator (5us or 100cycle)"`
	// Clock is the clock to whose cycles times are rounded up.
	Clock units.Frequency `yaml:"clock" jsonschema:"description=Clock that times are rounded up to"`
	// Prefetch is the unfinished earlier operators during which the memory may load the next one;
	// 0 is no prefetch.
	Prefetch int `yaml:"prefetch" jsonschema:"minimum=0,maximum=1024,description=Operators for which the memory may work while those before them compute; an operator computes when its bytes are there; 0: computing and the memory's work for one operator overlap and no others do"`
	// Efficiency is the share of the peak that operators of a type reach, over 0
	// to 1; types left out reach all of it.
	Efficiency map[string]float64 `yaml:"efficiency" jsonschema:"description=Share of the compute peak by operator type; over 0 to 1; default 1"`
	// Power is drawn while an operator runs; 0 is no energy model.
	Power units.Power `yaml:"power" jsonschema:"description=Power while an operator is under way; 0W: no energy model"`
	// Energy is by operation and byte, in place of Power.
	Energy EnergySpec `yaml:"energy" doc:"Energy by operation and by byte of memory and at rest, in place of power"`
	// NIC makes the node one rank of a parallel program.
	NIC seat.NIC `yaml:"nic" doc:"Network interface: the node plays one rank of the communication trace that is the workload"`

	connected bool // NIC was given
}

// WithNIC returns the Spec with that network interface.
func (s Spec) WithNIC(n seat.NIC) Spec {
	s.NIC, s.connected = n, true
	return s
}

// DefaultSpec is a node of 1 TFLOP/s and 100 GB/s at 1 GHz.
//
// assumption: round numbers, so that a forgotten key shows in the result; there is no
// typical node.
func DefaultSpec() Spec {
	return Spec{Compute: 1e12, Memory: 100e9 * 8, Clock: units.Frequency{Clock: clock.GHz}, NIC: seat.DefaultNIC()}
}

// types are the operator types that efficiency may name.
var types = func() (names []string) {
	names = graph.ComputeTypes()
	slices.Sort(names)
	return names
}()

// check reports every value that no node can have; v is the node's mapping.
func (s *Spec) check(v configs.Value) error {
	var errs configs.Errors
	if !(s.Compute >= 1 && s.Compute <= 1e24) {
		errs = append(errs, v.Place("compute").Errorf(nil, "compute is %s (want 1FLOP/s to 10^24)", s.Compute))
	}
	if s.Memory == 0 {
		errs = append(errs, v.Place("memory").Errorf(nil, "memory is %s (want more)", s.Memory))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Efficiency)) {
		e := v.Place("efficiency")
		if !slices.Contains(types, name) {
			errs = append(errs, e.UnknownKey(name, types))
			continue
		}
		if f := s.Efficiency[name]; !(f > 0 && f <= 1) {
			errs = append(errs, e.Get(name).Errorf(nil, "is %g (want over 0 to 1)", f))
		}
	}
	if !(s.Power >= 0) {
		errs = append(errs, v.Place("power").Errorf(nil, "power is %s (want 0W or more)", s.Power))
	}
	errs.Add(s.Energy.check(s.Power, v.Get("energy")))
	if s.Prefetch < 0 || s.Prefetch > 1024 {
		errs = append(errs, v.Place("prefetch").Errorf(nil, "is %d (want 0 to 1024)", s.Prefetch))
	}
	if s.Prefetch > 0 && v.Get("nic").Exists() {
		errs = append(errs, v.Place("prefetch").Errorf(nil, "has no effect on a rank, whose program says when it computes"))
	}
	errs.Add(s.NIC.Check(v.Get("nic")))
	return errs.Err()
}

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "roofline",
		Works:   true,
		Doc:     "A node that knows only its peak compute rate and memory bandwidth.",
		Source:  "Williams, Waterman, Patterson, Roofline, CACM 52(4), 2009",
		Subject: system.OfWork, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.check(v); err != nil {
				return nil, err
			}
			if v.Get("nic").Exists() {
				s = s.WithNIC(s.NIC)
			}
			c := New(name, env.Engine, s)
			c.at = v
			return c, nil
		},
	})
}
