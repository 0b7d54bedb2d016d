package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/importer"
	_ "github.com/causeway-sim/causeway/components/importer/astrasim"
	_ "github.com/causeway-sim/causeway/components/importer/booksim"
	_ "github.com/causeway-sim/causeway/components/importer/ramulator"
	_ "github.com/causeway-sim/causeway/components/importer/scalesim"
	_ "github.com/causeway-sim/causeway/components/importer/timeloop"
)

func importCommand(s *command.Settings) *cobra.Command {
	var from, topology, out string
	var force bool
	c := &cobra.Command{
		Use:   "import FILE|DIR...",
		Short: "Turn a configuration of another simulator into a configuration of Causeway",
		Long: "Turn a configuration of another simulator into YAML of Causeway, with a comment on each line that says\n" +
			"where it comes from. The tool is recognised by the content. What is not carried over is listed on standard\n" +
			"error with the reason, and in the comments at the beginning. The result is checked like any configuration.\n" +
			"Traces, topologies and models are named, not copied.\n\n" + importable(),
		Example: "  causeway import scale.cfg --topology resnet50.csv --out tool.yaml\n  causeway import meshconfig | causeway run - --out mesh",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("want FILE or DIR")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			in, err := importer.Open(args...)
			if err != nil {
				return command.BadInput(err)
			}
			in.Topology, in.Out = topology, filepath.Dir(out)
			if out != "" {
				in.Stem = strings.TrimSuffix(filepath.Base(out), filepath.Ext(out))
			}
			f, err := importer.Choose(in, from)
			if err != nil {
				return command.BadInput(err)
			}
			if topology != "" && !f.Topology {
				return command.BadInput(fmt.Errorf("--topology has no effect on a configuration of %s", f.Title))
			}
			d, err := importer.Convert(f, in)
			if err != nil {
				return command.BadInput(err)
			}
			return writeImport(c, s, d, out, force)
		},
	}
	c.Flags().StringVar(&from, "from", "", "tool, where the content does not tell: "+strings.Join(importer.All.Names(), ", "))
	c.Flags().StringVar(&topology, "topology", "", "of SCALE-Sim: the file of layers (left out: the one that the .cfg names, or the only one in its folder)")
	c.Flags().StringVarP(&out, "out", "o", "", "file to write (left out: standard output)")
	c.Flags().BoolVar(&force, "force", false, "replace files that are there")
	return c
}

// importable lists the tools.
func importable() string {
	var b strings.Builder
	b.WriteString("Tools:\n")
	for _, e := range importer.All.Entries() {
		fmt.Fprintf(&b, "  %-10s %s\n", e.Name, e.Doc)
	}
	return strings.TrimRight(b.String(), "\n")
}

// writeImport checks an imported configuration, writes it, and lists what was left out.
func writeImport(c *cobra.Command, s *command.Settings, d *importer.Draft, out string, force bool) error {
	text, err := d.Bytes()
	if err != nil {
		return command.ExitWith(command.ExitInternal, err)
	}
	files := map[string][]byte{}
	for _, name := range d.FileNames() {
		if out == "" {
			return command.BadInput(fmt.Errorf("%s needs --out FILE: %s is written besides the configuration", d.Of, name))
		}
		files[filepath.Join(filepath.Dir(out), name)] = d.Files[name]
	}
	name := "import"
	if out != "" {
		files[out], name = text, out
	}
	for file := range files {
		if _, err := os.Lstat(file); err == nil && !force {
			return command.BadInput(fmt.Errorf("%s is there (want another --out, or --force)", file))
		}
	}
	for file, b := range files {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return command.BadInput(err)
		}
		if err := atomicfile.Write(file, b); err != nil {
			return command.BadInput(err)
		}
	}
	fmt.Fprint(c.ErrOrStderr(), d.Account())
	if out == "" {
		if _, err := c.OutOrStdout().Write(text); err != nil {
			return err
		}
	}
	x, err := experiment.Parse(name, text, s.Options(nil))
	if err == nil {
		err = x.Ready()
	}
	if err != nil {
		return command.BadInput(fmt.Errorf("%w\nthe imported configuration has these faults: it was written for you to correct", err))
	}
	command.Warn(c, x.Warnings())
	if out != "" {
		fmt.Fprintf(c.OutOrStdout(), "%s: good (%s)\n", out, x.Describe())
	}
	return nil
}
