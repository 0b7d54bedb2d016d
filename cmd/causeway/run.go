package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/progress"
	"github.com/causeway-sim/causeway/cmd/causeway/runs"
	"github.com/causeway-sim/causeway/cmd/causeway/sweeps"
	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/explain"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/report/folder"
	"github.com/causeway-sim/causeway/components/report/page"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/usage"
)

func runCommand(s *command.Settings) *cobra.Command {
	var set []string
	var out, title, timeline string
	var html, overwrite, asJSON, messages bool
	var workers int
	var scaling, sampledError, explained bool
	var limit memoryLimit
	c := &cobra.Command{
		Use:   "run CONFIG",
		Short: "Simulate one configuration",
		Long: "Simulate one configuration and write what was found into a folder: result.json, metrics.csv,\n" +
			"layers.csv, config.resolved.yaml, run.json and report.html.",
		Example: "  causeway run configs/examples/resnet50.yaml --set Core.rows=64 --out runs/small\n" +
			"  generate | causeway run - --out runs/generated --json",
		Args: command.Wants("CONFIG"),
		RunE: func(c *cobra.Command, args []string) error {
			o := s.Options(set)
			o.Observe, o.Messages = html, messages
			if c.Flags().Changed("workers") && workers < 1 {
				return command.BadInput(fmt.Errorf("--workers is %d (want 1 or more)", workers))
			}
			if scaling && workers > 1 {
				return command.BadInput(fmt.Errorf("--scaling measures on one worker (want it without --workers %d)", workers))
			}
			o.Workers, o.Scaling = workers, scaling
			o.Note = func(line string) { fmt.Fprintln(c.ErrOrStderr(), "note:", line) }
			o.Live = func(l experiment.Live) { progress.Write(out, l) }
			var line *report.TimelineFile
			if timeline != "" {
				var err error
				if line, err = report.CreateTimeline(timeline); err != nil {
					return command.BadInput(err)
				}
				defer line.Discard()
				o.Tasks = append(o.Tasks, line)
			}
			if err := limit.read(); err != nil {
				return err
			}
			ctx, leaveMemory := limit.watch(c.Context(), o.Note)
			defer leaveMemory()
			x, err := load(ctx, args[0], o)
			if err == nil {
				limit.count(x, o.Note)
				err = limit.refuse(ctx, args[0], x)
			}
			if err != nil {
				return err
			}
			if sampledError {
				if err := x.Sampled(); err != nil {
					return command.BadInput(fmt.Errorf("--sampled-error: %w", err))
				}
			}
			latest := ""
			if out == "" {
				latest = filepath.Join("runs", nameOf(args[0]))
				out, err = runs.New(latest, c.ErrOrStderr())
			} else if !overwrite {
				err = runs.MayWrite(out, x.Identity())
			}
			if err == nil {
				err = runs.Prepare(out)
			}
			if err != nil {
				return command.BadInput(err)
			}
			leave, err := occupy(out)
			if err != nil {
				return command.BadInput(err)
			}
			defer leave()
			ctx, stop := progress.Cancellable(ctx, out)
			defer stop()
			if title == "" {
				title = nameOf(args[0])
			}
			help, err := helper(s, c, args[0], set, explained)
			if err != nil {
				return err
			}
			err = runAndWrite(ctx, x, runOutput{
				help: help,
				dir:  out, latest: latest, title: title, html: html, quiet: s.Quiet(), json: asJSON, sampledError: sampledError, stdout: c.OutOrStdout(), stderr: c.ErrOrStderr(),
				command: append([]string{"causeway", "run"}, os.Args[min(2, len(os.Args)):]...),
			})
			if line != nil {
				if e := line.Commit(); err == nil && e != nil {
					err = command.ExitWith(command.ExitInternal, e)
				}
			}
			return err
		},
	}
	command.AddSet(c, &set)
	c.Flags().StringVarP(&out, "out", "o", "", "folder for the results (default runs/NAME.N, a new one each time, with runs/NAME pointing to the latest)")
	c.Flags().BoolVar(&overwrite, "overwrite", false, "with --out: replace the result of another run that the folder holds")
	c.Flags().BoolVar(&messages, "messages", false, "send every request as a message through ports, which is slower: without it some nodes hand requests over directly. The result is the same")
	c.Flags().StringVar(&title, "title", "", "title of the report (default: the file's name)")
	c.Flags().StringVar(&timeline, "timeline", "", "write the tasks of all nodes into this file, as JSON for Perfetto or Chrome")
	c.Flags().BoolVar(&html, "html", true, "write report.html")
	c.Flags().BoolVar(&scaling, "scaling", false, "print at the end the estimated speed-up of --workers 2, 16 and 64, from the time of each part of a divided network")
	c.Flags().BoolVar(&sampledError, "sampled-error", false, "with simulation.repeat: sampled: run a small case sampled and in full, and print how far figures are off (sampled_error.csv)")
	c.Flags().IntVar(&workers, "workers", 1, "processor cores to simulate on; results do not depend on it")
	limit.declare(c)
	c.Flags().BoolVar(&explained, "explain", false, "also find the settings that would make the run faster (causeway explain): on the report, and in explain.json")
	command.AddJSON(c, &asJSON)
	return c
}

type runOutput struct {
	dir, title   string
	latest       string // the link to the latest run of this name; "" with --out
	html, quiet  bool
	json         bool // print result.json, and nothing else
	sampledError bool // run a small case both ways before
	// help explains a complete run; nil without --explain.
	help           func(ctx context.Context) (*explain.Explanation, error)
	stdout, stderr io.Writer
	warned         []string // warnings that have been printed
	command        []string
}

// runAndWrite runs an experiment, writes its folder, prints the summary and
// turns the status into an exit code. What a run has found is written however it
// ended.
func runAndWrite(ctx context.Context, x *experiment.Experiment, o runOutput) error {
	o.warn(x.Warnings())
	small, err := o.smallCase(ctx, x)
	if err != nil {
		return err
	}
	p := progress.NewMeter(o.stderr, o.quiet)
	watchCollector()
	res, proc, runErr := x.Run(ctx, p.Run)
	p.Done()
	progress.End(o.dir)
	if res == nil {
		return command.ExitWith(command.ExitInternal, runErr)
	}
	proc.Command, proc.SampledError = o.command, small.sentence
	if len(result.WrittenFiles(o.dir)) > 0 { // figures of the run before
		if err := runs.RemoveFigures(o.dir); err != nil {
			return command.ExitWith(command.ExitInternal, err)
		}
	}
	why, said, helpErr := o.explain(ctx, res)
	if err := o.write(ctx, res, proc, small, why, said); err != nil {
		return command.ExitWith(command.ExitInternal, err)
	}
	if err := runs.PointTo(o.latest, o.dir, o.stderr); err != nil {
		return command.ExitWith(command.ExitInternal, err)
	}
	if err := o.print(res, small, why); err != nil {
		return command.ExitWith(command.ExitInternal, err)
	}
	if helpErr != nil { // the run itself is complete, and written
		return helpErr
	}
	return statusError(ctx, res, runErr)
}

// write writes the folder of a run: the report, then the figures. After Ctrl-C the report is
// left out where it takes too long, and the figures are written in any case.
func (o *runOutput) write(ctx context.Context, res *result.Result, proc result.Process, small smallCase, why *explain.Explanation, said result.File) error {
	html, seen := result.File{Name: reportName}, result.File{Name: folder.ObservedName}
	if o.html {
		var ok bool
		var err error
		html.Data, ok, err = inGrace(ctx, grace/3, func() ([]byte, error) {
			return page.Write(&panel.Data{Title: o.title, Run: &panel.Run{Name: o.title, Result: res, Process: proc, Explained: why}})
		})
		if err != nil {
			return err
		}
		if !ok {
			o.warn([]string{"report.html was left out for the interruption: causeway report " + o.dir + " writes it"})
		}
		if res.Observed != nil {
			if seen.Data, err = res.Observed.JSON(); err != nil {
				return err
			}
		}
	}
	writingFigures.Add(1)
	defer writingFigures.Add(-1)
	return res.WriteDir(o.dir, proc, html, seen, small.file(), said)
}

// print prints a result in the format of the flags.
func (o *runOutput) print(res *result.Result, small smallCase, why *explain.Explanation) error {
	switch {
	case o.json:
		b, err := res.JSON()
		if err == nil {
			_, err = o.stdout.Write(b)
		}
		if err != nil {
			return err
		}
	case !o.quiet:
		report.Summary(o.stdout, res)
		small.print(o.stdout)
		if why != nil {
			fmt.Fprintln(o.stdout)
			if err := printExplanation(o.stdout, why, false); err != nil {
				return err
			}
		}
		fmt.Fprintf(o.stdout, "\nwritten to %s (report.html, metrics.csv, layers.csv, ...)\n", o.dir)
	}
	o.warn(res.Warnings)
	return nil
}

// warn prints those warnings that have not been printed.
func (o *runOutput) warn(all []string) {
	for _, w := range all {
		if !slices.Contains(o.warned, w) {
			fmt.Fprintln(o.stderr, "warning:", w)
			o.warned = append(o.warned, w)
		}
	}
}

// statusError is the exit of a run by its status.
func statusError(ctx context.Context, res *result.Result, runErr error) error {
	switch res.Status {
	case result.Complete:
		return nil
	case result.Incomplete:
		if stop := (*experiment.Stop)(nil); ctx.Err() != nil && !errors.As(runErr, &stop) {
			return command.Interrupted("what was found so far is marked incomplete")
		}
		return command.ExitWith(command.ExitStuck, fmt.Errorf("%w; what was found so far is marked incomplete", runErr))
	case result.Stuck:
		return command.ExitWith(command.ExitStuck, runErr)
	case result.Failed:
		if experiment.IsBadInput(runErr) {
			return command.BadInput(fmt.Errorf("%w; what was found before is marked failed", runErr))
		}
		return command.ExitWith(command.ExitCheck, runErr)
	}
	return command.ExitWith(command.ExitInternal, runErr)
}

func checkCommand(s *command.Settings) *cobra.Command {
	var set []string
	var resolved, estimate, asJSON bool
	var limit memoryLimit
	c := &cobra.Command{
		Use:   "check CONFIG|SWEEP",
		Short: "Find everything that is wrong with a configuration or a sweep, without running it",
		Long: "Find everything that is wrong with a configuration, without running it. Each fault is one line,\n" +
			"file:line:column: path: what is wrong. Of a sweep, every point and every name of a metric is checked.\n" +
			"--resolved prints what presets, files and overrides come to.",
		Args: command.Wants("CONFIG"),
		RunE: func(c *cobra.Command, args []string) error {
			if (asJSON || limit.text != "") && (!estimate || resolved || sweep.IsFile(args[0])) {
				return command.BadInput(errors.New("--json and --max-memory go with --estimate of a configuration (sweep --memory limits the points of a sweep)"))
			}
			if !resolved && sweep.IsFile(args[0]) {
				return sweeps.Check(c, args[0], s, set, estimate)
			}
			if err := limit.read(); err != nil {
				return err
			}
			began := usage.CPUSeconds()
			ctx, leave := limit.watch(c.Context(), func(line string) { fmt.Fprintln(c.ErrOrStderr(), "note:", line) })
			defer leave()
			o := s.Options(set)
			o.Observe = estimate // as run does
			if !resolved {
				if known, err := limit.estimateByFewer(ctx, c, args[0], o, asJSON); known {
					return err
				}
			}
			x, err := load(ctx, args[0], o)
			if err != nil {
				return err
			}
			loading := time.Duration((usage.CPUSeconds() - began) * float64(time.Second))
			if resolved {
				_, err := c.OutOrStdout().Write(x.Config())
				return err
			}
			if err := x.Ready(); err != nil {
				return command.BadInput(err)
			}
			limit.count(x, func(line string) { fmt.Fprintln(c.ErrOrStderr(), "note:", line) })
			if !asJSON {
				fmt.Fprintf(c.OutOrStdout(), "%s: good (%s)\n", args[0], x.Describe())
			}
			command.Warn(c, x.Warnings())
			if !estimate {
				return nil
			}
			e, err := x.Estimate(ctx, estimateFor)
			if ctx.Err() != nil {
				if err := stopped(ctx, args[0]); err != nil {
					return err
				}
				return command.Interrupted("nothing is estimated")
			}
			if err != nil {
				return command.BadInput(err)
			}
			if err := printEstimate(c, e, loading, asJSON); err != nil {
				return command.ExitWith(command.ExitInternal, err)
			}
			return limit.above(args[0], e)
		},
	}
	command.AddSet(c, &set)
	c.Flags().BoolVar(&estimate, "estimate", false, "estimate the time and memory of a run by simulating its beginning; of a sweep: run a few points, and estimate the time of all")
	limit.declare(c)
	command.AddJSON(c, &asJSON)
	c.Flags().BoolVar(&resolved, "resolved", false, "print the resolved configuration")
	return c
}

func mapCommand(s *command.Settings) *cobra.Command {
	var set []string
	var out, form string
	var find nestSearch
	c := &cobra.Command{
		Use:   "map CONFIG",
		Short: "Print the mapping that is chosen for each layer, in the form that mapping: accepts",
		Long: "Print the mapping that is chosen for each layer: a configuration to look at, to change, and to give back by\n\n" +
			"  extends: [CONFIG, MAPPING]\n\nwhich makes the same run. Of a node that describes a loop nest (kind spatial) it is in the form\n" +
			"of its input or of --form, to give back as its mapping_file; --search finds one although one is given.",
		Example: "  causeway map system.yaml --out system.map.yaml\n" +
			"  causeway map configs/examples/timeloop.yaml --search local --evaluations 100000 --objective edp",
		Args: command.Wants("CONFIG"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := find.limit(); err != nil {
				return command.BadInput(err)
			}
			o := s.Options(set)
			if find.asked(c) {
				o.Search = func(nodes []string) ([]experiment.Setting, error) { return find.sets(c, nodes) }
			}
			x, err := load(c.Context(), args[0], o)
			if err != nil {
				return err
			}
			b, err := x.Mapping(form)
			if err != nil {
				return command.BadInput(err)
			}
			if out == "" {
				_, err := c.OutOrStdout().Write(b)
				return err
			}
			if err := atomicfile.Write(out, b); err != nil {
				return command.BadInput(err)
			}
			return nil
		},
	}
	command.AddSet(c, &set)
	c.Flags().StringVarP(&out, "out", "o", "", "file to write (default: standard output)")
	c.Flags().StringVar(&form, "form", "", "of the mapping of a loop nest: causeway or timeloop (default: that of its input), or whole for the nest with it")
	find.flags(c)
	return c
}
