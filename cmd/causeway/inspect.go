package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/report/folder"
	"github.com/causeway-sim/causeway/components/report/panel"
)

func compareCommand() *cobra.Command {
	var all, asJSON bool
	var html string
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Show how two runs differ: their configurations, and their metrics with ratios",
		Long: "Show how two runs differ: a sentence that says what changed and what it did, settings of the resolved\n" +
			"configuration, and metrics with their ratio.\n" +
			"A and B are folders that `causeway run` has left. run.json (time, host, engine) is not compared.",
		Example: "  causeway compare runs/small runs/large",
		Args:    command.Wants("A", "B"),
		RunE: func(c *cobra.Command, args []string) error {
			a, err := folder.Run(args[0])
			if err != nil {
				return command.BadInput(err)
			}
			b, err := folder.Run(args[1])
			if err != nil {
				return command.BadInput(err)
			}
			cmp := report.Compare(a.Result, b.Result)
			w := c.OutOrStdout()
			if html != "" {
				if err := compareReport(html, args, a, b); err != nil {
					return command.BadInput(err)
				}
			}
			if asJSON {
				text, err := cmp.JSON()
				if err == nil {
					_, err = w.Write(text)
				}
				return err
			}
			fmt.Fprintf(w, "%s\n\n", cmp.Sentence)
			for _, l := range cmp.Status {
				fmt.Fprintln(w, l)
			}
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
			for _, l := range cmp.Sentences {
				fmt.Fprintln(w, l)
			}
			if all && len(cmp.Layers.Rows) > 0 {
				fmt.Fprintln(w)
				report.Table(w, cmp.Layers)
			}
			return nil
		},
	}
	c.Flags().StringVar(&html, "html", "", "write a report of B with A as its baseline into this file")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON: sentence, config, metrics, how many are equal")
	c.Flags().BoolVar(&all, "layers", false, "show the layers whose cycles differ too")
	return c
}

// compareReport writes the page of b with a as its baseline.
func compareReport(file string, args []string, a, b *panel.Run) error {
	d := &panel.Data{Title: args[1] + " against " + args[0], Run: b, Base: a}
	if b.Name == a.Name {
		b.Name, a.Name = args[1], args[0]
	}
	return writeReport(io.Discard, file, d)
}

func plotCommand() *cobra.Command {
	var out string
	var look looks
	var where []string
	var spec report.CurveSpec
	c := &cobra.Command{
		Use:   "plot RUN|SWEEP [FIGURE...]",
		Short: "Draw figures of a run or a sweep, for papers: SVG, PDF, PNG, CSV",
		Long: "Draw figures of a run or a sweep, those of its report that can be printed: " + strings.Join(panel.Figures(), ", ") + ".\n" +
			"Without a name all that there are data for; of a sweep, what it varies and what it has measured is listed too.\n" +
			"The same data give the same bytes.\n\n" +
			"Of a sweep also a metric (--y) over a setting (--x), a curve for each value of another (--by), with 95%\n" +
			"intervals where the sweep takes means.",
		Example: "  causeway plot runs/resnet50 stalls --width one --out stalls.pdf\n  causeway plot runs/curves\n" +
			"  causeway plot runs/curves --x load --y Traffic.packet_latency_mean@measure --by Net.routing --where Traffic.pattern=uniform",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("RUN is missing: the folder that a run or a sweep has left")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := look.check(); err != nil {
				return command.BadInput(err)
			}
			curves := spec.X+spec.Y+spec.By+spec.Unless != "" || len(where) > 0
			d := &panel.Data{}
			var err error
			switch {
			case curves && report.IsSweep(args[0]):
				return plotCurves(c.OutOrStdout(), args, spec, where, out, &look)
			case report.IsSweep(args[0]):
				if d.Sweep, err = folder.Sweep(args[0]); err == nil && len(args) == 1 {
					listSweep(c.OutOrStdout(), d.Sweep)
				}
			default:
				d.Run, err = folder.Run(args[0])
			}
			if err != nil {
				return command.BadInput(err)
			}
			if curves {
				return command.BadInput(fmt.Errorf("%s is a run: --x, --y, --by, --where and --unless are for sweeps", args[0]))
			}
			var figs []report.Figure
			for _, n := range args[1:] {
				fig, err := report.FigureOf(n, d)
				if err != nil {
					return command.BadInput(fmt.Errorf("%s: %w", args[0], err))
				}
				figs = append(figs, fig)
			}
			if len(args) == 1 {
				figs = report.Figures(d)
			}
			if out != "" && len(figs) != 1 {
				return command.BadInput(fmt.Errorf("--out names one file, but there are %d figures", len(figs)))
			}
			for _, fig := range figs {
				if err := look.apply(&fig); err != nil {
					return command.BadInput(err)
				}
				if err := writeFigure(c.OutOrStdout(), fig, args[0], out); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write, .svg, .pdf, .png or .csv (default: svg, pdf and csv, in the folder)")
	look.flags(c)
	c.Flags().StringVar(&spec.X, "x", "", "sweep: the setting along the axis")
	c.Flags().StringVar(&spec.Y, "y", "", "sweep: the metric, a column of sweep.csv")
	c.Flags().StringVar(&spec.By, "by", "", "sweep: the setting that has a curve for each of its values")
	c.Flags().StringArrayVar(&where, "where", nil, "sweep: only points with SETTING=VALUE (may be given several times)")
	c.Flags().StringVar(&spec.Unless, "unless", "", "sweep: a metric; a curve ends where it is above 0")
	return c
}

// listSweep prints what --x, --y and --by may name.
func listSweep(w io.Writer, s *panel.Sweep) {
	fmt.Fprintf(w, "settings: %s\nmetrics: %s\n", s.Axes(), strings.Join(s.Metrics(), ", "))
}

// plotCurves draws curves of the sweep in the folder args[0].
func plotCurves(w io.Writer, args []string, spec report.CurveSpec, where []string, out string, look *looks) error {
	if len(args) > 1 {
		return command.BadInput(fmt.Errorf("%s: a figure has a name, %q, or is said by --x, --y and --by, not both", args[0], args[1]))
	}
	if spec.X == "" || spec.Y == "" {
		return command.BadInput(fmt.Errorf("%s is a sweep: --x and --y say together what to draw, and --by a curve for each of what", args[0]))
	}
	spec.Where = map[string]string{}
	for _, s := range where {
		k, v, ok := strings.Cut(s, "=")
		if !ok {
			return command.BadInput(fmt.Errorf("--where %q: want SETTING=VALUE", s))
		}
		spec.Where[k] = v
	}
	fig, err := report.Curves(args[0], spec)
	if err != nil {
		return command.BadInput(err)
	}
	if err := look.apply(&fig); err != nil {
		return command.BadInput(err)
	}
	return writeFigure(w, fig, args[0], out)
}

// tablesOfSweeps are files of a sweep that have the name of a figure: its data go into
// NAME-figure.csv, so that the table remains.
var tablesOfSweeps = []string{"pareto.csv", "sensitivity.csv"}

// writeFigure writes a figure to the file out, or in all formats into dir.
func writeFigure(w io.Writer, fig report.Figure, dir, out string) error {
	files := []string{out}
	if out == "" {
		files = nil
		for _, f := range []string{"svg", "pdf", "csv"} {
			name := fig.Name + "." + f
			if report.IsSweep(dir) && slices.Contains(tablesOfSweeps, name) {
				name = fig.Name + "-figure." + f
			}
			files = append(files, filepath.Join(dir, name))
		}
	}
	for _, file := range files {
		b, err := fig.Render(strings.TrimPrefix(filepath.Ext(file), "."))
		if err == nil {
			err = atomicfile.Write(file, b)
		}
		if err != nil {
			return command.BadInput(err)
		}
		fmt.Fprintln(w, file)
	}
	return nil
}
