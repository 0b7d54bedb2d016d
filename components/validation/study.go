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
	"sync"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/configs"
)

// Labels are the labels of published numbers.
var Labels = []string{"exact", "measured", "headline", "reconstruction"}

// A Study is one published.yaml.
type Study struct {
	Name     string           `yaml:"-"` // of the folder
	Dir      string           `yaml:"-"`
	Title    string           `yaml:"title" jsonschema:"required"`
	Citation string           `yaml:"citation" jsonschema:"required"`
	Label    string           `yaml:"label"` // of points that do not say their own
	Runs     map[string]RunOf `yaml:"runs"`
	Points   []Point          `yaml:"points"`
	Tables   []Table          `yaml:"tables"`

	Measurements []Measurement `yaml:"measurements"`
	Fitted       []Fitted      `yaml:"fitted"`
	Misses       []Miss        `yaml:"misses"` // why rows miss; the first that names a row counts

	Inputs string `yaml:"-"` // folder of inputs:; "" takes CAUSEWAY_INPUTS
	Jobs   int    `yaml:"-"` // runs at a time, at least one

	mu   sync.Mutex
	kept map[string]*result.Result // of rows that several measurements compare, by settings
}

// A RunOf is one simulation of a study.
type RunOf struct {
	Config string   `yaml:"config"` // relative to the study
	Set    []string `yaml:"set"`    // as after --set
}

// A Point is one published number.
type Point struct {
	Run       string  `yaml:"run"`
	Metric    string  `yaml:"metric"` // name, Where.name, either @phase
	Published float64 `yaml:"published"`
	Unit      string  `yaml:"unit"`
	// Tolerance is the row's own bound, which fails the study: "0", "2" (in the unit) or "1%"; "at
	// most" and "at least" make published a bound. The verdict is by the rule of the label.
	Tolerance string `yaml:"tolerance"`
	Label     string `yaml:"label"`
	Source    string `yaml:"source"`
	// Per divides the metric by another metric of a run, for published ratios:
	// "run:metric".
	Per string `yaml:"per"`
	// Missed marks the tolerance as not reached, so that it fails nothing.
	Missed bool `yaml:"missed"`
}

// A Table compares rows of layers.csv with rows of a file.
type Table struct {
	Run       string            `yaml:"run"`
	File      string            `yaml:"file"`    // CSV with a header, relative to the study
	Key       string            `yaml:"key"`     // column that names the row, in the file
	Columns   map[string]string `yaml:"columns"` // column of layers.csv: column of the file
	Tolerance string            `yaml:"tolerance"`
	Label     string            `yaml:"label"`
	Source    string            `yaml:"source"`
}

// File is the name of a study's file in its folder.
const File = "published.yaml"

// List returns the names of the studies below dir, sorted.
func List(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", File))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range files {
		out = append(out, filepath.Base(filepath.Dir(f)))
	}
	slices.Sort(out)
	return out, nil
}

// Load reads the study in dir. The error has all errors of the study.
func Load(dir string) (*Study, error) { return load(dir, true) }

// LoadUnchecked is like Load, but accepts fitted values that are not declared yet.
func LoadUnchecked(dir string) (*Study, error) { return load(dir, false) }

func load(dir string, declared bool) (*Study, error) {
	file := filepath.Join(dir, File)
	src, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		e := &configs.Error{Msg: fmt.Sprintf("%s: no study (a study is a folder with a %s)", dir, File)}
		if e.Want, err = List(filepath.Dir(dir)); err == nil {
			e.Nearest = configs.Nearest(filepath.Base(dir), e.Want)
		}
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	doc, err := configs.ParseValue(file, src)
	if err != nil {
		return nil, err
	}
	s := &Study{Name: filepath.Base(filepath.Clean(dir)), Dir: dir, Label: "exact"}
	if err := doc.Decode(s); err != nil {
		return nil, err
	}
	return s, s.check(doc, declared)
}

func (s *Study) check(doc configs.Value, declared bool) error {
	var errs configs.Errors
	label := func(l *string, v configs.Value) {
		if *l == "" {
			*l = s.Label
		}
		if !slices.Contains(Labels, *l) {
			errs = append(errs, v.Errorf(Labels, "unknown label %q", *l))
		}
	}
	run := func(name string, v configs.Value) {
		if _, ok := s.Runs[name]; !ok {
			errs = append(errs, v.Errorf(sortedKeys(s.Runs), "no run %q", name))
		}
	}
	points, tables := doc.Get("points").Items(), doc.Get("tables").Items()
	for i := range s.Points {
		p, v := &s.Points[i], points[i]
		label(&p.Label, v)
		run(p.Run, v)
		if p.Per != "" {
			name, _, _ := strings.Cut(p.Per, ":")
			run(name, v)
		}
		if _, _, err := tolerance(p.Tolerance); err != nil && p.Tolerance != "" && !bound(p.Tolerance) {
			errs = append(errs, v.Errorf(nil, "%v", err))
		}
		if p.Source == "" {
			errs = append(errs, v.Errorf(nil, "a published number needs a source"))
		}
	}
	for i := range s.Tables {
		t, v := &s.Tables[i], tables[i]
		label(&t.Label, v)
		run(t.Run, v)
		if _, _, err := tolerance(t.Tolerance); err != nil && t.Tolerance != "" {
			errs = append(errs, v.Errorf(nil, "%v", err))
		}
	}
	errs.Add(s.checkMeasurements(doc, label, run))
	errs.Add(s.checkMisses(doc))
	if declared {
		errs.Add(s.checkFitted(doc))
	}
	return errs.Err()
}

// checkMeasurements also fills in what measurements leave open.
func (s *Study) checkMeasurements(doc configs.Value, label func(*string, configs.Value), run func(string, configs.Value)) error {
	var errs configs.Errors
	items := doc.Get("measurements").Items()
	for i := range s.Measurements {
		m, v := &s.Measurements[i], items[i]
		label(&m.Label, v)
		run(m.Run, v)
		if m.Baseline != "" {
			run(m.Baseline, v)
		}
		if m.Scale == 0 {
			m.Scale = 1
		}
		if m.Where == "" {
			m.Where = "Chip"
		}
		if m.Name == "" || s.measurement(m.Name) != m {
			errs = append(errs, v.Place("name").Errorf(nil, "a measurement needs a name of its own"))
		}
		m.check(v, &errs)
		for j := range m.Bounds {
			b := &m.Bounds[j]
			if b.Rows == "" {
				b.Rows = otherRows
				if m.Carried {
					b.Rows = carriedRows
				}
			}
			b.check(v.Get("bounds").Items()[j], &errs)
		}
	}
	return errs.Err()
}

// check reports keys that a measurement lacks, and those that have no effect.
func (m *Measurement) check(v configs.Value, errs *configs.Errors) {
	if m.File == "" || m.Value == "" || len(m.Key) == 0 || m.Source == "" {
		errs.Add(v.Errorf(nil, "a measurement needs file, key, value and source"))
	}
	if m.Baseline != "" && len(m.Each) > 0 {
		errs.Add(v.Place("baseline").Errorf(nil, "does not go with each"))
	}
	if m.Repeated && len(m.Each) == 0 {
		errs.Add(v.Place("repeated").Errorf(nil, "has no effect without each"))
	}
	if m.Carried && !m.Fitted.empty() {
		errs.Add(v.Place("fitted").Errorf(nil, "has no effect: the machine is carried over"))
	}
	for _, r := range []struct {
		key  string
		rule Rule
	}{{"only", m.Only}, {"fitted", m.Fitted}} {
		if err := r.rule.check(); err != nil {
			errs.Add(v.Place(r.key).Errorf(nil, "%v", err))
		}
	}
}

// check reports a bound of unknown rows, and one that bounds nothing.
func (b *Bound) check(at configs.Value, errs *configs.Errors) {
	if sets := []string{allRows, fittedRows, otherRows, carriedRows}; !slices.Contains(sets, b.Rows) {
		errs.Add(at.Place("rows").Errorf(sets, "unknown set of rows %q", b.Rows))
	}
	if !b.limits() && b.Order == nil {
		errs.Add(at.Errorf(nil, "bounds nothing (want one of: mean, median, p85, p90, max, order)"))
	} else if b.Missed && !b.limits() {
		errs.Add(at.Place("missed").Errorf(nil, "has no effect without mean, median, p85, p90 or max (an order has its own)"))
	}
}

// measurement finds one by name.
func (s *Study) measurement(name string) *Measurement {
	for i := range s.Measurements {
		if s.Measurements[i].Name == name {
			return &s.Measurements[i]
		}
	}
	return nil
}

func (s *Study) measurementNames() (out []string) {
	for i := range s.Measurements {
		out = append(out, s.Measurements[i].Name)
	}
	return out
}

// The tolerances of bounds.
const (
	atMost  = "at most"
	atLeast = "at least"
)

// bound reports whether a published number is the limit of ours.
func bound(s string) bool { return s == atMost || s == atLeast }

// tolerance parses "1%" (relative) or "2" (in the point's unit).
func tolerance(s string) (v float64, relative bool, err error) {
	num, relative := strings.CutSuffix(s, "%")
	v, err = strconv.ParseFloat(num, 64)
	if err != nil || v < 0 {
		return 0, false, fmt.Errorf("tolerance %q is neither a number nor a percentage (nor, of a point, %q or %q)", s, atMost, atLeast)
	}
	return v, relative, nil
}

// within reports whether got is published within the tolerance.
func within(got, published float64, tol string) bool {
	switch tol {
	case atMost:
		return got <= published
	case atLeast:
		return got >= published
	}
	v, relative, err := tolerance(tol)
	if err != nil {
		return false
	}
	diff := got - published
	if diff < 0 {
		diff = -diff
	}
	if relative {
		if published < 0 {
			published = -published
		}
		return diff <= v/100*published
	}
	return diff <= v
}
