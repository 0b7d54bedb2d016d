package nest

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// An Axis is where a loop runs.
type Axis uint8

// The axes.
const (
	Time Axis = iota
	SpaceX
	SpaceY
)

// String is x, y or time.
func (a Axis) String() string { return [...]string{"time", "x", "y"}[a] }

// A Loop is one loop of a mapping.
type Loop struct {
	Dim    int
	Factor int64
	Axis   Axis
}

// A Mapping says which loops each level has, and which tensors it keeps.
//
// Levels are those of the machine, outermost first. The product of the factors of a
// dimension is at least its size. Where it is more, the mapping is imperfect: the
// last iteration of a loop is cut short where the dimension ends.
type Mapping struct {
	Levels []Placed
}

// Placed is one level of a mapping. Loops stand innermost first; those of one
// iteration may be left out. The spatial loops lie inside the temporal ones.
type Placed struct {
	Temporal, Spatial []Loop
	Keep              Mask
}

// Clone is a copy that shares nothing.
func (m *Mapping) Clone() *Mapping {
	out := &Mapping{Levels: make([]Placed, len(m.Levels))}
	for i := range m.Levels {
		l := &m.Levels[i]
		out.Levels[i] = Placed{append([]Loop(nil), l.Temporal...), append([]Loop(nil), l.Spatial...), l.Keep}
	}
	return out
}

// A Fault is something wrong with a mapping at a level; len(Levels) is compute and
// -1 the mapping as a whole.
type Fault struct {
	Level int
	Msg   string
}

func (f *Fault) Error() string { return f.Msg }

// Legal finds what is wrong with a mapping: factors that do not multiply up,
// fan-out beyond the mesh, tensors that no level keeps, tiles that do not fit.
func (n *Nest) Legal(m *Mapping) error {
	p, a := n.p, n.a
	var errs []error
	bad := func(level int, format string, args ...any) {
		errs = append(errs, &Fault{level, fmt.Sprintf(format, args...)})
	}
	if len(m.Levels) != len(a.Levels) {
		bad(-1, "mapping has %d levels, the architecture %d", len(m.Levels), len(a.Levels))
		return errors.Join(errs...)
	}
	product := make([]float64, len(p.Dims))
	for d := range product {
		product[d] = 1
	}
	for i := range m.Levels {
		n.legalLoops(m, i, product, bad)
		l := &m.Levels[i]
		if x := l.Keep & a.Levels[i].Bypass; x != 0 {
			bad(i, "level %s keeps %s, which it has to bypass", a.name(i), n.tensorNames(x))
		}
		if x := a.Levels[i].Keep &^ l.Keep; x != 0 {
			bad(i, "level %s bypasses %s, which it has to keep", a.name(i), n.tensorNames(x))
		}
	}
	if x := everything(len(p.Tensors)) &^ m.Levels[0].Keep; x != 0 {
		bad(0, "level %s is the outermost and does not keep %s", a.name(0), n.tensorNames(x))
	}
	n.legalFactors(m, product, bad)
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	if l, need, have := n.overflow(m); l >= 0 {
		bad(l, "level %s has to hold %.0f words of %s, %.0f more than its %.0f", a.name(l), need, n.tensorNames(m.Levels[l].Keep), need-have, have)
	}
	if len(errs) == 0 {
		var r Result
		n.Evaluate(m, &r)
		n.otherLimits(m, &r, bad)
	}
	return errors.Join(errs...)
}

// legalLoops finds what is wrong with the loops of level i, and multiplies their factors
// up by dimension.
func (n *Nest) legalLoops(m *Mapping, i int, product []float64, bad func(level int, format string, args ...any)) {
	p, a, l := n.p, n.a, &m.Levels[i]
	fan, used := a.Fanout(i), Mesh{1, 1}
	var seen [3]Mask
	for k, loop := range append(append([]Loop(nil), l.Temporal...), l.Spatial...) {
		if loop.Dim < 0 || loop.Dim >= len(p.Dims) {
			bad(i, "level %s has a loop over dimension %d of %d", a.name(i), loop.Dim, len(p.Dims))
			continue
		}
		name := p.Dims[loop.Dim].Name
		if loop.Factor < 1 || loop.Factor > p.Dims[loop.Dim].Size {
			bad(i, "level %s has factor %d of %s, whose size is %d", a.name(i), loop.Factor, name, p.Dims[loop.Dim].Size)
			continue
		}
		if (k < len(l.Temporal)) != (loop.Axis == Time) {
			bad(i, "level %s mixes temporal and spatial loops of %s", a.name(i), name)
		}
		if seen[loop.Axis].Has(loop.Dim) && loop.Axis != Time {
			bad(i, "level %s has two spatial loops of %s on one axis", a.name(i), name)
		}
		seen[loop.Axis] |= 1 << uint(loop.Dim)
		if loop.Axis != Time && loop.Factor > 1 && !a.Levels[i].Unrolls(loop.Axis, loop.Dim) {
			bad(i, "level %s spreads %s along %s, which its fan-out does not", a.name(i), name, loop.Axis)
		}
		product[loop.Dim] *= float64(loop.Factor)
		switch loop.Axis {
		case SpaceX:
			used.X = saturate(used.X, loop.Factor)
		case SpaceY:
			used.Y = saturate(used.Y, loop.Factor)
		}
	}
	if used.X > fan.X || used.Y > fan.Y {
		bad(i, "level %s spreads over %d x %d instances of %s; below one of it there are %d x %d", a.name(i), used.X, used.Y, a.name(i+1), fan.X, fan.Y)
	}
}

// legalFactors finds factors that do not multiply up to the size of their dimension.
func (n *Nest) legalFactors(m *Mapping, product []float64, bad func(level int, format string, args ...any)) {
	p := n.p
	for d := range product {
		if size := float64(p.Dims[d].Size); product[d] < size {
			bad(-1, "factors of %s multiply to %.0f, its size is %.0f", p.Dims[d].Name, product[d], size)
		} else if product[d] >= MaxCount {
			bad(-1, "factors of %s multiply to more than 2^53", p.Dims[d].Name)
		} else if least := n.needless(m, d); least != "" {
			bad(-1, "factors of %s multiply to %.0f, its size is %.0f: %s", p.Dims[d].Name, product[d], size, least)
		}
	}
}

// otherLimits are how full a level has to be, and room for metadata.
func (n *Nest) otherLimits(m *Mapping, r *Result, bad func(level int, format string, args ...any)) {
	for l := range n.a.Levels {
		lv := &n.a.Levels[l]
		words, bits := 0.0, 0.0
		for t := range n.nT {
			c := r.Of(l, t)
			if !c.Kept {
				continue
			}
			words += c.Capacity
			for i := range c.Format {
				meta, payload := n.itemBits(l, t, i)
				bits += c.Format[i].Capacity.Metadata*meta + c.Format[i].Capacity.Payload*payload
			}
		}
		if have := math.Floor(lv.Words / lv.Buffering); words < have*lv.Utilization {
			bad(l, "level %s holds %.0f of its %.0f words, less than its least utilization of %g", lv.Name, words, have, lv.Utilization)
		}
		if have := lv.Metadata.Depth * float64(lv.Metadata.Width) / lv.Buffering; lv.Metadata.Depth > 0 && bits > have {
			bad(l, "level %s has to hold %.0f bits of metadata, %.0f more than its %.0f", lv.Name, bits, bits-have, have)
		}
	}
}

// needless says which loop of dimension d begins no iteration but its first: the
// loops inside cover the whole dimension already.
func (n *Nest) needless(m *Mapping, d int) string {
	inside, size := 1.0, float64(n.p.Dims[d].Size)
	for i := len(m.Levels) - 1; i >= 0; i-- {
		for _, loops := range [2][]Loop{m.Levels[i].Spatial, m.Levels[i].Temporal} {
			for _, x := range loops {
				if x.Dim != d || x.Factor == 1 {
					continue
				}
				// The last iteration begins at (factor-1) x inside.
				if float64(x.Factor-1)*inside >= size {
					return fmt.Sprintf("the last of %d iterations at %s has nothing to do", x.Factor, n.a.name(i))
				}
				inside *= float64(x.Factor)
			}
		}
	}
	return ""
}

func saturate(a, b int64) int64 {
	if a > 1<<40 || b > 1<<40 {
		return 1 << 60
	}
	return a * b
}

func (n *Nest) tensorNames(m Mask) string {
	var out []string
	for t := range n.p.Tensors {
		if m.Has(t) {
			out = append(out, n.p.Tensors[t].Name)
		}
	}
	return strings.Join(out, ", ")
}
