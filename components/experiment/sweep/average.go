package sweep

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// SeedPath is the path that seeds: sets.
const SeedPath = "simulation.seed"

// MaxSeeds bounds seeds: N.
const MaxSeeds = 10_000

// CISuffix is the suffix of the column of mean.csv with half the 95% interval of the mean before
// it.
const CISuffix = "_ci95"

// decodeSeeds reads seeds: 5, which is the seeds 1 to 5, or seeds: [7, 8, 9].
func decodeSeeds(v configs.Value) (grid.Axis, error) {
	a := grid.Axis{Paths: []string{SeedPath}}
	if v.Kind() != configs.List {
		n, err := v.Int()
		if err != nil || n < 1 || n > MaxSeeds {
			return a, v.Errorf(nil, "is %s (want how many seeds, from 1 to %d, or a list of seeds)", v.Text(), MaxSeeds)
		}
		for s := range n {
			a.Values = append(a.Values, []string{fmt.Sprint(s + 1)})
		}
		return a, nil
	}
	for _, it := range v.Items() {
		s, err := it.Uint()
		if err != nil {
			return a, err
		}
		text := fmt.Sprint(s)
		if slices.ContainsFunc(a.Values, func(x []string) bool { return x[0] == text }) {
			return a, it.Errorf(nil, "seed %s stands twice: its run would count twice", text)
		}
		a.Values = append(a.Values, []string{text})
	}
	if len(a.Values) == 0 {
		return a, v.Errorf(nil, "an empty list of seeds")
	}
	return a, nil
}

// settings are the paths that a row of means stands for: of all axes but those
// that are averaged over.
func (s *Sweep) settings() (axes []int, paths []string) {
	for i, a := range s.Grid {
		if !slices.ContainsFunc(a.Paths, func(p string) bool { return slices.Contains(s.Average, p) }) {
			axes, paths = append(axes, i), append(paths, a.Paths...)
		}
	}
	return axes, paths
}

// A Mean is the mean of N values of equal weight.
type Mean struct {
	N    int
	Mean float64
	Half float64 // half the 95% interval of the mean, by Student's t; NaN of one value
}

// MeanOf returns the mean of the values.
func MeanOf(values []float64) Mean {
	m := Mean{N: len(values), Half: math.NaN()}
	if m.N == 0 {
		m.Mean = math.NaN()
		return m
	}
	if !slices.ContainsFunc(values, func(x float64) bool { return x != values[0] }) {
		m.Mean = values[0] // and not one bit off it
		if m.N > 1 {
			m.Half = 0
		}
		return m
	}
	n := float64(m.N)
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	m.Mean = sum / n
	squares := 0.0
	for _, x := range values {
		squares += (x - m.Mean) * (x - m.Mean)
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975)
	m.Half = t * math.Sqrt(squares/(n-1)/n)
	return m
}

// means is the table of mean.csv, from that of sweep.csv. A metric has a mean if
// every complete run of the row has it: what only some runs have (the latency of
// those that did not saturate, say) is no fair sample.
func (s *Sweep) means(t *stats.Table) *stats.Table {
	axes, paths := s.settings()
	first := 3 // after point, identity, status and the settings
	var settings []int
	for ; first < len(t.Columns); first++ {
		path, _, ok := grid.SettingOf(t.Columns[first].Name)
		if !ok {
			break
		}
		if slices.Contains(paths, path) {
			settings = append(settings, first)
		}
	}
	out := &stats.Table{Columns: []stats.Column{
		{Name: "point", Text: "Position among the combinations, from 0."},
		{Name: "runs", Unit: stats.One, Text: "Complete runs that the means are over."},
	}}
	for _, c := range settings {
		out.Columns = append(out.Columns, t.Columns[c])
	}
	for _, c := range t.Columns[first:] {
		out.Columns = append(out.Columns, c, stats.Column{Name: c.Name + CISuffix, Unit: c.Unit, Text: "Half the 95% interval of the mean (Student's t)."})
	}
	n := 1
	for _, k := range axes {
		n *= len(s.Grid[k].Values)
	}
	rows := make([][]int, n)
	for i := range t.Rows {
		g := s.Grid.Group(s.points[i], axes)
		rows[g] = append(rows[g], i)
	}
	for g, members := range rows {
		if len(members) == 0 {
			continue // where: leaves it out
		}
		complete := slices.DeleteFunc(slices.Clone(members), func(i int) bool { return t.Rows[i][2] != string(result.Complete) })
		row := []any{int64(g), int64(len(complete))}
		for _, c := range settings {
			row = append(row, t.Rows[members[0]][c])
		}
		for c := first; c < len(t.Columns); c++ {
			mean, half := meanOfColumn(t, c, complete)
			row = append(row, mean, half)
		}
		out.Append(row...)
	}
	return out
}

func meanOfColumn(t *stats.Table, column int, rows []int) (mean, half any) {
	var values []float64
	for _, i := range rows {
		x, ok := t.Rows[i][column].(float64)
		if !ok {
			return nil, nil
		}
		values = append(values, x)
	}
	m := MeanOf(values)
	if m.N == 0 {
		return nil, nil
	}
	if m.N == 1 {
		return m.Mean, nil
	}
	return m.Mean, m.Half
}

// decodeAverage reads seeds: and average: of a sweep file and adds the axis of
// seeds to the grid, where it turns fastest.
func decodeAverage(v configs.Value, g *grid.Grid) (average []string, err error) {
	var errs configs.Errors
	if seeds := v.Get("seeds"); seeds.Exists() {
		axis, err := decodeSeeds(seeds)
		errs.Add(err)
		if g.AxisOf(SeedPath) >= 0 {
			errs.Add(seeds.Errorf(nil, "%s is an axis of the sweep already (average: [%s] takes means over it)", SeedPath, SeedPath))
		}
		if err == nil && g.Len()*len(axis.Values) > grid.MaxPoints {
			errs.Add(seeds.Errorf(nil, "the grid has more than %d points", grid.MaxPoints))
		}
		*g = append(*g, axis)
		average = append(average, SeedPath)
	}
	list := v.Get("average")
	items := list.Items()
	if list.Exists() && (list.Kind() != configs.List || len(items) == 0) {
		errs.Add(list.Errorf(nil, "expected a list of paths of axes, for example [%s]", SeedPath))
	}
	for _, it := range items {
		p, err := it.String()
		if err == nil && g.AxisOf(p) < 0 {
			err = it.Errorf(g.Paths(), "no axis sets %q", p)
		}
		errs.Add(err)
		average = append(average, p)
	}
	return average, errs.Err()
}
