package spatial

import (
	"os"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/nest/timeloop"
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
	if s.InputFile == "" {
		errs.Add(v.Errorf(nil, "has no input_file (Timeloop's files; see configs/examples/timeloop.yaml)"))
	}
	in, err := read(env, v, s)
	errs.Add(err)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	n, err := nest.New(&in.Problem, &in.Arch, in.Sparse, nest.Rules(s.Rules))
	if err != nil {
		return nil, v.Get("input_file").Errorf(nil, "%v", err)
	}
	c := New(name, env.Engine, s, in, n)
	c.options = o
	if in.Mapping != nil && !s.Search.Always {
		if err := in.Legal(n); err != nil {
			return nil, err
		}
		c.mapping = in.Mapping
		return c, nil
	}
	if err := c.prepare(); err != nil {
		at := v.Get("search")
		if !at.Exists() {
			at = v.Get("input_file")
		}
		return nil, at.Errorf(nil, "no mapping is given, and none can be searched for: %v", err)
	}
	return c, nil
}

// read reads every file that the node names, and the tables that lie beside its input.
func read(env *system.Env, v configs.Value, s Spec) (*timeloop.Input, error) {
	var errs configs.Errors
	var sources []timeloop.Source
	add := func(key, name string) (path string) {
		if name == "" {
			return ""
		}
		path = name
		if v.Get(key).Exists() { // not made by a program
			var err error
			if path, err = env.File(v.Get(key)); err != nil {
				errs.Add(err)
				return ""
			}
		}
		b, err := os.ReadFile(path)
		if err != nil {
			errs.Add(v.Get(key).Errorf(nil, "cannot read: %v", err))
			return ""
		}
		sources = append(sources, timeloop.Source{Name: path, Text: b, Replaces: key != "input_file"})
		return path
	}
	input := add("input_file", s.InputFile)
	add("problem_file", s.ProblemFile)
	add("constraints_file", s.ConstraintsFile)
	add("mapping_file", s.MappingFile)
	add("ert_file", s.ERTFile)
	add("art_file", s.ARTFile)
	if input != "" {
		ert, art := timeloop.Beside(input)
		for _, x := range []struct{ given, found string }{{s.ERTFile, ert}, {s.ARTFile, art}} {
			if x.given != "" || x.found == "" {
				continue
			}
			b, err := os.ReadFile(x.found)
			if err != nil {
				errs.Add(v.Get("input_file").Errorf(nil, "cannot read %s beside it: %v", x.found, err))
				continue
			}
			sources = append(sources, timeloop.Source{Name: x.found, Text: b})
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return timeloop.Read(sources...)
}
