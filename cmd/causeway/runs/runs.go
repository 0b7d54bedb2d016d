// Package runs manages the folders that the command run writes results into: it makes a new
// folder for each run, keeps a link to the latest one, and refuses to replace the result of another
// run. Errors name the folder and, where one helps, the flag to use.
//
// # Left out
//
// The files of a result (components/experiment/result).
package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/causeway-sim/causeway/components/build"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report"
)

// New makes a new folder for a run called runs/NAME: the first of runs/NAME.1, runs/NAME.2, ...
// that does not exist. A folder runs/NAME, as --out makes it, is renamed to a number first, and a
// line on w says so. If that folder holds a sweep, New returns an error.
func New(name string, w io.Writer) (dir string, err error) {
	if report.IsSweep(name) {
		return "", fmt.Errorf("%s holds a sweep; --out names another folder for a run", name)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return "", fmt.Errorf("%s: the folder for the results cannot be made: %w", name, reasonOf(err))
	}
	if st, err := os.Lstat(name); err == nil && st.IsDir() {
		to, err := numbered(name)
		if err == nil {
			err = os.Remove(to) // it is empty, and ours
		}
		if err == nil {
			err = os.Rename(name, to)
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(w, "%s is now %s\n", name, to)
	}
	return numbered(name)
}

// numbered makes the first folder NAME.N that is not there.
func numbered(name string) (string, error) {
	for n := 1; ; n++ {
		dir := fmt.Sprintf("%s.%d", name, n)
		err := os.Mkdir(dir, 0o755)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("%s: the folder for the results cannot be made: %w", dir, reasonOf(err))
		}
		return dir, nil
	}
}

// PointTo makes name a symbolic link to dir, atomically; both are in one folder. Without symbolic
// links it prints the reason on w and returns nil. An empty name does nothing.
func PointTo(name, dir string, w io.Writer) error {
	if name == "" {
		return nil
	}
	tmp := fmt.Sprintf("%s.link%d", dir, os.Getpid())
	if err := os.Symlink(filepath.Base(dir), tmp); err != nil {
		fmt.Fprintf(w, "%s cannot point to %s: %v\n", name, dir, reasonOf(err))
		return nil
	}
	if err := os.Rename(tmp, name); err != nil {
		os.Remove(tmp)
		return err
	}
	return nil
}

// MayWrite returns an error if dir holds the result of another identity (configuration and inputs)
// or of another build, or files of a result's names that no run has written.
func MayWrite(dir, identity string) error {
	if _, err := os.Stat(filepath.Join(dir, "result.json")); err != nil {
		return mayWriteBeside(dir)
	}
	var p result.Process
	b, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err == nil {
		err = json.Unmarshal(b, &p)
	}
	if err == nil && p.Identity == identity && p.Build.Key() == build.Running(result.Version).Key() {
		return nil
	}
	return fmt.Errorf("%s holds the result of another run (--overwrite replaces it; without --out each run has a folder of its own)", dir)
}

// MaySweep returns an error if dir holds the result of a run, whose report a sweep would replace.
func MaySweep(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "result.json")); err == nil {
		return fmt.Errorf("%s holds the result of a run; --out names another folder for a sweep", dir)
	}
	return nil
}

// mayWriteBeside returns an error for a folder without a result that has files with the names
// of a result's files: the run would replace files that no run has made.
func mayWriteBeside(dir string) error {
	ours := result.WrittenFiles(dir) // of a run that could not write its result
	for _, name := range []string{"metrics.csv", "layers.csv", "levels.csv", "requests.csv", "channels.csv", "timeseries.csv", report.SampledErrorName, "config.resolved.yaml", "observed.json", "report.html"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil && !slices.Contains(ours, name) {
			return fmt.Errorf("%s has a file %s that no run has left there (--overwrite replaces it; without --out each run has a folder of its own)", dir, name)
		}
	}
	return nil
}
