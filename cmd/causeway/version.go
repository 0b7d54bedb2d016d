package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/build"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the models, the revision and the build",
		Long: "Print the version of the models, the revision of the sources (+dirty with changes that are not committed;\n" +
			"unknown where the binary does not say) and the Go build ID, which every change of the code changes.",
		Args: command.Wants(),
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

// answerVersion lets `causeway --version` print what `causeway version` prints.
func answerVersion(root *cobra.Command) {
	asked := root.Flags().Bool("version", false, "print what the command version prints")
	root.RunE = func(c *cobra.Command, _ []string) error {
		if !*asked {
			return c.Help()
		}
		v, _, err := c.Find([]string{"version"})
		if err != nil {
			return err
		}
		if v.RunE != nil {
			return v.RunE(v, nil)
		}
		v.Run(v, nil)
		return nil
	}
}
