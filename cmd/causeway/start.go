package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
)

func demoCommand(s *command.Settings) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Simulate a small system and print what was found, without any file",
		Args:  command.Wants(),
		RunE: func(c *cobra.Command, _ []string) error {
			src, err := starter.ReadFile("starter/config.yaml")
			if err != nil {
				return command.ExitWith(command.ExitInternal, err)
			}
			x, err := experiment.Parse("demo", src, s.Options(nil))
			if err != nil {
				return command.ExitWith(command.ExitInternal, err)
			}
			w := c.OutOrStdout()
			fmt.Fprintf(w, "ResNet-18 on one 32x32 weight-stationary array with 25.6 GB/s of memory:\n\n%s\n", src)
			res, _, err := x.Run(c.Context(), nil)
			if res == nil {
				return command.ExitWith(command.ExitInternal, err)
			}
			report.Summary(w, res)
			if c.Context().Err() != nil {
				return command.Interrupted("a demo keeps nothing")
			}
			if err != nil {
				return command.ExitWith(command.ExitInternal, err)
			}
			fmt.Fprintln(w, "\nnext: `causeway init mystudy` writes this as a folder to work in")
			return nil
		},
	}
}

func initCommand() *cobra.Command {
	var name string
	var list bool
	c := &cobra.Command{
		Use:     "init DIR",
		Short:   "Write a commented folder to work in, from a template",
		Example: "  causeway init mystudy\n  causeway init --list\n  causeway init mycache --template cache",
		Args: func(c *cobra.Command, args []string) error {
			if list {
				return command.Wants()(c, args)
			}
			return command.Wants("DIR")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			w := c.OutOrStdout()
			if list {
				t := &stats.Table{Columns: []stats.Column{{Name: "template"}, {Name: "what it is"}}}
				for _, x := range templates {
					t.Append(x.name, x.doc)
				}
				report.Table(w, t)
				return nil
			}
			t, err := named(name)
			if err != nil {
				return command.BadInput(err)
			}
			dir := args[0]
			if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
				return command.BadInput(fmt.Errorf("%s is not empty; init writes into new or empty folders only", dir))
			} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return command.BadInput(err)
			}
			names, text, err := t.contents()
			if err != nil {
				return command.ExitWith(command.ExitInternal, err)
			}
			for _, n := range names {
				to := filepath.Join(dir, filepath.FromSlash(n))
				if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
					return command.BadInput(err)
				}
				if err := atomicfile.Write(to, text[n]); err != nil {
					return command.BadInput(err)
				}
				fmt.Fprintln(w, to)
			}
			fmt.Fprintf(w, "\ntry: %s\n", strings.ReplaceAll(t.first(dir), "\n", "\n     "))
			return nil
		},
	}
	c.Flags().StringVarP(&name, "template", "t", templates[0].name, "what to begin with (init --list)")
	c.Flags().BoolVar(&list, "list", false, "list the templates")
	return c
}
