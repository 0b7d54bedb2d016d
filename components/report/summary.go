package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report/layers"
	"github.com/causeway-sim/causeway/components/stats"
)

// Summary prints what a run found, for a terminal.
func Summary(w io.Writer, r *result.Result) {
	if r.Status != result.Complete {
		fmt.Fprintf(w, "%s: %s\n\n", strings.ToUpper(string(r.Status)), r.Reason)
	}
	if r.Layers != nil {
		t, note := layers.Digest(r.Layers)
		Table(w, t)
		if note != "" {
			fmt.Fprintln(w, note)
		}
		fmt.Fprintln(w)
	}
	metrics(w, metricTable(r.Metrics), headlines(r))
	if t := Waits(r.Metrics); t != nil {
		fmt.Fprintln(w, "\nwhere time goes, from the cores down (means over elements)")
		Table(w, t)
	}
	if note := WithoutEnergy(r); note != "" {
		fmt.Fprintf(w, "\n%s\n", note)
	}
	if lines := causeLines(r.Causes); len(lines) > 0 {
		fmt.Fprintln(w, "\nwhat the time of nodes goes to")
		for _, l := range lines {
			fmt.Fprintln(w, l)
		}
	}
	if r.Sentence != "" {
		fmt.Fprintf(w, "\n%s\n", r.Sentence)
	}
}

// WithoutEnergy says which nodes the energy of the whole leaves out; the elements of
// an array are named once. It is "" where no node has an energy model.
func WithoutEnergy(r *result.Result) string {
	if _, ok := r.Metric("", "energy"); !ok || len(r.WithoutEnergy) == 0 {
		return ""
	}
	var names []string
	count := map[string]int{}
	for _, n := range r.WithoutEnergy {
		base, _ := arrayOf(n)
		if count[base]++; count[base] == 1 {
			names = append(names, base)
		}
	}
	for i, n := range names {
		if count[n] > 1 {
			names[i] = fmt.Sprintf("%s (%d)", n, count[n])
		}
	}
	return "The energy leaves out nodes without an energy model: " + strings.Join(names, ", ") + "."
}

// Phased is the name of a metric with its phase, if it is not the whole run; ok is
// false for the phases of which there are many, layers and steps.
func Phased(m stats.Metric) (name string, ok bool) {
	switch m.Phase {
	case "all":
		return m.Name, true
	case "warmup", "measure", "drain":
		return m.Phase + ": " + m.Name, true
	}
	return "", false
}

// metricTable lays out the metrics of the run and its phases. The elements of an array are
// one row, from the least to the largest value; metrics.csv has each of them.
func metricTable(ms []stats.Metric) *stats.Table {
	t := &stats.Table{Columns: []stats.Column{{Name: "where"}, {Name: "metric"}, {Name: "value", Unit: stats.One}, {Name: "unit"}}}
	type span struct {
		base   string
		row, n int
		lo, hi float64
	}
	spans := map[[2]string]*span{}
	for _, m := range ms {
		name, ok := Phased(m)
		if !ok {
			continue
		}
		base, element := arrayOf(m.Where)
		key := [2]string{base, name}
		if s := spans[key]; s != nil && element {
			s.n, s.lo, s.hi = s.n+1, min(s.lo, m.Value), max(s.hi, m.Value)
			continue
		}
		if element {
			spans[key] = &span{base, len(t.Rows), 1, m.Value, m.Value}
		}
		t.Append(m.Where, name, m.Value, string(m.Unit))
	}
	for _, s := range spans {
		if s.n == 1 {
			continue
		}
		row := t.Rows[s.row]
		row[0] = fmt.Sprintf("%s (%d)", s.base, s.n)
		if lo, hi := Pretty(s.lo), Pretty(s.hi); lo != hi {
			row[2] = lo + " .. " + hi
		}
	}
	return t
}

// arrayOf is a node without its place in an array, and in those of groups: Chip.Core of
// Chip[3].Core[1]. element reports whether it had one.
func arrayOf(node string) (name string, element bool) {
	name = cause.Base(node)
	return name, len(name) != len(node)
}

// Table prints a table for a terminal: numbers to the right, in groups of three.
func Table(w io.Writer, t *stats.Table) {
	tw := table.NewWriter()
	tw.SetOutputMirror(w)
	tw.SetStyle(table.StyleLight)
	tw.Style().Options.DrawBorder = false
	tw.Style().Options.SeparateColumns = false
	tw.Style().Format.Header = text.FormatDefault
	header := make(table.Row, len(t.Columns))
	var cfg []table.ColumnConfig
	for i, c := range t.Columns {
		header[i] = c.Name
		if c.Unit != "" {
			cfg = append(cfg, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	tw.SetColumnConfigs(cfg)
	tw.AppendHeader(header)
	for _, row := range t.Rows {
		out := make(table.Row, len(row))
		for i, v := range row {
			out[i] = Pretty(v)
		}
		tw.AppendRow(out)
	}
	tw.Render()
}

// Pretty prints a cell for people: whole numbers in groups of three, others with
// four significant digits.
func Pretty(v any) string {
	switch x := v.(type) {
	case float64:
		switch {
		case x == math.Trunc(x) && math.Abs(x) < 1e15:
			return group(strconv.FormatFloat(x, 'f', 0, 64))
		case math.Abs(x) >= 1e3 && math.Abs(x) < 1e15:
			return group(strconv.FormatFloat(x, 'f', 0, 64))
		}
		return strconv.FormatFloat(x, 'g', 4, 64)
	case int64:
		return group(strconv.FormatInt(x, 10))
	case uint64:
		return group(strconv.FormatUint(x, 10))
	}
	return result.Cell(v)
}

func group(s string) string {
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if neg {
		return "-" + s
	}
	return s
}
