package watch

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// An arraySeries is the time series of all elements of an array, together.
type arraySeries struct {
	name string // Core.macs
	unit stats.Unit
	of   []*stats.TimeSeries
	most []func() float64 // the peaks of them, which some know when they have done it
}

// watch makes all nodes record the time series that they offer.
func watch(nodes []system.Node) (out []*arraySeries) {
	for _, n := range nodes {
		for _, w := range n.Stats().Observable() {
			out = put(out, n.Name(), w.Name, w.Unit, w.Watch(), w.Peak)
		}
	}
	return out
}

// put adds the time series of a node to that of its array.
func put(all []*arraySeries, node, name string, unit stats.Unit, c *stats.TimeSeries, most func() float64) []*arraySeries {
	name = element.ReplaceAllString(node, "") + "." + name
	i := slices.IndexFunc(all, func(c *arraySeries) bool { return c.name == name })
	if i < 0 {
		i = len(all)
		all = append(all, &arraySeries{name: name, unit: unit})
	}
	all[i].of, all[i].most = append(all[i].of, c), append(all[i].most, most)
	return all
}

// peak is the most per ns, 0 where an element has no limit.
func (c *arraySeries) peak() (sum float64) {
	for _, most := range c.most {
		p := most()
		if p == 0 {
			return 0
		}
		sum += p
	}
	return sum
}

// late is by how many ns something passed an element later than it was known to be done.
func (c *arraySeries) late() (most float64) {
	for _, x := range c.of {
		most = max(most, x.Late())
	}
	return most
}

// AboveRoof lists the columns that exceed their configured peak in an interval of Series, which is
// an error of a model. A delay of one interval (stats.TimeSeries.Late) is tolerated.
func (o *Observed) AboveRoof() (out []string) {
	if o == nil || o.Series == nil || len(o.Series.Rows) == 0 {
		return nil
	}
	s := o.Series
	for _, c := range o.arrays {
		peak, at := o.Peaks[c.name], s.Index(c.name)
		if peak == 0 {
			continue
		}
		before := 0.0
		for i := range s.Rows {
			end := s.Number(i, 0)
			if v := s.Number(i, at) / (end - before); v > peak*(1+1e-9)+1e-3/(end-before) {
				out = append(out, fmt.Sprintf("%s is %.6g per ns from %g to %g ns, above its peak of %.6g", c.name, v, before, end, peak))
				break
			}
			before = end
		}
		if wide := s.Number(0, 0); c.late() > wide {
			out = append(out, fmt.Sprintf("%s passes %.6g ns later at its peak of %.6g per ns than it was done (want at most %g)", c.name, c.late(), peak, wide))
		}
	}
	return out
}

// into adds a column to a table whose rows are intervals; an empty time series has none.
func (c *arraySeries) into(s *JSONTable) {
	if !slices.ContainsFunc(c.of, func(x *stats.TimeSeries) bool { return x.Sum() > 0 }) {
		return
	}
	s.Columns, s.Units = append(s.Columns, c.name), append(s.Units, c.unit)
	before := 0.0
	for i := range s.Rows {
		at, sum := s.Number(i, 0), 0.0
		for _, x := range c.of {
			sum += x.Between(before, at)
		}
		s.Rows[i] = append(s.Rows[i], math.Round(sum*1e3)/1e3) // the order of additions is in the last digits
		before = at
	}
}

// peaks are those of the columns of a table.
func peaks(all []*arraySeries, s *JSONTable) map[string]float64 {
	if s == nil {
		return nil
	}
	out := map[string]float64{}
	for _, c := range all {
		if p := c.peak(); p > 0 && s.Index(c.name) >= 0 {
			out[c.name] = p
		}
	}
	return out
}

// counted are the counters of bytes that a node books when it asks or is asked: the time
// series of what it moved replaces them.
var counted = []string{
	"read_bytes", "write_bytes", "bytes_done", "ifmap_read_bytes", "filter_read_bytes", "ofmap_read_bytes", "ofmap_write_bytes", "memory_bytes",
}

// replaced reports whether a time series replaces a counter.
func replaced(all []*arraySeries, counter string) bool {
	dot := strings.LastIndexByte(counter, '.')
	node, name := counter[:dot], counter[dot+1:]
	return slices.ContainsFunc(all, func(c *arraySeries) bool {
		return c.name == counter || c.name == node+".moved_bytes" && slices.Contains(counted, name)
	})
}

// ofLayers are the time series of the nodes that keep none of their own but carry out operators one
// after the other: each operator is spread over its time.
func ofLayers(workers []Worker, have []*arraySeries) (out []*arraySeries) {
	for _, w := range workers {
		t, ok := w.(system.Tabled)
		if !ok {
			continue
		}
		table := t.Layers()
		if table == nil {
			continue
		}
		macs, bytes := roofs(w.Stats().Metrics(), w.Clock())
		for _, x := range []struct {
			name string
			unit stats.Unit
			of   func(column string) bool
			peak float64
		}{{"macs", stats.One, func(c string) bool { return c == "macs" }, macs}, {"moved_bytes", stats.Byte, ofMemory, bytes}} {
			if slices.ContainsFunc(w.Stats().Observable(), func(o stats.Watched) bool { return o.Name == x.name }) {
				continue
			}
			if c := layerSeries(table, w.Clock(), x.of, x.peak); c.Sum() > 0 {
				out = put(out, w.Name(), x.name, x.unit, c, c.Peak)
			}
		}
		clocks(w, table, have)
	}
	return out
}

// clocks adds operators to the time series of a node that has a clock over time: their energy beyond that of
// a chip at rest, their time, and that time as far as the clock is the full one.
func clocks(w Worker, t *stats.Table, have []*arraySeries) {
	clock, start, cycles, ns := t.Index("clock"), t.Index("start"), t.Index("cycles"), w.Clock().Nanoseconds(1)
	into := func(name string) *stats.TimeSeries { return seriesOf(have, w.Name(), name) }
	active, busy, clocked := into("active_energy"), into("busy_time"), into("clocked_time")
	if clock < 0 || active == nil {
		return
	}
	for _, row := range t.All() {
		from, pj := at(row, start)*ns, 0.0
		to := from + at(row, cycles)*ns
		for k, c := range t.Columns {
			if strings.HasPrefix(c.Name, "energy_") && c.Name != "energy_static" {
				pj += at(row, k)
			}
		}
		active.Add(pj, from, to)
		busy.Add(to-from, from, to)
		clocked.Add((to-from)*at(row, clock)/100, from, to)
	}
}

// seriesOf is the time series of that name of a node, or of the first element of its array; nil if there is none.
func seriesOf(have []*arraySeries, node, name string) *stats.TimeSeries {
	name = element.ReplaceAllString(node, "") + "." + name
	for _, c := range have {
		if c.name == name {
			return c.of[0]
		}
	}
	return nil
}

// ofMemory reports whether a column of a table of layers has bytes of memory.
func ofMemory(column string) bool {
	return strings.HasSuffix(column, "_read_bytes") || strings.HasSuffix(column, "_write_bytes") || column == "memory_bytes"
}

// roofs are the most multiply-accumulates and bytes of a node per ns, 0 for no limit.
func roofs(ms []stats.Metric, c clock.Clock) (macs, bytes float64) {
	for _, m := range ms {
		switch m.Name {
		case "peak_macs":
			macs = m.Value / c.Nanoseconds(1)
		case "peak_bandwidth":
			bytes = m.Value
		}
	}
	return macs, bytes
}

// layerSeries spreads columns of a table of layers over the times of the layers. Multiply-
// accumulates of a data type that has a higher peak raise it; those that are skipped are not
// done.
func layerSeries(t *stats.Table, c clock.Clock, of func(column string) bool, peak float64) *stats.TimeSeries {
	start, cycles, rate, skipped := t.Index("start"), t.Index("cycles"), t.Index("peak_macs"), t.Index("skipped_macs")
	if cycles < 0 {
		return stats.NewTimeSeries(0)
	}
	ns := c.Nanoseconds(1)
	if peak > 0 && of("macs") {
		for _, row := range t.All() {
			peak = max(peak, at(row, rate)/ns)
		}
	}
	out := stats.NewTimeSeries(peak)
	for k, column := range t.Columns {
		if !of(column.Name) {
			continue
		}
		next := 0.0 // without a column of starts layers come one after the other
		for _, row := range t.All() {
			from := next
			if start >= 0 {
				from = at(row, start) * ns
			}
			next = from + at(row, cycles)*ns
			n := at(row, k)
			if column.Name == "macs" {
				n -= at(row, skipped)
			}
			out.Add(n, from, next)
		}
	}
	return out
}
