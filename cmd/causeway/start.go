package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/report"
)

// starter is the folder that init writes; demo runs its config.yaml.
//
//go:embed starter
var starter embed.FS

func demoCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Simulate a small system and print what was found, without any file",
		Args:  wants(),
		RunE: func(c *cobra.Command, _ []string) error {
			src, err := starter.ReadFile("starter/config.yaml")
			if err != nil {
				return &exitError{exitInternal, err}
			}
			x, err := experiment.Parse("demo", src, s.options(nil))
			if err != nil {
				return &exitError{exitInternal, err}
			}
			w := c.OutOrStdout()
			fmt.Fprintf(w, "ResNet-18 on one 32x32 weight-stationary array with 25.6 GB/s of memory:\n\n%s\n", src)
			res, _, err := x.Run(c.Context(), nil)
			if res == nil {
				return &exitError{exitInternal, err}
			}
			report.Summary(w, res)
			if c.Context().Err() != nil {
				return interrupted("a demo keeps nothing")
			}
			if err != nil {
				return &exitError{exitInternal, err}
			}
			fmt.Fprintln(w, "\nnext: `causeway init mystudy` writes this as a folder to work in")
			return nil
		},
	}
}

func initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init DIR",
		Short: "Write a commented experiment folder",
		Args:  wants("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			dir := args[0]
			if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
				return badInput(fmt.Errorf("%s is not empty; init writes into new or empty folders only", dir))
			} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return badInput(err)
			}
			err := fs.WalkDir(starter, "starter", func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				rel, err := filepath.Rel("starter", path)
				if err != nil {
					return err
				}
				to := filepath.Join(dir, rel)
				if d.IsDir() {
					return os.MkdirAll(to, 0o755)
				}
				b, err := starter.ReadFile(path)
				if err != nil {
					return err
				}
				fmt.Fprintln(c.OutOrStdout(), to)
				return experiment.WriteFile(to, b)
			})
			if err != nil {
				return badInput(err)
			}
			fmt.Fprintf(c.OutOrStdout(), "\ntry: causeway run %s\n     causeway sweep %s\n", filepath.Join(dir, "config.yaml"), filepath.Join(dir, "sweep.yaml"))
			return nil
		},
	}
}
