package draw

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/causeway-sim/causeway/components/report/chart"
)

// Formats are what Render can write.
var Formats = []string{"svg", "pdf", "png"}

// Can reports whether a chart of that kind can be printed.
func Can(k chart.Kind) bool { return drawers[k] != nil }

// A canvas is a plot that is being drawn: a kind of chart adds to it. It also holds the names
// of the legend.
type canvas struct {
	*plot.Plot
	names  []named
	height vg.Length // of the data; 0 is by the width
}

type named struct {
	text  string
	thumb plot.Thumbnailer
}

var drawers = map[chart.Kind]func(*canvas, chart.Chart) error{}

func init() {
	drawers[chart.Bars], drawers[chart.Lines], drawers[chart.Points] = bars, lines, points
	drawers[chart.Heat], drawers[chart.Lanes] = heat, lanes
}

// Render draws a figure, width wide, in one of Formats; letters of svg and pdf are in the file.
func Render(f chart.Figure, width vg.Length, format string) ([]byte, error) {
	d := drawers[f.Kind]
	if d == nil {
		return nil, fmt.Errorf("%s cannot be printed", f.Name)
	}
	f = fits(broken(f.Human(), width))
	c := &canvas{Plot: plot.New()}
	c.X.Label.Text, c.Y.Label.Text = label(f.X), label(f.Y)
	c.X.Label.TextStyle.Font.Size, c.Y.Label.TextStyle.Font.Size = vg.Points(9), vg.Points(9)
	c.X.Tick.Label.Font.Size, c.Y.Tick.Label.Font.Size = vg.Points(8), vg.Points(8)
	c.X.Tick.Marker, c.Y.Tick.Marker = ticks(f.X), ticks(f.Y)
	if f.X.Log {
		c.X.Scale = plot.LogScale{}
	}
	if f.Y.Log {
		c.Y.Scale = plot.LogScale{}
	}
	if err := d(c, f.Chart); err != nil {
		return nil, err
	}
	if f.Kind == chart.Lanes && f.Y.Title != "" {
		c.Y.Label.Text = f.Y.Title
	}
	legend := newLegend(c.names, width)
	height := c.height
	if height == 0 {
		height = width * 0.62
	}
	c.X.Label.TextStyle.Font.Size = fitting(c.X.Label.Text, width-vg.Centimeter)
	c.Y.Label.TextStyle.Font.Size = fitting(c.Y.Label.Text, height-1.4*vg.Centimeter)
	height = min(height+legend.height, maxHeight)
	var b bytes.Buffer
	paint := func(s vg.CanvasSizer) {
		area := margin(draw.New(s))
		legend.draw(draw.Crop(area, 0, 0, area.Max.Y-area.Min.Y-legend.height, 0))
		c.Draw(draw.Crop(area, 0, 0, 0, -legend.height))
	}
	var err error
	switch format {
	case "svg":
		s := vgsvg.New(width, height)
		paint(s)
		if _, err = s.WriteTo(&b); err != nil {
			return nil, err
		}
		return embed(b.Bytes(), c.X.Label.TextStyle.Font)
	case "pdf":
		s := vgpdf.New(width, height)
		s.EmbedFonts(true)
		paint(s)
		_, err = s.WriteTo(&b)
	case "png":
		s := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(300), vgimg.UseBackgroundColor(color.White))
		paint(s)
		_, err = vgimg.PngCanvas{Canvas: s}.WriteTo(&b)
	default:
		err = fmt.Errorf("unknown figure format %q", format)
	}
	return b.Bytes(), err
}

// margin leaves room around a drawing: a viewer's letters may be wider than those that
// the labels were measured with.
func margin(c draw.Canvas) draw.Canvas {
	const m = 0.25 * vg.Centimeter
	return draw.Crop(c, m, -m, m, -m)
}

func label(a chart.Axis) string {
	if a.Title != "" {
		return a.Title
	}
	if a.Unit == "" || a.Unit == "1" || a.Name == "" || a.Name == a.Unit+"s" {
		return a.Name
	}
	return a.Name + " [" + a.Unit + "]"
}

func rgb(hex string, i int) color.RGBA {
	if len(hex) != 7 {
		hex = chart.Palette(i)
	}
	v, _ := strconv.ParseUint(hex[1:], 16, 32)
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

// bars draws bars that stand on each other or side by side; few words fit under upright
// ones, so they all lie.
func bars(c *canvas, ch chart.Chart) error {
	n := len(ch.X.Labels)
	each, thick := pitchOf(ch), 0.7*barPitch
	if !ch.Stack && len(ch.Series) > 1 {
		thick = 0.2 * vg.Centimeter
	}
	c.X.Label.Text, c.Y.Label.Text = label(ch.Y), ch.X.Title
	c.X.Tick.Marker = ticks(ch.Y)
	var below *plotter.BarChart
	for k, s := range ch.Series {
		vals := make(plotter.Values, n)
		for i, v := range s.Y {
			if !math.IsNaN(v) {
				vals[n-1-i] = v // the first on top
			}
		}
		b, err := plotter.NewBarChart(vals, thick)
		if err != nil {
			return err
		}
		b.Horizontal, b.Color, b.LineStyle.Width = true, rgb(s.Color, k), 0
		if ch.Stack {
			if below != nil {
				b.StackOn(below)
			}
			below = b
		} else {
			b.Offset = thick * vg.Length(float64(len(ch.Series)-1)/2-float64(k))
		}
		c.Add(b)
		c.names = append(c.names, named{s.Name, b})
	}
	names := make([]string, n)
	for i, l := range ch.X.Labels {
		names[n-1-i] = l
	}
	c.NominalY(names...)
	c.Y.Tick.Label.Font.Size = vg.Points(8)
	c.X.Min = 0
	c.height = 1.6*vg.Centimeter + vg.Length(n)*each
	return nil
}
