package panel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/layers"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	Add("operators", "Cycles, multiply-accumulates and memory traffic by type of operator, as shares of the whole.",
		Panel{Section: Time, Place: 4, Draw: operators})
}

// operators shows how much of cycles, work and traffic each type of operator has.
func operators(d *Data) []chart.Figure {
	if d.Run == nil || d.Run.Layers == nil {
		return nil
	}
	t := d.Run.Layers
	kind, cycles, macs := t.Index("type"), t.Index("cycles"), t.Index("macs")
	if kind < 0 || cycles < 0 {
		return nil
	}
	traffic := layers.TrafficColumns(t)
	var kinds []string
	at := Indexer(&kinds)
	var sums [][3]float64
	var whole [3]float64
	transfers := 0
	for _, row := range layers.Rows(t) {
		if row[kind] == "transfer" { // an interface waits for many of them at once
			transfers++
			continue
		}
		i := at(fmt.Sprint(row[kind]))
		if i == len(sums) {
			sums = append(sums, [3]float64{})
		}
		v := [3]float64{stats.Number(row[cycles]), 0, layers.SumOf(row, traffic)}
		if macs >= 0 {
			v[1] = stats.Number(row[macs])
		}
		for k := range v {
			sums[i][k] += v[k]
			whole[k] += v[k]
		}
	}
	if len(kinds) < 2 {
		return nil
	}
	order := make([]int, len(kinds))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sums[b][0], sums[a][0]) })
	f := chart.Figure{Name: "operators", Title: "Share of each type of operator"}
	if transfers > 0 {
		f.Note = "Without transfers: an interface waits for many of them at once."
	}
	f.Kind, f.Stack, f.Across = chart.Bars, true, true
	f.Y = chart.Axis{Name: "share", Unit: "%", Max: new(100.0)}
	var columns []int
	for k, name := range []string{"cycles", "MACs", "memory traffic"} {
		if whole[k] > 0 {
			columns = append(columns, k)
			f.X.Labels = append(f.X.Labels, name)
		}
	}
	for _, i := range order {
		s := chart.Series{Name: kinds[i]}
		for _, k := range columns {
			s.Y = append(s.Y, 100*sums[i][k]/whole[k])
		}
		f.Series = append(f.Series, s)
	}
	return []chart.Figure{f}
}
