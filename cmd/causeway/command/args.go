package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Wants requires one argument per name. Its error lists the missing or surplus arguments.
func Wants(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return fmt.Errorf("%s is missing", strings.Join(names[len(args):], " and "))
		case len(args) > len(names):
			return fmt.Errorf("%q is one argument too many", args[len(names)])
		}
		return nil
	}
}
