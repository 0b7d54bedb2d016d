package demand

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/shift"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/parallel/cores"
)

// Shift is workload.parallel.shift: the cores as its planner models them, and how they share a
// model.
type Shift struct {
	Cores       int             `yaml:"cores" jsonschema:"minimum=2,maximum=65536" doc:"Cores of the chip"`
	Represented int             `yaml:"represented" jsonschema:"minimum=2,maximum=4096" doc:"Cores that are nodes of the system, all doing the same as those that are not; left out: all"`
	Memory      units.Bytes     `yaml:"memory" doc:"Memory of a core"`
	Buffer      units.Bytes     `yaml:"buffer" doc:"Of the memory, what is kept free for what arrives"`
	Compute     units.FLOPS     `yaml:"compute" doc:"Peak of a core, as the planner takes it"`
	Local       units.Bandwidth `yaml:"local" doc:"Bandwidth of a core's memory, as the planner takes it"`
	Link        units.Bandwidth `yaml:"link" doc:"Bandwidth into a core and out of it, as the planner takes it"`
	Sync        units.Time      `yaml:"sync" doc:"Time from a computation to a shift and back, as the planner takes it"`
	Plan        ShiftPlan       `yaml:"plan" doc:"kept: operands stay where they are computed with as far as memory goes; spread: none does between uses; {name: load, block: 4KiB}: cores keep nothing and load from a global memory of blocks"`
	Outside     units.Bandwidth `yaml:"outside" doc:"Bandwidth of a memory outside the chip, from which weights and caches come by ranks of their own; 0B/s: they stay on the chip"`
	Loading     string          `yaml:"loading" jsonschema:"enum=basic,enum=static,enum=dynamic" doc:"Of weights from outside: when the operator before has ended (basic), into half of the memory (static), or as plans leave room (dynamic)"`
}

// shiftPlans are the values of key plan.
var shiftPlans = []string{"kept", "spread", "load"}

// ShiftPlan is how cores share a model: a name, or a mapping with its parameters.
type ShiftPlan struct {
	Name  string      `yaml:"name" jsonschema:"enum=kept,enum=spread,enum=load"`
	Block units.Bytes `yaml:"block" jsonschema:"description=Of load: bytes of the global memory that lie on one core"`
}

// UnmarshalConfig implements configs.Unmarshaler.
func (p *ShiftPlan) UnmarshalConfig(v configs.Value) error {
	*p = ShiftPlan{Block: 4 << 10}
	at := v
	if v.Kind() == configs.Map {
		type plain ShiftPlan
		if err := v.Decode((*plain)(p)); err != nil {
			return err
		}
		at = v.Place("name")
	} else {
		name, err := v.String()
		if err != nil {
			return err
		}
		p.Name = name
	}
	switch {
	case !slices.Contains(shiftPlans, p.Name):
		return at.Errorf(shiftPlans, "unknown plan %q", p.Name)
	case p.Block == 0:
		return v.Get("block").Errorf(nil, "is 0 (want an amount of data)")
	case p.Name != "load" && v.Kind() == configs.Map && v.Get("block").Exists():
		return v.Get("block").Errorf(nil, "has no effect on %s (used by: load)", p.Name)
	}
	return nil
}

// UnmarshalConfig implements configs.Unmarshaler.
func (s *Shift) UnmarshalConfig(v configs.Value) error {
	type plain Shift
	p := plain{Buffer: 8 << 10, Plan: ShiftPlan{Name: "kept", Block: 4 << 10}, Loading: "dynamic"}
	if err := v.Decode(&p); err != nil {
		return err
	}
	*s = Shift(p)
	var errs configs.Errors
	if s.Cores < 2 || s.Cores > 1<<16 {
		errs.Add(v.Place("cores").Errorf(nil, "cores is %d (want 2 to 65536)", s.Cores))
	}
	if !v.Get("represented").Exists() {
		s.Represented = s.Cores
	}
	if s.Represented < 2 || s.Represented > 4096 || s.Represented > s.Cores {
		errs.Add(v.Place("represented").Errorf(nil, "represented is %d of %d cores (want 2, which pass to each other, to 4096, and no more than there are)", s.Represented, s.Cores))
	}
	for _, k := range []struct {
		key string
		ok  bool
	}{{"memory", s.Memory > 0}, {"compute", s.Compute > 0}, {"local", s.Local > 0}, {"link", s.Link > 0}} {
		if !k.ok {
			errs.Add(v.Place(k.key).Errorf(nil, "%s is missing or 0", k.key))
		}
	}
	if s.Buffer >= s.Memory && s.Memory > 0 {
		errs.Add(v.Place("buffer").Errorf(nil, "buffer is %s of a memory of %s", s.Buffer, s.Memory))
	}
	if !slices.Contains(shift.Loadings, s.Loading) {
		errs.Add(v.Place("loading").Errorf(shift.Loadings, "unknown loading %q", s.Loading))
	}
	for _, k := range []struct {
		key  string
		used bool
		by   string
	}{{"loading", s.Outside > 0, "outside"}, {"plan", s.Outside == 0, "weights that stay on the chip"}} {
		if at := v.Get(k.key); at.Exists() && !k.used {
			errs.Add(at.Errorf(nil, "has no effect (used by: %s)", k.by))
		}
	}
	return errs.Err()
}

// ranks is how many parts the model has: a core each, and a channel of the memory outside.
func (s *Shift) ranks() int {
	if s.Outside > 0 {
		return 2 * s.Represented
	}
	return s.Represented
}

// cut is the graphs of the cores.
func (s *Shift) cut(g *graph.Graph) ([]*graph.Graph, error) {
	rate := func(b units.Bandwidth) float64 { return float64(b) / 8 }
	graphs, _, err := cores.Shift(g, cores.Spec{
		Machine: shift.Machine{Cores: s.Cores, Memory: int64(s.Memory), Buffer: int64(s.Buffer), Compute: float64(s.Compute), Local: rate(s.Local), Link: rate(s.Link),
			Sync: float64(s.Sync) / float64(units.Second)},
		Represented: s.Represented, Loads: s.Plan.Name == "load", Spread: s.Plan.Name == "spread", Block: int64(s.Plan.Block),
		Outside: rate(s.Outside) / float64(s.Cores), Loading: shift.Loading(slices.Index(shift.Loadings, s.Loading)),
	})
	return graphs, err
}
