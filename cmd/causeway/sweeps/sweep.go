package sweeps

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/runs"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
)

func Command(s *command.Settings) *cobra.Command {
	var set, axes []string
	var out string
	var flags pointFlags
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
			return run(c, s, sw)
		},
	}
	command.AddSet(c, &set)
	AddAxis(c, &axes)
	c.Flags().StringVarP(&out, "out", "o", "", "folder for the results (default runs/NAME, or runs/NAME-sweep where that holds a run)")
	flags.declare(c)
	where.declare(c)
	c.Flags().BoolVar(&confirm, "confirm", false, "screen all points at fidelity analytic, then run the best ones at tile and compare their order")
	c.Flags().BoolVar(&flags.fresh, "fresh", false, "remove all results that the folder holds, and start anew")
	c.AddCommand(statusCommand(s), resumeCommand(s), collectCommand(s), listCommand(s))
	return c
}

// Check checks every point of a sweep.
func Check(c *cobra.Command, file string, s *command.Settings, set []string, estimate bool) error {
	sw, err := sweep.Load(file, s.Options(set))
	if err != nil {
		return command.BadInput(err)
	}
	sw.Workers, sw.Thorough = s.Jobs(0), true
	if err := sw.Check(c.Context()); err != nil {
		if c.Context().Err() != nil {
			return command.Interrupted("not every point was checked")
		}
		return failure(c.Context(), err)
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
		return failure(c.Context(), err)
	}
	all := each * time.Duration(work)
	fmt.Fprintf(c.OutOrStdout(), "about %s of work, %s with %d workers (%d points took %s each)\n",
		all.Round(10*time.Millisecond), (all / time.Duration(sw.Workers)).Round(10*time.Millisecond), sw.Workers, ran, each.Round(100*time.Microsecond))
	return nil
}
