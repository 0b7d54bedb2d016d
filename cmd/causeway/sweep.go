package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
)

func sweepCommand(s *settings) *cobra.Command {
	var set []string
	var out string
	var jobs int
	var retry, reuse, fresh bool
	c := &cobra.Command{
		Use:   "sweep FILE",
		Short: "Simulate every point of a grid of settings",
		Long: "FILE names a base configuration and the axes of the grid:\n\n" +
			"  base: resnet18.yaml\n  sweep:\n    Core.rows, Core.cols: [16, 32, 64]\n    Core.dataflow: [os, ws, is]\n" +
			"    Mem.bandwidth: {from: 12.8, to: 51.2, times: 2, unit: GB/s}\n" +
			"  seeds: 5    # each point five times, and means with 95% intervals\n\n" +
			"Every point is checked before the first runs. Finished points are kept in a journal; the same command\n" +
			"goes on where it was stopped, and several of them on one folder share the points.",
		Args: wants("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			sw, err := experiment.LoadSweep(args[0], s.options(set))
			if err != nil {
				return badInput(err)
			}
			sw.Dir = out
			if sw.Dir == "" {
				sw.Dir = filepath.Join("runs", strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0])))
			}
			if jobs < 0 {
				return badInput(fmt.Errorf("--jobs %d: want a number above 0", jobs))
			}
			if reuse && fresh {
				return badInput(errors.New("--reuse keeps the results of another build, --fresh removes all: one of them must go"))
			}
			sw.Workers, sw.Retry, sw.Reuse, sw.Fresh = s.jobs(jobs), retry, reuse, fresh
			if err := sw.Check(c.Context()); err != nil {
				return sweepError(c.Context(), err)
			}
			if err := prepareDir(sw.Dir); err != nil {
				return badInput(err)
			}
			m := newProgress(c.ErrOrStderr(), s.quiet())
			sw.Progress = func(done, failed, total int) {
				what := "points"
				if failed > 0 {
					what = fmt.Sprintf("points (%d failed)", failed)
				}
				m.update(what, int64(done), int64(total))
			}
			res, err := sw.Run(c.Context())
			m.done()
			if res == nil {
				return sweepError(c.Context(), err)
			}
			for _, w := range res.Warnings {
				fmt.Fprintln(c.ErrOrStderr(), "warning:", w)
			}
			for _, axis := range res.Dead {
				fmt.Fprintln(c.ErrOrStderr(), axis)
			}
			if !s.quiet() {
				showSweep(c.OutOrStdout(), sw, res)
			}
			switch {
			case c.Context().Err() != nil:
				return interrupted("the same command goes on from here")
			case err != nil:
				return &exitError{exitInternal, err}
			case res.Failed > 0:
				return &exitError{exitIncomplete, errors.New("not every point could be simulated")}
			case len(res.Unknown) > 0:
				return badInput(errors.Join(res.Unknown...))
			}
			return nil
		},
	}
	addSet(c, &set)
	c.Flags().StringVarP(&out, "out", "o", "", "folder for the results (default runs/NAME)")
	c.Flags().IntVarP(&jobs, "jobs", "j", 0, "points to run at a time (default: one per processor)")
	c.Flags().BoolVar(&retry, "retry", false, "run points again that have failed before")
	c.Flags().BoolVar(&reuse, "reuse", false, "take results of another build that the folder holds")
	c.Flags().BoolVar(&fresh, "fresh", false, "remove all results that the folder holds, and start anew")
	return c
}

// checkSweep checks every point of a sweep.
func checkSweep(c *cobra.Command, file string, s *settings, set []string) error {
	sw, err := experiment.LoadSweep(file, s.options(set))
	if err != nil {
		return badInput(err)
	}
	sw.Workers, sw.Thorough = s.jobs(0), true
	if err := sw.Check(c.Context()); err != nil {
		if c.Context().Err() != nil {
			return interrupted("not every point was checked")
		}
		return sweepError(c.Context(), err)
	}
	fmt.Fprintf(c.OutOrStdout(), "%s: good (%d points, %d different)\n", file, sw.Grid.Len(), sw.Different())
	return nil
}

// sweepError is the exit of a sweep that came to nothing.
func sweepError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return interrupted("the same command goes on from here")
	case experiment.IsBadInput(err):
		return badInput(err)
	}
	return &exitError{exitInternal, err}
}

// showSweep prints the first rows of the table, what was run, and where the rest is.
func showSweep(w io.Writer, sw *experiment.Sweep, res *experiment.Outcome) {
	digest, rows := sweepDigest(res.Table, sw), res.Total
	if res.Means != nil {
		digest, rows = meansDigest(res.Means, sw), len(res.Means.Rows)
	}
	report.Table(w, digest)
	if n := len(digest.Rows); n < rows {
		fmt.Fprintf(w, "the first %d points\n", n)
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
	for i, f := range res.Failures {
		if i == 5 {
			fmt.Fprintf(w, "... and %d more\n", len(res.Failures)-i)
			break
		}
		fmt.Fprintf(w, "point %d (%s): %s\n", f.Index, strings.Join(sw.Grid.Point(f.Index).Set, " "), f.Error)
	}
}

// maxPointsShown bounds the table of a sweep on a terminal.
const maxPointsShown = 40

// sweepDigest is what of a sweep fits a terminal: the settings and the metrics
// asked for, else the system's own.
func sweepDigest(t *stats.Table, sw *experiment.Sweep) *stats.Table {
	out := &stats.Table{}
	var idx []int
	for i, c := range t.Columns {
		path, unit, setting := experiment.SettingOf(c.Name)
		switch {
		case unit != "":
			continue // its text says it
		case setting:
			c.Name = path
		case i != 0 && i != 2 && (i == 1 || len(sw.Metrics) == 0 && strings.Contains(c.Name, ".")):
			continue
		}
		idx = append(idx, i)
		out.Columns = append(out.Columns, c)
	}
	for n, row := range t.Rows {
		if n == maxPointsShown {
			break
		}
		var r []any
		for _, i := range idx {
			r = append(r, row[i])
		}
		out.Append(r...)
	}
	return out
}

// meansDigest is sweepDigest for means: "mean +-half" in one column each.
func meansDigest(t *stats.Table, sw *experiment.Sweep) *stats.Table {
	out := &stats.Table{}
	type column struct {
		at   int
		mean bool // half the interval is in the next
	}
	var columns []column
	for i, c := range t.Columns {
		mean := i+1 < len(t.Columns) && t.Columns[i+1].Name == c.Name+experiment.CISuffix
		path, unit, setting := experiment.SettingOf(c.Name)
		if unit != "" {
			continue // its text says it
		}
		if setting {
			c.Name = path
		}
		if strings.HasSuffix(c.Name, experiment.CISuffix) || mean && len(sw.Metrics) == 0 && strings.Contains(c.Name, ".") {
			continue
		}
		columns = append(columns, column{i, mean})
		out.Columns = append(out.Columns, c)
	}
	for n, row := range t.Rows {
		if n == maxPointsShown {
			break
		}
		var r []any
		for _, c := range columns {
			if c.mean && row[c.at+1] != nil {
				r = append(r, report.Pretty(row[c.at])+" +-"+report.Pretty(row[c.at+1]))
				continue
			}
			r = append(r, row[c.at])
		}
		out.Append(r...)
	}
	return out
}
