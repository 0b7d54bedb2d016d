package sweeps

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/runs"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
)

// runConfirm screens the points of a sweep at the fastest level and runs the best of them
// at the configured one, in a folder inside that of the sweep.
func runConfirm(c *cobra.Command, s *command.Settings, sw *sweep.Sweep, file string, set, axes []string, flags *pointFlags, where executorFlags) error {
	if where.executor != "local" || flags.chunk != "" {
		return command.BadInput(errors.New("--confirm runs here and whole: --executor and --chunk must go"))
	}
	at := func(levels []string, dir string) (*sweep.Sweep, error) {
		one, err := sweep.Load(file, s.Options(append(slices.Clone(set), levels...)), axes...)
		if err != nil {
			return nil, command.BadInput(err)
		}
		one.Dir = dir
		return one, flags.apply(one, s)
	}
	screen, confirm, err := sw.Levels(func(level string) error { return allowed(c.Context(), sw, at, level) })
	if err != nil {
		return command.BadInput(err)
	}
	run := func(one *sweep.Sweep) (*sweep.Outcome, error) {
		if err := one.Check(c.Context()); err != nil {
			return nil, failure(c.Context(), err)
		}
		sayRefused(c, one)
		if err := runs.Prepare(one.Dir); err != nil {
			return nil, command.BadInput(err)
		}
		res, err := one.Run(c.Context())
		if res == nil || c.Context().Err() != nil {
			return nil, failure(c.Context(), err)
		}
		return res, err
	}
	first, err := at(screen, sw.Dir)
	if err != nil {
		return err
	}
	screened, err := run(first)
	if err != nil {
		return err
	}
	lead := first.Leading(screened)
	if len(screened.Objectives) == 0 || len(lead) == 0 {
		return command.BadInput(errors.New("--confirm: no point is better than another (objectives: says what is)"))
	}
	second, err := at(confirm, filepath.Join(sw.Dir, "confirm"))
	if err != nil {
		return err
	}
	second.Pick(lead)
	confirmed, err := run(second)
	if err != nil {
		return err
	}
	result, err := first.Confirm(screened, confirmed)
	if err != nil {
		return command.ExitWith(command.ExitInternal, err)
	}
	incomplete := concluded(c, s, first, screened, nil) // points that failed leave others to confirm
	if !s.Quiet() {
		w := c.OutOrStdout()
		fmt.Fprintf(w, "\n%d designs confirmed at another fidelity, in %s:\n", result.Designs, filepath.Join(sw.Dir, "confirm.csv"))
		for k, o := range screened.Objectives {
			fmt.Fprintf(w, "rank agreement of %s: %.2f (Kendall's tau)\n", o.Name, result.Agreement[k])
		}
		fmt.Fprintf(w, "%d of the %d designs of the screened front stay on the front\n", result.Stay, result.Front)
	}
	if confirmed.Failed > 0 {
		return command.ExitWith(command.ExitIncomplete, errors.New("not every design could be confirmed"))
	}
	return incomplete
}

// allowed returns the error of the first point of a sweep that the setting of a level makes; at
// loads the sweep with settings.
func allowed(ctx context.Context, sw *sweep.Sweep, at func([]string, string) (*sweep.Sweep, error), level string) error {
	if sw.Builds(ctx) != nil {
		return nil // not for its fidelity: the check of the sweep says why
	}
	one, err := at([]string{level}, sw.Dir)
	if err != nil {
		return err
	}
	return one.Builds(ctx)
}
