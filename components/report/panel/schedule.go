package panel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/layers"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

func init() {
	Add("schedule", "When each layer ran on which node.", Panel{Section: Over, Place: 1, Draw: schedule})
}

// maxSlices bounds the slices of a chart.
const maxSlices = 4500

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
	lane := Indexer(&f.Lanes)
	for _, row := range layers.Rows(t) {
		lane(fmt.Sprint(row[where]))
	}
	slices.SortStableFunc(f.Lanes, configs.CompareNames)
	var period []float64 // of the clock of each lane
	f.X, period = laneTime(d.Run, f.Lanes)
	s := &chart.Slices{}
	names := Indexer(&s.Names)
	kinds := Indexer(&s.Kinds)
	if all > maxSlices {
		f.Note += fmt.Sprintf(" The first %s of %s; layers.csv has all.", grouped(maxSlices), grouped(all))
	}
	at := map[string]int{}
	for i, l := range f.Lanes {
		at[l] = i
	}
	began := make([]float64, 0, all)
	for _, row := range layers.Rows(t) {
		began = append(began, stats.Number(row[start])*period[at[fmt.Sprint(row[where])]])
	}
	drawn, next := earliest(began, maxSlices), 0
	i := -1
	for _, row := range layers.Rows(t) {
		if i++; next == len(drawn) {
			break
		} else if i != drawn[next] {
			continue
		}
		next++
		l := at[fmt.Sprint(row[where])]
		s.Lane, s.Begin = append(s.Lane, l), append(s.Begin, began[i])
		s.Span = append(s.Span, stats.Number(row[cycles])*period[l])
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

// laneTime is the axis of lanes of nodes, and the length of a cycle of each on it: nanoseconds, or
// cycles where a clock is not known. Cycles, too, where all have the same clock and one of them names
// none.
func laneTime(r *Run, lanes []string) (axis chart.Axis, period []float64) {
	named, usual := r.Clocks(), r.DefaultClocks()
	cycles := false
	for _, l := range lanes {
		f, ok := named(l)
		if !ok {
			cycles = true
			f, ok = usual(l)
		}
		if !ok {
			period = nil
			break
		}
		period = append(period, f.Nanoseconds(1))
	}
	if cycles && (period == nil || slices.Max(period) == slices.Min(period)) {
		return chart.Axis{Name: "time", Unit: "cycle"}, slices.Repeat([]float64{1}, len(lanes))
	}
	return chart.Axis{Name: "time", Unit: "ns"}, period
}

// earliest are the n of all that begin first, in their own order.
func earliest(began []float64, n int) []int {
	order := make([]int, len(began))
	for i := range order {
		order[i] = i
	}
	if len(order) <= n {
		return order
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(began[a], began[b]) })
	order = order[:n]
	slices.Sort(order)
	return order
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
