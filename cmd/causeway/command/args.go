package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Wants accepts exactly the arguments that are named, and says which are missing
// or too many.
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
