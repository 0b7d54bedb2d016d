package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/progress"
	"github.com/causeway-sim/causeway/cmd/causeway/runs"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/units"
)

// sweepFlags are the flags of commands that run points.
type sweepFlags struct {
	jobs         int
	chunk        string
	retry, reuse bool
	fresh        bool
	timeout      time.Duration
	memory       string
	isolate      bool
	illegal      string
}

func (f *sweepFlags) declare(c *cobra.Command) {
	c.Flags().IntVarP(&f.jobs, "jobs", "j", 0, "points to run at a time (default: one per processor)")
	c.Flags().StringVar(&f.chunk, "chunk", "", "I/N: run part I of N of the points; sweep collect puts the parts together")
	c.Flags().Bool("html", true, "write report.html once the points are there")
	c.Flags().BoolVar(&f.retry, "retry", false, "run points again that have failed before")
	c.Flags().DurationVar(&f.timeout, "timeout", 0, "record a point that runs longer as failed, for example 5m (default: no limit)")
	c.Flags().StringVar(&f.memory, "memory", "", "record a point that takes more as failed, for example 2GiB; means --isolate")
	c.Flags().BoolVar(&f.isolate, "isolate", false, "run points in processes of their own: one that is killed is recorded, and the sweep goes on")
	c.Flags().StringVar(&f.illegal, "illegal", "", "what becomes of points that the check before the first run refuses: stop (nothing runs), or record (as failed, and the others run); default: what illegal: says, else stop")
	c.Flags().BoolVar(&f.reuse, "reuse", false, "take results of another build that the folder holds")
}

// apply applies the flags.
func (f *sweepFlags) apply(sw *sweep.Sweep, s *command.Settings) error {
	if f.jobs < 0 {
		return command.BadInput(fmt.Errorf("--jobs %d: want a number above 0", f.jobs))
	}
	if f.reuse && f.fresh {
		return command.BadInput(errors.New("--reuse keeps the results of another build, --fresh removes all: one of them must go"))
	}
	if f.chunk != "" {
		i, n, ok := strings.Cut(f.chunk, "/")
		part, err1 := strconv.Atoi(i)
		of, err2 := strconv.Atoi(n)
		if !ok || err1 != nil || err2 != nil || part < 1 || part > of {
			return command.BadInput(fmt.Errorf("--chunk %s: want I/N with I from 1 to N, as in 2/8", f.chunk))
		}
		if sw.Adaptive() {
			return command.BadInput(errors.New("--chunk: a search needs all points of a generation; several processes on one folder share them"))
		}
		sw.Chunk = sweep.Chunk{I: part, N: of}
	}
	sw.Workers, sw.Retry, sw.Reuse, sw.Fresh = s.Jobs(f.jobs), f.retry, f.reuse, f.fresh
	if f.timeout < 0 {
		return command.BadInput(fmt.Errorf("--timeout %s: want a time above 0", f.timeout))
	}
	sw.Timeout = f.timeout
	if f.illegal != "" {
		if err := sw.SetIllegal(f.illegal); err != nil {
			return command.BadInput(err)
		}
	}
	if !f.isolate && f.memory == "" {
		return nil
	}
	var memory units.Bytes
	if f.memory != "" {
		var err error
		if memory, err = units.ParseBytes(f.memory); err != nil || memory == 0 {
			return command.BadInput(fmt.Errorf("--memory %s: want an amount such as 2GiB", f.memory))
		}
	}
	self, err := os.Executable()
	if err != nil {
		return command.ExitWith(command.ExitInternal, err)
	}
	return command.BadInput(sw.Isolate(func() *exec.Cmd {
		args := []string{"causeway", "serve", "--stdio", "--jobs", "1", "--engine", s.Engine(), "--inputs", s.Inputs()}
		return &exec.Cmd{Path: self, Args: args}
	}, memory))
}

func sweepCommand(s *command.Settings) *cobra.Command {
	var set, axes []string
	var out string
	var flags sweepFlags
	var where executorFlags
	var confirm bool
	c := &cobra.Command{
		Use:   "sweep FILE",
		Short: "Simulate every point of a grid of settings, or search it",
		Long: "FILE names a base configuration and the axes of the grid:\n\n" +
			"  base: resnet18.yaml\n  sweep:\n    Core.rows, Core.cols: [16, 32, 64]\n    Core.dataflow: [os, ws, is]\n" +
			"    Mem.bandwidth: {from: 12.8, to: 51.2, times: 2, unit: GB/s}\n" +
			"  where: Core.rows * Core.cols <= 1024      # points that are left out\n" +
			"  method: {name: nsga2, points: 100}        # or gradient, coordinate, random, lhs, halton; grid runs all\n" +
			"  objectives: [total_time, energy]\n" +
			"  seeds: 5    # each point five times, and means with 95% intervals\n\n" +
			"Every point is checked before the first runs. Finished points are kept in a journal; the same command\n" +
			"goes on where it was stopped, and several of them on one folder share the points. With --axis FILE may\n" +
			"be a configuration.",
		Example: "  causeway sweep sweep.yaml --out runs/s\n  causeway sweep configs/examples/resnet18.yaml --axis Core.rows=16,32 --axis Core.dataflow=os,ws\n" +
			"  causeway sweep sweep.yaml --out runs/s --chunk 1/4\n  causeway sweep collect runs/s",
		Args: command.Wants("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			sw, err := sweep.Load(args[0], s.Options(set), axes...)
			if err != nil {
				return command.BadInput(err)
			}
			sw.Dir = out
			if sw.Dir == "" {
				sw.Dir = filepath.Join("runs", strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0])))
				if runs.MaySweep(sw.Dir) != nil { // of a run of the same file
					sw.Dir += "-sweep"
				}
			}
			if err := runs.MaySweep(sw.Dir); err != nil {
				return command.BadInput(err)
			}
			if err := flags.apply(sw, s); err != nil {
				return err
			}
			if err := where.check(c, &flags); err != nil {
				return err
			}
			if confirm {
				return runConfirm(c, s, sw, args[0], set, axes, &flags, where)
			}
			if where.executor == "slurm" {
				return runSlurm(c, s, sw, where, &flags)
			}
			return runSweep(c, s, sw)
		},
	}
	addSet(c, &set)
	addAxis(c, &axes)
	c.Flags().StringVarP(&out, "out", "o", "", "folder for the results (default runs/NAME, or runs/NAME-sweep where that holds a run)")
	flags.declare(c)
	where.declare(c)
	c.Flags().BoolVar(&confirm, "confirm", false, "screen all points at fidelity analytic, then run the best ones at tile and compare their order")
	c.Flags().BoolVar(&flags.fresh, "fresh", false, "remove all results that the folder holds, and start anew")
	c.AddCommand(sweepStatusCommand(s), sweepResumeCommand(s), sweepCollectCommand(s), sweepListCommand(s))
	return c
}

// addAxis declares --axis.
func addAxis(c *cobra.Command, axes *[]string) {
	c.Flags().StringArrayVar(axes, "axis", nil, "vary PATH=VALUE,VALUE, or \"PATH, PATH=...\" together, or PATH={from: 8, to: 64, times: 2} (repeatable)")
}

// runSweep runs a sweep and prints its outcome.
func runSweep(c *cobra.Command, s *command.Settings, sw *sweep.Sweep) error {
	if err := sw.Check(c.Context()); err != nil {
		return sweepError(c.Context(), err)
	}
	sayRefused(c, sw)
	if err := runs.Prepare(sw.Dir); err != nil {
		return command.BadInput(err)
	}
	ctx, stop := progress.Cancellable(c.Context(), sw.Dir)
	defer stop()
	c.SetContext(ctx)
	m := progress.NewMeter(c.ErrOrStderr(), s.Quiet())
	watch, end := progress.Watch(ctx, sw.Dir)
	defer end()
	watch.Points(0, sw.Len())
	sw.Progress = func(done, failed, total int) {
		watch.Points(done, total)
		what := "points"
		if failed > 0 {
			what = fmt.Sprintf("points (%d failed)", failed)
		}
		m.Update(what, int64(done), int64(total))
	}
	res, err := sw.Run(ctx)
	m.Done()
	if res == nil {
		return sweepError(c.Context(), err)
	}
	return concluded(c, s, sw, res, err)
}

// sayRefused names the points that cannot be run, before the others do.
func sayRefused(c *cobra.Command, sw *sweep.Sweep) {
	if err := sw.Refused(); err != nil {
		fmt.Fprintf(c.ErrOrStderr(), "warning: %v\n", err)
	}
}

// concluded prints an outcome and turns it into an exit code.
func concluded(c *cobra.Command, s *command.Settings, sw *sweep.Sweep, res *sweep.Outcome, err error) error {
	if e := sweepReport(c, sw.Dir); e != nil {
		return command.ExitWith(command.ExitInternal, e)
	}
	warnAll(c, res.Warnings)
	for _, axis := range res.Dead {
		fmt.Fprintln(c.ErrOrStderr(), axis)
	}
	if !s.Quiet() {
		if n := len(res.Missing); n > 0 && c.Context().Err() == nil {
			fmt.Fprintf(c.OutOrStdout(), "%d points: %d run now, %d from the journal, %d failed, %d missing (other chunks; `causeway sweep collect %s` when all are there)\n",
				res.Total, res.Finished, res.Reused, res.Failed, n, sw.Dir)
		} else {
			showSweep(c.OutOrStdout(), sw, res)
		}
	}
	switch {
	case c.Context().Err() != nil:
		return command.Interrupted("the same command goes on from here")
	case err != nil:
		return command.ExitWith(command.ExitInternal, err)
	case res.Failed > 0:
		return command.ExitWith(command.ExitIncomplete, errors.New("not every point could be simulated"))
	case len(res.Unknown) > 0:
		return command.BadInput(errors.Join(res.Unknown...))
	}
	return nil
}

// checkSweep checks every point of a sweep.
func checkSweep(c *cobra.Command, file string, s *command.Settings, set []string, estimate bool) error {
	sw, err := sweep.Load(file, s.Options(set))
	if err != nil {
		return command.BadInput(err)
	}
	sw.Workers, sw.Thorough = s.Jobs(0), true
	if err := sw.Check(c.Context()); err != nil {
		if c.Context().Err() != nil {
			return command.Interrupted("not every point was checked")
		}
		return sweepError(c.Context(), err)
	}
	sayRefused(c, sw)
	work := sw.Different()
	if sw.Adaptive() {
		work = sw.Most()
		fmt.Fprintf(c.OutOrStdout(), "%s: good (a search of %d points at most, of which %d are known and checked)\n", file, work, sw.Len())
	} else {
		fmt.Fprintf(c.OutOrStdout(), "%s: good (%d points, %d different)\n", file, sw.Len(), work)
	}
	if !estimate {
		return nil
	}
	ran, each, err := sw.Estimate(c.Context())
	if err != nil {
		return sweepError(c.Context(), err)
	}
	all := each * time.Duration(work)
	fmt.Fprintf(c.OutOrStdout(), "about %s of work, %s with %d workers (%d points took %s each)\n",
		all.Round(10*time.Millisecond), (all / time.Duration(sw.Workers)).Round(10*time.Millisecond), sw.Workers, ran, each.Round(100*time.Microsecond))
	return nil
}

// sweepError is the exit of a sweep that came to nothing.
func sweepError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return command.Interrupted("the same command goes on from here")
	case experiment.IsBadInput(err):
		return command.BadInput(err)
	}
	return command.ExitWith(command.ExitInternal, err)
}
