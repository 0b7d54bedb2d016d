package timeloop

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

// Keys of an instance that Timeloop reads and that have no effect: tensors are as
// large as the loops reach.
var plainSizes = []string{"H", "W", "Hpad", "Wpad"}

// problem reads the loops and tensors.
func (r *reader) problem(v configs.Value) {
	r.keys(v, "problem", nil, "version", "shape", "instance", "name")
	r.version(v)
	s, in := v.Get("shape"), v.Get("instance")
	if !s.Exists() || !in.Exists() {
		r.errs.Add(v.Errorf(nil, "has no shape or no instance"))
		return
	}
	r.keys(s, "problem.shape", nil, "name", "dimensions", "data_spaces", "data-spaces", "coefficients")
	p := &r.in.Problem
	p.Name = s.Get("name").Text()
	for _, d := range r.items(s.Get("dimensions")) {
		name := r.text(d)
		if slices.Contains(r.dims, name) {
			r.errs.Add(d.Errorf(nil, "dimension %s is there twice", name))
		}
		r.dims = append(r.dims, name)
	}
	if len(r.dims) == 0 || len(r.dims) > nest.MaxDims {
		r.errs.Add(s.Errorf(nil, "has %d dimensions (want 1 to %d)", len(r.dims), nest.MaxDims))
		return
	}
	known := slices.Clone(r.dims)
	coef := map[string]int64{}
	for _, c := range r.items(s.Get("coefficients")) {
		r.keys(c, "problem.shape.coefficients", nil, "name", "default")
		name := c.Get("name").Text()
		coef[name] = 1
		if d := c.Get("default"); d.Exists() {
			coef[name] = r.whole(d, 1)
		}
		if x := in.Get(name); x.Exists() {
			coef[name] = r.whole(x, 1)
		}
		known = append(known, name)
	}
	if in.Kind() != configs.Map {
		r.errs.Add(in.Errorf(nil, "is %s (want a mapping of dimensions to sizes)", in.Kind()))
		return
	}
	r.keys(in, "problem.instance", plainSizes, append(known, "densities")...)
	for _, name := range r.dims {
		x := in.Get(name)
		if !x.Exists() {
			r.errs.Add(in.Errorf(nil, "has no size of dimension %s", name))
			continue
		}
		p.Dims = append(p.Dims, nest.Dim{Name: name, Size: r.whole(x, 1)})
	}
	spaces := s.Get("data_spaces")
	if !spaces.Exists() {
		spaces = s.Get("data-spaces")
	}
	for _, d := range r.items(spaces) {
		r.tensor(d, coef)
	}
	if len(r.tensors) == 0 || len(r.tensors) > nest.MaxTensors {
		r.errs.Add(s.Errorf(nil, "has %d data spaces (want 1 to %d)", len(r.tensors), nest.MaxTensors))
		return
	}
	r.densities(in.Get("densities"))
}

// tensor reads a data space: its ranks are lists of terms, a term is [dimension] or
// [dimension, coefficient].
func (r *reader) tensor(v configs.Value, coef map[string]int64) {
	r.keys(v, "problem.data_spaces", nil, "name", "projection", "read_write", "read-write")
	t := nest.Tensor{Name: v.Get("name").Text()}
	if t.Name == "" || slices.Contains(r.tensors, t.Name) {
		r.errs.Add(v.Errorf(nil, "has no name of its own"))
	}
	for _, k := range []string{"read_write", "read-write"} {
		if x := v.Get(k); x.Exists() && x.Kind() != configs.Null {
			b, err := x.Bool()
			r.errs.Add(err)
			t.Written = b
		}
	}
	for _, rank := range r.items(v.Get("projection")) {
		var terms []nest.Term
		for _, term := range r.items(rank) {
			parts := r.items(term)
			if len(parts) < 1 || len(parts) > 2 {
				r.errs.Add(term.Errorf(nil, "has %d parts (want a dimension, or a dimension and a coefficient)", len(parts)))
				continue
			}
			d, ok := r.pick(parts[0], "dimension", parts[0].Text(), r.dims)
			if !ok {
				continue
			}
			c := int64(1)
			if len(parts) == 2 {
				if parts[1].Kind() == configs.Int {
					c = r.whole(parts[1], 1)
				} else if c, ok = coef[parts[1].Text()]; !ok {
					r.errs.Add(parts[1].Errorf(sortedKeys(coef), "%s is no coefficient", parts[1].Text()))
				}
			}
			// A dimension that stands twice in a rank counts with the sum.
			if i := slices.IndexFunc(terms, func(x nest.Term) bool { return x.Dim == d }); i >= 0 {
				terms[i].Coef += c
				continue
			}
			terms = append(terms, nest.Term{Dim: d, Coef: c})
		}
		t.Ranks = append(t.Ranks, terms)
	}
	r.tensors = append(r.tensors, t.Name)
	r.in.Problem.Tensors = append(r.in.Problem.Tensors, t)
}

// distributions are Timeloop's names of them.
var distributions = map[string]nest.Distribution{
	"fixed_structured": nest.Structured, "fixed-structured": nest.Structured, "hypergeometric": nest.Uniform,
}

func (r *reader) densities(v configs.Value) {
	if !v.Exists() || empty(v) {
		return
	}
	if v.Kind() != configs.Map {
		r.errs.Add(v.Errorf(nil, "is %s (want a mapping of data spaces to densities)", v.Kind()))
		return
	}
	for _, k := range v.Keys() {
		x := v.Get(k)
		t := slices.Index(r.tensors, k)
		if t < 0 {
			r.errs.Add(v.UnknownKey(k, r.tensors))
			continue
		}
		d := nest.Density{Distribution: nest.Uniform}
		if x.Kind() == configs.Map {
			r.keys(x, "problem.instance.densities", []string{"band_width", "workload_tensor_size"}, "distribution", "type", "density")
			at := x.Get("distribution")
			if !at.Exists() {
				at = x.Get("type")
			}
			var ok bool
			if d.Distribution, ok = distributions[at.Text()]; !ok {
				r.errs.Add(at.Errorf(sortedKeys(distributions), "distribution %q is not modelled", at.Text()))
			}
			x = x.Get("density")
		}
		if d.Value = r.number(x); d.Value > 1 {
			r.errs.Add(x.Errorf(nil, "is %g (want 0 to 1)", d.Value))
		}
		r.in.Problem.Tensors[t].Density = d
	}
}
