package panel

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/layers"
	"github.com/causeway-sim/causeway/configs"
)

func init() {
	Add("schedule", "When each layer ran on which node.", Panel{Section: Over, Place: 1, Draw: schedule})
}

// maxSlices bounds the slices of a chart.
const maxSlices = 6000

// schedule draws the layer table as slices: a lane for each node, a slice for each layer.
func schedule(d *Data) []chart.Figure {
	if d.Run == nil || d.Run.Layers == nil {
		return nil
	}
	t := d.Run.Layers
	start, cycles, where, kind := t.Index("start"), t.Index("cycles"), t.Index("where"), t.Index("type")
	if start < 0 || cycles < 0 || where < 0 {
		return nil
	}
	all := layers.Count(t)
	if all == 0 {
		return nil
	}
	f := chart.Figure{Name: "schedule", Title: "Layers over time", Wide: true}
	f.Note = "A slice for each layer on each node, coloured by the type of its operator."
	f.Kind = chart.Lanes
	f.X = chart.Axis{Name: "time", Unit: "cycle"}
	lane := Indexer(&f.Lanes)
	for _, row := range layers.Rows(t) {
		lane(fmt.Sprint(row[where]))
	}
	slices.SortStableFunc(f.Lanes, configs.CompareNames)
	s := &chart.Slices{}
	names := Indexer(&s.Names)
	kinds := Indexer(&s.Kinds)
	if all > maxSlices {
		f.Note += fmt.Sprintf(" The first %d of %d; layers.csv has all.", maxSlices, all)
	}
	for _, row := range layers.Rows(t) {
		if len(s.Lane) == maxSlices {
			break
		}
		s.Lane = append(s.Lane, slices.Index(f.Lanes, fmt.Sprint(row[where])))
		s.Begin = append(s.Begin, layers.Number(row[start]))
		s.Span = append(s.Span, layers.Number(row[cycles]))
		s.Name = append(s.Name, names(fmt.Sprint(row[0])))
		k := "layer"
		if kind >= 0 && row[kind] != nil {
			k = fmt.Sprint(row[kind])
		}
		s.Kind = append(s.Kind, kinds(k))
	}
	f.Slices = s
	return []chart.Figure{f}
}

// Indexer returns a function that numbers texts from 0 in the order in which they come, and
// appends each new one to list.
func Indexer(list *[]string) func(string) int {
	at := map[string]int{}
	return func(s string) int {
		i, ok := at[s]
		if !ok {
			i = len(*list)
			at[s] = i
			*list = append(*list, s)
		}
		return i
	}
}
