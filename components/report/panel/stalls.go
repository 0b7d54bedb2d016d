package panel

import (
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/layers"
)

func init() {
	Add("stalls", "Where the cycles of each layer and each node go: useful work, what the array loses, each cause of a stall.",
		Panel{Section: Time, Place: 1, Names: []string{"stalls", "stalls-nodes"}, Draw: stalls})
}

// maxNodeBars bounds the nodes whose cycles are drawn one by one.
const maxNodeBars = 64

func stalls(d *Data) (out []chart.Figure) {
	if d.Run == nil {
		return nil
	}
	if s, err := layers.StackOf(d.Run.Layers); err == nil {
		few := s.Readable()
		f := stacked(few)
		f.Name, f.Title, f.Wide, f.X.Name = "stalls", "Cycles of each layer by cause", true, "layer"
		f.Note = few.Note()
		out = append(out, f)
	}
	if s := layers.NodeStack(d.Run.Metrics); len(s.Bars) > 0 && len(s.Bars) <= maxNodeBars {
		f := stacked(s)
		f.Name, f.Title, f.Across, f.X.Name = "stalls-nodes", "Cycles of each node by cause", true, "node"
		out = append(out, f)
	}
	return out
}

// stacked is a stack as a chart.
func stacked(s *layers.Stack) (f chart.Figure) {
	f.Kind, f.Stack = chart.Bars, true
	f.Y = chart.Axis{Name: "cycles", Unit: "cycle"}
	for _, b := range s.Bars {
		f.X.Labels = append(f.X.Labels, b.Label())
	}
	for i, name := range s.Columns {
		c := chart.Series{Name: layers.CauseName(name), Color: layers.Hex(name)}
		for _, b := range s.Bars {
			c.Y = append(c.Y, b.Parts[i])
		}
		f.Series = append(f.Series, c)
	}
	return f
}
