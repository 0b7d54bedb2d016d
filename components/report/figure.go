package report

import (
	"bytes"
	"fmt"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/stats"
)

// A Figure is a plot together with the data it shows.
type Figure struct {
	Name, Title string
	Data        *stats.Table
	draw        func() (*plot.Plot, error)
	Width       vg.Length
	Height      vg.Length
}

// Figures lists the figures that can be drawn of a result.
func Figures(r *experiment.Result) []Figure {
	var out []Figure
	for _, f := range []func(*experiment.Result) (Figure, error){StallStack, Roofline} {
		if fig, err := f(r); err == nil {
			out = append(out, fig)
		}
	}
	return out
}

// FigureNames are the figures by name.
var FigureNames = []string{"stalls", "roofline"}

// FigureOf returns the figure called name.
func FigureOf(name string, r *experiment.Result) (Figure, error) {
	switch name {
	case "stalls":
		return StallStack(r)
	case "roofline":
		return Roofline(r)
	}
	return Figure{}, fmt.Errorf("no figure %q (want one of: %s)", name, strings.Join(FigureNames, ", "))
}

// Formats are what Render can write.
var Formats = []string{"svg", "pdf", "csv"}

// Render draws the figure as svg or pdf, or prints its data as csv.
func (f Figure) Render(format string) ([]byte, error) {
	var b bytes.Buffer
	switch format {
	case "csv":
		return experiment.TableCSV(f.Data), nil
	case "svg":
		p, err := f.draw()
		if err != nil {
			return nil, err
		}
		c := vgsvg.New(f.Width, f.Height)
		p.Draw(margin(draw.New(c)))
		_, err = c.WriteTo(&b)
		return b.Bytes(), err
	case "pdf":
		p, err := f.draw()
		if err != nil {
			return nil, err
		}
		c := vgpdf.New(f.Width, f.Height)
		p.Draw(margin(draw.New(c)))
		_, err = c.WriteTo(&b)
		return b.Bytes(), err
	}
	return nil, fmt.Errorf("unknown figure format %q (want one of: %s)", format, strings.Join(Formats, ", "))
}

// margin leaves room around a drawing: a viewer's letters may be wider than those
// that the labels were measured with.
func margin(c draw.Canvas) draw.Canvas {
	const m = 0.3 * vg.Centimeter
	return draw.Crop(c, m, -m, m, -m)
}

// number is a cell as a float; text and nil are 0.
func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case int:
		return float64(v)
	}
	return 0
}
