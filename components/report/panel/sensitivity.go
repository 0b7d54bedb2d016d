package panel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report/chart"
)

func init() {
	Add("sensitivity", "How much of a metric each axis explains.", Panel{Section: Settings, Place: 2, Draw: sensitivity})
}

// sensitivity draws sensitivity.csv; of a sweep without one, how far the mean of the first
// metrics moves over the values of each setting.
func sensitivity(d *Data) []chart.Figure {
	if d.Sweep == nil {
		return nil
	}
	f := chart.Figure{Name: "sensitivity"}
	f.Kind, f.Across = chart.Bars, true
	values := map[[2]int]float64{}
	var metrics []string
	axis, metric := Indexer(&f.X.Labels), Indexer(&metrics)
	if t := d.Sweep.Sensitivity; t != nil && t.Index("axis") >= 0 && t.Index("metric") >= 0 && t.Index("first_order") >= 0 {
		f.Title, f.Y = "Sensitivity", chart.Axis{Name: "variance explained by the axis alone", Unit: "%"}
		f.Note = "The first-order part of the variance; what is missing to 100 % is what axes do together."
		for _, row := range t.Rows {
			if v, ok := value(row, t.Index("first_order")); ok {
				values[[2]int{axis(result.Cell(row[t.Index("axis")])), metric(result.Cell(row[t.Index("metric")]))}] = 100 * v
			}
		}
	} else {
		f.Title, f.Y = "How far each setting moves a metric", chart.Axis{Name: "from the least to the greatest mean over its values, of the mean of all", Unit: "%"}
		table := d.Sweep.table()
		for _, m := range d.Sweep.metrics()[:min(4, len(d.Sweep.metrics()))] {
			for _, s := range unlinked(d.Sweep, d.Sweep.settings()) {
				if moved, ok := movedBy(table.Rows, m, s); ok {
					values[[2]int{axis(s.path), metric(table.Columns[m].Name)}] = moved
				}
			}
		}
	}
	if len(metrics) > maxMetrics {
		f.Note += fmt.Sprintf(" The first %d of %d metrics.", maxMetrics, len(metrics))
		metrics = metrics[:maxMetrics]
	}
	if len(metrics) == 0 {
		return nil
	}
	// What matters most first.
	labels := slices.Clone(f.X.Labels)
	place := map[string]int{}
	for i, l := range labels {
		place[l] = i
	}
	slices.SortStableFunc(labels, func(a, b string) int { return cmp.Compare(values[[2]int{place[b], 0}], values[[2]int{place[a], 0}]) })
	f.X.Labels = labels
	for k, m := range metrics {
		s := chart.Series{Name: m}
		for _, l := range labels {
			s.Y = append(s.Y, values[[2]int{place[l], k}])
		}
		f.Series = append(f.Series, s)
	}
	return OneFigure(f)
}

// movedBy is how far apart the means of column m lie over the values of a setting, in
// percent of the mean of all; ok is false where there is none, or it is 0.
func movedBy(rows [][]any, m int, s setting) (percent float64, ok bool) {
	sums, counts, whole, n := map[string]float64{}, map[string]float64{}, 0.0, 0.0
	for _, row := range rows {
		if v, ok := value(row, m); ok {
			key := result.Cell(row[s.text])
			sums[key], counts[key], whole, n = sums[key]+v, counts[key]+1, whole+v, n+1
		}
	}
	if n == 0 || whole == 0 {
		return 0, false
	}
	var means []float64
	for _, key := range s.values {
		if counts[key] > 0 {
			means = append(means, sums[key]/counts[key])
		}
	}
	return 100 * (slices.Max(means) - slices.Min(means)) / (whole / n), true
}
