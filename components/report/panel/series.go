package panel

import (
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/draw"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	Add("bandwidth-time", "Bandwidth of each node over time.", Panel{Section: Over, Place: 3, Draw: bandwidthTime})
	Add("flight-time", "Requests and messages on their way over time: what was sent and has no answer yet.", Panel{Section: Over, Place: 4, Draw: flightTime})
	Add("hits-time", "Hit rate of each cache over time.", Panel{Section: Over, Place: 5, Draw: hitsTime})
	Add("work-time", "Multiply-accumulates per nanosecond over time.", Panel{Section: Over, Place: 6, Draw: workTime})
}

// series are the counters that the run's own samples (simulation.sample) hold, else those
// that it was seen with.
func series(d *Data) *watch.JSONTable {
	switch {
	case d.Run == nil:
		return nil
	case d.Run.Observed != nil && d.Run.Observed.Series != nil:
		return d.Run.Observed.Series
	case d.Run.Series != nil && len(d.Run.Series.Rows) > 1:
		s := &watch.JSONTable{Rows: d.Run.Series.Rows}
		for _, c := range d.Run.Series.Columns {
			s.Columns, s.Units = append(s.Columns, c.Name), append(s.Units, c.Unit)
		}
		return s
	}
	return nil
}

// counter is a column of counters: that of a node, by name.
type counter struct {
	node, name string
	column     int
}

func counters(s *watch.JSONTable) (out []counter) {
	for i, c := range s.Columns {
		if dot := strings.LastIndexByte(c, '.'); i > 0 && dot > 0 {
			out = append(out, counter{c[:dot], c[dot+1:], i})
		}
	}
	return out
}

// over is a line of what f says of each interval, at its middle.
func over(s *watch.JSONTable, name string, f func(row int, ns float64) float64) chart.Series {
	out := chart.Series{Name: name}
	before := 0.0
	for i := range s.Rows {
		at := s.Number(i, 0)
		out.X, out.Y = append(out.X, (at+before)/2), append(out.Y, f(i, at-before))
		before = at
	}
	return out
}

// maxOver bounds the lines of a chart over time; the largest are kept.
const maxOver = 10

// largest keeps the lines with the largest sums.
func largest(all []chart.Series) []chart.Series {
	sum := func(s chart.Series) (n float64) {
		for _, v := range s.Y {
			if !math.IsNaN(v) {
				n += v
			}
		}
		return n
	}
	if len(all) > maxOver {
		slices.SortStableFunc(all, func(a, b chart.Series) int {
			switch x, y := sum(a), sum(b); {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		all = all[:maxOver]
	}
	return all
}

// timeFigure draws lines over time. A model that counts all of its work when it plans it
// has no time series: its line is left out.
func timeFigure(name, title, axis, unit string, lines []chart.Series) []chart.Figure {
	lines = slices.DeleteFunc(lines, func(s chart.Series) bool {
		n := 0
		for _, v := range s.Y {
			if v != 0 && !math.IsNaN(v) {
				n++
			}
		}
		return n < 2 && len(s.Y) > 4
	})
	if len(lines) == 0 {
		return nil
	}
	f := chart.Figure{Name: name, Title: title}
	f.Kind, f.X, f.Y, f.Series = chart.Lines, chart.Axis{Name: "time", Unit: "ns"}, chart.Axis{Name: axis, Unit: unit}, largest(lines)
	return []chart.Figure{f}
}

// moved are the counters of bytes that a node moves, those that say the same twice left out.
var moved = [][]string{
	{"moved_bytes"}, {"bytes_done"}, {"read_bytes", "write_bytes"}, {"bytes_delivered"},
	{"ifmap_read_bytes", "filter_read_bytes", "ofmap_read_bytes", "ofmap_write_bytes"},
}

func bandwidthTime(d *Data) []chart.Figure {
	s := series(d)
	if s == nil {
		return nil
	}
	of := map[string]map[string]int{}
	var nodes []string
	for _, c := range counters(s) {
		if of[c.node] == nil {
			of[c.node] = map[string]int{}
			nodes = append(nodes, c.node)
		}
		of[c.node][c.name] = c.column
	}
	var lines []chart.Series
	column := map[string]string{} // of lines that a peak may be known of
	for _, n := range nodes {
		if wires := wiresOf(s, n, of[n], column); len(wires) > 0 {
			lines = append(lines, wires...)
			continue
		}
		if done, ok := of[n]["requests_done"]; ok {
			// Its bytes are counted when it asks for them: a burst at the start. What is answered
			// is what moved, at the mean size of its requests.
			bytes, asked := 0.0, 0.0
			for row := range s.Rows {
				bytes += s.Number(row, s.Index(n+".read_bytes")) + s.Number(row, s.Index(n+".write_bytes"))
				asked += s.Number(row, s.Index(n+".reads")) + s.Number(row, s.Index(n+".writes"))
			}
			if asked > 0 {
				lines = append(lines, over(s, n, func(row int, ns float64) float64 { return s.Number(row, done) * bytes / asked / ns }))
				continue
			}
		}
		for _, names := range moved {
			var columns []int
			for _, name := range names {
				if c, ok := of[n][name]; ok {
					columns = append(columns, c)
				}
			}
			if len(columns) == 0 {
				continue
			}
			column[n] = n + "." + names[0]
			lines = append(lines, over(s, n, func(row int, ns float64) float64 {
				sum := 0.0
				for _, c := range columns {
					sum += s.Number(row, c)
				}
				return sum / ns // B/ns are GB/s
			}))
			break
		}
	}
	out := timeFigure("bandwidth-time", "Bandwidth over time", "bandwidth", string(stats.GBps), lines)
	for i := range out {
		out[i].Note = "Memories, cores, caches with time, links of CXL and networks: bytes as they pass. Drivers count bytes when they are answered, others when they take the request."
		withPeaks(d, &out[i], column)
	}
	return out
}

// wiresOf are lines of the links of a root of CXL, one for each direction: flits with all that
// they carry, as they pass.
func wiresOf(s *watch.JSONTable, node string, of map[string]int, column map[string]string) (out []chart.Series) {
	for _, way := range []string{"down", "up"} {
		at, ok := of["wire_bytes_"+way]
		if !ok {
			continue
		}
		name := node + " links " + way
		column[name] = node + ".wire_bytes_" + way
		out = append(out, over(s, name, func(row int, ns float64) float64 { return s.Number(row, at) / ns }))
	}
	return out
}

func flightTime(d *Data) []chart.Figure {
	s := series(d)
	if s == nil {
		return nil
	}
	var lines []chart.Series
	for _, pair := range [][2][]string{
		{{"reads", "writes"}, {"requests_done"}}, {{"messages"}, {"messages_delivered"}}, {{"packets"}, {"packets_delivered"}},
	} {
		for _, c := range counters(s) {
			if c.name != pair[1][0] {
				continue
			}
			var sent []int
			for _, name := range pair[0] {
				if i := s.Index(c.node + "." + name); i >= 0 {
					sent = append(sent, i)
				}
			}
			if len(sent) == 0 {
				continue
			}
			under := 0.0
			lines = append(lines, over(s, c.node, func(row int, _ float64) float64 {
				for _, i := range sent {
					under += s.Number(row, i)
				}
				under -= s.Number(row, c.column)
				return under
			}))
		}
	}
	return timeFigure("flight-time", "Under way over time", "requests or messages", "1", lines)
}

func hitsTime(d *Data) []chart.Figure {
	s := series(d)
	if s == nil {
		return nil
	}
	var lines []chart.Series
	for _, c := range counters(s) {
		misses, accesses := s.Index(c.node+".misses"), s.Index(c.node+".accesses")
		if c.name != "hits" || misses < 0 && accesses < 0 {
			continue
		}
		lines = append(lines, over(s, c.node, func(row int, _ float64) float64 {
			all := s.Number(row, c.column) + s.Number(row, misses)
			if accesses >= 0 {
				all = s.Number(row, accesses)
			}
			if all == 0 {
				return math.NaN()
			}
			return 100 * s.Number(row, c.column) / all
		}))
	}
	return timeFigure("hits-time", "Hit rate over time", "hits per access", "%", lines)
}

func workTime(d *Data) []chart.Figure {
	s := series(d)
	if s == nil {
		return nil
	}
	var lines []chart.Series
	column := map[string]string{}
	for _, c := range counters(s) {
		if c.name == "macs" {
			column[c.node] = c.node + ".macs"
			lines = append(lines, over(s, c.node, func(row int, ns float64) float64 { return s.Number(row, c.column) / ns }))
		}
	}
	out := timeFigure("work-time", "Multiply-accumulates over time", "MACs per ns", "1", lines)
	for i := range out {
		withPeaks(d, &out[i], column)
	}
	return out
}

// beyond is how many times the largest value of a chart a peak may be to be drawn in it: else
// it would leave the values at the floor.
const beyond = 6

// withPeaks adds a line for what is possible at most of each line of a figure, by the column that
// it is drawn of, and names those that are far above the chart.
func withPeaks(d *Data, f *chart.Figure, column map[string]string) {
	if d.Run.Observed == nil {
		return
	}
	most, last := 0.0, 0.0
	for _, s := range f.Series {
		for i, v := range s.Y {
			if !math.IsNaN(v) {
				most = max(most, v)
			}
			last = max(last, s.X[i])
		}
	}
	var above []string
	for i, s := range slices.Clone(f.Series) {
		p := d.Run.Observed.Peaks[column[s.Name]]
		if p == 0 {
			continue
		}
		text := draw.SI(p)
		switch {
		case f.Y.Unit == string(stats.GBps) && p >= 1000:
			text = draw.SI(p/1000) + " TB/s"
		case f.Y.Unit != "1":
			text += " " + f.Y.Unit
		default:
			text += " " + f.Y.Name
		}
		if p > beyond*most {
			above = append(above, s.Name+" "+text)
			continue
		}
		f.Series = append(f.Series, chart.Series{Name: s.Name + " peak: " + text, X: chart.Numbers{0, last}, Y: chart.Numbers{p, p}, Dash: true, Color: chart.Palette(i)})
	}
	if len(above) > 0 {
		f.Note = strings.TrimSpace(f.Note + " Peaks far above the chart: " + strings.Join(above, ", ") + ".")
	}
}
