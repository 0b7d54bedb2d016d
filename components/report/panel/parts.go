package panel

import (
	"slices"

	"github.com/causeway-sim/causeway/components/report/chart"
)

// A part is a metric that is one colour of a bar.
type part struct{ metric, name, color string }

func hasPart(parts []part, metric string) bool {
	return slices.ContainsFunc(parts, func(p part) bool { return p.metric == metric })
}

// maxLabels bounds the bars of a chart of nodes; a larger system is drawn by its first.
const maxLabels = 200

// byNode is a bar for each node, cut into metrics of phase all. Parts that no node has
// are left out.
func byNode(r *Run, nodes []string, parts []part) (f chart.Figure) {
	f.Kind, f.Stack, f.Across = chart.Bars, true, true
	if len(nodes) > maxLabels {
		nodes = nodes[:maxLabels]
		f.Note = "The first 200 nodes; metrics.csv has all."
	}
	f.X.Labels = nodes
	for _, p := range parts {
		s := chart.Series{Name: p.name, Color: p.color}
		any := false
		for _, n := range nodes {
			v, _ := r.value(n, p.metric)
			s.Y = append(s.Y, v)
			any = any || v != 0
		}
		if any {
			f.Series = append(f.Series, s)
		}
	}
	return f
}

// drawn is a list of f, empty where f has nothing to show.
func drawn(f chart.Figure) []chart.Figure {
	if len(f.X.Labels) == 0 || len(f.Series) == 0 {
		return nil
	}
	return []chart.Figure{f}
}
