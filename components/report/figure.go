package report

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/brewer"
	"gonum.org/v1/plot/plotter"
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
		p.Draw(draw.New(c))
		_, err = c.WriteTo(&b)
		return b.Bytes(), err
	case "pdf":
		p, err := f.draw()
		if err != nil {
			return nil, err
		}
		c := vgpdf.New(f.Width, f.Height)
		p.Draw(draw.New(c))
		_, err = c.WriteTo(&b)
		return b.Bytes(), err
	}
	return nil, fmt.Errorf("unknown figure format %q (want one of: %s)", format, strings.Join(Formats, ", "))
}

var errNoLayers = errors.New("the result has no layers")

// stallPrefix marks the columns of layers.csv that hold stall cycles.
const stallPrefix = "stall_"

// StallStack shows where the cycles of each layer go: compute, and each cause of
// a stall, stacked.
func StallStack(r *experiment.Result) (Figure, error) {
	t := r.Layers
	if t == nil || len(t.Rows) == 0 {
		return Figure{}, errNoLayers
	}
	var cols []int
	for i, c := range t.Columns {
		if c.Name == "compute_cycles" || strings.HasPrefix(c.Name, stallPrefix) {
			cols = append(cols, i)
		}
	}
	if len(cols) == 0 {
		return Figure{}, errors.New("the layers have no stall columns")
	}
	data := &stats.Table{Columns: []stats.Column{{Name: "layer"}}}
	var used []int
	for _, c := range cols {
		if slices.ContainsFunc(t.Rows, func(row []any) bool { return number(row[c]) > 0 }) {
			used = append(used, c)
			data.Columns = append(data.Columns, t.Columns[c])
		}
	}
	for _, row := range t.Rows {
		out := []any{row[0]}
		for _, c := range used {
			out = append(out, number(row[c]))
		}
		data.Append(out...)
	}
	n := len(data.Rows)
	f := Figure{Name: "stalls", Title: "Cycles by layer and cause", Data: data,
		Width: max(18*vg.Centimeter, min(vg.Length(n)*0.42*vg.Centimeter, 120*vg.Centimeter)), Height: 10 * vg.Centimeter}
	f.draw = func() (*plot.Plot, error) { return drawStack(f.Title, data, f.Width) }
	return f, nil
}

func drawStack(title string, data *stats.Table, width vg.Length) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = title
	p.Y.Label.Text = "cycles"
	p.Legend.Top = true
	colors := shades(len(data.Columns) - 1)
	var below *plotter.BarChart
	bar := width * 0.7 / vg.Length(max(1, len(data.Rows)))
	for c := 1; c < len(data.Columns); c++ {
		vals := make(plotter.Values, len(data.Rows))
		for i, row := range data.Rows {
			vals[i] = row[c].(float64)
		}
		b, err := plotter.NewBarChart(vals, bar)
		if err != nil {
			return nil, err
		}
		b.Color, b.LineStyle.Width = colors[c-1], 0
		if below != nil {
			b.StackOn(below)
		}
		below = b
		p.Add(b)
		p.Legend.Add(causeName(data.Columns[c].Name), b)
	}
	names := make([]string, len(data.Rows))
	for i, row := range data.Rows {
		names[i] = fmt.Sprint(row[0])
	}
	p.NominalX(names...)
	p.X.Tick.Label.Rotation = math.Pi / 2.5
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	p.X.Tick.Label.Font.Size = vg.Points(7)
	return p, nil
}

// causeName is a stall column's cause in words: "wait filter".
func causeName(column string) string {
	s := strings.TrimSuffix(strings.TrimPrefix(column, stallPrefix), "_cycles")
	return strings.ReplaceAll(s, "_", " ")
}

// shades is n colours that stay apart for readers who see few of them.
func shades(n int) []color.Color {
	var pal palette.Palette
	pal, err := brewer.GetPalette(brewer.TypeQualitative, "Paired", min(max(n, 3), 12))
	if err != nil {
		panic("report: " + err.Error())
	}
	out := make([]color.Color, n)
	for i := range out {
		out[i] = pal.Colors()[i%len(pal.Colors())]
	}
	return out
}

// Roofline shows each layer by its multiply-accumulates per byte of memory
// traffic and per cycle, under the peaks that the layers themselves reveal: the
// array's size and the highest traffic per cycle seen.
func Roofline(r *experiment.Result) (Figure, error) {
	t := r.Layers
	if t == nil || len(t.Rows) == 0 {
		return Figure{}, errNoLayers
	}
	macs, cycles, util := t.Index("macs"), t.Index("cycles"), t.Index("utilization")
	traffic := trafficColumns(t)
	if macs < 0 || cycles < 0 || len(traffic) == 0 {
		return Figure{}, errors.New("the layers have no traffic columns")
	}
	data := &stats.Table{Columns: []stats.Column{
		{Name: "layer"},
		{Name: "macs_per_byte", Unit: stats.One, Text: "Multiply-accumulates per byte of memory traffic."},
		{Name: "macs_per_cycle", Unit: stats.One, Text: "Multiply-accumulates per cycle reached."},
	}}
	peak, slope := 0.0, 0.0
	for _, row := range t.Rows {
		m, c, b := number(row[macs]), number(row[cycles]), sumOf(row, traffic)
		if m == 0 || c == 0 || b == 0 {
			continue
		}
		data.Append(row[0], m/b, m/c)
		slope = max(slope, b/c)
		if util >= 0 && number(row[util]) > 0 {
			peak = max(peak, m/c/(number(row[util])/100))
		}
	}
	if len(data.Rows) == 0 {
		return Figure{}, errors.New("no layer has both matrix work and memory traffic")
	}
	f := Figure{Name: "roofline", Title: "Roofline", Data: data, Width: 16 * vg.Centimeter, Height: 11 * vg.Centimeter}
	f.draw = func() (*plot.Plot, error) { return drawRoofline(data, peak, slope) }
	return f, nil
}

func drawRoofline(data *stats.Table, peak, slope float64) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "Roofline"
	p.X.Label.Text, p.Y.Label.Text = "MACs per byte of memory traffic", "MACs per cycle"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	pts := make(plotter.XYs, len(data.Rows))
	lo, hi := math.Inf(1), 0.0
	for i, row := range data.Rows {
		pts[i] = plotter.XY{X: row[1].(float64), Y: row[2].(float64)}
		lo, hi = min(lo, pts[i].X), max(hi, pts[i].X)
	}
	s, err := plotter.NewScatter(pts)
	if err != nil {
		return nil, err
	}
	colors := shades(3)
	s.GlyphStyle = draw.GlyphStyle{Color: colors[1], Radius: vg.Points(3), Shape: draw.CircleGlyph{}}
	p.Add(plotter.NewGrid(), s)
	p.Legend.Add("layer", s)
	if peak > 0 && slope > 0 {
		lo, hi = min(lo, peak/slope/4), max(hi, peak/slope*4)
		roof := plotter.XYs{{X: lo, Y: lo * slope}, {X: peak / slope, Y: peak}, {X: hi, Y: peak}}
		l, err := plotter.NewLine(roof)
		if err != nil {
			return nil, err
		}
		l.Width = vg.Points(1.2)
		p.Add(l)
		p.Legend.Add("peak of the array; highest traffic per cycle seen", l)
	}
	p.Legend.Top, p.Legend.Left = true, true
	return p, nil
}

// trafficColumns are the columns that hold bytes moved to and from memory.
func trafficColumns(t *stats.Table) (out []int) {
	for i, c := range t.Columns {
		if strings.HasSuffix(c.Name, "_read_bytes") || strings.HasSuffix(c.Name, "_write_bytes") {
			out = append(out, i)
		}
	}
	return out
}

func sumOf(row []any, cols []int) (n float64) {
	for _, i := range cols {
		n += number(row[i])
	}
	return n
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
