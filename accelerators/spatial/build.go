package spatial

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/search"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// build reads the files, checks the mapping and makes the node.
func build(env *system.Env, name string, s Spec, v configs.Value) (*Comp, error) {
	var errs configs.Errors
	if !slices.Contains([]int{2024, 2025}, s.Rules) {
		errs.Add(v.Get("rules").Errorf([]string{"2024", "2025"}, "rules of %d are not known", s.Rules))
	}
	if !slices.Contains(nest.Objectives, s.Search.Objective) {
		errs.Add(v.Get("search").Get("objective").Errorf(nest.Objectives, "%q is no objective", s.Search.Objective))
	}
	o := search.Options{Algorithm: s.Search.Algorithm, Evaluations: s.Search.Evaluations, Seed: env.Rand(name).Uint64()}
	if !slices.Contains(search.Algorithms, o.Algorithm) {
		errs.Add(v.Get("search").Get("algorithm").Errorf(search.Algorithms, "%q is no algorithm", o.Algorithm))
	} else if err := o.Check(); err != nil {
		errs.Add(v.Get("search").Get("evaluations").Errorf(nil, "%v", err))
	}
	in, err := read(env, v, &s)
	errs.Add(err)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	n, err := nest.New(&in.Problem, &in.Arch, in.Sparse, nest.Rules(s.Rules))
	if err != nil {
		return nil, place(v).Errorf(nil, "%v", err)
	}
	c := newComp(name, env.Engine, s, in, n)
	c.options = o
	if in.Mapping != nil && !s.Search.Always {
		if err := in.legal(n); err != nil {
			return nil, err
		}
		c.mapping = in.Mapping
		return c, nil
	}
	if err := c.prepare(); err != nil {
		at := v.Get("search")
		if !at.Exists() {
			at = place(v)
		}
		return nil, at.Errorf(nil, "no mapping is given, and none can be searched for: %v", err)
	}
	return c, nil
}

// place is what a message about the nest as a whole points at.
func place(v configs.Value) configs.Value {
	for _, key := range []string{"input_file", "levels"} {
		if x := v.Get(key); x.Exists() {
			return x
		}
	}
	return v
}
