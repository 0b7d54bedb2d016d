package sweeps

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/report/folder"
	"github.com/causeway-sim/causeway/components/report/page"
	"github.com/causeway-sim/causeway/components/report/panel"
)

// writeReport writes the report of a sweep into its folder, unless --html=false says not
// to, or its tables are not there yet.
func writeReport(c *cobra.Command, dir string) error {
	if f := c.Flags().Lookup("html"); f != nil && f.Value.String() != "true" || !folder.IsSweep(dir) {
		return nil
	}
	s, err := folder.Sweep(dir)
	if err != nil {
		return err
	}
	if s.Command == nil {
		s.Command = append([]string{"causeway"}, os.Args[1:]...)
	}
	b, err := page.Write(&panel.Data{Title: filepath.Base(dir), Sweep: s})
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "report.html"), b)
}
