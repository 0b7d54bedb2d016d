package panel

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	Add("energy", "Energy of each node, cut into what took it.", Panel{Section: Energy, Place: 1, Draw: energy})
	Add("area", "Area of each node, cut into its parts.", Panel{Section: Energy, Place: 2, Draw: area})
	Add("energy-layers", "Energy of each layer by what took it.", Panel{Section: Energy, Place: 3, Draw: layerEnergy})
}

func energy(d *Data) []chart.Figure { return owned(d, "energy", "Energy by owner", "pJ") }
func area(d *Data) []chart.Figure   { return owned(d, "area", "Area by owner", "mm2") }

// owned is a bar for each node that owns some of a quantity, cut into its parts; what no
// part has is the rest.
func owned(d *Data, metric, title, unit string) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	nodes := d.Run.nodes(func(name string, m stats.Metric) bool { return name == metric && m.Value > 0 })
	owner := map[string]bool{}
	for _, n := range nodes {
		owner[n] = true
	}
	var parts []Part
	for _, m := range d.Run.Metrics {
		if m.Phase == "all" && string(m.Unit) == unit && m.Value > 0 && strings.HasPrefix(m.Name, metric+"_") && owner[m.Where] && !HasPart(parts, m.Name) {
			parts = append(parts, Part{m.Name, Words(strings.TrimPrefix(m.Name, metric+"_")), ""})
		}
	}
	var names []string
	for _, p := range parts {
		names = append(names, p.Name)
	}
	for i, c := range ownerColors(names) {
		parts[i].Color = c
	}
	f := NodeBars(d.Run, nodes, parts)
	f.Name, f.Title, f.Y = metric, title, chart.Axis{Name: metric, Unit: unit}
	rest, any := chart.Series{Name: "rest", Color: "#999999"}, false
	for i, n := range f.X.Labels {
		v, _ := d.Run.value(n, metric)
		whole := v
		for _, s := range f.Series {
			v -= s.Y[i]
		}
		if v < 1e-9*whole {
			v = 0
		}
		any = any || v > 0
		rest.Y = append(rest.Y, v)
	}
	if any {
		if len(f.Series) == 0 {
			rest.Name, rest.Color = metric, ""
		}
		f.Series = append(f.Series, rest)
	}
	if metric == "energy" && len(d.Run.WithoutEnergy) > 0 {
		f.Note = strings.TrimSpace(f.Note + " Nodes without an energy model are in no sum: " + some(d.Run.WithoutEnergy) + ".")
	}
	return OneFigure(f)
}

// ownerColor is the colour of an owner of energy or area, the same in every figure.
var ownerColor = map[string]string{
	"mac": "#0072b2", "array": "#0072b2", "register": "#e69f00", "registers": "#e69f00", "sram": "#009e73",
	"vector": "#cc79a7", "static": "#d55e00", "skew": "#8c6d31", "clock": "#56b4e9",
}

// ownerColors are those of the parts of a bar. Owners without one of their own have those of the
// palette that are left.
func ownerColors(names []string) (out []string) {
	used := map[string]bool{}
	for _, n := range names {
		used[ownerColor[n]] = true
	}
	next := 0
	for _, n := range names {
		c, ok := ownerColor[n]
		for !ok && next < 2*len(names)+len(ownerColor) {
			c, next = chart.Palette(next), next+1
			ok = !used[c]
		}
		out = append(out, c)
	}
	return out
}

// some lists names, the elements of an array once, and not more than a line holds.
func some(names []string) string {
	var out []string
	for _, n := range names {
		if base, _, _ := strings.Cut(n, "["); !slices.Contains(out, base) {
			out = append(out, base)
		}
	}
	if len(out) > 8 {
		out = append(out[:8], "...")
	}
	return strings.Join(out, ", ")
}
