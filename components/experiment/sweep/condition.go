package sweep

import (
	"errors"
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/formula"
	"github.com/causeway-sim/causeway/configs"
)

// A Formula of a sweep file, with where it stands.
type sweepFormula struct {
	*formula.Formula
	at configs.Value
}

// decodeFormula reads one formula. A condition is wanted, or a quantity.
func decodeFormula(at configs.Value, condition bool) (sweepFormula, error) {
	if at.Kind() == configs.List || at.Kind() == configs.Map {
		return sweepFormula{}, at.Errorf(nil, "expected a formula, for example Core.rows * Core.cols <= 4096")
	}
	f, err := formula.Parse(at.Text())
	out := sweepFormula{f, at}
	switch {
	case err != nil:
		return out, out.fault(err)
	case condition && !f.Condition():
		return out, at.Errorf(nil, "%s is no condition (want one of: == != < <= > >= in it)", at.Text())
	case !condition && f.Condition():
		return out, at.Errorf(nil, "%s is a condition, and not a quantity", at.Text())
	}
	return out, nil
}

// fault puts an error of a formula where it stands in its file.
func (f sweepFormula) fault(err error) error {
	var e *formula.Error
	if !errors.As(err, &e) {
		return f.at.Errorf(nil, "%v", err)
	}
	out := f.at.Errorf(nil, "%s", e.Msg)
	out.Pos.Col += e.At
	return out
}

// decodeWhere reads where:, a condition or a list of conditions that must all hold.
func decodeWhere(v configs.Value) (out []sweepFormula, err error) {
	var errs configs.Errors
	items := []configs.Value{v}
	if v.Kind() == configs.List {
		items = v.Items()
	}
	for _, it := range items {
		if it.Exists() {
			f, err := decodeFormula(it, true)
			errs.Add(err)
			out = append(out, f)
		}
	}
	return out, errs.Err()
}

// A settingTable holds the values of all settings of a grid as formulas read them.
type settingTable struct {
	grid  grid.Grid
	where map[string]place
	fixed map[string]formula.Value // of the base configuration
}

// A place is an axis of a grid and one of its paths.
type place struct{ axis, path int }

func newSettingTable(g grid.Grid) *settingTable {
	t := &settingTable{grid: g, where: map[string]place{}, fixed: map[string]formula.Value{}}
	for k, a := range g {
		for j, p := range a.Paths {
			t.where[p] = place{k, j}
		}
	}
	return t
}

// look finds the value of a setting of the design at these positions.
func (t *settingTable) look(at []int) func(path string) (formula.Value, bool) {
	return func(path string) (formula.Value, bool) {
		if p, ok := t.where[path]; ok {
			return formula.Of(t.grid[p.axis].Values[at[p.axis]][p.path]), true
		}
		v, ok := t.fixed[path]
		return v, ok
	}
}

// know finds the names that are on no axis in the base configuration.
func (t *settingTable) know(f sweepFormula, root configs.Value) error {
	var errs configs.Errors
	for _, n := range f.Names() {
		if _, ok := t.where[n.Path]; ok {
			continue
		}
		v := valueAt(root, n.Path)
		if !v.Exists() || v.Kind() == configs.Map || v.Kind() == configs.List {
			e := f.at.Errorf(t.grid.Paths(), "%s is no axis of the sweep, and the configuration does not set it", n.Path)
			e.Pos.Col += n.At
			e.Nearest = configs.Nearest(n.Path, t.grid.Paths())
			errs.Add(e)
			continue
		}
		t.fixed[n.Path] = formula.Of(v.Text())
	}
	return errs.Err()
}

// valueAt returns the value of a resolved configuration at a --set path; nothing for paths of
// single elements and of nodes inside groups.
func valueAt(root configs.Value, path string) configs.Value {
	first, rest, more := strings.Cut(path, ".")
	v := root.Get(first)
	if !more {
		v = root.Get("params").Get(first)
	} else if first != "" && first[0] >= 'A' && first[0] <= 'Z' {
		for _, n := range root.Get("nodes").Items() {
			if n.Get("name").Text() == first {
				v = n
			}
		}
	}
	for more && v.Exists() {
		first, rest, more = strings.Cut(rest, ".")
		v = v.Get(first)
	}
	return v
}

// know finds the names of objectives and constraints that are on no axis, and that the base configuration
// sets. A metric of the same name comes before it.
func (s *Sweep) know() error {
	t := newSettingTable(s.Grid)
	var base configs.Value
	for _, f := range s.judged() {
		for _, n := range f.Names() {
			if _, ok := t.where[n.Path]; ok || s.root == nil {
				continue
			}
			if !base.Exists() {
				var err error
				if base, err = s.root(); err != nil {
					return err
				}
			}
			if v := valueAt(base, n.Path); v.Exists() && v.Kind() != configs.Map && v.Kind() != configs.List {
				t.fixed[n.Path] = formula.Of(v.Text())
			}
		}
	}
	s.stated = t.fixed
	return nil
}

// judged are the formulas of objectives and constraints.
func (s *Sweep) judged() (out []sweepFormula) {
	for _, o := range s.Objectives {
		out = append(out, o.f)
	}
	return append(out, s.constraints...)
}

// filter makes what says whether a design of the grid meets all conditions. It finds
// faults that depend on values, such as units that differ, at the first design of each
// value of each axis. root is nil where the runner has no configuration.
func (s *Sweep) filter(root func() (configs.Value, error)) error {
	if len(s.where) == 0 {
		return nil
	}
	t := newSettingTable(s.Grid)
	base, err := root()
	if err != nil {
		return err
	}
	var errs configs.Errors
	for _, f := range s.where {
		errs.Add(t.know(f, base))
	}
	if err := errs.Err(); err != nil {
		return err
	}
	space := s.Grid.Space()
	at := make([]int, len(s.Grid))
	seen := map[int]bool{}
	for _, p := range append([]int{0}, s.Grid.Around()...) {
		space.At(p, at)
		for i, f := range s.where {
			if _, err := f.Eval(t.look(at)); err != nil && !seen[i] {
				seen[i] = true
				errs.Add(f.fault(err))
			}
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	s.allowed = func(point int) bool {
		at := make([]int, len(s.Grid))
		space.At(point, at)
		for _, f := range s.where {
			if v, err := f.Eval(t.look(at)); err != nil || !v.Holds() {
				return false
			}
		}
		return true
	}
	return nil
}

// empty is the error of a sweep whose conditions leave nothing.
func (s *Sweep) empty() error {
	if len(s.where) == 0 {
		return errors.New("the sweep has no points")
	}
	return s.where[0].at.Errorf(nil, "no point of the grid meets %s", fmt.Sprint(s.where[0]))
}
