package panel

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/layers"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	Add("versus", "Main metrics of a run over those of its baseline.", Panel{Section: Versus, Place: 1, Draw: versus})
	Add("versus-most", "The metrics that differ most from the baseline.", Panel{Section: Versus, Place: 2, Draw: versusMost})
	Add("versus-layers", "Cycles of each layer, held against the baseline.", Panel{Section: Versus, Place: 3, Draw: versusLayers})
	Add("versus-causes", "Causes of cycles, held against the baseline.", Panel{Section: Versus, Place: 4, Draw: versusCauses})
}

// names are those of the two runs of a comparison.
func (d *Data) names() (base, run string) {
	if base, run = d.Base.Name, d.Run.Name; base == run {
		return "A: " + base, "B: " + run
	}
	return base, run
}

// changed lists metrics that both runs have and that differ, with their ratio.
func (d *Data) changed() (keys []string, ratios []float64, units []stats.Unit) {
	before := map[string]stats.Metric{}
	for _, m := range d.Base.Metrics {
		before[result.Key(m)] = m
	}
	for _, m := range d.Run.Metrics {
		if b, ok := before[result.Key(m)]; ok && b.Value > 0 && m.Value > 0 && b.Value != m.Value {
			keys, ratios, units = append(keys, result.Key(m)), append(ratios, m.Value/b.Value), append(units, m.Unit)
		}
	}
	return keys, ratios, units
}

// versus draws what a reader asks for first.
func versus(d *Data) []chart.Figure {
	if d.Run == nil || d.Base == nil {
		return nil
	}
	base, run := d.names()
	f := chart.Figure{Name: "versus", Title: fmt.Sprintf("%s over %s", run, base)}
	f.Note = "Ratio of the main metrics; at 1 both are equal."
	f.Kind, f.Across, f.Y = chart.Bars, true, chart.Axis{Name: "ratio", Unit: "1"}
	s := chart.Series{Name: "ratio"}
	for _, a := range d.Run.Headlines() {
		m := a.Of
		if b, ok := d.Base.MetricIn(m.Phase, m.Where, m.Name); ok && b.Value > 0 && len(s.Y) < 20 && !strings.Contains(m.Where, "[") {
			f.X.Labels, s.Y = append(f.X.Labels, a.Key), append(s.Y, m.Value/b.Value)
		}
	}
	f.Series = []chart.Series{s}
	return OneFigure(f)
}

func versusMost(d *Data) []chart.Figure {
	if d.Run == nil || d.Base == nil {
		return nil
	}
	keys, ratios, _ := d.changed()
	at := make([]int, len(keys))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(math.Abs(math.Log(ratios[b])), math.Abs(math.Log(ratios[a]))) })
	base, run := d.names()
	f := chart.Figure{Name: "versus-most", Title: "What differs most"}
	f.Note = fmt.Sprintf("%s over %s, as a power of two: 1 is twice as much, -1 half as much.", run, base)
	f.Kind, f.Across, f.Y = chart.Bars, true, chart.Axis{Name: "log2 of the ratio", Unit: "1"}
	s := chart.Series{Name: "log2 of the ratio", Color: "#d55e00"}
	for _, i := range at[:min(20, len(at))] {
		f.X.Labels, s.Y = append(f.X.Labels, keys[i]), append(s.Y, math.Log2(ratios[i]))
	}
	f.Series = []chart.Series{s}
	return OneFigure(f)
}

func versusLayers(d *Data) []chart.Figure {
	if d.Run == nil || d.Base == nil {
		return nil
	}
	base, run := d.names()
	f := chart.Figure{Name: "versus-layers", Title: "Cycles of each layer", Wide: true}
	f.Kind, f.Y = chart.Bars, chart.Axis{Name: "cycles", Unit: "cycle"}
	at := Indexer(&f.X.Labels)
	for _, r := range []struct {
		name, color string
		run         *Run
	}{{base, "#999999", d.Base}, {run, "#0072b2", d.Run}} {
		if r.run.Layers == nil || r.run.Layers.Index("cycles") < 0 {
			return nil
		}
		t := r.run.Layers
		like := layers.LikeLayers(layers.Names(layers.Rows(t)))
		sums := map[int]float64{}
		for _, row := range layers.Rows(t) {
			sums[at(like(fmt.Sprint(row[0])))] += stats.Number(row[t.Index("cycles")])
		}
		s := chart.Series{Name: r.name, Color: r.color}
		for i := range f.X.Labels {
			s.Y = append(s.Y, sums[i])
		}
		f.Series = append(f.Series, s)
	}
	for i := range f.Series { // layers that only the second one has
		for len(f.Series[i].Y) < len(f.X.Labels) {
			f.Series[i].Y = append(f.Series[i].Y, 0)
		}
	}
	return OneFigure(f)
}

func versusCauses(d *Data) []chart.Figure {
	if d.Run == nil || d.Base == nil {
		return nil
	}
	base, run := d.names()
	f := chart.Figure{Name: "versus-causes", Title: "Cycles by cause"}
	f.Note = "Cycles of all nodes that count theirs by cause."
	f.Kind, f.Stack, f.Across, f.Y = chart.Bars, true, true, chart.Axis{Name: "cycles", Unit: "cycle"}
	f.X.Labels = []string{base, run}
	for k, r := range []*Run{d.Base, d.Run} {
		s := layers.NodeStack(r.Metrics)
		for i, c := range s.Columns {
			name := layers.CauseName(c)
			at := slices.IndexFunc(f.Series, func(x chart.Series) bool { return x.Name == name })
			if at < 0 {
				at = len(f.Series)
				f.Series = append(f.Series, chart.Series{Name: name, Color: layers.Hex(c), Y: make(chart.Numbers, 2)})
			}
			for _, b := range s.Bars {
				f.Series[at].Y[k] += b.Parts[i]
			}
		}
	}
	return OneFigure(f)
}
