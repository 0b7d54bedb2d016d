package validation

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/configs"
)

// A Measurement compares a table of measured times of operators with one run of all of them
// (workload.ops). Errors are reported over sets of rows: those that values were fitted on, and the
// others.
type Measurement struct {
	Name string `yaml:"name"`
	Run  string `yaml:"run"`
	// Baseline is a run of a simpler model over the same rows, whose errors are printed beside; ""
	// for none.
	Baseline string `yaml:"baseline"`
	File     string `yaml:"file"` // CSV with a header, relative to the study, or inputs:... or reference:...
	// Key lists the columns whose cells, joined by slashes, are the name of the row in the list of
	// operators.
	Key   []string `yaml:"key"`
	Value string   `yaml:"value"` // column with the measured time
	Scale float64  `yaml:"scale"` // ns per unit of that column; 0 means 1
	Where string   `yaml:"where"` // node whose times count; Chip by default
	// Only selects rows of the file.
	Only Rule `yaml:"only"`
	// Fitted selects the rows on which values of the run were fitted; none by default.
	Fitted Rule `yaml:"fitted"`
	// Carried marks a machine without fitted values: its rows are reported as carried over.
	Carried bool `yaml:"carried"`
	// Metric is the compared metric of the rows, time by default.
	Metric string `yaml:"metric"`
	// Each makes a separate run for every row, with these settings after those of the run;
	// ${column} is replaced by the row's cell, and a setting whose cells are all empty is left out.
	// Metric is then one of the run.
	Each []string `yaml:"each"`
	// Repeated reports how far rows of the whole file differ that have the same settings (each).
	Repeated bool    `yaml:"repeated"`
	Bounds   []Bound `yaml:"bounds"`
	Label    string  `yaml:"label"`
	Source   string  `yaml:"source"`
}

// A Bound limits the errors over a set of rows. Errors are absolute values, in percent of the
// measured time.
type Bound struct {
	Rows   string            `yaml:"rows"`  // fitted, other, carried or all; other by default
	Where  map[string]string `yaml:"where"` // as in a Rule
	Sum    string            `yaml:"sum"`   // column: rows with the same cell are added up first
	Mean   float64           `yaml:"mean"`
	Median float64           `yaml:"median"`
	P85    float64           `yaml:"p85"`
	P90    float64           `yaml:"p90"`
	Max    float64           `yaml:"max"`
	// Missed marks the bounds above as not reached, so that they fail nothing.
	Missed bool `yaml:"missed"`
	// Order requires the measured order of pairs of rows.
	Order *Order `yaml:"order"`
}

// limits reports whether the bound is one of an error.
func (b *Bound) limits() bool {
	return b.Mean != 0 || b.Median != 0 || b.P85 != 0 || b.P90 != 0 || b.Max != 0
}

// The sets of rows of a measurement.
const (
	allRows     = "all"
	fittedRows  = "fitted"
	otherRows   = "other"
	carriedRows = "carried"
)

// A point is one row of a measurement.
type point struct {
	name     string
	set      string            // fitted, other or carried
	cells    map[string]string // by column
	measured float64           // ns
}

// points reads the rows of a measurement, and all that Only would select without Every.
func (s *Study) points(m *Measurement) (out, all []point, err error) {
	path, err := s.path(m.File)
	if err != nil {
		return nil, nil, err
	}
	rows, err := readCSV(path)
	if err != nil {
		return nil, nil, err
	}
	head := rows[0]
	if err := m.checkColumns(head); err != nil {
		return nil, nil, err
	}
	for _, r := range rows[1:] {
		p := point{cells: map[string]string{}, set: otherRows}
		for i, c := range head {
			if i < len(r) {
				p.cells[c] = strings.TrimSpace(r[i])
			}
		}
		if !(Rule{Where: m.Only.Where}).holds(p.cells, 0) || p.cells[m.Value] == "" {
			continue
		}
		var words []string
		for _, k := range m.Key {
			words = append(words, p.cells[k])
		}
		p.name = strings.Join(words, "/")
		v, err := strconv.ParseFloat(p.cells[m.Value], 64)
		if err != nil || v <= 0 {
			return nil, nil, fmt.Errorf("%s: %s of %s is %q (want a time)", m.File, m.Value, p.name, p.cells[m.Value])
		}
		p.measured = v * m.Scale
		if all = append(all, p); !(Rule{Every: m.Only.Every}).holds(nil, len(all)-1) {
			continue
		}
		switch {
		case m.Carried:
			p.set = carriedRows
		case !m.Fitted.empty() && m.Fitted.holds(p.cells, len(out)):
			p.set = fittedRows
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, nil, fmt.Errorf("%s: no rows are left", m.File)
	}
	return out, all, nil
}

// checkColumns returns an error if the file has no column that the measurement names.
func (m *Measurement) checkColumns(head []string) error {
	var names []string
	for _, r := range []Rule{m.Only, m.Fitted} {
		names = append(names, sortedKeys(r.Where)...)
	}
	for _, name := range append(append(names, m.Value), m.Key...) {
		if !slices.Contains(head, name) {
			return fmt.Errorf("%s: no column %q (it has %s)", m.File, name, strings.Join(head, ", "))
		}
	}
	return nil
}

// path is that of a file of the study: relative to it; inputs:...; or reference:..., in
// the folder of measured figures next to the inputs, for figures that must not be
// redistributed. A file that is not there counts as no inputs.
func (s *Study) path(name string) (string, error) {
	folder, rest, ok := strings.Cut(name, ":")
	if !ok || folder != "inputs" && folder != "reference" {
		return filepath.Join(s.Dir, filepath.FromSlash(name)), nil
	}
	root := configs.InputsDir(s.Inputs)
	if root == "" {
		return "", fmt.Errorf("%s: %w", name, configs.ErrNoInputs)
	}
	if folder == "reference" {
		root = filepath.Join(filepath.Dir(filepath.Clean(root)), folder)
	}
	if rest = filepath.FromSlash(rest); !filepath.IsLocal(rest) {
		return "", fmt.Errorf("%s leaves the folder %s", name, folder)
	}
	path := filepath.Join(root, rest)
	if _, err := os.Stat(path); folder == "reference" && errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: %w", name, configs.ErrNoInputs)
	}
	return path, nil
}

// times are the simulated times of the rows at a node, or another metric of them, by name.
func times(r *result.Result, where, metric string) map[string]float64 {
	if metric == "" {
		metric = "time"
	}
	out := map[string]float64{}
	for _, m := range r.Metrics {
		if name, ok := strings.CutPrefix(m.Phase, "layer:"); ok && m.Name == metric && m.Where == where {
			out[name] = m.Value
		}
	}
	return out
}
