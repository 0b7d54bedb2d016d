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

// A roofline holds each layer by its multiply-accumulates per byte of memory traffic
// and per cycle, under the roofs of its node, which follow from the configuration: the
// peak of its array, and the nominal bandwidth of the memories that it reaches.
type roofline struct {
	points []roofPoint // layers that fall together are one point
	roofs  []roof      // of the nodes; like ones are one
}

// A roof is what a node can do at most.
type roof struct {
	peak  float64 // MACs per cycle
	slope float64 // bytes per cycle; 0 if memory has no limit
}

// reach is the most MACs per cycle at so many MACs per byte.
func (r roof) reach(x float64) float64 {
	if r.slope == 0 {
		return r.peak
	}
	return min(r.peak, x*r.slope)
}

// roofsOf finds the roof of every node.
func roofsOf(ms []stats.Metric) map[string]roof {
	out := map[string]roof{}
	for _, m := range ms {
		if m.Phase != "all" || m.Where == "" || m.Value <= 0 {
			continue
		}
		r := out[m.Where]
		switch m.Name {
		case "peak_macs":
			r.peak = m.Value
		case "peak_bytes":
			r.slope = m.Value
		default:
			continue
		}
		out[m.Where] = r
	}
	return out
}

type roofPoint struct {
	name   string
	layers int
	x, y   float64 // MACs per byte, MACs per cycle
	cycles float64 // of all its layers
}

// rooflineOf reads the layer table and the peaks of the nodes, and lays out its data in
// full.
func rooflineOf(t *stats.Table, ms []stats.Metric) (*roofline, *stats.Table, error) {
	if t == nil || len(t.Rows) == 0 {
		return nil, nil, errNoLayers
	}
	macs, cycles, where := t.Index("macs"), t.Index("cycles"), t.Index("where")
	traffic := trafficColumns(t)
	if macs < 0 || cycles < 0 || len(traffic) == 0 {
		return nil, nil, errors.New("the layers have no traffic columns")
	}
	roofs := roofsOf(ms)
	data := &stats.Table{Columns: []stats.Column{
		{Name: "layer"},
		{Name: "macs_per_byte", Unit: stats.One, Text: "Multiply-accumulates per byte of memory traffic."},
		{Name: "macs_per_cycle", Unit: stats.One, Text: "Multiply-accumulates per cycle reached."},
		{Name: "roof_macs_per_cycle", Unit: stats.One, Text: "Multiply-accumulates per cycle under the roof of the node."},
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
		var most any
		if where >= 0 {
			if f, ok := roofs[fmt.Sprint(row[where])]; ok && f.peak > 0 {
				most = f.reach(x)
				if !slices.Contains(r.roofs, f) {
					r.roofs = append(r.roofs, f)
				}
			}
		}
		data.Append(row[0], x, y, most)
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

// lines are the roofs over the points: each up to its ridge, then flat.
func (r *roofline) lines() (out []roofLine) {
	lo, hi := r.points[0].x, r.points[0].x
	for _, p := range r.points {
		lo, hi = min(lo, p.x), max(hi, p.x)
	}
	for _, f := range r.roofs {
		if f.slope > 0 {
			lo, hi = min(lo, f.peak/f.slope/4), max(hi, f.peak/f.slope*4)
		}
	}
	for _, f := range r.roofs {
		l := roofLine{xs: []float64{lo, hi}}
		if f.slope > 0 {
			l.xs = []float64{lo, f.peak / f.slope, hi}
		}
		for _, x := range l.xs {
			l.ys = append(l.ys, f.reach(x))
		}
		out = append(out, l)
	}
	return out
}

// A roofLine is a roof as a line.
type roofLine struct{ xs, ys []float64 }

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
