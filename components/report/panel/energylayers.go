package panel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/layers"
	"github.com/causeway-sim/causeway/components/stats"
)

// layerEnergy is a bar for each layer or group of like layers.
func layerEnergy(d *Data) []chart.Figure {
	if d.Run == nil || d.Run.Layers == nil {
		return nil
	}
	t := d.Run.Layers
	var columns []int
	for i, c := range t.Columns {
		if strings.HasPrefix(c.Name, "energy_") {
			columns = append(columns, i)
		}
	}
	if len(columns) == 0 || layers.Count(t) == 0 {
		return nil
	}
	name := layers.LikeLayers(layers.Names(layers.Rows(t)))
	f := chart.Figure{Name: "energy-layers", Title: "Energy of each layer", Wide: true}
	f.Kind, f.Stack, f.Y = chart.Bars, true, chart.Axis{Name: "energy", Unit: "pJ"}
	at := Indexer(&f.X.Labels)
	for _, c := range columns {
		f.Series = append(f.Series, chart.Series{Name: Words(strings.TrimPrefix(t.Columns[c].Name, "energy_"))})
	}
	for _, row := range layers.Rows(t) {
		i := at(name(fmt.Sprint(row[0])))
		for k, c := range columns {
			if s := &f.Series[k]; i == len(s.Y) {
				s.Y = append(s.Y, stats.Number(row[c]))
			} else {
				s.Y[i] += stats.Number(row[c])
			}
		}
	}
	f.Series = slices.DeleteFunc(f.Series, func(s chart.Series) bool { return !slices.ContainsFunc(s.Y, func(v float64) bool { return v != 0 }) })
	var names []string
	for _, s := range f.Series {
		names = append(names, s.Name)
	}
	for i, c := range ownerColors(names) {
		f.Series[i].Color = c
	}
	return OneFigure(f)
}
