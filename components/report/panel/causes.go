package panel

import (
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/report/chart"
)

func init() {
	Add("causes", "What the time of each node went to, as a tree: a bar for each cause, and below it those that it consists of.",
		Panel{Section: Time, Place: 0, Draw: causes})
}

// leastCause is the share of the time of its node from which on a cause has a bar, and
// mostCauses bounds the bars.
const (
	leastCause = 0.01
	mostCauses = 48
)

// causes draws the tree of causes of a run, the parts of a cause indented below it.
func causes(d *Data) []chart.Figure {
	if d.Run == nil || d.Run.Causes == nil {
		return nil
	}
	f := chart.Figure{Name: "causes", Title: "What the time of each node went to", Wide: true}
	f.Kind, f.Across = chart.Bars, true
	f.X.Name, f.Y = "cause", chart.Axis{Name: "share of the node's time", Unit: "%"}
	s := chart.Series{Name: "share"}
	left := 0
	var walk func(t *cause.Tree, depth int, share float64)
	walk = func(t *cause.Tree, depth int, share float64) {
		if share < leastCause {
			return
		}
		if len(s.Y) == mostCauses {
			left++
			return
		}
		f.X.Labels = append(f.X.Labels, strings.Repeat("› ", depth)+causeLabel(t))
		s.Y = append(s.Y, 100*share)
		for _, p := range t.Parts {
			walk(p, depth+1, share*p.Share)
		}
	}
	for _, n := range d.Run.Causes.Parts {
		walk(n, 0, 1)
	}
	f.Series = []chart.Series{s}
	f.Note = "Parts of a cause are indented below it; those of less than 1 % of the node's time have no bar."
	if left > 0 {
		f.Note += " Further causes are in result.json."
	}
	return []chart.Figure{f}
}

// causeLabel is a cause in a few words.
func causeLabel(t *cause.Tree) string {
	switch {
	case t.Where != "":
		return t.Where
	case t.Words != "" && t.Nodes == 0:
		return t.Words
	}
	return t.Name
}
