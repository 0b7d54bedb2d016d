package panel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	Add("requests", "Requests over time: those that wait, and those that are served. How many have their answer, or its first token, within a time.",
		Panel{Section: Over, Place: 2, Names: []string{"requests", "request-latency"}, Draw: requests})
}

// maxSteps bounds the points of a line.
const maxSteps = 2000

// A requestTime reads a time of a request from its row, whose columns each kind of node names its own way; ok is false where the
// request has none.
type requestTime func(row []any) (at float64, ok bool)

// requests draws the table of requests of schedules and servers. Those of several nodes have
// lines of their own.
func requests(d *Data) []chart.Figure {
	if d.Run == nil || d.Run.Requests == nil || len(d.Run.Requests.Rows) < 2 { // of one the metrics say all
		return nil
	}
	t := d.Run.Requests
	arrival, begin, first, end := momentOf(t, "arrival"), momentOf(t, "begin", "scheduled"), momentOf(t, "first_token"), momentOf(t, "end", "last_token")
	if arrival == nil || begin == nil || end == nil {
		return nil
	}
	over := chart.Figure{Name: "requests", Title: "Requests over time", Wide: true}
	over.Note = "Those that have arrived and were not begun with, and those that were begun with and have no answer."
	over.Kind, over.X, over.Y = chart.Lines, chart.Axis{Name: "time", Unit: "ns"}, chart.Axis{Name: "requests", Unit: "1"}
	within := chart.Figure{Name: "request-latency", Title: "Latency of requests"}
	within.Note = "Share of the requests that have it within a time from their arrival."
	within.Kind, within.X, within.Y = chart.Lines, chart.Axis{Name: "time since arrival", Unit: "ns"}, chart.Axis{Name: "share of requests", Unit: "%"}
	names, rows := requestsByNode(t)
	for i, name := range names {
		if name != "" {
			name += ": "
		}
		over.Series = append(over.Series, drawnSeries(between(rows[i], name+"waiting", arrival, begin), between(rows[i], name+"served", begin, end))...)
		if first != nil {
			within.Series = append(within.Series, drawnSeries(shares(rows[i], name+"first token", arrival, first))...)
		}
		within.Series = append(within.Series, drawnSeries(shares(rows[i], name+"answer", arrival, end))...)
	}
	var out []chart.Figure
	for _, f := range []chart.Figure{over, within} {
		if len(f.Series) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// momentOf finds a time by the columns that may hold it, nil where the table has none of them.
func momentOf(t *stats.Table, names ...string) requestTime {
	var columns []int
	for _, n := range names {
		if i := t.Index(n); i >= 0 {
			columns = append(columns, i)
		}
	}
	if len(columns) == 0 {
		return nil
	}
	return func(row []any) (float64, bool) {
		for _, c := range columns {
			if row[c] != nil {
				return stats.Number(row[c]), true
			}
		}
		return 0, false
	}
}

// requestsByNode are the rows of each node that has requests; of one node its name is "".
func requestsByNode(t *stats.Table) (names []string, rows [][][]any) {
	node := t.Index("node")
	at := Indexer(&names)
	for _, row := range t.Rows {
		name := ""
		if node >= 0 && row[node] != nil {
			name = fmt.Sprint(row[node])
		}
		i := at(name)
		if i == len(rows) {
			rows = append(rows, nil)
		}
		rows[i] = append(rows[i], row)
	}
	if len(names) == 1 {
		names[0] = ""
	}
	return names, rows
}

// drawnSeries leaves out what has no points.
func drawnSeries(all ...chart.Series) (out []chart.Series) {
	for _, s := range all {
		if len(s.X) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// between is how many requests are between two times of theirs, over time; without the
// second they stay.
func between(rows [][]any, name string, from, to requestTime) chart.Series {
	type change struct {
		at float64
		by int
	}
	var all []change
	for _, row := range rows {
		a, ok := from(row)
		if !ok {
			continue
		}
		all = append(all, change{a, 1})
		if b, ok := to(row); ok {
			all = append(all, change{b, -1})
		}
	}
	slices.SortFunc(all, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), b.by-a.by) })
	s := chart.Series{Name: name, Step: true}
	n, every := 0, max(len(all)/maxSteps, 1)
	for i, c := range all {
		n += c.by
		if i%every == 0 || i == len(all)-1 {
			s.X, s.Y = append(s.X, c.at), append(s.Y, float64(n))
		}
	}
	return s
}

// shares is the share of requests within a time between two times of theirs.
func shares(rows [][]any, name string, from, to requestTime) chart.Series {
	var all []float64
	for _, row := range rows {
		a, ok := from(row)
		if b, has := to(row); ok && has {
			all = append(all, b-a)
		}
	}
	slices.Sort(all)
	s := chart.Series{Name: name}
	every := max(len(all)/maxSteps, 1)
	for i, v := range all {
		if i%every == 0 || i == len(all)-1 {
			s.X, s.Y = append(s.X, v), append(s.Y, 100*float64(i+1)/float64(len(rows)))
		}
	}
	return s
}
