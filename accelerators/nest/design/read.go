package design

import (
	"errors"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

// An Input is a nest that was read, with the places of its parts.
type Input struct {
	nest.Description

	at places
}

type places struct{ problem, levels, mapping configs.Value }

// A reader collects what is wrong.
type reader struct {
	in     *Input
	errs   configs.Errors
	hertz  float64
	known  []string // dimensions of the problem, then those of a convolution that it lacks
	tensor []string
	level  []string
}

// Read makes a nest of a Spec. v is the mapping that it was decoded from, for errors;
// hertz is the clock that data rates are of.
func Read(v configs.Value, s *Spec, hertz float64) (*Input, error) {
	r := newReader(&Input{at: places{v.Get("problem"), v.Get("levels"), v.Get("mapping")}}, hertz)
	r.problem(r.in.at.problem, &s.Problem)
	r.machine(v, s)
	if r.errs == nil {
		r.check()
	}
	if r.errs == nil && len(s.Mapping) > 0 {
		r.mapping(r.in.at.mapping, s.Mapping)
	}
	return r.done()
}

// ReadFile reads a file with the keys of a Spec.
func ReadFile(v configs.Value, hertz float64) (*Input, error) {
	s := Default()
	if err := v.Decode(&s); err != nil {
		return nil, err
	}
	return Read(v, &s, hertz)
}

// ReadMapping reads the mapping of a nest that is known, from a file with the key
// mapping.
func ReadMapping(d *nest.Description, v configs.Value) (*Input, error) {
	s := struct {
		Mapping []Entry `yaml:"mapping" jsonschema:"required"`
	}{}
	if err := v.Decode(&s); err != nil {
		return nil, err
	}
	return ReadEntries(d, v.Get("mapping"), s.Mapping)
}

// ReadEntries is ReadMapping of entries that were decoded from v.
func ReadEntries(d *nest.Description, v configs.Value, list []Entry) (*Input, error) {
	r := newReader(&Input{Description: *d, at: places{mapping: v}}, 1)
	r.names()
	r.mapping(v, list)
	return r.done()
}

func newReader(in *Input, hertz float64) *reader { return &reader{in: in, hertz: hertz} }

func (r *reader) done() (*Input, error) {
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	return r.in, nil
}

// names lists what loops and tensors may be called.
func (r *reader) names() {
	for _, d := range r.in.Problem.Dims {
		r.known = append(r.known, d.Name)
	}
	for _, t := range r.in.Problem.Tensors {
		r.tensor = append(r.tensor, t.Name)
	}
	for _, l := range r.in.Arch.Levels {
		r.level = append(r.level, l.Name)
	}
}

// check holds the parts against what any nest must be.
func (r *reader) check() {
	for _, err := range configs.Each(r.in.Problem.Check()) {
		r.errs.Add(r.in.at.problem.Errorf(nil, "%v", err))
	}
	for _, err := range configs.Each(r.in.Arch.Check(len(r.tensor))) {
		at := r.in.at.levels
		for i, name := range r.level {
			if msg := err.Error(); strings.HasPrefix(msg, "level "+name+" ") || strings.HasPrefix(msg, "level "+name+":") {
				at = item(r.in.at.levels, i)
			}
		}
		r.errs.Add(at.Errorf(nil, "%v", err))
	}
}

// Legal finds what is wrong with the mapping that was read, at its place.
func (in *Input) Legal(n *nest.Nest) error {
	var errs configs.Errors
	for _, err := range configs.Each(n.Legal(in.Mapping)) {
		at := in.at.mapping
		if f, ok := errors.AsType[*nest.Fault](err); ok && f.Level >= 0 && f.Level < len(in.Arch.Levels) {
			for _, x := range in.at.mapping.Items() {
				if x.Get("level").Text() == in.Arch.Levels[f.Level].Name {
					at = x
				}
			}
		}
		errs.Add(at.Errorf(nil, "%v", err))
	}
	return errs.Err()
}

// LevelAt is where level l is described.
func (in *Input) LevelAt(l int) configs.Value { return item(in.at.levels, l) }

// item is the i-th of a list; the list itself where a program made the Spec.
func item(list configs.Value, i int) configs.Value {
	if x := list.Items(); i < len(x) {
		return x[i]
	}
	return list
}

// pick finds a name in a list.
func (r *reader) pick(v configs.Value, what, name string, among []string) (int, bool) {
	if i := slices.Index(among, name); i >= 0 {
		return i, true
	}
	e := v.Errorf(among, "%q is no %s", name, what)
	e.Nearest = configs.Nearest(name, among)
	r.errs.Add(e)
	return 0, false
}

// dim finds a dimension; -1 for one of a convolution that the problem lacks, which has
// one iteration.
func (r *reader) dim(v configs.Value, name string) (int, bool) {
	d, ok := r.pick(v, "dimension", name, r.known)
	if d >= len(r.in.Problem.Dims) {
		return -1, ok
	}
	return d, ok
}

// mask is a set of tensors.
func (r *reader) mask(v configs.Value, n Names) (m nest.Mask) {
	if n.All {
		return r.all()
	}
	for i, name := range n.Names {
		if t, ok := r.pick(item(v, i), "tensor", name, r.tensor); ok {
			m |= 1 << uint(t)
		}
	}
	return m
}

func (r *reader) all() nest.Mask { return nest.Mask(1)<<uint(len(r.tensor)) - 1 }
