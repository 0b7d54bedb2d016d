package panel

import (
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	Add("parallel", "Every design as a line over its settings and metrics.", Panel{Section: Space, Place: 2, Draw: parallel})
}

// maxLines bounds the lines of parallel coordinates: more are one blot.
const maxLines = 2000

func parallel(d *Data) []chart.Figure {
	if d.Sweep == nil {
		return nil
	}
	t, settings, metrics := d.Sweep.table(), d.Sweep.settings(), d.Sweep.metrics()
	if len(settings) == 0 || len(metrics) == 0 {
		return nil
	}
	metrics = slices.Clone(metrics[:min(3, len(metrics))])
	slices.Reverse(metrics) // the first one last: it gives the colour
	f := chart.Figure{Name: "parallel", Title: "Settings and metrics of every design", Wide: true}
	f.Note = "Drag along an axis to keep the designs in that range; click it to keep all again."
	f.Kind = chart.Parallel
	rows := t.Rows[:min(maxLines, len(t.Rows))]
	if len(rows) < len(t.Rows) {
		f.Note += " The first 2000 designs."
	}
	if t.Index("point") >= 0 {
		for _, row := range rows {
			f.Points = append(f.Points, pointName(t, row))
		}
	}
	for _, s := range settings {
		dim := chart.Dim{Name: s.path, Labels: s.values}
		if s.number >= 0 && len(s.values) > 8 {
			dim.Labels, dim.Unit = nil, s.unit
		}
		for _, row := range rows {
			if dim.Labels == nil {
				dim.Values = append(dim.Values, stats.Number(row[s.number]))
				continue
			}
			dim.Values = append(dim.Values, float64(slices.Index(s.values, result.Cell(row[s.text]))))
		}
		f.Dims = append(f.Dims, dim)
	}
	for _, m := range metrics {
		dim := chart.Dim{Name: t.Columns[m].Name, Unit: d.Sweep.unit(m)}
		for _, row := range rows {
			v, ok := value(row, m)
			if !ok {
				v = math.NaN()
			}
			dim.Values = append(dim.Values, v)
		}
		f.Dims = append(f.Dims, dim)
	}
	return []chart.Figure{f}
}
