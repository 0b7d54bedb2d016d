package command

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
)

// AddSet declares --set. StringArray, not StringSlice: a value may hold commas.
func AddSet(c *cobra.Command, set *[]string) {
	c.Flags().StringArrayVarP(set, "set", "s", nil, "override PATH=VALUE, for example Core.rows=64 (repeatable)")
}

// AddJSON declares --json.
func AddJSON(c *cobra.Command, asJSON *bool) {
	c.Flags().BoolVar(asJSON, "json", false, "print JSON")
}

// PrintJSON prints a value for programs.
func PrintJSON(c *cobra.Command, v any) error {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return ExitWith(ExitInternal, err)
	}
	_, err = c.OutOrStdout().Write(append(b, '\n'))
	return err
}

// Warn prints warnings.
func Warn(c *cobra.Command, warnings []string) {
	for _, w := range warnings {
		fmt.Fprintln(c.ErrOrStderr(), "warning:", w)
	}
}
