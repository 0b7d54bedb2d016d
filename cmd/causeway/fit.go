package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/validation"
)

func fitCommand(s *command.Settings) *cobra.Command {
	var dir, out string
	f := validation.Fit{}
	c := &cobra.Command{
		Use:   "fit STUDY --free PATH... --on MEASUREMENT...",
		Short: "Fit keys of a study's machines to rows of its measurements",
		Long: "Look for the values of the keys --free with which the runs of the measurements --on come closest to the rows\n" +
			"that published.yaml names under fitted:. Print the values, the errors over these rows and over the others.\n" +
			"--out FILE.fitted.yaml writes them as a file that a machine extends; published.yaml has to declare them.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			study, err := validation.LoadUnchecked(studyDir(dir, args[0]))
			if err != nil {
				return command.BadInput(err)
			}
			study.Inputs = s.Options(nil).Inputs
			if !s.Quiet() {
				f.Progress = fitProgress(c.ErrOrStderr())
			}
			res, err := f.Run(c.Context(), study, func(ctx context.Context, config string, set []string) (*result.Result, error) {
				o := s.Options(set)
				o.SetDir = filepath.Dir(config)
				x, err := experiment.LoadContext(ctx, config, o)
				if err != nil {
					return nil, err
				}
				r, _, err := x.Run(ctx, nil)
				return r, err
			})
			if c.Context().Err() != nil {
				return command.Interrupted("nothing was fitted")
			}
			if err != nil {
				return command.BadInput(err)
			}
			w := c.OutOrStdout()
			t := &stats.Table{Columns: []stats.Column{{Name: "path"}, {Name: "before"}, {Name: "fitted"}}}
			for _, v := range res.Values {
				t.Append(v.Path, v.Before, v.After)
			}
			if !s.Quiet() {
				report.Table(w, t)
				report.Table(w, summaryTable(res.Reports))
				fmt.Fprintf(w, "over the rows fitted on, after %d evaluations:\n  mean |ln(simulated/measured)|, which a fit makes least: %.5f before, %.5f now\n  mean error: %.2f %% before, %.2f %% now\n",
					res.Evaluations, res.LossBefore, res.LossAfter, res.Before, res.After)
			}
			text := res.YAML(args[0], f.On)
			if out == "" {
				_, err := w.Write(text)
				return err
			}
			return command.BadInput(atomicfile.Write(out, text))
		},
	}
	c.Flags().StringVar(&dir, "studies", filepath.Join("configs", "studies"), "folder of the studies")
	c.Flags().StringSliceVar(&f.Free, "free", nil, "keys to be fitted, as after --set")
	c.Flags().StringSliceVar(&f.On, "on", nil, "measurements to fit to")
	c.Flags().BoolVar(&f.Baseline, "baseline", false, "fit the baselines of the measurements")
	c.Flags().IntVar(&f.Evaluations, "evaluations", 600, "how often the runs are made at most")
	c.Flags().StringVar(&out, "out", "", "file for the values ("+validation.FittedSuffix+")")
	return c
}

// fitProgress prints each evaluation that is better than all before it, and one of ten others.
func fitProgress(w io.Writer) func(validation.FitStep) {
	best := math.Inf(1)
	return func(x validation.FitStep) {
		switch {
		case x.Best < best:
			best = x.Best
			fmt.Fprintf(w, "evaluation %d: %.5f with %s\n", x.Evaluation, x.Best, strings.Join(x.Sets, " "))
		case x.Evaluation%10 == 0:
			fmt.Fprintf(w, "evaluation %d: %.5f, best %.5f\n", x.Evaluation, x.Loss, x.Best)
		}
	}
}
