package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/stats"
)

// sweepContent is what the report of a sweep says.
func sweepContent(d *panel.Data) content {
	s := d.Sweep
	f := s.Facts
	if f.Points == 0 {
		f.Points = len(s.Points.Rows)
	}
	c := content{Title: d.Title, Subtitle: "A sweep by Causeway " + orOf(f.Version, result.Version), Lead: bestSentence(s, f.Points)}
	count := func(label string, n int) {
		c.Cards = append(c.Cards, report.Card{Label: label, Value: report.Pretty(int64(n)), Exact: fmt.Sprint(n)})
	}
	count("points", f.Points)
	if f.Complete > 0 {
		count("complete", f.Complete)
	}
	if f.Failed > 0 {
		count("failed or stuck", f.Failed)
	}
	if f.Missing > 0 {
		count("missing", f.Missing)
		c.Problem = fmt.Sprintf("%d of %d points are missing: the figures show what is there.", f.Missing, f.Points)
	}
	c.Cards = append(c.Cards, bestCards(s)...)
	if s.Pareto != nil {
		count("designs on the front", len(s.Pareto.Rows))
	}
	for _, t := range []struct {
		name, title, file string
		data              *stats.Table
	}{{"best", "Best designs, against the first point", "sweep.csv", s.BestTable(10)}, {"pareto", "Pareto front", "pareto.csv", s.Pareto}, {"means", "Means, with halves of their 95% intervals", "mean.csv", s.Means}, {"points", "Points", "sweep.csv", s.Points}, {"sensitivity", "Sensitivity", "sensitivity.csv", s.Sensitivity}, {"pairs", "What two axes do together", "pairs.csv", s.Pairs}, {"failures", "Points that could not be simulated", "failures.csv", s.Failures}} {
		if t.name == "points" || t.name == "means" || t.name == "failures" {
			t.data, t.title = few(s, t.data, t.title, t.file)
		}
		if tab, ok := tableOf(t.name, t.title, t.file, t.data); ok {
			tab.Whole = t.name == "best" || t.name == "pareto" // a design has all its settings
			c.Tables = append(c.Tables, withoutIdentity(tab, f.Columns))
		}
	}
	c.Methods = []string{fmt.Sprintf("The sweep has %s points over %s. Every point is one run of Causeway %s, a pure function of its resolved configuration, its inputs and the seed; sweep.csv has every setting and every metric of each point.",
		report.Pretty(int64(f.Points)), s.Axes(), orOf(f.Version, result.Version))}
	if f.Of > 0 {
		c.Methods[0] = strings.Replace(c.Methods[0], "The sweep has", fmt.Sprintf("Of the %s points of the sweep a filter keeps", report.Pretty(int64(f.Of))), 1)
	}
	if len(f.Fixed) > 0 {
		c.Facts = append(c.Facts, fact{Name: "all points have", Text: strings.Join(f.Fixed, ", ")})
		c.Methods = append(c.Methods, "All points have "+strings.Join(f.Fixed, ", ")+", in place of what the configuration says.")
	}
	if s.Means != nil {
		c.Methods = append(c.Methods, "Means are taken over repeated points; intervals are 95 % confidence intervals by Student's t.")
	}
	for i, b := range f.Builds {
		c.Facts = append(c.Facts, fact{fmt.Sprintf("build %d", i+1), b, true})
	}
	if len(f.Constraints) > 0 {
		c.Methods = append(c.Methods, fmt.Sprintf("Constraints: %s; %d designs meet them.", strings.Join(f.Constraints, ", "), f.Met))
	}
	if len(f.Warnings) > 0 {
		c.Lists = append(c.Lists, list{"Warnings", f.Warnings})
	}
	c.Command = report.ShellJoin(s.Command)
	c.Footer = "Written by Causeway " + result.Version + ". sweep.csv beside this file has every number in full."
	return c
}

// bestCards are the best values of the first metrics; of several workloads the best of each.
func bestCards(s *panel.Sweep) (out []report.Card) {
	parts := s.ByWorkload()
	for _, part := range parts[:min(4, len(parts))] {
		if part.Missed() {
			continue
		}
		for _, b := range part.Best(max(1, 4/len(parts))) {
			if part.Name != "" {
				b.What += ", " + part.Name
			}
			out = append(out, report.Card{Label: b.What, Value: report.Human(b.Value, stats.Unit(b.Unit)), Exact: b.At})
		}
	}
	return out
}

// bestSentence says which design is best by the first objective, how it compares with the first
// point, and its settings; then which others are best by the next objectives.
func bestSentence(s *panel.Sweep, points int) string {
	if s.Missed() {
		return fmt.Sprintf("No point meets the constraints (%s).", strings.Join(s.Facts.Constraints, ", "))
	}
	if parts := s.ByWorkload(); len(parts) > 1 {
		return bestByWorkload(s, parts, points)
	}
	all := s.Winners()
	if len(all) == 0 {
		return ""
	}
	w := all[0]
	out := fmt.Sprintf("Of %s points, %s has the %s: %s", report.Pretty(int64(points)), w.Point, s.Extreme(w.Metric), report.Human(w.Value, w.Unit))
	if ratio := max(w.Value/w.Base, w.Base/w.Value); w.Value > 0 && w.Base > 0 && ratio >= 1.01 {
		out += fmt.Sprintf(" against %s at the first point (%.3g times)", report.Human(w.Base, w.Unit), ratio)
	}
	out += ". Its settings: " + strings.Join(w.Settings, ", ") + "."
	for _, o := range all[1:min(3, len(all))] {
		if o.Point != w.Point {
			out += fmt.Sprintf(" The %s, %s, is at %s: %s.", s.Extreme(o.Metric), report.Human(o.Value, o.Unit), o.Point, strings.Join(o.Settings, ", "))
		}
	}
	if k, ok := s.Knee(); ok {
		out += fmt.Sprintf(" The knee of the front is %s, with %s and %s: %s.", k.Point, report.Human(k.Value, k.Unit), report.Human(k.Second.Value, k.Second.Unit), strings.Join(k.Settings, ", "))
	}
	if next := s.Next(); len(next) > 0 {
		out += " Next: " + strings.Join(next, "; ") + "."
	}
	return out
}

// mostWorkloads bounds the workloads whose best designs the first sentences name.
const mostWorkloads = 4

// bestByWorkload says which design is best for each workload by the first objective, and which
// machines are over all of them.
func bestByWorkload(s *panel.Sweep, parts []panel.OfWorkload, points int) string {
	out := fmt.Sprintf("%s points run %d workloads, and designs are compared for each.", report.Pretty(int64(points)), len(parts))
	for _, part := range parts[:min(mostWorkloads, len(parts))] {
		if part.Missed() {
			out += fmt.Sprintf(" No point of %s meets the constraints.", part.Name)
		} else if all := part.Winners(); len(all) > 0 {
			w := all[0]
			out += fmt.Sprintf(" The %s of %s, %s, is at %s: %s.", s.Extreme(w.Metric), part.Name, report.Human(w.Value, w.Unit), w.Point, strings.Join(part.Machine(w.Settings), ", "))
		}
	}
	var machines []string
	for _, o := range s.Facts.Machines {
		m := fmt.Sprintf("%s by %s", strings.Join(o.Set, ", "), o.Objective)
		if !slices.Equal(o.Set, o.First) {
			m += fmt.Sprintf(" (%.3g times that of %s)", o.Ratio, strings.Join(o.First, ", "))
		}
		machines = append(machines, m)
	}
	if len(machines) > 0 {
		out += " Best over all of them, in the geometric mean: " + strings.Join(machines, "; ") + "."
	}
	return out
}

func orOf(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// withoutIdentity leaves the hashes of points to the files, and names units.
func withoutIdentity(t Table, units []struct{ Name, Unit string }) Table {
	for i := len(t.Columns) - 1; i >= 0; i-- {
		c := &t.Columns[i]
		for _, u := range units {
			if u.Name == c.Name && c.Unit != "" {
				c.Unit = orOf(u.Unit, c.Unit)
			}
		}
		path, unit, setting := grid.SettingOf(c.Name)
		switch {
		case c.Name == "identity", setting && unit != "":
			t.Columns = append(t.Columns[:i:i], t.Columns[i+1:]...)
			for k, row := range t.Rows {
				t.Rows[k] = append(row[:i:i], row[i+1:]...)
			}
		case setting:
			c.Name = strings.TrimSpace(path)
		}
	}
	return t
}

// few leaves out metrics of single nodes where the table would not fit with all its rows, but
// for those that figures are drawn of.
func few(s *panel.Sweep, t *stats.Table, title, file string) (*stats.Table, string) {
	if t == nil || len(t.Rows)*len(t.Columns) <= maxCells {
		return t, title
	}
	out := &stats.Table{}
	var keep []int
	for i, c := range t.Columns {
		_, unit, setting := grid.SettingOf(c.Name)
		whole := !strings.Contains(c.Name, ".") && c.Name != "identity"
		if setting && unit == "" || !setting && (whole || slices.Contains(s.Main(), c.Name)) {
			keep = append(keep, i)
			out.Columns = append(out.Columns, c)
		}
	}
	for _, row := range t.Rows {
		var cells []any
		for _, i := range keep {
			cells = append(cells, row[i])
		}
		out.Rows = append(out.Rows, cells)
	}
	return out, title + " (the metrics of single nodes are in " + file + ")"
}
