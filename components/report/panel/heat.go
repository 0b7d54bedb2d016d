package panel

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report/chart"
)

func init() {
	Add("heat", "A metric over two settings.", Panel{Section: Settings, Place: 3, Draw: heat, Names: []string{"heat-1", "heat-2"}})
}

// heat draws the first two metrics over the two settings that move them most, by how far apart
// their means lie; where other settings vary, a cell is the mean over them.
func heat(d *Data) (out []chart.Figure) {
	if d.Sweep == nil {
		return nil
	}
	t, settings, metrics := d.Sweep.table(), d.Sweep.settings(), d.Sweep.metrics()
	settings = unlinked(d.Sweep, settings)
	if len(settings) < 2 {
		return nil
	}
	for k, m := range metrics[:min(2, len(metrics))] {
		x, y := byEffect(t.Rows, m, settings)
		if len(x.values) > 200 || len(y.values) > 200 || len(x.values)*len(y.values) > 4*len(t.Rows) {
			continue // hardly a grid
		}
		f := chart.Figure{Name: fmt.Sprintf("heat-%d", k+1)}
		f.Title = fmt.Sprintf("%s over %s and %s", t.Columns[m].Name, x.path, y.path)
		if len(settings) > 2 {
			f.Note = "The two settings that move it most; a cell is the mean over the others."
		}
		f.Kind = chart.Heat
		f.X, f.Y = chart.Axis{Name: x.path, Labels: x.values}, chart.Axis{Name: y.path, Labels: y.values}
		f.Value = chart.Axis{Name: t.Columns[m].Name, Unit: d.Sweep.unit(m)}
		sums, counts := map[[2]int]float64{}, map[[2]int]float64{}
		for _, row := range t.Rows {
			if v, ok := value(row, m); ok {
				at := [2]int{slices.Index(x.values, result.Cell(row[x.text])), slices.Index(y.values, result.Cell(row[y.text]))}
				sums[at], counts[at] = sums[at]+v, counts[at]+1
			}
		}
		for i := range x.values {
			for j := range y.values {
				if n := counts[[2]int{i, j}]; n > 0 {
					f.Cells = append(f.Cells, chart.Cell{X: i, Y: j, Value: sums[[2]int{i, j}] / n})
				}
			}
		}
		if len(f.Cells) > 1 {
			out = append(out, f)
		}
	}
	return out
}

// byEffect are the two settings that move a metric most, the one with more values first.
func byEffect(rows [][]any, metric int, settings []setting) (x, y setting) {
	moves := map[string]float64{}
	for _, s := range settings {
		moves[s.path], _ = movedBy(rows, metric, s)
	}
	two := slices.Clone(settings)
	slices.SortStableFunc(two, func(a, b setting) int { return cmp.Compare(math.Abs(moves[b.path]), math.Abs(moves[a.path])) })
	x, y = two[0], two[1]
	if len(y.values) > len(x.values) {
		x, y = y, x
	}
	return x, y
}

// unlinked leaves out settings that another one fixes, as rows and cols of one axis.
func unlinked(s *Sweep, all []setting) (out []setting) {
	for _, a := range all {
		if !slices.ContainsFunc(out, func(b setting) bool { return s.linked(a, b) }) {
			out = append(out, a)
		}
	}
	return out
}

// linked reports whether two settings always change together.
func (s *Sweep) linked(a, b setting) bool {
	pair := map[string]string{}
	for _, row := range s.table().Rows {
		va, vb := result.Cell(row[a.text]), result.Cell(row[b.text])
		if other, ok := pair[vb]; ok && other != va {
			return false
		}
		pair[vb] = va
	}
	return len(a.values) == len(b.values)
}
