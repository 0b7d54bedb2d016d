package design

import (
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

// mapping reads the loops of levels.
func (r *reader) mapping(v configs.Value, list []Entry) {
	m := &nest.Mapping{Levels: make([]nest.Placed, len(r.in.Arch.Levels))}
	all := nest.Mask(1)<<uint(len(r.tensor)) - 1
	for l := range m.Levels {
		m.Levels[l].Keep = all &^ r.in.Arch.Levels[l].Bypass
	}
	seen := map[int]configs.Value{}
	for i := range list {
		x, at := &list[i], item(v, i)
		l, ok := r.pick(at.Get("level"), "level", x.Level, r.level)
		if !ok {
			continue
		}
		if first, dup := seen[l]; dup {
			r.errs.Add(at.Errorf(nil, "is a second entry of %s (the first at %s)", x.Level, first.Pos()))
			continue
		}
		seen[l] = at
		p := &m.Levels[l]
		p.Temporal = r.loops(at.Get("loops"), x.Loops, nest.Time)
		p.Spatial = append(r.loops(at.Get("x"), x.X, nest.SpaceX), r.loops(at.Get("y"), x.Y, nest.SpaceY)...)
		if !x.Keep.IsZero() {
			p.Keep = r.mask(at.Get("keep"), x.Keep)
		}
	}
	r.in.Mapping = m
}

// loops reads K 8, or K=8, outermost first; loops of a nest stand innermost first.
func (r *reader) loops(v configs.Value, list []string, axis nest.Axis) (out []nest.Loop) {
	for i, text := range list {
		at := item(v, i)
		name, size, ok := strings.Cut(strings.TrimSpace(text), "=")
		if !ok {
			name, size, _ = strings.Cut(strings.TrimSpace(text), " ")
		}
		f, err := strconv.ParseInt(strings.TrimSpace(size), 10, 40)
		if err != nil || f < 1 {
			r.errs.Add(at.Errorf(nil, "%q is no loop (want a dimension and its iterations: K 8)", text))
			continue
		}
		d, ok := r.dim(at, strings.TrimSpace(name))
		switch {
		case ok && d < 0 && f > 1:
			r.errs.Add(at.Errorf(nil, "the problem has no dimension %s", name))
		case ok && d >= 0:
			out = append(out, nest.Loop{Dim: d, Factor: f, Axis: axis})
		}
	}
	slices.Reverse(out)
	return out
}
