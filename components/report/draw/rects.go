package draw

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/causeway-sim/causeway/components/report/chart"
)

// A rect is a filled rectangle in the units of the axes, with a text if it is large enough.
type rect struct {
	x0, x1, y0, y1 float64
	fill           color.Color
	text           string
}

// rects are a plotter of rectangles.
type rects struct {
	list  []rect
	style draw.TextStyle
}

// Plot implements plot.Plotter.
func (r rects) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for _, q := range r.list {
		x0, x1, y0, y1 := tx(q.x0), tx(q.x1), ty(q.y0), ty(q.y1)
		x1 = max(x1, x0+vg.Points(0.15))
		c.FillPolygon(q.fill, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
		if q.text == "" || r.style.Width(q.text) > x1-x0-vg.Points(2) {
			continue
		}
		s := r.style
		s.Color = ink(q.fill)
		s.XAlign, s.YAlign = -0.5, -0.4
		c.FillText(s, vg.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, q.text)
	}
}

// ink is the colour of a text that can be read on a fill.
func ink(fill color.Color) color.Color {
	r, g, b, _ := fill.RGBA()
	if 0.2126*float64(r)+0.7152*float64(g)+0.0722*float64(b) > 0.55*0xffff {
		return color.Black
	}
	return color.White
}

// A swatch is a colour of a legend.
type swatch struct{ color.Color }

// Thumbnail implements plot.Thumbnailer.
func (s swatch) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(s.Color, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
}

func textStyle() draw.TextStyle {
	s := plot.New().Legend.TextStyle
	s.Font.Size = vg.Points(6.5)
	return s
}

// ramp are the colours of values from the least to the greatest, dark to light, as the page
// has them.
var ramp = []string{"#3b0f70", "#5c4d9e", "#35789e", "#1f9e89", "#6ece58", "#f0c808"}

// shade is the colour of a part of the range, 0 to 1.
func shade(f float64) color.RGBA {
	at := f * float64(len(ramp)-1)
	i := min(int(at), len(ramp)-2)
	a, b, t := rgb(ramp[i], 0), rgb(ramp[i+1], 0), at-float64(i)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + t*(float64(b)-float64(a)))) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// heat draws a map of cells with their values; the legend names the ends of the range.
func heat(c *canvas, ch chart.Chart) error {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range ch.Cells {
		lo, hi = min(lo, x.Value), max(hi, x.Value)
	}
	r := rects{style: textStyle()}
	for _, x := range ch.Cells {
		f := 0.0
		if hi > lo {
			f = (x.Value - lo) / (hi - lo)
		}
		r.list = append(r.list, rect{float64(x.X) - .5, float64(x.X) + .5, float64(x.Y) - .5, float64(x.Y) + .5, shade(f), short(x.Value)})
	}
	c.Add(r)
	c.NominalX(ch.X.Labels...)
	c.NominalY(ch.Y.Labels...)
	c.X.Min, c.X.Max, c.Y.Min, c.Y.Max = -.5, float64(len(ch.X.Labels))-.5, -.5, float64(len(ch.Y.Labels))-.5
	c.X.Tick.Label.Font.Size, c.Y.Tick.Label.Font.Size = vg.Points(7), vg.Points(7)
	if len(ch.X.Labels) > 12 {
		c.X.Tick.Label.Rotation, c.X.Tick.Label.XAlign, c.X.Tick.Label.YAlign = math.Pi/2, -1, -.5
	}
	for i := range 5 {
		f := float64(i) / 4
		c.names = append(c.names, named{short(lo + f*(hi-lo)), swatch{shade(f)}})
	}
	c.names = append(c.names, named{label(ch.Value), swatch{color.Transparent}})
	c.height = 2.2*vg.Centimeter + vg.Length(len(ch.Y.Labels))*0.6*vg.Centimeter
	return nil
}

// lanes draws slices in their lanes, the first on top.
func lanes(c *canvas, ch chart.Chart) error {
	s, n := ch.Slices, len(ch.Lanes)
	if s == nil || n == 0 {
		return fmt.Errorf("there are no slices")
	}
	fill := make([]color.RGBA, len(s.Kinds))
	for k, kind := range s.Kinds {
		hex := ""
		if k < len(s.Colors) {
			hex = s.Colors[k]
		}
		fill[k] = rgb(hex, k)
		c.names = append(c.names, named{kind, swatch{fill[k]}})
	}
	r := rects{style: textStyle()}
	for i, lane := range s.Lane {
		y := float64(n - 1 - lane)
		r.list = append(r.list, rect{s.Begin[i], s.Begin[i] + s.Span[i], y - .36, y + .36, fill[s.Kind[i]], s.Names[s.Name[i]]})
	}
	c.Add(r)
	names := make([]string, n)
	for i, l := range ch.Lanes {
		names[n-1-i] = l
	}
	c.NominalY(names...)
	c.Y.Tick.Label.Font.Size = vg.Points(7)
	c.X.Min, c.Y.Min, c.Y.Max = 0, -.6, float64(n)-.4
	if len(s.Begin) > 0 {
		c.X.Max = 0
		for i := range s.Begin {
			c.X.Max = max(c.X.Max, s.Begin[i]+s.Span[i])
		}
	}
	c.height = 1.6*vg.Centimeter + vg.Length(n)*lanePitch
	return nil
}
