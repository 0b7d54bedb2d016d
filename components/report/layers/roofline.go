package layers

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
)

// A Roofline holds each layer by its multiply-accumulates per byte of memory traffic
// and per cycle, under the roofs of its node, which follow from the configuration: the
// peak of its array, and the nominal bandwidth of the memories that it reaches.
type Roofline struct {
	Points []RoofPoint // layers that fall together are one point
	Roofs  []Roof      // of the nodes; like ones are one
}

// A Roof is what a node can do at most.
type Roof struct {
	Peak  float64 // MACs per cycle
	Slope float64 // bytes per cycle; 0 if memory has no limit
}

// Reach returns the most MACs per cycle that the node can do at x MACs per byte.
func (r Roof) Reach(x float64) float64 {
	if r.Slope == 0 {
		return r.Peak
	}
	return min(r.Peak, x*r.Slope)
}

// roofsOf finds the roof of every node.
func roofsOf(ms []stats.Metric) map[string]Roof {
	out := map[string]Roof{}
	for _, m := range ms {
		if m.Phase != "all" || m.Where == "" || m.Value <= 0 {
			continue
		}
		r := out[m.Where]
		switch m.Name {
		case "peak_macs":
			r.Peak = m.Value
		case "peak_bytes":
			r.Slope = m.Value
		default:
			continue
		}
		out[m.Where] = r
	}
	return out
}

// A RoofPoint is a layer, or several that fall together.
type RoofPoint struct {
	Name   string // of the first layer
	Layers int
	X, Y   float64 // MACs per byte, MACs per cycle
	Cycles float64 // of all its layers
}

// RooflineOf returns the roofline of a layer table and a table of all its points. The peaks are metrics of
// the nodes (peak_macs, peak_bytes). It is an error if the table has no layers, or no columns of
// macs, cycles or bytes of memory.
func RooflineOf(t *stats.Table, ms []stats.Metric) (*Roofline, *stats.Table, error) {
	if t == nil || t.Len() == 0 {
		return nil, nil, errNoLayers
	}
	macs, cycles, where := t.Index("macs"), t.Index("cycles"), t.Index("where")
	traffic, peak := TrafficColumns(t), t.Index("peak_macs")
	if macs < 0 || cycles < 0 || len(traffic) == 0 {
		return nil, nil, errors.New("the layers have no traffic columns")
	}
	roofs := roofsOf(ms)
	columns := []stats.Column{
		{Name: "layer"},
		{Name: "macs_per_byte", Unit: stats.One, Text: "Multiply-accumulates per byte of memory traffic."},
		{Name: "macs_per_cycle", Unit: stats.One, Text: "Multiply-accumulates per cycle reached."},
		{Name: "roof_macs_per_cycle", Unit: stats.One, Text: "Multiply-accumulates per cycle under the roof of the node."},
	}
	loads := charged(t, where, cycles, traffic, roofs)
	r := &Roofline{}
	type place struct{ x, y int }
	at := map[place]int{}
	var drawn []int32 // rows
	over := func(row []any, x float64) (most any) {
		if where < 0 {
			return nil
		}
		f, ok := roofs[fmt.Sprint(row[where])]
		if peak >= 0 && stats.Number(row[peak]) > 0 { // of the data type of the layer
			f.Peak = stats.Number(row[peak])
		}
		if !ok || f.Peak <= 0 {
			return nil
		}
		if !slices.Contains(r.Roofs, f) {
			r.Roofs = append(r.Roofs, f)
		}
		return f.Reach(x)
	}
	for i, row := range t.All() {
		m, c, b := stats.Number(row[macs]), stats.Number(row[cycles]), loads[i]
		if m == 0 || c == 0 || b == 0 {
			continue
		}
		x, y := m/b, m/c
		over(row, x)
		drawn = append(drawn, int32(i))
		// Points within half a percent of each other cannot be told apart.
		p := place{int(math.Round(200 * math.Log(x))), int(math.Round(200 * math.Log(y)))}
		i, ok := at[p]
		if !ok {
			i = len(r.Points)
			at[p] = i
			r.Points = append(r.Points, RoofPoint{Name: fmt.Sprint(row[0]), X: x, Y: y})
		}
		r.Points[i].Layers++
		r.Points[i].Cycles += c
	}
	if len(r.Points) == 0 {
		return nil, nil, errors.New("no layer has both matrix work and memory traffic")
	}
	return r, stats.View(columns, len(drawn), func(k int, out []any) {
		i := int(drawn[k])
		row := t.Row(i)
		x := stats.Number(row[macs]) / loads[i]
		out[0], out[1], out[2], out[3] = row[0], x, stats.Number(row[macs])/stats.Number(row[cycles]), over(row, x)
	}), nil
}

// charged is the bytes of each layer where they were moved. What the memory cannot have moved
// in the time of a layer came while the layers before it on its node worked: it is charged to
// them, the latest first. What is left before the first layer stays there.
func charged(t *stats.Table, where, cycles int, traffic []int, roofs map[string]Roof) []float64 {
	out := make([]float64, t.Len())
	over := map[string]float64{} // of the layers after, by node
	first := map[string]int{}
	for i := t.Len() - 1; i >= 0; i-- {
		row, node := t.Row(i), ""
		if where >= 0 {
			node = fmt.Sprint(row[where])
		}
		out[i], first[node] = SumOf(row, traffic)+over[node], i
		over[node] = 0
		if s := roofs[node].Slope; s > 0 {
			most := s * stats.Number(row[cycles])
			over[node] = max(0, out[i]-most)
			out[i] = min(out[i], most)
		}
	}
	for node, i := range first {
		out[i] += over[node]
	}
	return out
}

// Label names the point by its first layer.
func (p RoofPoint) Label() string {
	if p.Layers > 1 {
		return fmt.Sprintf("%s +%d", p.Name, p.Layers-1)
	}
	return p.Name
}

// Lines are the roofs over the points: each up to its ridge, then flat.
func (r *Roofline) Lines() (out []RoofLine) {
	lo, hi := r.Points[0].X, r.Points[0].X
	for _, p := range r.Points {
		lo, hi = min(lo, p.X), max(hi, p.X)
	}
	for _, f := range r.Roofs {
		if f.Slope > 0 {
			lo, hi = min(lo, f.Peak/f.Slope/4), max(hi, f.Peak/f.Slope*4)
		}
	}
	for _, f := range r.Roofs {
		l := RoofLine{Xs: []float64{lo, hi}}
		if f.Slope > 0 {
			l.Xs = []float64{lo, f.Peak / f.Slope, hi}
		}
		for _, x := range l.Xs {
			l.Ys = append(l.Ys, f.Reach(x))
		}
		out = append(out, l)
	}
	return out
}

// A RoofLine is a roof as a line.
type RoofLine struct{ Xs, Ys []float64 }

// Heaviest are the n points with most cycles.
func (r *Roofline) Heaviest(n int) []RoofPoint {
	out := slices.Clone(r.Points)
	slices.SortStableFunc(out, func(a, b RoofPoint) int { return cmp.Compare(b.Cycles, a.Cycles) })
	return out[:min(n, len(out))]
}

// TrafficColumns are the columns that hold bytes moved to and from memory.
func TrafficColumns(t *stats.Table) (out []int) {
	for i, c := range t.Columns {
		if strings.HasSuffix(c.Name, "_read_bytes") || strings.HasSuffix(c.Name, "_write_bytes") || c.Name == "memory_bytes" {
			out = append(out, i)
		}
	}
	return out
}

// SumOf adds up the cells of a row in columns cols.
func SumOf(row []any, cols []int) (n float64) {
	for _, i := range cols {
		n += stats.Number(row[i])
	}
	return n
}
