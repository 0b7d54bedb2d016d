package timeloop

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

// constraints reads what a search may propose: a list of entries, or one under
// targets or constraints.
func (r *reader) constraints(v configs.Value) {
	if !v.Exists() || empty(v) {
		return
	}
	list := v
	if v.Kind() == configs.Map {
		r.keys(v, "mapspace", nil, "version", "template", "targets", "constraints")
		r.mustBe(v.Get("template"), "uber", "other mapspaces are not read")
		list = v.Get("targets")
		if x := v.Get("constraints"); x.Exists() && !empty(x) {
			if list.Exists() && !empty(list) {
				r.errs.Add(x.Errorf(nil, "does not go with targets"))
			}
			list = x
		}
	}
	if !list.Exists() {
		return
	}
	for _, x := range r.items(list) {
		r.constraint(x)
	}
}

func (r *reader) constraint(x configs.Value) {
	l, kind, ok := r.entry(x, nil)
	if ok {
		r.constrain(x, l, kind, "target", "type")
	}
}

// constrain reads what one entry, or one key of a node, says of a level.
func (r *reader) constrain(x configs.Value, l int, kind string, more ...string) {
	c := &r.in.Constraints.Levels[l]
	if kind == "bypass" {
		r.keys(x, "constraints", nil, append(more, "keep", "bypass")...)
		c.Keep |= r.mask(x.Get("keep"))
		c.Bypass |= r.mask(x.Get("bypass"))
		return
	}
	r.keys(x, "constraints", nil, append(more, "factors", "permutation", "split")...)
	to := &c.Temporal
	if kind == "spatial" {
		to = &c.Spatial
	}
	for d, f := range r.factors(x.Get("factors")) {
		switch {
		case f.op == '<' && f.n > 0:
			if to.Most[d] == 0 || f.n < to.Most[d] {
				to.Most[d] = f.n
			}
		case f.n == 0:
			r.fix(x, to, d, nest.Rest)
		default:
			r.fix(x, to, d, f.n)
		}
	}
	if order := r.order(x.Get("permutation")); order != nil {
		if to.Order != nil && !slices.Equal(to.Order, order) {
			r.errs.Add(x.Get("permutation").Errorf(nil, "is not the order that another entry gives this level"))
		}
		to.Order = order
	}
	if s := x.Get("split"); s.Exists() {
		if kind != "spatial" {
			r.errs.Add(s.Errorf(nil, "has no place at temporal loops"))
		}
		to.Split = int(r.whole(s, 0))
	}
}

func (r *reader) fix(x configs.Value, to *nest.LoopConstraints, d int, f int64) {
	if old := to.Factor[d]; old != 0 && old != f {
		r.errs.Add(x.Get("factors").Errorf(nil, "has another factor of %s than an entry before", r.dims[d]))
	}
	to.Factor[d] = f
}
