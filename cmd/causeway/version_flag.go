package main

import "github.com/spf13/cobra"

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
