package panel

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	Add("curves", "Metrics over the settings that are numbers, with confidence where the sweep takes means, up to saturation.",
		Panel{Section: Settings, Place: 1, Draw: sweepCurves, Names: []string{"curves-1", "curves-2", "curves-3", "curves-4"}})
}

// maxCurves bounds the lines of a chart.
const maxCurves = 12

// sweepCurves draws the first metrics over the setting that is a number with most values,
// a line for each value of another setting; other settings are averaged over.
func sweepCurves(d *Data) (out []chart.Figure) {
	if d.Sweep == nil {
		return nil
	}
	t := d.Sweep.table()
	settings, metrics := unlinked(d.Sweep, d.Sweep.settings()), d.Sweep.metrics()
	x := -1
	for i, s := range settings {
		if s.number >= 0 && (x < 0 || len(s.values) > len(settings[x].values)) {
			x = i
		}
		if s.number >= 0 && (s.path == "load" || len(s.path) > 5 && s.path[len(s.path)-5:] == ".load") {
			x = i
			break
		}
	}
	if x < 0 || len(metrics) == 0 {
		return nil
	}
	by := -1
	for i, s := range settings {
		if i != x && len(s.values) <= maxCurves && (by < 0 || len(s.values) > len(settings[by].values)) {
			by = i
		}
	}
	for k, m := range metrics[:min(4, len(metrics))] {
		f := chart.Figure{Name: fmt.Sprintf("curves-%d", k+1)}
		f.Kind = chart.Lines
		f.X = chart.Axis{Name: settings[x].path, Unit: settings[x].unit}
		f.Y = chart.Axis{Name: t.Columns[m].Name, Unit: d.Sweep.unit(m)}
		if f.X.Name == f.Y.Name { // a bandwidth that is reached over the one that is set
			f.X.Name += ", as set"
		}
		f.Title = f.Y.Name + " over " + f.X.Name
		if by >= 0 {
			f.Title += " by " + settings[by].path
		}
		if len(settings) > 2 || len(settings) == 2 && by < 0 {
			f.Note = "Means over the other settings."
		}
		values := []string{"all"}
		if by >= 0 {
			values = settings[by].values
		}
		half := t.Index(t.Columns[m].Name + sweep.CISuffix)
		saturated := saturatedColumn(t, t.Columns[m].Name)
		for _, v := range values {
			s := curve(t, v, settings, x, by, m, half, saturated)
			if len(s.X) > 0 {
				f.Series = append(f.Series, s)
			}
		}
		if saturated >= 0 {
			f.Note = "A line ends where the network is saturated. " + f.Note
		}
		f.Y.Log = slices.ContainsFunc(f.Series, func(s chart.Series) bool { return wide(s.Y) })
		f.X.Log = chart.Decades(f.Series)
		if len(f.Series) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// saturatedColumn is the column that says whether a point of the metric's node is
// saturated; -1 where it has none or the metric is no latency.
func saturatedColumn(t *stats.Table, metric string) int {
	const latency = "packet_latency_mean"
	if i := len(metric) - len("@measure") - len(latency); i >= 0 && metric[i:] == latency+"@measure" {
		return t.Index(metric[:i] + "saturated@measure")
	}
	return -1
}

// curve is the line of the points whose setting by has value v: at each place of setting x
// the mean of metric m. Its interval is that of the point, where there is one point alone.
func curve(t *stats.Table, v string, settings []setting, x, by, m, half, saturated int) chart.Series {
	type place struct{ sum, n, half float64 }
	at := map[float64]*place{}
	var xs []float64
	ends := math.Inf(1)
	for _, row := range t.Rows {
		if by >= 0 && result.Cell(row[settings[by].text]) != v {
			continue
		}
		y, ok := value(row, m)
		if !ok {
			continue
		}
		a := stats.Number(row[settings[x].number])
		if saturated >= 0 && stats.Number(row[saturated]) > 0 {
			ends = min(ends, a)
		}
		p := at[a]
		if p == nil {
			p = &place{}
			at[a] = p
			xs = append(xs, a)
		}
		p.sum, p.n = p.sum+y, p.n+1
		if half >= 0 {
			p.half = stats.Number(row[half])
		}
	}
	slices.SortFunc(xs, func(a, b float64) int { return cmp.Compare(a, b) })
	s := chart.Series{Name: v}
	any := false
	for _, a := range xs {
		if a >= ends {
			break
		}
		p := at[a]
		h := 0.0
		if p.n == 1 {
			h = p.half
		}
		any = any || h > 0
		s.X, s.Y, s.Half = append(s.X, a), append(s.Y, p.sum/p.n), append(s.Half, h)
	}
	if !any {
		s.Half = nil
	}
	return s
}
