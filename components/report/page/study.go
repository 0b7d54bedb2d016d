package page

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/build"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/validation"
)

// studyContent is what the report of a validation says.
func studyContent(d *panel.Data) content {
	c := content{Title: d.Title}
	var rows []validation.Row
	holds, misses, absent := 0, 0, 0
	studies := Table{Name: "studies", Title: "Studies", Columns: []Column{{Name: "study"}, {Name: "title"}, {Name: "points", Unit: "1"}, {Name: "hold", Unit: "1"}, {Name: "miss", Unit: "1"}, {Name: "no input", Unit: "1"},
		{Name: "mean error", Unit: "%"}, {Name: "greatest error", Unit: "%"}, {Name: "citation"}}}
	points := Table{Name: "points", Title: "Points", Columns: []Column{{Name: "study"}, {Name: "run"}, {Name: "metric"}, {Name: "published", Unit: "1"}, {Name: "simulated", Unit: "1"}, {Name: "unit"},
		{Name: "error", Unit: "%"}, {Name: "margin", Unit: "%"}, {Name: "rule"}, {Name: "tolerance"}, {Name: "label"}, {Name: "verdict"}, {Name: "source"}, {Name: "because"}}}
	var citations, fitted []string
	for _, r := range d.Study.Reports {
		n := [3]int{}
		for i := range r.Rows {
			row := &r.Rows[i]
			switch {
			case row.NoInput:
				n[2]++
			case !row.OK:
				n[1]++
			default:
				n[0]++
			}
			var simulated, e, margin any
			if row.Problem == "" {
				simulated = cell(row.Simulated)
			}
			if v, ok := row.Error(); ok {
				e = cell(v)
			}
			if v, ok := row.Margin(); ok {
				margin = cell(v)
			}
			points.Rows = append(points.Rows, []any{row.Study, row.Run, row.Metric, cell(row.Published), simulated, row.Unit, e, margin, row.Rule, row.Tolerance, row.Label, row.Verdict(), row.Source, row.Because})
		}
		e := panel.ErrorOf(r.Rows, func(validation.Row) bool { return true })
		var mean, worst any
		if e.N > 0 {
			mean, worst = cell(e.Mean), cell(e.Worst)
		}
		studies.Rows = append(studies.Rows, []any{r.Study.Name, r.Study.Title, len(r.Rows), n[0], n[1], n[2], mean, worst, r.Study.Citation})
		rows = append(rows, r.Rows...)
		holds, misses, absent = holds+n[0], misses+n[1], absent+n[2]
		citations = append(citations, r.Study.Name+": "+r.Study.Citation)
		for _, f := range r.Study.Fitted {
			fitted = append(fitted, fmt.Sprintf("%s: %v on %v", r.Study.Name, f.Path, f.On))
		}
	}
	labels := Table{Name: "labels", Title: "Errors by label", Columns: []Column{{Name: "label"}, {Name: "rule", Unit: "%"}, {Name: "points", Unit: "1"}, {Name: "miss", Unit: "1"}, {Name: "points with an error", Unit: "1"}, {Name: "median error", Unit: "%"}, {Name: "greatest error", Unit: "%"}}}
	for _, l := range d.Study.Labels() {
		points, miss := 0, 0
		for i := range rows {
			if row := &rows[i]; row.Label == l && !row.NoInput {
				points++
				if !row.OK {
					miss++
				}
			}
		}
		var middle, worst any
		e := panel.ErrorOf(rows, func(r validation.Row) bool { return r.Label == l })
		if e.N > 0 {
			middle, worst = cell(e.Median), cell(e.Worst)
		}
		labels.Rows = append(labels.Rows, []any{l, cell(validation.Limit(l)), points, miss, e.N, middle, worst})
	}
	for _, n := range []struct {
		label string
		n     int
	}{{"studies", len(d.Study.Reports)}, {"points that hold", holds}, {"points missed", misses}, {"points without input here", absent}} {
		c.Cards = append(c.Cards, report.Card{Label: n.label, Value: report.Pretty(int64(n.n)), Exact: fmt.Sprint(n.n)})
	}
	whole := panel.ErrorOf(rows, func(validation.Row) bool { return true })
	c.Cards = append(c.Cards, report.Card{Label: "mean absolute error", Value: fmt.Sprintf("%.2f %%", whole.Mean), Exact: fmt.Sprintf("%d points", whole.N)})
	c.Subtitle = "Causeway " + result.Version + ": published numbers held against simulated ones"
	c.Lead = fmt.Sprintf("%d of %d points are within the rule of their label.", holds, holds+misses)
	if misses > 0 {
		c.Problem = fmt.Sprintf("%d points miss; the table of points says why.", misses)
	}
	c.Tables = []Table{studies, labels, points}
	c.Methods = []string{"Each study is a folder of configurations and published values with their source, tolerance and label. A label says what the published value is: measured on hardware, printed by another simulator, or computed. It gives the verdict: an error of 0 % for exact, 1 % for a closed form, 5 % for a reconstruction, 10 % for measured, 20 % for headline. The tolerance of a point is a bound against regressions. A point without its input file is not compared."}
	c.Facts = []fact{{"version", result.Version, false}, {"build", build.Running(result.Version).Key(), true}}
	if len(fitted) == 0 {
		fitted = []string{"No study fits a value."}
	}
	c.Lists = []list{{"Fitted", fitted}, {"Sources", citations}}
	c.Footer = "Written by Causeway " + result.Version + "."
	return c
}
