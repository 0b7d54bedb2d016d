package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/progress"
	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/explain"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/report/folder"
)

func explainCommand(s *command.Settings) *cobra.Command {
	var set []string
	var asJSON, whole, confirm bool
	var most, jobs int
	var one itemFlags
	c := &cobra.Command{
		Use:   "explain CONFIG|RUN",
		Short: "Find settings that would make a run faster, or why one layer, request or message is late",
		Long: "Find settings that would make a run faster. The configuration runs again with one setting of the hardware,\n" +
			"or the batch, doubled or halved at a time. Each line names the setting, which `causeway run CONFIG --set`\n" +
			"takes, and how many times better the run is. Better is less time. Where the configuration fixes the\n" +
			"time it is a lower latency of the traffic, or a higher bandwidth of the driver. If the argument is the\n" +
			"folder of a run, the answer is also written there, as explain.json and on its report.\n\n" +
			"With --layer, --request, --step or --message: explain why that one item took as long as it did, as a chain\n" +
			"of causes whose parts sum to its latency. The run is made again, with the same results.",
		Example: "  causeway explain configs/examples/resnet50.yaml\n  causeway explain configs/examples/gpu.yaml --json\n" +
			"  causeway explain configs/examples/serve.yaml --request 17 --token\n  causeway explain runs/resnet50 --layer conv1",
		Args: command.Wants("CONFIG"),
		RunE: func(c *cobra.Command, args []string) error {
			if item, err := one.asked(c); item || err != nil {
				if err == nil {
					err = one.explain(c, s, args[0], set, asJSON)
				}
				return err
			}
			if most < 0 {
				return command.BadInput(fmt.Errorf("--most is %d (want 1 or more, or 0 for all)", most))
			}
			o := explain.Options{Set: set, Most: most, Whole: whole, Confirm: confirm, Workers: s.Jobs(jobs)}
			if folder.IsRun(args[0]) {
				return explainRun(c, s, args[0], o, asJSON)
			}
			loader, file, err := explained(s, args[0])
			if err != nil {
				return err
			}
			e, err := explainFile(c.Context(), c.ErrOrStderr(), s, loader, file, o)
			if err != nil {
				return err
			}
			return printExplanation(c.OutOrStdout(), e, asJSON)
		},
	}
	command.AddSet(c, &set)
	one.add(c)
	c.Flags().IntVar(&most, "most", explain.DefaultMost, "how many settings are tried at most; 0 is all")
	c.Flags().BoolVar(&whole, "whole", false, "simulate a long run in full: without it layers are sampled, and a part of a served model stands for all")
	c.Flags().BoolVar(&confirm, "confirm", false, "also run the configuration and the best change as a whole, and print the ratio of these runs")
	c.Flags().IntVarP(&jobs, "jobs", "j", 0, "runs at a time (default: the setting jobs, or one per core)")
	command.AddJSON(c, &asJSON)
	return c
}

// explained is a loader of the configuration that is named, or of standard input.
func explained(s *command.Settings, file string) (*experiment.Loader, string, error) {
	loader := experiment.NewLoader(s.Options(nil))
	if file != stdinFile {
		return loader, file, nil
	}
	src, err := io.ReadAll(os.Stdin)
	if err != nil {
		return nil, "", command.BadInput(fmt.Errorf("standard input: %w", err))
	}
	loader.Text(nameOf(file), src)
	return loader, nameOf(file), nil
}

// explainFile explains a configuration and turns what went wrong into an exit code.
func explainFile(ctx context.Context, stderr io.Writer, s *command.Settings, loader *experiment.Loader, file string, o explain.Options) (*explain.Explanation, error) {
	p := progress.NewMeter(stderr, s.Quiet())
	var done atomic.Int64
	o.Done = func(total int) { p.Update("runs", done.Add(1), int64(total)) }
	e, err := explain.File(ctx, loader, file, o)
	p.Done()
	switch {
	case ctx.Err() != nil:
		return nil, command.Interrupted("nothing is explained")
	case err == nil:
		return e, nil
	case experiment.IsBadInput(err):
		return nil, command.BadInput(err)
	}
	return nil, command.ExitWith(command.ExitCheck, err)
}

// explainRun explains the run in a folder by its resolved configuration, and writes the
// explanation there.
func explainRun(c *cobra.Command, s *command.Settings, dir string, o explain.Options, asJSON bool) error {
	r, err := folder.Run(dir)
	if err != nil {
		return command.BadInput(err)
	}
	loader := experiment.NewLoader(s.Options(nil))
	name := filepath.Join(baseOf(dir, r.Process.Command), "config.resolved.yaml")
	loader.Text(name, r.Config)
	e, err := explainFile(c.Context(), c.ErrOrStderr(), s, loader, name, o)
	if err != nil {
		return err
	}
	if len(o.Set) == 0 { // else it is another run
		if e.Base.Identity != r.Identity {
			return command.BadInput(fmt.Errorf("%s holds a result that this program does not make from its configuration any more: run it again", dir))
		}
		if err := writeExplanation(dir, e); err != nil {
			return command.ExitWith(command.ExitInternal, err)
		}
		if err := reportOf(io.Discard, dir, "", "", nil); err != nil {
			return command.ExitWith(command.ExitInternal, err)
		}
	}
	return printExplanation(c.OutOrStdout(), e, asJSON)
}

// helper returns the function that explains a run of the configuration, or nil without --explain.
func helper(s *command.Settings, c *cobra.Command, file string, set []string, asked bool) (func(context.Context) (*explain.Explanation, error), error) {
	if !asked {
		return nil, nil
	}
	if file == stdinFile {
		return nil, command.BadInput(errors.New("--explain reads the configuration again: it must be a file"))
	}
	return func(ctx context.Context) (*explain.Explanation, error) {
		o := explain.Options{Set: set, Most: explain.DefaultMost, Workers: s.Jobs(0)}
		return explainFile(ctx, c.ErrOrStderr(), s, experiment.NewLoader(s.Options(nil)), file, o)
	}, nil
}

// explain returns the explanation of a complete run if --explain is set, and the file to write.
func (o *runOutput) explain(ctx context.Context, res *result.Result) (*explain.Explanation, result.File, error) {
	file := result.File{Name: explain.FileName}
	if o.help == nil || res.Status != result.Complete {
		return nil, file, nil
	}
	e, err := o.help(ctx)
	if err == nil {
		file.Data, err = e.JSON()
	}
	return e, file, err
}

// baseOf is the folder that files of a run's configuration are named from: that of the
// configuration on its command line, or the run's own.
func baseOf(dir string, command []string) string {
	for _, arg := range command[min(2, len(command)):] {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		if st, err := os.Stat(arg); err == nil && st.Mode().IsRegular() {
			return filepath.Dir(arg)
		}
	}
	return dir
}

// writeExplanation writes explain.json.
func writeExplanation(dir string, e *explain.Explanation) error {
	b, err := e.JSON()
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, explain.FileName), b)
}

// printExplanation prints a bar for each setting, or JSON.
func printExplanation(w io.Writer, e *explain.Explanation, asJSON bool) error {
	if asJSON {
		b, err := e.JSON()
		if err == nil {
			_, err = w.Write(b)
		}
		return err
	}
	of := ""
	if e.Base.Nodes > 1 {
		of = fmt.Sprintf(" of %d nodes together", e.Base.Nodes)
	}
	fmt.Fprintf(w, "%s%s: %s (%s is better)\n\n", e.Base.Label, of, report.Human(e.Base.Value, e.Base.Unit), e.Base.Better)
	all := e.All()
	wide, greatest := 0, 1.0
	for _, l := range all {
		wide, greatest = max(wide, len(l.Name)), max(greatest, l.Ratio)
	}
	for _, l := range all {
		fmt.Fprintf(w, "%-*s %6.2fx %-*s  --set %s\n", wide, l.Name, l.Ratio, barWidth, bar(l.Ratio/greatest), report.ShellJoin(settingsOf(l)))
	}
	for _, l := range all {
		if l.Work > 0 {
			fmt.Fprintf(w, "%s does %.3g times the work: its factor is for the same work\n", l.Name, l.Work)
		}
	}
	for _, l := range e.Refused {
		fmt.Fprintf(w, "left out: %s: %s\n", l.Name, l.Why)
	}
	if len(e.Untried) > 0 {
		few := e.Untried[:min(len(e.Untried), untriedShown)]
		more := ""
		if n := len(e.Untried) - len(few); n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(w, "not tried: %s%s (--most 0 tries all)\n", strings.Join(few, ", "), more)
	}
	if len(e.Short) > 0 {
		fmt.Fprintf(w, "the runs are shorter by %s (--whole runs all)\n", strings.Join(e.Short, ", "))
	}
	for _, s := range e.Sampled {
		fmt.Fprintf(w, "simulated of them: %s\n", s)
	}
	if c := e.Confirmed; c != nil {
		fmt.Fprintf(w, "whole runs: %s makes it %.2fx as good, %.1f %% off\n", all[0].Name, c.Ratio, math.Abs(c.Error))
	}
	_, err := fmt.Fprintf(w, "\n%s\n", e.Sentence)
	return err
}

// settingsOf returns the arguments after --set that make a change.
func settingsOf(l explain.LeverResult) []string {
	if len(l.Sets) == 0 {
		return []string{l.Set}
	}
	out := []string{l.Sets[0]}
	for _, s := range l.Sets[1:] {
		out = append(out, "--set", s)
	}
	return out
}

// untriedShown bounds the settings that are named as not tried.
const untriedShown = 4

// barWidth is the length of the longest bar.
const barWidth = 24

func bar(share float64) string {
	return strings.Repeat("█", int(math.Round(share*barWidth)))
}
