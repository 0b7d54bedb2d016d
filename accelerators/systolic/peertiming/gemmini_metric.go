package peertiming

import "github.com/causeway-sim/causeway/components/stats"

// A streamColumn is a column of the layer table of timing gemmini.
type streamColumn struct {
	stats.Column
	cell func(*streamRow) any
}

var streamColumns = func() (cols []streamColumn) {
	add := func(name string, u stats.Unit, text string, f func(*streamRow) any) {
		cols = append(cols, streamColumn{stats.Column{Name: name, Unit: u, Text: text}, f})
	}
	count := func(name string, u stats.Unit, text string, f func(*streamRow) int64) {
		add(name, u, text, func(r *streamRow) any { return uint64(f(r)) })
	}
	add("layer", "", "Name of the layer.", func(r *streamRow) any { return r.name })
	count("cycles", stats.Cycle, "Cycles from the call of the library to the last acknowledged store.", func(r *streamRow) int64 { return r.result.Cycles })
	count("compute_cycles", stats.Cycle, "Cycles in which the array takes rows.", func(r *streamRow) int64 { return r.result.Busy })
	count("search_cycles", stats.Cycle, "Cycles before the first tile: the processor looks for one that fits.", func(r *streamRow) int64 { return r.start })
	add("tile", "", "Sizes of a full tile: batch, rows, columns, filters, kernel rows and columns, channels.", func(r *streamRow) any { return r.tile })
	count("tiles", stats.One, "Tiles done.", func(r *streamRow) int64 { return r.result.Loops })
	count("commands", stats.One, "Commands of the reservation station.", func(r *streamRow) int64 { return r.result.Commands })
	count("read_bytes", stats.Byte, "Bytes from the shared cache.", func(r *streamRow) int64 { return r.result.Read })
	count("write_bytes", stats.Byte, "Bytes to the shared cache.", func(r *streamRow) int64 { return r.result.Written })
	count("cache_misses", stats.One, "Requests that the shared cache missed.", func(r *streamRow) int64 { return r.result.Misses })
	count("repeat", stats.One, "Calls of the library: groups, batch of products.", func(r *streamRow) int64 { return int64(r.repeat) })
	count("macs", stats.One, "Multiply-accumulates.", func(r *streamRow) int64 { return r.macs })
	add("workload", "", "Name of the workload.", func(r *streamRow) any { return r.workload })
	return cols
}()

func (t *Gemmini) metrics() {
	g := t.group
	value := func(name string, u stats.Unit, text string, f func() int64) {
		g.Value(name, u, text, func() (float64, bool) { return float64(f()), true })
	}
	value("total_cycles", stats.Cycle, "Cycles of all layers.", func() int64 { return t.sum.Cycles })
	value("compute_cycles", stats.Cycle, "Cycles in which the array takes rows.", func() int64 { return t.sum.Busy })
	value("idle_cycles", stats.Cycle, "Cycles before the first tiles: the processor looks for one that fits.", func() int64 { return t.start })
	value("stall_memory_cycles", stats.Cycle, "Other cycles in which the array takes no rows: it waits for loads and stores.", func() int64 { return t.sum.Cycles - t.sum.Busy - t.start })
	value("read_bytes", stats.Byte, "Bytes from the shared cache.", func() int64 { return t.sum.Read })
	value("write_bytes", stats.Byte, "Bytes to the shared cache.", func() int64 { return t.sum.Written })
	value("cache_misses", stats.One, "Requests that the shared cache missed.", func() int64 { return t.sum.Misses })
	value("macs", stats.One, "Multiply-accumulates of the layers.", func() int64 { return t.macs })
	g.Value("utilization", stats.Percent, "Share of the array's peak over the total cycles.", func() (float64, bool) { return t.share(float64(t.macs), t.lastCycle()) })
	g.Value("processing_time", stats.NS, "Time of all layers.", func() (float64, bool) { return t.core.Clock.Nanoseconds(t.lastCycle()), true })
}
