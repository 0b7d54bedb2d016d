package panel

import (
	"cmp"
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

// requests draws the table of requests of a schedule or a server.
func requests(d *Data) []chart.Figure {
	if d.Run == nil || d.Run.Requests == nil || len(d.Run.Requests.Rows) < 2 { // of one the metrics say all
		return nil
	}
	t := d.Run.Requests
	column := func(names ...string) int {
		for _, n := range names {
			if i := t.Index(n); i >= 0 {
				return i
			}
		}
		return -1
	}
	arrival, begin, first, end := column("arrival"), column("begin", "scheduled"), column("first_token"), column("end", "last_token")
	if arrival < 0 || begin < 0 || end < 0 {
		return nil
	}
	over := chart.Figure{Name: "requests", Title: "Requests over time", Wide: true}
	over.Note = "Those that have arrived and were not begun with, and those that were begun with and have no answer."
	over.Kind, over.X, over.Y = chart.Lines, chart.Axis{Name: "time", Unit: "ns"}, chart.Axis{Name: "requests", Unit: "1"}
	over.Series = drawnSeries(between(t, "waiting", arrival, begin), between(t, "served", begin, end))
	within := chart.Figure{Name: "request-latency", Title: "Latency of requests"}
	within.Note = "Share of the requests that have it within a time from their arrival."
	within.Kind, within.X, within.Y = chart.Lines, chart.Axis{Name: "time since arrival", Unit: "ns"}, chart.Axis{Name: "share of requests", Unit: "%"}
	if first >= 0 {
		within.Series = append(within.Series, drawnSeries(shares(t, "first token", arrival, first))...)
	}
	within.Series = append(within.Series, drawnSeries(shares(t, "answer", arrival, end))...)
	var out []chart.Figure
	for _, f := range []chart.Figure{over, within} {
		if len(f.Series) > 0 {
			out = append(out, f)
		}
	}
	return out
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
func between(t *stats.Table, name string, from, to int) chart.Series {
	type change struct {
		at float64
		by int
	}
	var all []change
	for _, row := range t.Rows {
		if row[from] == nil {
			continue
		}
		all = append(all, change{number(row[from]), 1})
		if row[to] != nil {
			all = append(all, change{number(row[to]), -1})
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
func shares(t *stats.Table, name string, from, to int) chart.Series {
	var all []float64
	for _, row := range t.Rows {
		if row[from] != nil && row[to] != nil {
			all = append(all, number(row[to])-number(row[from]))
		}
	}
	slices.Sort(all)
	s := chart.Series{Name: name}
	every := max(len(all)/maxSteps, 1)
	for i, v := range all {
		if i%every == 0 || i == len(all)-1 {
			s.X, s.Y = append(s.X, v), append(s.Y, 100*float64(i+1)/float64(len(t.Rows)))
		}
	}
	return s
}
