package sweeps

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
)

// show prints the first rows of the table, what was run, and where the rest is.
func show(w io.Writer, sw *sweep.Sweep, res *sweep.Outcome) {
	rows := res.Total
	shown, same := varying(digest(res.Table, false, sw, res.Headlines), res.Table, sw)
	if res.Means != nil {
		shown, rows = digest(res.Means, true, sw, res.Headlines), len(res.Means.Rows)
	}
	report.Table(w, shown)
	if n := len(shown.Rows); n < rows {
		fmt.Fprintf(w, "the first %d points\n", n)
	}
	if len(same) > 0 && res.Means == nil {
		fmt.Fprintf(w, "the same everywhere: %s\n", strings.Join(same, ", "))
	}
	shared := ""
	if res.Shared > 0 {
		shared = fmt.Sprintf("%d by other processes, ", res.Shared)
	}
	fmt.Fprintf(w, "\n%d points: %d run now, %s%d from the journal, %d failed; all columns in %s\n",
		res.Total, res.Finished, shared, res.Reused, res.Failed, filepath.Join(sw.Dir, "sweep.csv"))
	if res.Means != nil {
		fmt.Fprintf(w, "means over %s, with half their 95%% intervals, in %s\n", strings.Join(sw.Average, ", "), filepath.Join(sw.Dir, "mean.csv"))
	}
	if len(sw.Tables) > 0 {
		fmt.Fprintf(w, "tables in %s\n", filepath.Join(sw.Dir, "tables.md"))
	}
	showBest(w, sw, res)
	showFailures(w, sw, res.Failures)
}

// varying leaves out the metrics that are equal in all points, unless the sweep names its
// metrics, and returns those left out as words.
func varying(digest, all *stats.Table, sw *sweep.Sweep) (out *stats.Table, same []string) {
	if len(sw.Metrics) > 0 || len(all.Rows) < 2 {
		return digest, nil
	}
	out = &stats.Table{}
	var keep []int
	for i, c := range digest.Columns {
		at := all.Index(c.Name)
		if i < 2 || at < 0 || slices.ContainsFunc(all.Rows, func(r []any) bool { return r[at] != all.Rows[0][at] }) {
			keep = append(keep, i)
			out.Columns = append(out.Columns, c)
			continue
		}
		word := c.Name + " " + report.Pretty(all.Rows[0][at])
		if c.Unit != "" && c.Unit != stats.One {
			word += " " + string(c.Unit)
		}
		same = append(same, word)
	}
	for _, r := range digest.Rows {
		var row []any
		for _, i := range keep {
			row = append(row, r[i])
		}
		out.Append(row...)
	}
	return out, same
}

// showBest prints what is best, and where the rest of what the points show is.
func showBest(w io.Writer, sw *sweep.Sweep, res *sweep.Outcome) {
	if len(sw.Fixed()) > 0 {
		fmt.Fprintf(w, "all points have %s\n", strings.Join(sw.Fixed(), " "))
	}
	if len(res.Best) == 0 && len(sw.Constraints()) > 0 && res.Failed < res.Total {
		fmt.Fprintln(w, "no point meets the constraints")
	}
	for _, b := range res.Best {
		if len(b.Of) > 0 && b.Objective != res.Best[0].Objective {
			continue // pareto.csv has them
		}
		word := "least"
		if b.Goal == "max" {
			word = "most"
		}
		unit := ""
		if b.Unit != "" && b.Unit != stats.One {
			unit = " " + string(b.Unit)
		}
		of := ""
		if len(b.Of) > 0 {
			of = " of " + strings.Join(b.Of, " ")
		}
		set := slices.DeleteFunc(slices.Clone(b.Set), func(x string) bool { return slices.Contains(b.Of, x) })
		fmt.Fprintf(w, "%s %s%s: %s%s at point %d (%s)\n", word, b.Objective, of, report.Pretty(b.Value), unit, b.Point, strings.Join(set, " "))
	}
	showWorkloads(w, res)
	if len(res.Best) > 1 {
		of := ""
		if len(res.Workloads) > 0 {
			of = " for its workload"
		}
		designs := "designs"
		if len(res.Front) == 1 {
			designs = "design"
		}
		fmt.Fprintf(w, "%d %s that no other beats%s in %s\n", len(res.Front), designs, of, filepath.Join(sw.Dir, "pareto.csv"))
	}
	if res.Effects == nil {
		return
	}
	// Of the first variable: which axis explains most of it.
	metric, parts := "", []string{}
	for _, r := range res.Effects.Rows {
		if metric == "" {
			metric = r[1].(string)
		}
		if r[1] == metric {
			parts = append(parts, fmt.Sprintf("%s %.0f %%", r[0], 100*r[3].(float64)))
		}
	}
	fmt.Fprintf(w, "%s%s is explained by %s alone (sensitivity.csv)\n", metric, spread(res.Table, metric), strings.Join(parts, ", "))
}

// leastSpread is the spread of a metric below which the sentence on what explains it says the spread.
const leastSpread = 0.05

// spread says by how much a metric differs between points at the most, if that is little.
func spread(t *stats.Table, metric string) string {
	at := t.Index(metric)
	if at < 0 {
		return ""
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, row := range t.Rows {
		if v, ok := row[at].(float64); ok {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo <= 0 || hi/lo >= 1+leastSpread {
		return ""
	}
	return fmt.Sprintf(" differs by %.2g %% between points at the most, which", 100*(hi/lo-1))
}

// showWorkloads prints what a sweep over several workloads says besides the best of each.
func showWorkloads(w io.Writer, res *sweep.Outcome) {
	for _, workload := range res.Unmet {
		if len(workload) > 0 {
			fmt.Fprintf(w, "no point of %s meets the constraints\n", strings.Join(workload, " "))
		}
	}
	for _, o := range res.Machines {
		if slices.Equal(o.Set, o.First) {
			fmt.Fprintf(w, "best %s over the %d workloads: %s\n", o.Objective, o.Workloads, strings.Join(o.Set, " "))
			continue
		}
		fmt.Fprintf(w, "best %s over the %d workloads: %s, in the geometric mean %.3g times that of %s\n", o.Objective, o.Workloads, strings.Join(o.Set, " "), o.Ratio, strings.Join(o.First, " "))
	}
}

// maxPointsShown bounds the table of a sweep on a terminal.
const maxPointsShown = 40

// digestHeadlines bounds the headlines of nodes in the table of a sweep on a terminal.
const digestHeadlines = 4

// fits reports whether a metric of a sweep that names none is shown on a terminal: one of the
// system as a whole, or one of the first headlines of nodes that are no elements of an array.
func fits(name string, headlines []string) bool {
	ofNodes := slices.DeleteFunc(slices.Clone(headlines), func(h string) bool { return !strings.Contains(h, ".") || strings.Contains(h, "[") })
	return !strings.Contains(name, ".") || slices.Contains(ofNodes[:min(len(ofNodes), digestHeadlines)], name)
}

// digest returns the table of points, or of means, for a terminal: settings, status, and the
// requested metrics or otherwise the main ones. It has the first rows alone. A mean and half of its
// interval are one column.
func digest(t *stats.Table, means bool, sw *sweep.Sweep, headlines []string) *stats.Table {
	const identity, firstMetric = 1, 3 // columns of a table of points
	out := &stats.Table{}
	var at []int
	interval := map[int]bool{} // half of it is in the next column
	for i, c := range t.Columns {
		path, unit, setting := grid.SettingOf(c.Name)
		interval[i] = means && i+1 < len(t.Columns) && t.Columns[i+1].Name == c.Name+sweep.CISuffix
		metric := interval[i] || !means && i >= firstMetric
		switch {
		case unit != "", means && strings.HasSuffix(c.Name, sweep.CISuffix):
			continue // another column says it
		case setting:
			c.Name = path
		case !means && i == identity, metric && len(sw.Metrics) == 0 && !fits(c.Name, headlines):
			continue
		}
		at = append(at, i)
		out.Columns = append(out.Columns, c)
	}
	for _, row := range t.Rows[:min(len(t.Rows), maxPointsShown)] {
		var r []any
		for _, i := range at {
			cell := row[i]
			if interval[i] && row[i+1] != nil {
				cell = report.Pretty(row[i]) + " +-" + report.Pretty(row[i+1])
			}
			r = append(r, cell)
		}
		out.Append(r...)
	}
	return out
}

// maxFailuresShown bounds how many failures are printed.
const maxFailuresShown = 5

func showFailures(w io.Writer, sw *sweep.Sweep, failures []sweep.Entry) {
	for i, f := range failures {
		if i == maxFailuresShown {
			fmt.Fprintf(w, "... and %d more\n", len(failures)-i)
			break
		}
		fmt.Fprintf(w, "point %d (%s): %s\n", f.Index, strings.Join(sw.Grid.Point(f.Index).Set, " "), f.Error)
	}
}
