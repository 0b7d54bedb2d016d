package demand

import (
	"maps"
	"path"
	"slices"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// DTypes is graph.DTypes in the syntax of a configuration: one name for all roles, a mapping from
// roles to names, or file for the types of the model's file. The key tensors sets types by pattern
// of tensor names.
type DTypes struct {
	graph.DTypes
	file    bool
	tensors []tensorType
}

// fileTypes is the name for the types of the model's file.
const fileTypes = "file"

// A tensorType is the type of the tensors that a pattern matches.
type tensorType struct {
	pattern string
	dtype   graph.DType
	at      configs.Value
}

// read holds the types for a reader of files; zero for the types of the file.
func (d *DTypes) read() graph.DTypes {
	if d.file {
		return graph.DTypes{}
	}
	return d.DTypes
}

// UnmarshalConfig implements configs.Unmarshaler.
func (d *DTypes) UnmarshalConfig(v configs.Value) error {
	if v.Kind() != configs.Map {
		if v.Text() == fileTypes {
			d.file = true
			return nil
		}
		t, err := dtype(v, fileTypes)
		if err == nil {
			d.DTypes = graph.Uniform(t)
		}
		return err
	}
	if len(v.Keys()) == 0 {
		return v.Errorf(nil, "is an empty mapping, which says nothing (want one type, or a type per role)")
	}
	// What a mapping leaves open follows the activations; partial sums follow them
	// in kind.
	if a := v.Get("activation"); a.Exists() {
		t, err := dtype(a)
		if err != nil {
			return err
		}
		d.DTypes = graph.Uniform(t)
	}
	var errs configs.Errors
	roles := map[string]*graph.DType{"weight": &d.Weight, "activation": &d.Activation, "accumulator": &d.Accumulator, "kv": &d.KV}
	for _, k := range v.Keys() {
		if k == "tensors" {
			errs.Add(d.patterns(v.Get(k)))
			continue
		}
		to, ok := roles[k]
		if !ok {
			errs.Add(v.UnknownKey(k, append(slices.Sorted(maps.Keys(roles)), "tensors")))
			continue
		}
		t, err := dtype(v.Get(k))
		errs.Add(err)
		if err == nil {
			*to = t
		}
	}
	return errs.Err()
}

// patterns reads types by patterns of names, of which the last that matches holds.
func (d *DTypes) patterns(v configs.Value) error {
	d.tensors = nil
	if v.Kind() != configs.Map {
		return v.Errorf(nil, "want types by patterns of tensor names, such as {\"*expert*\": mxfp4}")
	}
	var errs configs.Errors
	for _, pattern := range v.Keys() {
		t, err := dtype(v.Get(pattern))
		errs.Add(err)
		if _, bad := path.Match(pattern, ""); bad != nil {
			errs = append(errs, v.Get(pattern).Errorf(nil, "%q is no pattern (want * for any text, ? for a character)", pattern))
		}
		d.tensors = append(d.tensors, tensorType{pattern, t, v.Get(pattern)})
	}
	return errs.Err()
}

func dtype(v configs.Value, more ...string) (graph.DType, error) {
	s, err := v.String()
	if err != nil {
		return 0, err
	}
	t, err := graph.ParseDType(s)
	if err != nil {
		return 0, v.Errorf(append(slices.Clone(graph.DTypeNames()), more...), "unknown data type %q", s)
	}
	return t, nil
}

// setTypes gives the tensors of a workload their element types.
func (w *Workload) setTypes() error {
	d, g := &w.Spec.DType, w.Graph
	switch {
	case !d.file:
		g.SetDTypes(d.DTypes)
	case w.Path == "" && !format.IsModel(w.Spec.Model):
		return w.At.Get("dtype").Errorf(graph.DTypeNames(), "%s is for models in files, which say what their types are", fileTypes)
	default:
		d.DTypes = g.DTypes()
	}
	return w.matchTypes()
}

// matchTypes gives tensors the types of the patterns that their names match.
func (w *Workload) matchTypes() error {
	d, g := &w.Spec.DType, w.Graph
	var errs configs.Errors
	for _, t := range d.tensors {
		n := 0
		for i := range g.Tensors {
			if ok, _ := path.Match(t.pattern, g.Tensors[i].Name); ok {
				g.Tensors[i].DType = t.dtype
				n++
			}
		}
		if n == 0 {
			errs = append(errs, t.at.Errorf(nil, "no tensor of %s has a name like %q (such as %s)", w.Name(), t.pattern, someWeights(g)))
		}
	}
	if len(d.tensors) > 0 {
		g.SettleBlocks(d.Plain())
	}
	return errs.Err()
}

// someWeights names the first, the middle and the last weight.
func someWeights(g *graph.Graph) string {
	var names []string
	for i := range g.Tensors {
		if g.Tensors[i].Role == graph.Weight {
			names = append(names, g.Tensors[i].Name)
		}
	}
	if len(names) == 0 {
		return "none is a weight"
	}
	return names[0] + ", " + names[len(names)/2] + ", " + names[len(names)-1]
}
