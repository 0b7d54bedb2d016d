package report

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/stats"
)

// StallStack shows where the cycles of each layer go, stacked: useful work, what the
// array loses (mapping, fill, drain), the vector unit alone, and each cause of a stall. The data have every layer; the drawing has at most 40 bars.
func StallStack(r *experiment.Result) (Figure, error) {
	s, err := stackOf(r.Layers)
	if err != nil {
		return Figure{}, err
	}
	var cols []stats.Column
	for _, name := range s.Columns {
		cols = append(cols, columnOf(r.Layers, name))
	}
	few := s.readable()
	f := Figure{Name: "stalls", Title: "Cycles by layer and cause", Data: s.table(cols),
		Width: 18 * vg.Centimeter, Height: 3*vg.Centimeter + vg.Length(len(few.Bars))*barPitch}
	f.draw = func() (*plot.Plot, error) { return drawStack(f.Title, few) }
	return f, nil
}

// barPitch is the height of a bar and its gap, enough for a label of 8 points.
const barPitch = 0.42 * vg.Centimeter

func drawStack(title string, s *stack) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text = "cycles"
	if note := s.note(); note != "" {
		p.X.Label.Text += "\n" + note
	}
	p.X.Min = 0
	p.X.Tick.Marker = thousands{}
	p.Legend.Top, p.Legend.Padding = true, vg.Points(2)
	p.Legend.TextStyle.Font.Size = vg.Points(9)
	longest := 0.0
	for _, b := range s.Bars {
		longest = max(longest, b.Total)
	}
	p.X.Max = 1.25 * longest // room for the legend beside the bars
	var below *plotter.BarChart
	for c, name := range s.Columns {
		vals := make(plotter.Values, len(s.Bars))
		for i, b := range s.Bars {
			vals[len(vals)-1-i] = b.Parts[c] // the first layer on top
		}
		b, err := plotter.NewBarChart(vals, barPitch*0.7)
		if err != nil {
			return nil, err
		}
		b.Horizontal = true
		b.Color, b.LineStyle.Width = colorOf(name), 0
		if below != nil {
			b.StackOn(below)
		}
		below = b
		p.Add(b)
		p.Legend.Add(causeName(name), b)
	}
	var names []string
	for _, b := range slices.Backward(s.Bars) {
		names = append(names, b.label())
	}
	p.NominalY(names...)
	p.Y.Tick.Label.Font.Size = vg.Points(8)
	return p, nil
}

// thousands labels ticks with groups of three digits.
type thousands struct{}

// Ticks implements plot.Ticker.
func (thousands) Ticks(lo, hi float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(lo, hi)
	for i, t := range ticks {
		if t.Label != "" {
			ticks[i].Label = Pretty(t.Value)
		}
	}
	return ticks
}
