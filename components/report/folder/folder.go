package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/explain"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// ObservedName is the file of what a run was seen to do over time, which its report shows.
const ObservedName = "observed.json"

// Run reads what a run has left.
func Run(dir string) (*panel.Run, error) {
	b, err := os.ReadFile(filepath.Join(dir, "result.json"))
	if err != nil && IsSweep(dir) {
		return nil, fmt.Errorf("%s is the folder of a sweep, not of a run (its sweep.csv has the settings of each point, with which causeway run leaves a folder)", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is no folder of a run: %w", dir, err)
	}
	var r result.Result
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "result.json"), err)
	}
	if r.Schema != result.Schema {
		return nil, fmt.Errorf("%s has schema %q, this command reads %q", filepath.Join(dir, "result.json"), r.Schema, result.Schema)
	}
	if r.Config, err = os.ReadFile(filepath.Join(dir, "config.resolved.yaml")); err != nil {
		return nil, err
	}
	for _, t := range []struct {
		name string
		to   **stats.Table
	}{{"layers.csv", &r.Layers}, {"levels.csv", &r.Levels}, {"requests.csv", &r.Requests}, {"channels.csv", &r.Channels}, {"timeseries.csv", &r.Series}} {
		if *t.to, err = Table(filepath.Join(dir, t.name)); err != nil {
			return nil, err
		}
	}
	if b, err := os.ReadFile(filepath.Join(dir, ObservedName)); err == nil {
		if err := json.Unmarshal(b, &r.Observed); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, ObservedName), err)
		}
	}
	out := &panel.Run{Name: filepath.Base(dir), Result: &r}
	if b, err := os.ReadFile(filepath.Join(dir, "run.json")); err == nil {
		if err := json.Unmarshal(b, &out.Process); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "run.json"), err)
		}
	}
	out.Explained, err = explained(dir, r.Identity)
	return out, err
}

// explained is what explain.json says of the run of that identity; nil where there is none,
// or it is of another run.
func explained(dir, identity string) (*explain.Explanation, error) {
	b, err := os.ReadFile(filepath.Join(dir, explain.FileName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var e explain.Explanation
	if err := json.Unmarshal(b, &e); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, explain.FileName), err)
	}
	if e.Base.Identity != identity {
		return nil, nil
	}
	return &e, nil
}

// IsRun and IsSweep report what has left a folder.
func IsRun(dir string) bool   { return has(dir, "result.json") }
func IsSweep(dir string) bool { return has(dir, "sweep.csv") }

func has(dir, file string) bool {
	st, err := os.Stat(filepath.Join(dir, file))
	return err == nil && st.Mode().IsRegular()
}

// Sweep reads what a sweep has left: means where it takes them, else its points, and the
// Pareto set and the sensitivities where it has written them.
func Sweep(dir string) (*panel.Sweep, error) {
	s := &panel.Sweep{Name: filepath.Base(dir)}
	for _, t := range []struct {
		name string
		to   **stats.Table
	}{{"sweep.csv", &s.Points}, {"mean.csv", &s.Means}, {"pareto.csv", &s.Pareto}, {"sensitivity.csv", &s.Sensitivity}, {"pairs.csv", &s.Pairs}, {"failures.csv", &s.Failures}} {
		var err error
		if *t.to, err = Table(filepath.Join(dir, t.name)); err != nil {
			return nil, err
		}
	}
	if s.Points == nil {
		return nil, fmt.Errorf("%s is no folder of a sweep: it has no sweep.csv", dir)
	}
	s.Command = command(dir)
	b, err := os.ReadFile(filepath.Join(dir, "sweep.json"))
	if errors.Is(err, fs.ErrNotExist) { // an earlier version's
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &s.Facts)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "sweep.json"), err)
	}
	return s, nil
}

// command is the line that makes a sweep again, from the command.json that it has left; nil
// where it has none.
func command(dir string) []string {
	var o sweep.Origin
	b, err := os.ReadFile(filepath.Join(dir, "command.json"))
	if err != nil || json.Unmarshal(b, &o) != nil || o.File == "" {
		return nil
	}
	out := []string{"causeway", "sweep", o.File}
	for _, s := range o.Set {
		out = append(out, "--set", s)
	}
	for _, a := range o.Axes {
		out = append(out, "--axis", a)
	}
	if o.Inputs != "" {
		out = append(out, "--inputs", o.Inputs)
	}
	return out
}

// Found are the runs and sweeps below a folder, by their paths.
type Found struct{ Runs, Sweeps []string }

// Find looks for runs and sweeps in a folder and below it. A link to another folder,
// as runs/NAME to the latest run, is not followed: its folder is found itself. What a sweep
// keeps of its points is not looked at.
func Find(dir string) (out Found, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case IsSweep(path):
			out.Sweeps = append(out.Sweeps, path)
			return fs.SkipDir
		case IsRun(path):
			out.Runs = append(out.Runs, path)
			return fs.SkipDir
		}
		return nil
	})
	slices.SortFunc(out.Runs, configs.CompareNames)
	slices.SortFunc(out.Sweeps, configs.CompareNames)
	return out, err
}
