package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/components/build"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the models, the revision and the build",
		Long: "Print the version of the models, the revision of the sources (+dirty with changes that are not committed;\n" +
			"unknown where the binary does not say) and the Go build ID, which every change of the code changes.",
		Args: wants(),
		Run: func(c *cobra.Command, _ []string) {
			b := build.Running(result.Version)
			revision := b.Revision
			switch {
			case revision == "":
				revision = "unknown"
			case b.Dirty:
				revision += "+dirty"
			}
			fmt.Fprintf(c.OutOrStdout(), "causeway %s\nrevision %s\nbuild %s\n", b.Version, revision, b.ID)
		},
	}
}
