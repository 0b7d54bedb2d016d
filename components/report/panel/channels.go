package panel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/report/chart"
)

// channels draws the channels of each class of each network by their busy cycles, from the
// busiest: how even the load is.
func channels(d *Data) []chart.Figure {
	f := chart.Figure{Name: "channels", Title: "Channels from the busiest to the idlest"}
	f.Note = "A line for each class of channels: the flatter, the more even the load."
	f.Kind = chart.Lines
	f.X, f.Y = chart.Axis{Name: "channels, the busiest first"}, chart.Axis{Name: "busy", Unit: "cycle"}
	tables := channelTables(d.Run)
	for _, t := range tables {
		class, busy := t.Index("class"), t.Index("busy")
		if class < 0 || busy < 0 {
			continue
		}
		var names []string
		at := Indexer(&names)
		var lists [][]float64
		for i := range t.Rows {
			k := at(fmt.Sprint(t.Rows[i][class]))
			if k == len(lists) {
				lists = append(lists, nil)
			}
			lists[k] = append(lists[k], t.Number(i, busy))
		}
		for k, name := range names {
			if len(tables) > 1 {
				name = t.Where + " " + name
			}
			s := chart.Series{Name: name, Step: true}
			slices.SortFunc(lists[k], func(a, b float64) int { return cmp.Compare(b, a) })
			for i, v := range lists[k] {
				s.X, s.Y = append(s.X, float64(i+1)), append(s.Y, v)
			}
			f.Series = append(f.Series, s)
		}
	}
	if len(f.Series) == 0 {
		return nil
	}
	f.Series = largest(f.Series)
	shareOfRun(&f, &f.Y, d.Run.cyclesOfAll(networksOf(tables)))
	return []chart.Figure{f}
}
