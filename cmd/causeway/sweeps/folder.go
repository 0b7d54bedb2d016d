package sweeps

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
)

// Commands on the folder of a sweep, which contains the description of the sweep.

func statusCommand(s *command.Settings) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "status DIR",
		Short: "Say how far the sweep in a folder is, and who works on it",
		Args:  command.Wants("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			sw, err := open(s, args[0])
			if err != nil {
				return err
			}
			sw.Reuse = true // whose results they are does not matter here
			st, err := sw.State(c.Context())
			if err != nil {
				return failure(c.Context(), err)
			}
			command.Warn(c, st.Warnings)
			if asJSON {
				if err := command.PrintJSON(c, st); err != nil {
					return err
				}
			}
			w := c.OutOrStdout()
			if asJSON {
				w = io.Discard
			}
			fmt.Fprintf(w, "%d points: %d complete, %d failed, %d missing\n", st.Total, st.Complete, len(st.Failures), len(st.Missing))
			for _, h := range st.Writers {
				fmt.Fprintf(w, "process %d of %s works on it since %s\n", h.PID, h.Host, h.Started)
			}
			showFailures(w, sw, st.Failures)
			if !st.Ended {
				what := "`causeway sweep resume " + args[0] + "` goes on"
				if len(st.Missing) == 0 {
					what = "the search goes on with its next points: " + what
				}
				return command.ExitWith(command.ExitIncomplete, errors.New("the sweep is incomplete; "+what))
			}
			return nil
		},
	}
	command.AddJSON(c, &asJSON)
	return c
}

func resumeCommand(s *command.Settings) *cobra.Command {
	var flags pointFlags
	c := &cobra.Command{
		Use:   "resume DIR",
		Short: "Go on with the sweep in a folder",
		Args:  command.Wants("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			sw, err := open(s, args[0])
			if err != nil {
				return err
			}
			if err := flags.apply(sw, s); err != nil {
				return err
			}
			return run(c, s, sw)
		},
	}
	flags.declare(c)
	return c
}

func collectCommand(s *command.Settings) *cobra.Command {
	var partial, reuse bool
	c := &cobra.Command{
		Use:   "collect DIR",
		Short: "Write the tables of a sweep from what all its writers have recorded",
		Long: "Write the tables of a sweep from what all its writers have recorded, and run nothing.\n" +
			"An incomplete sweep is refused with exit code 4 and a list of what is missing, unless --allow-partial.",
		Args: command.Wants("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			sw, err := open(s, args[0])
			if err != nil {
				return err
			}
			sw.Reuse = reuse
			res, err := sw.Collect(c.Context(), partial)
			var missing *sweep.IncompleteError
			if errors.As(err, &missing) {
				command.Warn(c, missing.Warnings)
				for i, p := range missing.Missing {
					if i == maxPointsShown {
						fmt.Fprintf(c.ErrOrStderr(), "... and %d more\n", len(missing.Missing)-i)
						break
					}
					fmt.Fprintf(c.ErrOrStderr(), "missing: point %d (%s)\n", p.Index, strings.Join(p.Set, " "))
				}
				return command.ExitWith(command.ExitIncomplete, fmt.Errorf("%w (`causeway sweep resume %s` runs them, --allow-partial collects without them)", err, args[0]))
			}
			if res == nil {
				return failure(c.Context(), err)
			}
			if partial && len(res.Missing) > 0 {
				fmt.Fprintf(c.ErrOrStderr(), "%d of %d points are missing\n", len(res.Missing), res.Total)
				res.Missing = nil
			}
			return concluded(c, s, sw, res, err)
		},
	}
	c.Flags().BoolVar(&partial, "allow-partial", false, "collect although points are missing; their rows have no values")
	c.Flags().BoolVar(&reuse, "reuse", false, "take results of another build that the folder holds")
	return c
}

func listCommand(s *command.Settings) *cobra.Command {
	var set, axes []string
	var out string
	var commands bool
	var chunks int
	c := &cobra.Command{
		Use:   "list FILE",
		Short: "List the points of a sweep, or commands that run them",
		Long: "List the points of a sweep, one per line. With --commands each line is a command that runs one point by\n" +
			"itself; with --chunks N there are N lines, each of which runs a part, for schedulers of your own.",
		Example: "  causeway sweep list sweep.yaml --commands --chunks 8 --out /shared/s",
		Args:    command.Wants("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			sw, err := sweep.Load(args[0], s.Options(set), axes...)
			if err != nil {
				return command.BadInput(err)
			}
			sw.Workers = s.Jobs(0)
			if sw.Adaptive() {
				return command.BadInput(errors.New("a search finds its points as it goes"))
			}
			if chunks < 0 || chunks > 0 && !commands {
				return command.BadInput(errors.New("--chunks wants a number above 0, and --commands"))
			}
			if err := sw.Check(c.Context()); err != nil {
				return failure(c.Context(), err)
			}
			if out == "" {
				out = filepath.Join("runs", strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0])))
			}
			w := c.OutOrStdout()
			if chunks > 0 {
				for i := range chunks {
					words := []string{"causeway", "sweep", args[0], "--out", out, "--chunk", fmt.Sprintf("%d/%d", i+1, chunks)}
					fmt.Fprintln(w, shellLine(append(append(words, flagged("--set", set)...), flagged("--axis", axes)...)))
				}
				return nil
			}
			listPoints(w, sw, commands, out)
			return nil
		},
	}
	command.AddSet(c, &set)
	AddAxis(c, &axes)
	c.Flags().StringVarP(&out, "out", "o", "", "folder that the commands name (default runs/NAME)")
	c.Flags().BoolVar(&commands, "commands", false, "print commands")
	c.Flags().IntVar(&chunks, "chunks", 0, "with --commands: this many commands, each for a part of the points")
	return c
}

// listPoints prints a line for each point.
func listPoints(w io.Writer, sw *sweep.Sweep, commands bool, out string) {
	for p := range sw.Points() {
		if !commands {
			fmt.Fprintf(w, "%d %s\n", p.Index, shellLine(p.Set))
			continue
		}
		words := []string{"causeway", "run", sw.Base(), "--out", filepath.Join(out, fmt.Sprint(p.Index))}
		fmt.Fprintln(w, shellLine(append(append(words, flagged("--set", sw.Fixed())...), flagged("--set", p.Set)...)))
	}
}

func open(s *command.Settings, dir string) (*sweep.Sweep, error) {
	sw, err := sweep.Open(dir, s.Options(nil))
	if err != nil {
		return nil, command.BadInput(err)
	}
	sw.Workers = s.Jobs(0)
	return sw, nil
}
