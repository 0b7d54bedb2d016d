package panel

import (
	"slices"

	"github.com/causeway-sim/causeway/components/report/chart"
)

// A Part is a metric that is one colour of a bar. Color is #rrggbb, or "" for the next of the
// palette.
type Part struct{ Metric, Name, Color string }

// HasPart reports whether one of the parts is of that metric.
func HasPart(parts []Part, metric string) bool {
	return slices.ContainsFunc(parts, func(p Part) bool { return p.Metric == metric })
}

// maxLabels bounds the bars of a chart of nodes; a larger system is drawn by its first.
const maxLabels = 200

// NodeBars is a bar for each node, cut into metrics of phase all. Parts that no node has
// are left out.
func NodeBars(r *Run, nodes []string, parts []Part) (f chart.Figure) {
	f.Kind, f.Stack, f.Across = chart.Bars, true, true
	if len(nodes) > maxLabels {
		nodes = nodes[:maxLabels]
		f.Note = "The first 200 nodes; metrics.csv has all."
	}
	f.X.Labels = nodes
	for _, p := range parts {
		s := chart.Series{Name: p.Name, Color: p.Color}
		any := false
		for _, n := range nodes {
			v, _ := r.value(n, p.Metric)
			s.Y = append(s.Y, v)
			any = any || v != 0
		}
		if any {
			f.Series = append(f.Series, s)
		}
	}
	return f
}

// OneFigure is a list of f, empty where f has nothing to show.
func OneFigure(f chart.Figure) []chart.Figure {
	if len(f.X.Labels) == 0 || len(f.Series) == 0 {
		return nil
	}
	return []chart.Figure{f}
}
