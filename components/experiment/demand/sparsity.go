package demand

import (
	"path"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Sparsity is structured sparsity of weights in the syntax of a configuration: one pattern for all
// products, or a pattern per pattern of tensor names.
type Sparsity struct{ rules []sparsityRule }

type sparsityRule struct {
	names   string
	pattern graph.Pattern
	at      configs.Value
}

// UnmarshalConfig implements configs.Unmarshaler.
func (s *Sparsity) UnmarshalConfig(v configs.Value) error {
	s.rules = nil
	if v.Kind() != configs.Map {
		return s.add("", v)
	}
	if len(v.Keys()) == 0 {
		return v.Errorf(nil, "is an empty mapping, which says nothing (want N:M such as 2:4, or patterns of tensor names with one each)")
	}
	var errs configs.Errors
	for _, names := range v.Keys() {
		errs.Add(s.add(names, v.Get(names)))
	}
	return errs.Err()
}

func (s *Sparsity) add(names string, v configs.Value) error {
	r := sparsityRule{names: names, at: v}
	if err := r.pattern.UnmarshalText([]byte(v.Text())); err != nil {
		return v.Errorf(nil, "%v", err)
	}
	if _, bad := path.Match(names, ""); bad != nil {
		return v.Errorf(nil, "%q is no pattern of names (want * for any text, ? for a character)", names)
	}
	s.rules = append(s.rules, r)
	return nil
}

// thin sets the sparsity of weights by the key sparsity.
func (w *Workload) thin() error {
	var errs configs.Errors
	if s := w.Spec.Sparsity.rules; len(s) > 0 && (w.Trains() || w.Spec.Parallel.Shift.Cores > 0) {
		return w.At.Get("sparsity").Errorf(nil, "is for inference on cores that share no windows (not with training or parallel.shift)")
	}
	for _, r := range w.Spec.Sparsity.rules {
		n, err := w.Graph.SetSparsity(r.pattern, func(name string) bool {
			ok, _ := path.Match(r.names, name)
			return ok || r.names == ""
		})
		if err != nil {
			errs = append(errs, r.at.Errorf(nil, "%v", err))
		} else if n == 0 {
			errs = append(errs, r.at.Errorf(nil, "no product of %s has weights with a name like %q (such as %s)", w.Name(), r.names, someWeights(w.Graph)))
		}
	}
	return errs.Err()
}
