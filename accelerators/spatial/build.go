package spatial

import (
	"errors"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/search"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// build reads the files, checks the mapping and makes the node of fidelity analytic.
func build(env *system.Env, name string, s Spec, v configs.Value) (*Comp, error) {
	var errs configs.Errors
	for _, key := range []string{"dma", "vector"} {
		if x := v.Get(key); x.Exists() {
			errs.Add(x.Errorf(nil, "has no effect on counts of a problem of the node's own (used by: tile, and levels alone with a workload)"))
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return counts(env, name, s, v)
}

// counts is a node that counts its own problem.
func counts(env *system.Env, name string, s Spec, v configs.Value) (*Comp, error) {
	var errs configs.Errors
	checkSearch(&s, v, &errs)
	if x := v.Get("layers"); x.Exists() {
		errs.Add(x.Errorf(nil, "has no effect on a node with a problem of its own (used by: levels alone, with a workload)"))
	}
	o := search.Options{Algorithm: s.Search.Algorithm, Evaluations: s.Search.Evaluations, Seed: env.Rand(name).Uint64()}
	if o.Algorithm == search.Gradient && !v.Get("search").Get("evaluations").Exists() {
		o.Evaluations = alongDerivatives
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
	c.options, c.warnings = o, c.unsought(v)
	if c.problem = "a problem (key problem)"; s.InputFile != "" {
		c.problem = "a problem (key input_file)"
	}
	if in.Mapping != nil && !s.Search.Always {
		if err := in.legal(n); err != nil {
			return nil, err
		}
		c.mapping = in.Mapping
		return c, nil
	}
	if err := c.prepare(); err != nil {
		return nil, c.unsearched(v, err)
	}
	return c, nil
}

// unsearched is why no mapping can be searched for, at the level or the key of search that
// is to blame.
func (c *Comp) unsearched(v configs.Value, err error) error {
	why := "no mapping is given, and none can be searched for"
	if c.in.Mapping != nil {
		why = "a mapping is given, and with search.always (map: --search) one is searched for, which cannot begin"
	}
	at := v.Get("search")
	if f, ok := errors.AsType[*nest.Fault](err); ok && c.in.level != nil {
		at = c.in.level(f.Level)
	} else if x := at.Get("objective"); x.Exists() {
		at = x
	}
	if !at.Exists() {
		at = place(v)
	}
	return at.Errorf(nil, "%s: %v", why, err)
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
