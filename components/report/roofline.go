package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
)

// A roofline holds each layer by its multiply-accumulates per byte of memory
// traffic and per cycle, under the peaks that the layers themselves reveal: the
// size of the array and the highest traffic per cycle seen.
type roofline struct {
	points []roofPoint // layers that fall together are one point
	peak   float64     // MACs per cycle; 0 if no layer tells
	slope  float64     // bytes per cycle
}

type roofPoint struct {
	name   string
	layers int
	x, y   float64 // MACs per byte, MACs per cycle
	cycles float64 // of all its layers
}

// rooflineOf reads the layer table, and lays out its data in full.
func rooflineOf(t *stats.Table) (*roofline, *stats.Table, error) {
	if t == nil || len(t.Rows) == 0 {
		return nil, nil, errNoLayers
	}
	macs, cycles, util := t.Index("macs"), t.Index("cycles"), t.Index("utilization")
	traffic := trafficColumns(t)
	if macs < 0 || cycles < 0 || len(traffic) == 0 {
		return nil, nil, errors.New("the layers have no traffic columns")
	}
	data := &stats.Table{Columns: []stats.Column{
		{Name: "layer"},
		{Name: "macs_per_byte", Unit: stats.One, Text: "Multiply-accumulates per byte of memory traffic."},
		{Name: "macs_per_cycle", Unit: stats.One, Text: "Multiply-accumulates per cycle reached."},
	}}
	r := &roofline{}
	type place struct{ x, y int }
	at := map[place]int{}
	for _, row := range t.Rows {
		m, c, b := number(row[macs]), number(row[cycles]), sumOf(row, traffic)
		if m == 0 || c == 0 || b == 0 {
			continue
		}
		x, y := m/b, m/c
		data.Append(row[0], x, y)
		r.slope = max(r.slope, b/c)
		if util >= 0 && number(row[util]) > 0 {
			r.peak = max(r.peak, y/(number(row[util])/100))
		}
		// Points within half a percent of each other cannot be told apart.
		p := place{int(math.Round(200 * math.Log(x))), int(math.Round(200 * math.Log(y)))}
		i, ok := at[p]
		if !ok {
			i = len(r.points)
			at[p] = i
			r.points = append(r.points, roofPoint{name: fmt.Sprint(row[0]), x: x, y: y})
		}
		r.points[i].layers++
		r.points[i].cycles += c
	}
	if len(r.points) == 0 {
		return nil, nil, errors.New("no layer has both matrix work and memory traffic")
	}
	return r, data, nil
}

// label names the point by its first layer.
func (p roofPoint) label() string {
	if p.layers > 1 {
		return fmt.Sprintf("%s +%d", p.name, p.layers-1)
	}
	return p.name
}

// roof is the line over the points: up to the ridge, then flat; nil if the peaks
// are not known.
func (r *roofline) roof() (xs, ys []float64) {
	if r.peak == 0 || r.slope == 0 {
		return nil, nil
	}
	lo, hi := r.points[0].x, r.points[0].x
	for _, p := range r.points {
		lo, hi = min(lo, p.x), max(hi, p.x)
	}
	ridge := r.peak / r.slope
	lo, hi = min(lo, ridge/4), max(hi, ridge*4)
	return []float64{lo, ridge, hi}, []float64{lo * r.slope, r.peak, r.peak}
}

// heaviest are the n points with most cycles.
func (r *roofline) heaviest(n int) []roofPoint {
	out := slices.Clone(r.points)
	slices.SortStableFunc(out, func(a, b roofPoint) int { return cmp.Compare(b.cycles, a.cycles) })
	return out[:min(n, len(out))]
}

// trafficColumns are the columns that hold bytes moved to and from memory.
func trafficColumns(t *stats.Table) (out []int) {
	for i, c := range t.Columns {
		if strings.HasSuffix(c.Name, "_read_bytes") || strings.HasSuffix(c.Name, "_write_bytes") || c.Name == "memory_bytes" {
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
