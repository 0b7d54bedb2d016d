package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/causeway-sim/causeway/components/experiment"
)

// Roofline shows each layer by its multiply-accumulates per byte and per cycle.
func Roofline(r *experiment.Result) (Figure, error) {
	roof, data, err := rooflineOf(r.Layers, r.Metrics)
	if err != nil {
		return Figure{}, err
	}
	f := Figure{Name: "roofline", Title: "Roofline", Data: data, Width: 18 * vg.Centimeter, Height: 12 * vg.Centimeter}
	f.draw = func() (*plot.Plot, error) { return drawRoofline(f.Title, roof) }
	return f, nil
}

// The words for the axes and the roof, here and on the page.
const (
	roofX     = "MACs per byte of memory traffic"
	roofY     = "MACs per cycle"
	roofWords = "peak of the array; nominal bandwidth of the memory"
)

// labelled is how many points of a roofline carry their name, about.
const labelled = 6

func drawRoofline(title string, r *roofline) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text, p.Y.Label.Text = roofX, roofY
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	pts := make(plotter.XYs, len(r.points))
	for i, q := range r.points {
		pts[i] = plotter.XY{X: q.x, Y: q.y}
	}
	s, err := plotter.NewScatter(pts)
	if err != nil {
		return nil, err
	}
	s.GlyphStyle = draw.GlyphStyle{Color: colorOf("compute_cycles"), Radius: vg.Points(3), Shape: draw.CircleGlyph{}}
	p.Add(plotter.NewGrid(), s)
	p.Legend.Add("layer", s)
	for i, roof := range r.lines() {
		line := make(plotter.XYs, len(roof.xs))
		for k := range roof.xs {
			line[k] = plotter.XY{X: roof.xs[k], Y: roof.ys[k]}
		}
		l, err := plotter.NewLine(line)
		if err != nil {
			return nil, err
		}
		l.Width = vg.Points(1.2)
		p.Add(l)
		if i == 0 {
			p.Legend.Add(roofWords, l)
		}
	}
	// The legend lies where no point can be: under the roof's right end.
	p.Legend.Top, p.Legend.Left = false, false
	p.Legend.TextStyle.Font.Size = vg.Points(9)
	var names plotter.XYLabels
	for _, q := range r.named() {
		if !q.left { // a label of gonum's stands on the right of its point
			names.XYs = append(names.XYs, plotter.XY{X: q.roofPoint.x, Y: q.roofPoint.y})
			names.Labels = append(names.Labels, q.label())
		}
	}
	l, err := plotter.NewLabels(names)
	if err != nil {
		return nil, err
	}
	for i := range l.TextStyle {
		l.TextStyle[i].Font.Size = vg.Points(8)
	}
	l.Offset = vg.Point{X: vg.Points(5), Y: -vg.Points(3)}
	p.Add(l)
	return p, nil
}
