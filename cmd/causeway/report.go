package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/report/folder"
	"github.com/causeway-sim/causeway/components/report/page"
	"github.com/causeway-sim/causeway/components/report/panel"
)

// reportName is the file of a report in its folder.
const reportName = "report.html"

func reportCommand() *cobra.Command {
	var baseline, out, title string
	c := &cobra.Command{
		Use:   "report DIR...",
		Short: "Write report.html into folders of runs, of sweeps, or of many of them",
		Long: "Write report.html into each DIR: the report of a run, of a sweep, or of a folder with several runs and\n" +
			"sweeps, which get theirs too. The file needs no other file and no network.\n" +
			"--baseline holds the runs against another one.",
		Example: "  causeway report runs\n  causeway report runs/large --baseline runs/small --out difference.html",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("DIR is missing: the folder of a run, of a sweep, or of several")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if out != "" && len(args) > 1 {
				return command.BadInput(fmt.Errorf("--out names one file, but there are %d folders", len(args)))
			}
			var base *panel.Run
			if baseline != "" {
				var err error
				if base, err = folder.Run(baseline); err != nil {
					return command.BadInput(err)
				}
			}
			for _, dir := range args {
				if err := reportOf(c.OutOrStdout(), dir, title, out, base); err != nil {
					return command.BadInput(err)
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&baseline, "baseline", "", "folder of the run that runs are held against")
	c.Flags().StringVarP(&out, "out", "o", "", "file to write (default: report.html in the folder)")
	c.Flags().StringVar(&title, "title", "", "title of the report (default: the folder's name)")
	return c
}

// reportOf writes the report of the run, sweep or runs in a folder.
func reportOf(w io.Writer, dir, title, out string, base *panel.Run) error {
	d := &panel.Data{Title: title}
	if title == "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		d.Title = filepath.Base(abs)
	}
	var err error
	switch {
	case folder.IsSweep(dir):
		d.Sweep, err = folder.Sweep(dir)
	case folder.IsRun(dir):
		if d.Run, err = folder.Run(dir); err == nil && base != nil {
			d.Base = base
			d.Run.Name = filepath.Base(dir)
		}
	default:
		if err = reportBelow(w, dir, d, base); err == nil && len(d.Runs) == 0 {
			return nil
		}
	}
	if err != nil {
		return err
	}
	if out == "" {
		out = filepath.Join(dir, reportName)
	}
	return writeReport(w, out, d)
}

// reportBelow writes the reports of the runs and sweeps below a folder and collects the
// runs.
func reportBelow(w io.Writer, dir string, d *panel.Data, base *panel.Run) error {
	found, err := folder.Find(dir)
	if err != nil {
		return err
	}
	if len(found.Runs)+len(found.Sweeps) == 0 {
		return fmt.Errorf("%s has neither a run nor a sweep in it or below it", dir)
	}
	for _, path := range append(found.Sweeps, found.Runs...) {
		if err := reportOf(w, path, "", "", base); err != nil {
			return err
		}
	}
	for _, path := range found.Runs {
		r, err := folder.Run(path)
		if err != nil {
			return err
		}
		if r.Name, err = filepath.Rel(dir, path); err != nil {
			return err
		}
		d.Runs = append(d.Runs, *r)
	}
	return nil
}

// writeReport writes a report and prints the name of its file.
func writeReport(w io.Writer, path string, d *panel.Data) error {
	b, err := page.Write(d)
	if err == nil {
		err = atomicfile.Write(path, b)
	}
	if err == nil {
		fmt.Fprintln(w, path)
	}
	return err
}
