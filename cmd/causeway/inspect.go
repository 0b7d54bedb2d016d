package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/report"
)

func compareCommand() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Show how two runs differ: their configurations, and their metrics with ratios",
		Long: "Show how two runs differ: lines of the resolved configuration, and metrics with their ratio.\n" +
			"A and B are folders that `causeway run` has left. run.json (time, host, engine) is not compared.",
		Example: "  causeway compare runs/small runs/large",
		Args:    wants("A", "B"),
		RunE: func(c *cobra.Command, args []string) error {
			a, err := report.ReadDir(args[0])
			if err != nil {
				return badInput(err)
			}
			b, err := report.ReadDir(args[1])
			if err != nil {
				return badInput(err)
			}
			cmp := report.Compare(a, b)
			w := c.OutOrStdout()
			if len(cmp.Config) == 0 {
				fmt.Fprintln(w, "equal configurations")
			}
			for _, l := range cmp.Config {
				fmt.Fprintln(w, l)
			}
			if len(cmp.Metrics.Rows) > 0 {
				fmt.Fprintln(w)
				report.Table(w, cmp.Metrics)
			}
			fmt.Fprintf(w, "%d metrics are equal\n", cmp.Same)
			if all && len(cmp.Layers.Rows) > 0 {
				fmt.Fprintln(w)
				report.Table(w, cmp.Layers)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&all, "layers", false, "show the layers whose cycles differ too")
	return c
}

func plotCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:     "plot RUN [FIGURE...]",
		Short:   "Draw figures of a run: " + strings.Join(report.FigureNames, ", "),
		Example: "  causeway plot runs/resnet50 stalls --out stalls.pdf",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("RUN is missing: the folder that a run has left")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			r, err := report.ReadDir(args[0])
			if err != nil {
				return badInput(err)
			}
			names := args[1:]
			if len(names) == 0 {
				names = report.FigureNames
			}
			if out != "" && len(names) > 1 {
				return badInput(fmt.Errorf("--out names one file, but there are %d figures: %s", len(names), strings.Join(names, ", ")))
			}
			for _, n := range names {
				fig, err := report.FigureOf(n, r)
				if err != nil && len(args) == 1 {
					// Not every node can have every figure drawn of it.
					fmt.Fprintf(c.ErrOrStderr(), "no %s: %v\n", n, err)
					continue
				}
				if err != nil {
					return badInput(fmt.Errorf("%s: %w", args[0], err))
				}
				files := []string{out}
				if out == "" {
					files = nil
					for _, f := range report.Formats {
						files = append(files, filepath.Join(args[0], n+"."+f))
					}
				}
				for _, file := range files {
					b, err := fig.Render(strings.TrimPrefix(filepath.Ext(file), "."))
					if err == nil {
						err = experiment.WriteFile(file, b)
					}
					if err != nil {
						return badInput(err)
					}
					fmt.Fprintln(c.OutOrStdout(), file)
				}
			}
			return nil
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write, .svg, .pdf or .csv (default: all three, in the run's folder)")
	return c
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the models",
		Args:  wants(),
		Run: func(c *cobra.Command, _ []string) {
			fmt.Fprintf(c.OutOrStdout(), "causeway %s\n", experiment.Version)
		},
	}
}
