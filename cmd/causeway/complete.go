package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/studies"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/catalogue"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/validation"
)

// addCompletions makes shells complete what the commands accept: `causeway completion SHELL`
// prints what a shell has to load.
func addCompletions(root *cobra.Command) {
	for _, c := range root.Commands() {
		for _, flag := range []string{"set", "axis"} {
			if c.Flags().Lookup(flag) != nil {
				_ = c.RegisterFlagCompletionFunc(flag, completePath) // an error only where there is no such flag
			}
		}
		if c.Flags().Lookup("template") != nil {
			var names []string
			for _, t := range templates {
				names = append(names, t.name)
			}
			_ = c.RegisterFlagCompletionFunc("template", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
		}
		if c.Name() == "validate" {
			c.ValidArgsFunction = completeStudy
		}
	}
	engines := make([]string, len(experiment.EngineNames))
	for i, e := range experiment.EngineNames {
		engines[i] = strings.TrimSuffix(e, "SEED")
	}
	_ = root.RegisterFlagCompletionFunc("engine", cobra.FixedCompletions(engines, cobra.ShellCompDirectiveNoFileComp))
}

// completePath completes paths of the configuration that the command line names.
func completePath(c *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	if len(args) == 0 || strings.Contains(start, "=") {
		return nil, directive
	}
	file := args[0]
	if sweep.IsFile(file) {
		sw, err := sweep.Load(file, experiment.Options{})
		if err != nil {
			return nil, directive
		}
		file = sw.Base()
	}
	x, err := experiment.Load(file, experiment.Options{})
	if err != nil {
		return nil, directive
	}
	var out []string
	for _, p := range catalogue.Paths(x.Root()) {
		if strings.HasPrefix(p, start) {
			out = append(out, p+"=")
		}
	}
	return out, directive
}

// completeStudy completes names of studies.
func completeStudy(c *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
	dir, done, err := studies.BuiltIn(filepath.Join("configs", "studies"))
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer done()
	names, err := validation.List(dir)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
