package runs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/causeway-sim/causeway/components/experiment/explain"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/report/panel"
)

// Prepare makes the folder for results and checks that files can be written there. It is called
// before the simulation, so that a long run does not fail at its end.
func Prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%s: the folder for the results cannot be made: %w", dir, reasonOf(err))
	}
	f, err := os.CreateTemp(dir, ".writable.*")
	if err != nil {
		return fmt.Errorf("%s: no file can be written there: %w", dir, reasonOf(err))
	}
	f.Close()
	return os.Remove(f.Name())
}

// reasonOf is a file error without the call and the path that others name.
func reasonOf(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// RemoveFigures removes the figures of an earlier run from this folder: they do not show
// the numbers of the new run.
func RemoveFigures(dir string) error {
	files := []string{"report.html", explain.FileName}
	for _, n := range append(panel.Figures(), "curves") {
		for _, f := range report.Formats {
			files = append(files, n+"."+f)
		}
	}
	for _, f := range files {
		if err := os.Remove(filepath.Join(dir, f)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
