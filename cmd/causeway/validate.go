package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/studies"
	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/validation"
)

// studyDir is the folder of a study: one of dir by its name, or a path.
func studyDir(dir, name string) string {
	if _, err := os.Stat(filepath.Join(name, validation.File)); err == nil && name != filepath.Base(name) {
		return name
	}
	return filepath.Join(dir, name)
}

func validateCommand(s *command.Settings) *cobra.Command {
	var dir, csvOut, rowsOut, htmlOut string
	var all bool
	var jobs int
	c := &cobra.Command{
		Use:   "validate [STUDY...]",
		Short: "Compare simulated numbers with published ones",
		Long:  "Run the studies (all, if none is named; by name, or the folder of one) and print published value, simulated value, error,\nlabel and source of each point. The label gives the verdict: an error of 0 % for exact, 1 % for a closed form,\n5 % for a reconstruction, 10 % for measured, 20 % for headline. Exit code 3 if a row misses without a reason in its study,\nor is outside of its own tolerance.",
		RunE: func(c *cobra.Command, args []string) error {
			if !c.Flags().Changed("studies") {
				at, done, err := studies.BuiltIn(dir)
				if err != nil {
					return command.BadInput(err)
				}
				defer done()
				dir = at
			}
			names, err := validation.List(dir)
			if err != nil {
				return command.BadInput(err)
			}
			if len(args) > 0 {
				names = args
			}
			if len(names) == 0 {
				return command.BadInput(fmt.Errorf("no studies in %s", dir))
			}
			var rows []validation.Row
			var reports []*validation.Report
			failed := false
			for rep, err := range checkStudies(c.Context(), s, dir, names, jobs) {
				if c.Context().Err() != nil {
					return command.Interrupted("studies that were not printed have not been run")
				}
				if err != nil {
					return command.BadInput(err)
				}
				failed = failed || !rep.OK()
				rows, reports = append(rows, rep.Rows...), append(reports, rep)
				if !s.Quiet() {
					printStudy(c.OutOrStdout(), rep, all)
				}
			}
			if !s.Quiet() {
				studies.PrintTotal(c.OutOrStdout(), reports)
			}
			if csvOut != "" {
				if err := atomicfile.Write(csvOut, result.TableCSV(validationTable(rows, true))); err != nil {
					return command.BadInput(err)
				}
			}
			if rowsOut != "" {
				if err := atomicfile.Write(rowsOut, result.TableCSV(measuredTable(reports))); err != nil {
					return command.BadInput(err)
				}
			}
			if htmlOut != "" {
				if err := writeReport(io.Discard, htmlOut, &panel.Data{Title: "Validation", Study: &panel.Study{Reports: reports}}); err != nil {
					return command.BadInput(err)
				}
			}
			if failed {
				return command.ExitWith(command.ExitCheck, errors.New("validation failed: see the rows marked MISS or REGRESSED"))
			}
			return nil
		},
	}
	c.Flags().StringVar(&dir, "studies", filepath.Join("configs", "studies"), "folder of the studies (default where there is none: those in the program)")
	c.Flags().StringVar(&csvOut, "csv", "", "file for all rows")
	c.Flags().StringVar(&rowsOut, "rows", "", "file for the rows of measurements, one by one: measured and simulated time, error")
	c.Flags().StringVar(&htmlOut, "html", "", "file for a report: published against simulated values, errors by study and label")
	c.Flags().IntVarP(&jobs, "jobs", "j", 0, "runs at a time; figures do not depend on it (default: one per processor)")
	c.Flags().BoolVar(&all, "all", false, "print every row, not only the first of long studies and what misses")
	return c
}

// checkStudies checks studies and yields their reports in the order of names. Two studies
// are open at a time, so that the last runs of one leave no processor idle; all share jobs
// runs.
func checkStudies(ctx context.Context, s *command.Settings, dir string, names []string, jobs int) iter.Seq2[*validation.Report, error] {
	jobs = s.Jobs(jobs)
	options := s.Options(nil) // once: settings are for one goroutine
	slots, open := make(chan struct{}, jobs), make(chan struct{}, 2)
	run := func(ctx context.Context, config string, set []string) (*result.Result, error) {
		slots <- struct{}{}
		defer func() { <-slots }()
		o := options
		o.Set, o.SetDir = set, filepath.Dir(config)
		x, err := experiment.LoadContext(ctx, config, o)
		if err != nil {
			return nil, err
		}
		res, _, err := x.Run(ctx, nil)
		return res, err
	}
	check := func(ctx context.Context, name string) (*validation.Report, error) {
		study, err := validation.Load(studyDir(dir, name))
		if err != nil {
			return nil, err
		}
		study.Inputs, study.Jobs = options.Inputs, jobs
		return validation.Check(ctx, study, run)
	}
	type checked struct {
		rep *validation.Report
		err error
	}
	return func(yield func(*validation.Report, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		done := make([]chan checked, len(names))
		for i := range done {
			done[i] = make(chan checked, 1)
		}
		go func() {
			for i, name := range names {
				open <- struct{}{}
				go func() {
					rep, err := check(ctx, name)
					done[i] <- checked{rep, err}
					<-open
				}()
			}
		}()
		for _, d := range done {
			if c := <-d; !yield(c.rep, c.err) {
				return
			}
		}
	}
}

// maxStudyRows is the greatest number of printed rows of a study whose rows all hold.
const maxStudyRows = 20

func printStudy(w io.Writer, rep *validation.Report, all bool) {
	fmt.Fprintf(w, "%s: %s\n%s\n", rep.Study.Name, rep.Study.Title, rep.Study.Citation)
	count := map[string]int{}
	for i := range rep.Rows {
		count[rep.Rows[i].Verdict()]++
	}
	shown, hidden := shownRows(rep.Rows, all)
	if len(rep.Summaries) > 0 {
		report.Table(w, summaryTable(rep.Summaries))
	}
	report.Table(w, validationTable(shown, false))
	for _, r := range rep.Rows {
		if r.Problem != "" && !r.NoInput {
			fmt.Fprintf(w, "%s, %s: %s\n", r.Run, r.Metric, r.Problem)
		}
	}
	if hidden > 0 {
		fmt.Fprintf(w, "%d more rows hold (--all prints them)\n", hidden)
	}
	if n, mean, worst := measured(rep.Rows); n > 1 {
		fmt.Fprintf(w, "measured: mean absolute error %.1f%%, greatest %.1f%%, of %d points\n", mean, worst, n)
	}
	absent := count[validation.NoInput]
	if absent > 0 {
		fmt.Fprintf(w, "%d not compared: they read files that are not here (CAUSEWAY_INPUTS names their folder)\n", absent)
	}
	for _, m := range studies.MissesOf([]*validation.Report{rep}) {
		fmt.Fprintf(w, "%d missed (%s): %s\n", m.Rows, m.Label, m.Because)
	}
	if n := count[validation.Reached]; n > 0 {
		fmt.Fprintf(w, "%d reached, although the study says missed\n", n)
	}
	if n := count[validation.Regressed]; n > 0 {
		fmt.Fprintf(w, "%d outside of a bound of its own that it held before\n", n)
	}
	fmt.Fprintf(w, "%d of %d hold\n\n", count[validation.Holds]+count[validation.Reached], len(rep.Rows)-absent)
}

// shownRows are the first rows and those that do not hold, or all, and how many are left out.
func shownRows(rows []validation.Row, all bool) (shown []validation.Row, hidden int) {
	if all || len(rows) <= maxStudyRows {
		return rows, 0
	}
	for i, r := range rows {
		if i < maxStudyRows || !r.OK || r.Reached {
			shown = append(shown, r)
		}
	}
	return shown, len(rows) - len(shown)
}

// summaryTable shows the errors of measurements: fitted, other and carried-over rows
// apart, and the baseline's over the same rows.
func summaryTable(all []validation.Summary) *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "measurement"}, {Name: "rows"}, {Name: "n", Unit: stats.One}, {Name: "mean_%", Unit: stats.Percent}, {Name: "median_%", Unit: stats.Percent},
		{Name: "p90_%", Unit: stats.Percent}, {Name: "greatest_%", Unit: stats.Percent}, {Name: "within_rule", Unit: stats.One}, {Name: "baseline_mean_%", Unit: stats.Percent}, {Name: "baseline_p90_%", Unit: stats.Percent},
		{Name: "bias_%", Unit: stats.Percent},
	}}
	for _, s := range all {
		var mean, p90 any
		if s.Baseline != nil {
			mean, p90 = s.Baseline.Mean, s.Baseline.P90
		}
		t.Append(s.Measurement, s.Rows, int64(s.N), s.Error.Mean, s.Error.Median, s.Error.P90, s.Error.Max, int64(s.Within), mean, p90, s.Error.Bias)
	}
	return t
}

// measured is the mean and the greatest absolute error of the points that hardware
// gave, in percent.
func measured(rows []validation.Row) (n int, mean, worst float64) {
	for _, r := range rows {
		if e, ok := r.Error(); ok && r.Label == "measured" {
			n++
			mean += math.Abs(e)
			worst = max(worst, math.Abs(e))
		}
	}
	return n, mean / float64(max(n, 1)), worst
}

// measuredTable is the rows of measurements; one that a run does not have has no time.
func measuredTable(reports []*validation.Report) *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "study"}, {Name: "measurement"}, {Name: "row"}, {Name: "set"},
		{Name: "measured_ns", Unit: stats.NS}, {Name: "simulated_ns", Unit: stats.NS}, {Name: "error_%", Unit: stats.Percent},
	}}
	for _, rep := range reports {
		for i := range rep.Measured {
			m := &rep.Measured[i]
			var sim, dev any
			if m.Found {
				sim, dev = m.Simulated, m.Error()
			}
			t.Append(m.Study, m.Measurement, m.Row, m.Set, m.Measured, sim, dev)
		}
	}
	return t
}

// validationTable has a line for each row; reasons adds why a row misses.
func validationTable(rows []validation.Row, reasons bool) *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "study"}, {Name: "run"}, {Name: "metric"}, {Name: "published", Unit: stats.One}, {Name: "simulated", Unit: stats.One},
		{Name: "unit"}, {Name: "error_%", Unit: stats.Percent}, {Name: "margin_%", Unit: stats.Percent}, {Name: "rule"}, {Name: "tolerance"}, {Name: "label"}, {Name: "verdict"}, {Name: "source"},
	}}
	if reasons {
		t.Columns = append(t.Columns, stats.Column{Name: "because"})
	}
	for i := range rows {
		r := &rows[i]
		var sim, dev, margin any
		if r.Problem == "" {
			sim = r.Simulated
		}
		if e, ok := r.Error(); ok {
			dev = e
		}
		if m, ok := r.Margin(); ok {
			margin = m
		}
		cells := []any{r.Study, r.Run, r.Metric, r.Published, sim, r.Unit, dev, margin, r.Rule, r.Tolerance, r.Label, r.Verdict(), r.Source}
		if reasons {
			cells = append(cells, r.Because)
		}
		t.Append(cells...)
	}
	return t
}
