package sweeps

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/progress"
	"github.com/causeway-sim/causeway/cmd/causeway/runs"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
)

// run runs a sweep and prints its outcome.
func run(c *cobra.Command, s *command.Settings, sw *sweep.Sweep) error {
	if err := sw.Check(c.Context()); err != nil {
		return failure(c.Context(), err)
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
		return failure(c.Context(), err)
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
	if e := writeReport(c, sw.Dir); e != nil {
		return command.ExitWith(command.ExitInternal, e)
	}
	command.Warn(c, res.Warnings)
	for _, axis := range res.Dead {
		fmt.Fprintln(c.ErrOrStderr(), axis)
	}
	if !s.Quiet() {
		if n := len(res.Missing); n > 0 && c.Context().Err() == nil {
			fmt.Fprintf(c.OutOrStdout(), "%d points: %d run now, %d from the journal, %d failed, %d missing (other chunks; `causeway sweep collect %s` when all are there)\n",
				res.Total, res.Finished, res.Reused, res.Failed, n, sw.Dir)
		} else {
			show(c.OutOrStdout(), sw, res)
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

// failure is the exit of a sweep that came to nothing.
func failure(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return command.Interrupted("the same command goes on from here")
	case experiment.IsBadInput(err):
		return command.BadInput(err)
	}
	return command.ExitWith(command.ExitInternal, err)
}
