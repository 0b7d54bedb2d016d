package report

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/draw"
	"github.com/causeway-sim/causeway/components/report/panel"
	_ "github.com/causeway-sim/causeway/components/report/panel/memory"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// A Figure is a chart that can be printed.
type Figure struct {
	chart.Figure
	Width vg.Length // 0: two columns of a paper
}

// The widths of figures in papers of two columns.
const (
	OneColumn  = 8.5 * vg.Centimeter
	TwoColumns = 17.5 * vg.Centimeter
)

// Figures lists the figures that can be printed of what a report is about: those of all
// panels.
func Figures(d *panel.Data) (out []Figure) {
	for _, s := range panel.Draw(d) {
		for _, f := range s.Figures {
			if draw.Can(f.Kind) {
				out = append(out, Figure{Figure: f})
			}
		}
	}
	return out
}

// FigureOf returns the figure called name.
func FigureOf(name string, d *panel.Data) (Figure, error) {
	var names []string
	for _, f := range Figures(d) {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	slices.Sort(names)
	near := ""
	if n := configs.Nearest(name, names); n != "" {
		near = fmt.Sprintf("; did you mean %q?", n)
	}
	return Figure{}, fmt.Errorf("there is no figure %q of it (want one of: %s%s)", name, strings.Join(names, ", "), near)
}

// Formats are what Render can write.
var Formats = []string{"svg", "pdf", "png", "csv"}

// Render draws the figure as svg, pdf or png, or prints its data as csv.
func (f Figure) Render(format string) ([]byte, error) {
	if format == "csv" {
		return result.TableCSV(f.Table()), nil
	}
	if !slices.Contains(Formats, format) {
		return nil, fmt.Errorf("unknown figure format %q (want one of: %s)", format, strings.Join(Formats, ", "))
	}
	width := f.Width
	if width == 0 {
		width = TwoColumns
	}
	return draw.Render(f.Figure, width, format)
}

// Table is the data of the figure.
func (f Figure) Table() *stats.Table {
	if f.Kind == chart.Bars {
		name := f.X.Name
		if name == "" {
			name = "name"
		}
		t := &stats.Table{Columns: []stats.Column{{Name: name}}}
		for _, s := range f.Series {
			t.Columns = append(t.Columns, stats.Column{Name: s.Name, Unit: stats.Unit(f.Y.Unit)})
		}
		for i, l := range f.X.Labels {
			row := []any{l}
			for _, s := range f.Series {
				row = append(row, s.Y[i])
			}
			t.Append(row...)
		}
		return t
	}
	switch f.Kind {
	case chart.Heat:
		t := &stats.Table{Columns: []stats.Column{{Name: f.X.Name}, {Name: f.Y.Name}, {Name: f.Value.Name, Unit: stats.Unit(f.Value.Unit)}}}
		for _, c := range f.Cells {
			t.Append(f.X.Labels[c.X], f.Y.Labels[c.Y], c.Value)
		}
		return t
	case chart.Lanes:
		unit := stats.Unit(f.X.Unit)
		t := &stats.Table{Columns: []stats.Column{{Name: "lane"}, {Name: "kind"}, {Name: "name"}, {Name: "begin", Unit: unit}, {Name: "span", Unit: unit}}}
		for i, l := range f.Slices.Lane {
			t.Append(f.Lanes[l], f.Slices.Kinds[f.Slices.Kind[i]], f.Slices.Names[f.Slices.Name[i]], f.Slices.Begin[i], f.Slices.Span[i])
		}
		return t
	}
	labels := slices.ContainsFunc(f.Series, func(s chart.Series) bool { return len(s.Labels) > 0 })
	halves := slices.ContainsFunc(f.Series, func(s chart.Series) bool { return len(s.Half) > 0 })
	t := &stats.Table{Columns: []stats.Column{{Name: "series"}}}
	if labels {
		t.Columns = append(t.Columns, stats.Column{Name: "label"})
	}
	t.Columns = append(t.Columns, stats.Column{Name: f.X.Name}, stats.Column{Name: f.Y.Name})
	if halves {
		t.Columns = append(t.Columns, stats.Column{Name: f.Y.Name + sweep.CISuffix})
	}
	for _, s := range f.Series {
		for i := range s.X {
			row := []any{s.Name}
			if labels {
				row = append(row, textAt(s.Labels, i))
			}
			row = append(row, s.X[i], s.Y[i])
			if halves && i < len(s.Half) {
				row = append(row, s.Half[i])
			} else if halves {
				row = append(row, nil)
			}
			t.Append(row...)
		}
	}
	return t
}

// textAt is a text of a list, nil where it has none.
func textAt(list []string, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}
