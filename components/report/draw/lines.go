package draw

import (
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/causeway-sim/causeway/components/report/chart"
)

// A band is a line with the halves of its intervals, as plotter wants it.
type band struct {
	plotter.XYs
	plotter.YErrors
}

// lines draws lines with dots, and intervals where there are some.
func lines(c *canvas, ch chart.Chart) error {
	c.Add(grid())
	for i, s := range ch.Series {
		pts := band{}
		half := false
		for k := range s.X {
			if math.IsNaN(s.Y[k]) || ch.X.Log && s.X[k] <= 0 || ch.Y.Log && s.Y[k] <= 0 {
				continue
			}
			h := 0.0
			if k < len(s.Half) && s.Half[k] > 0 {
				h, half = s.Half[k], true
			}
			pts.XYs = append(pts.XYs, plotter.XY{X: s.X[k], Y: s.Y[k]})
			pts.YErrors = append(pts.YErrors, struct{ Low, High float64 }{h, h})
		}
		if len(pts.XYs) == 0 {
			continue
		}
		line, dots, err := plotter.NewLinePoints(pts.XYs)
		if err != nil {
			return err
		}
		line.Color, dots.Color = rgb(s.Color, i), rgb(s.Color, i)
		line.Width, line.Dashes = vg.Points(1.2), plotutil.Dashes(i/chart.Rounds)
		if s.Dash {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		dots.Shape, dots.Radius = plotutil.Shape(i), vg.Points(2.2)
		if s.Step {
			line.StepStyle = plotter.PostStep
		}
		c.Add(line)
		if len(pts.XYs) <= 60 && !s.Dash {
			c.Add(dots)
		}
		if half {
			e, err := plotter.NewYErrorBars(pts)
			if err != nil {
				return err
			}
			e.Color = rgb(s.Color, i)
			c.Add(e)
		}
		if s.Dash {
			c.names = append(c.names, named{s.Name, line})
			continue
		}
		c.names = append(c.names, named{s.Name, both{line, dots}})
	}
	if !ch.Y.Log {
		c.Y.Min = min(c.Y.Min, 0)
	}
	return nil
}

// both is the sample of a line with dots in a legend.
type both struct {
	*plotter.Line
	dots *plotter.Scatter
}

// Thumbnail implements plot.Thumbnailer.
func (b both) Thumbnail(c *draw.Canvas) {
	b.Line.Thumbnail(c)
	b.dots.Thumbnail(c)
}

// points draws dots, larger for larger sizes, and lines between and over them.
func points(c *canvas, ch chart.Chart) error {
	c.Add(grid())
	colour := 0
	for _, s := range ch.Series {
		xy := make(plotter.XYs, 0, len(s.X))
		s = onLog(s, ch)
		for k := range s.X {
			xy = append(xy, plotter.XY{X: s.X[k], Y: s.Y[k]})
		}
		if s.Line {
			l, err := plotter.NewLine(xy)
			if err != nil {
				return err
			}
			l.Color, l.Width = rgb(s.Color, colour), vg.Points(1.2)
			c.Add(l)
			c.names = append(c.names, named{s.Name, l})
			continue
		}
		dots, err := plotter.NewScatter(xy)
		if err != nil {
			return err
		}
		most := 0.0
		for _, v := range s.Size {
			most = max(most, v)
		}
		style := draw.GlyphStyle{Color: rgb(s.Color, colour), Radius: vg.Points(2.6), Shape: draw.CircleGlyph{}}
		dots.GlyphStyle = style
		if most > 0 {
			dots.GlyphStyleFunc = func(i int) draw.GlyphStyle {
				g := style
				g.Radius = vg.Points(1.8 + 3.4*math.Sqrt(s.Size[i]/most))
				return g
			}
		}
		c.Add(dots)
		c.names = append(c.names, named{s.Name, dots})
		colour++
		if n := min(s.Tags, len(s.Labels)); n > 0 {
			style := textStyle()
			style.Font.Size = vg.Points(7.5)
			c.Add(tags{xy, s.Labels[:n], style})
		}
	}
	return nil
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = rgb("#dddddd", 0), rgb("#dddddd", 0)
	g.Vertical.Width, g.Horizontal.Width = vg.Points(0.4), vg.Points(0.4)
	return g
}

// onLog leaves out dots that a logarithmic axis has no place for.
func onLog(s chart.Series, ch chart.Chart) chart.Series {
	var out chart.Series
	out.Name, out.Color, out.Line, out.Tags = s.Name, s.Color, s.Line, s.Tags
	for k := range s.X {
		if ch.X.Log && s.X[k] <= 0 || ch.Y.Log && s.Y[k] <= 0 {
			continue
		}
		out.X, out.Y = append(out.X, s.X[k]), append(out.Y, s.Y[k])
		if k < len(s.Size) {
			out.Size = append(out.Size, s.Size[k])
		}
		if k < len(s.Labels) {
			out.Labels = append(out.Labels, s.Labels[k])
		}
	}
	return out
}
