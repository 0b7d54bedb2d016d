package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/stats"
)

// MaxRows bounds how many layers a terminal summary shows; the rest stand in
// layers.csv.
const MaxRows = 24

// Summary prints what a run found, for a terminal.
func Summary(w io.Writer, r *experiment.Result) {
	if r.Status != experiment.Complete {
		fmt.Fprintf(w, "%s: %s\n\n", strings.ToUpper(string(r.Status)), r.Reason)
	}
	if t := layerDigest(r.Layers); t != nil {
		shown := t
		if len(t.Rows) > MaxRows {
			shown = heaviest(t, MaxRows)
		}
		Table(w, shown)
		if shown != t {
			fmt.Fprintf(w, "the %d layers with most cycles of %d; all of them: layers.csv\n", MaxRows, len(t.Rows))
		}
		fmt.Fprintln(w)
	}
	Table(w, metricTable(r.Metrics))
	if r.Bottleneck != "" {
		fmt.Fprintf(w, "\n%s\n", r.Bottleneck)
	}
}

// layerDigest condenses a layer table to what fits a terminal: the columns named
// here, the memory traffic in one, and the main cause of a stall.
func layerDigest(t *stats.Table) *stats.Table {
	if t == nil {
		return nil
	}
	out := &stats.Table{}
	var cells []func(row []any) any
	add := func(c stats.Column, f func(row []any) any) {
		out.Columns, cells = append(out.Columns, c), append(cells, f)
	}
	defined := func(i int) bool {
		return i >= 0 && slices.ContainsFunc(t.Rows, func(row []any) bool { return row[i] != nil })
	}
	for _, name := range []string{"layer", "where", "type", "cycles", "compute_cycles", "utilization", "mapping_efficiency", "compute_utilization", "bound"} {
		i := t.Index(name)
		if !defined(i) || name == "where" && !varies(t, i) {
			continue
		}
		c := t.Columns[i]
		c.Name = strings.NewReplacer("compute_cycles", "compute", "utilization", "util %", "mapping_efficiency", "mapping %", "compute_util %", "compute util %").Replace(c.Name)
		add(c, func(row []any) any { return row[i] })
	}
	if cols := trafficColumns(t); len(cols) > 0 {
		add(stats.Column{Name: "memory bytes", Unit: stats.Byte}, func(row []any) any { return sumOf(row, cols) })
	}
	var stalls []int
	for i, c := range t.Columns {
		if strings.HasPrefix(c.Name, stallPrefix) {
			stalls = append(stalls, i)
		}
	}
	if ci := t.Index("cycles"); len(stalls) > 0 && ci >= 0 {
		add(stats.Column{Name: "stalled", Unit: stats.Percent}, func(row []any) any {
			if c := number(row[ci]); c > 0 {
				return fmt.Sprintf("%.1f %%", 100*sumOf(row, stalls)/c)
			}
			return nil
		})
		add(stats.Column{Name: "mostly by"}, func(row []any) any {
			best := stalls[0]
			for _, i := range stalls {
				if number(row[i]) > number(row[best]) {
					best = i
				}
			}
			if number(row[best]) == 0 {
				return nil
			}
			return causeName(t.Columns[best].Name)
		})
	}
	for _, row := range t.Rows {
		r := make([]any, len(cells))
		for i, f := range cells {
			r[i] = f(row)
		}
		out.Append(r...)
	}
	return out
}

// varies tells whether column i holds more than one value.
func varies(t *stats.Table, i int) bool {
	return slices.ContainsFunc(t.Rows, func(row []any) bool { return row[i] != t.Rows[0][i] })
}

// heaviest keeps the n rows with most cycles, in their order.
func heaviest(t *stats.Table, n int) *stats.Table {
	ci := t.Index("cycles")
	if ci < 0 {
		return &stats.Table{Columns: t.Columns, Rows: t.Rows[:n]}
	}
	order := make([]int, len(t.Rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := number(t.Rows[a][ci]), number(t.Rows[b][ci])
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	order = order[:n]
	slices.Sort(order)
	out := &stats.Table{Columns: t.Columns}
	for _, i := range order {
		out.Rows = append(out.Rows, t.Rows[i])
	}
	return out
}

// metricTable lays out the metrics of phase "all".
func metricTable(ms []stats.Metric) *stats.Table {
	t := &stats.Table{Columns: []stats.Column{{Name: "where"}, {Name: "metric"}, {Name: "value", Unit: stats.One}, {Name: "unit"}}}
	for _, m := range ms {
		if m.Phase == "all" {
			t.Append(m.Where, m.Name, m.Value, string(m.Unit))
		}
	}
	return t
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
		case math.Abs(x) >= 1e4 && math.Abs(x) < 1e15:
			return group(strconv.FormatFloat(x, 'f', 0, 64))
		}
		return strconv.FormatFloat(x, 'g', 4, 64)
	case int64:
		return group(strconv.FormatInt(x, 10))
	case uint64:
		return group(strconv.FormatUint(x, 10))
	}
	return experiment.Cell(v)
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
