package grid

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/explore"
	"github.com/causeway-sim/causeway/components/formula"
	"github.com/causeway-sim/causeway/configs"
)

// An Axis is one dimension of a grid. Its Paths are set together: Values[i] has one value for each
// path, in the syntax of --set.
type Axis struct {
	Paths  []string
	Values [][]string
	Labels []string    // short names of the values for tables; nil: the values
	At     configs.Pos // of the values in the sweep's file
}

// A Grid is every combination of the values of its axes; the last axis varies fastest.
type Grid []Axis

// A Point is one combination of values.
type Point struct {
	Index int
	Set   []string // path=value, in the order of the axes
}

// Len is the number of points.
func (g Grid) Len() int {
	n := 1
	for _, a := range g {
		n *= len(a.Values)
	}
	return n
}

// Paths lists the paths of all axes.
func (g Grid) Paths() []string {
	var out []string
	for _, a := range g {
		out = append(out, a.Paths...)
	}
	return out
}

// Point returns point i.
func (g Grid) Point(i int) Point {
	p := Point{Index: i}
	set := make([][]string, len(g))
	rest := i
	for k := len(g) - 1; k >= 0; k-- {
		a := g[k]
		v := a.Values[rest%len(a.Values)]
		rest /= len(a.Values)
		for j, path := range a.Paths {
			set[k] = append(set[k], path+"="+v[j])
		}
	}
	for _, s := range set {
		p.Set = append(p.Set, s...)
	}
	return p
}

// Position returns the index of the point's value on each axis.
func (g Grid) Position(point int) []int {
	at := make([]int, len(g))
	for k := len(g) - 1; k >= 0; k-- {
		n := len(g[k].Values)
		at[k], point = point%n, point/n
	}
	return at
}

// AxisOf returns the index of the axis that sets path, or -1.
func (g Grid) AxisOf(path string) int {
	return slices.IndexFunc(g, func(a Axis) bool { return slices.Contains(a.Paths, path) })
}

// Group returns the number of point i's combination of values of these axes.
func (g Grid) Group(i int, axes []int) int {
	at := make([]int, len(g)) // positions on the axes
	for k := len(g) - 1; k >= 0; k-- {
		at[k] = i % len(g[k].Values)
		i /= len(g[k].Values)
	}
	n := 0
	for _, k := range axes {
		n = n*len(g[k].Values) + at[k]
	}
	return n
}

// Except are the axes but those given.
func (g Grid) Except(axes ...int) (out []int) {
	for k := range g {
		if !slices.Contains(axes, k) {
			out = append(out, k)
		}
	}
	return out
}

// SetOf is what point i sets on these axes: path=value, in their order.
func (g Grid) SetOf(i int, axes []int) (out []string) {
	at := g.Position(i)
	for _, k := range axes {
		for j, path := range g[k].Paths {
			out = append(out, path+"="+g[k].Values[at[k]][j])
		}
	}
	return out
}

// Around returns the points that differ from the first in one axis.
func (g Grid) Around() (out []int) {
	stride := 1
	for k := len(g) - 1; k >= 0; k-- {
		for i := 1; i < len(g[k].Values); i++ {
			out = append(out, i*stride)
		}
		stride *= len(g[k].Values)
	}
	return out
}

// Joined is the name of the axis: all its paths.
func (a Axis) Joined() string { return strings.Join(a.Paths, ", ") }

// Label is value i of the axis in tables.
func (a Axis) Label(i int) string {
	if a.Labels != nil {
		return a.Labels[i]
	}
	return strings.Join(a.Values[i], " ")
}

// Space returns the grid for a search method. An axis is ordered if all values of its first path
// are quantities.
func (g Grid) Space() *explore.Space {
	s := &explore.Space{}
	for _, a := range g {
		s.Sizes = append(s.Sizes, len(a.Values))
		s.Ordered = append(s.Ordered, !slices.ContainsFunc(a.Values, func(v []string) bool {
			_, ok := formula.Quantity(v[0])
			return !ok
		}))
	}
	return s
}

// MaxPoints is the greatest number of points of a sweep without a method; a larger grid is an
// error.
const MaxPoints = 1_000_000

// Decode reads the axes of a sweep:
//
//	Core.rows: [16, 32]                      two points
//	Core.rows, Core.cols: [[8, 8], 16]       set together; a scalar goes to all
//	Mem.bandwidth: {from: 16, to: 256, times: 2, unit: GB/s}
//	Core.rows: {from: 8, to: 64, step: 8}
func Decode(v configs.Value) (Grid, error) {
	var g Grid
	var errs configs.Errors
	if v.Kind() != configs.Map {
		return nil, v.Errorf(nil, "a sweep is a mapping from --set paths to lists of values")
	}
	for _, key := range v.Keys() {
		axis, err := decodeAxis(key, v.Get(key))
		axis.At = v.Get(key).Pos()
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, other := range g {
			for _, p := range other.Paths {
				if slices.Contains(axis.Paths, p) {
					errs = append(errs, v.Get(key).Errorf(nil, "path %q stands on two axes", p))
				}
			}
		}
		g = append(g, axis)
	}
	if len(errs) > 0 {
		return nil, errs
	}
	if len(g) == 0 {
		return nil, v.Errorf(nil, "a sweep needs at least one axis")
	}
	n := 1
	for _, a := range g {
		if n *= len(a.Values); n > MaxGrid {
			return nil, v.Errorf(nil, "the grid has more than %d points", MaxGrid)
		}
	}
	return g, nil
}

// MaxGrid bounds the grid that a method draws points from.
const MaxGrid = 1_000_000_000_000

func decodeAxis(key string, v configs.Value) (Axis, error) {
	a := Axis{}
	for p := range strings.SplitSeq(key, ",") {
		p = strings.TrimSpace(p)
		if p == "" {
			return a, v.Errorf(nil, "empty path in %q", key)
		}
		if slices.Contains(a.Paths, p) {
			return a, v.Errorf(nil, "path %q stands twice in %q", p, key)
		}
		a.Paths = append(a.Paths, p)
	}
	items := v.Items()
	if v.Kind() == configs.Map {
		values, err := span(v)
		if err != nil {
			return a, err
		}
		for _, s := range values {
			a.Values = append(a.Values, slices.Repeat([]string{s}, len(a.Paths)))
		}
		return a, nil
	}
	if v.Kind() != configs.List || len(items) == 0 {
		return a, v.Errorf(nil, "an axis is a non-empty list, or {from, to, step|times}")
	}
	for _, it := range items {
		if it.Kind() == configs.List {
			row := it.Items()
			if len(row) != len(a.Paths) {
				return a, it.Errorf(nil, "%d values for %d paths (%s)", len(row), len(a.Paths), strings.Join(a.Paths, ", "))
			}
			var vals []string
			for _, x := range row {
				vals = append(vals, x.Text())
			}
			a.Values = append(a.Values, vals)
			continue
		}
		if it.Kind() == configs.Map {
			return a, it.Errorf(nil, "a value of an axis is a scalar, or a list with one scalar per path")
		}
		a.Values = append(a.Values, slices.Repeat([]string{it.Text()}, len(a.Paths)))
	}
	return a, nil
}

// spanSpec has the keys of an axis by rule.
type spanSpec struct {
	From  float64 `yaml:"from"`
	To    float64 `yaml:"to"`
	Step  float64 `yaml:"step"`
	Times float64 `yaml:"times"`
	Unit  string  `yaml:"unit"` // put after each number, for example GB/s
}

func span(v configs.Value) ([]string, error) {
	var s spanSpec
	if err := v.Decode(&s); err != nil {
		return nil, err
	}
	switch {
	case (s.Step > 0) == (s.Times > 0):
		return nil, v.Errorf(nil, "a rule needs either step > 0 or times > 1")
	case s.Times > 0 && (s.Times <= 1 || s.From <= 0):
		return nil, v.Errorf(nil, "times must be above 1 and from above 0")
	case s.To < s.From:
		return nil, v.Errorf(nil, "to (%g) is below from (%g)", s.To, s.From)
	}
	var out []string
	x := s.From
	for i := 0; x <= s.To*(1+1e-12); {
		out = append(out, fmt.Sprintf("%v%s", result.Number(x), s.Unit))
		if len(out) > MaxPoints {
			return nil, v.Errorf(nil, "the rule gives more than %d values", MaxPoints)
		}
		i++
		if s.Step > 0 {
			x = round(s.From+float64(i)*s.Step, 12)
		} else {
			x = round(s.From*math.Pow(s.Times, float64(i)), 6)
		}
	}
	return out, nil
}

// round leaves whole numbers alone and others so many digits: 0.3 instead of
// 0.30000000000000004 in a sum. Products get so few that any unit can be counted
// in whole bits or picoseconds.
func round(x float64, digits int) float64 {
	if x == math.Trunc(x) {
		return x
	}
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		panic("experiment: round: " + err.Error())
	}
	return y
}
