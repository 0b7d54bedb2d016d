package evaluation

import (
	"errors"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// Sections are the sections that are evaluated on a finished run, by name.
var Sections = registry.New[Reader]("section")

// A Reader reads and checks a section before the run.
type Reader func(in Input) (Evaluator, error)

// An Input is what a section is read from.
type Input struct {
	Doc   *configs.Document
	At    configs.Value // the section
	Nodes []string      // of the system, in canonical order
}

// An Evaluator evaluates its section on a finished run. An error fails the run.
type Evaluator interface {
	Evaluate(r *Run) (Found, error)
	// Declared lists the metrics that Evaluate may find, before the run; r has the declared metrics of
	// the nodes, of no meaning in value.
	Declared(r *Run) []stats.Metric
}

// A Run is what nodes have counted.
type Run struct {
	Metrics []stats.Metric // those of the whole system included
	// Time is the simulated time of the run in ns; 0 if the run has none.
	Time float64
	// Throttled says what limits of power the run has for section thermal; nil: those of the configuration.
	Throttled *Throttled
}

// A Cooler is an Evaluator that has a limit of temperature which limits of power keep.
type Cooler interface {
	// Cooling is the limit of temperature and the ambient one, in degrees Celsius.
	Cooling() (limit, ambient float64)
	// Hottest is the highest temperature of a run, in degrees Celsius; +Inf: leakage runs away.
	Hottest(r *Run) (float64, error)
}

// Throttled is by what limits of power were lowered until a limit of temperature held.
type Throttled struct {
	Trial  bool    // the run is one of those that search for it
	Share  float64 // of the chips' own limits
	Peak   float64 // highest temperature with them, in degrees Celsius
	Slower float64 // time over that without the limit of temperature, less 1
	Runs   int     // with the last
}

// Value returns a metric of phase all.
func (r *Run) Value(where, name string) (float64, bool) {
	i := slices.IndexFunc(r.Metrics, func(m stats.Metric) bool { return m.Where == where && m.Name == name && m.Phase == "all" })
	if i < 0 {
		return 0, false
	}
	return r.Metrics[i].Value, true
}

// Found is what a section adds to a result.
type Found struct {
	Metrics     []stats.Metric
	Assumptions []string
	Warnings    []string
}

// All are the sections of one configuration.
type All []Evaluator

// Read reads the sections that a configuration has. The error has all errors of all of them.
func Read(doc *configs.Document, nodes []string) (All, error) {
	var out All
	var errs configs.Errors
	for _, e := range Sections.Entries() {
		v := doc.Root.Get(e.Name)
		if !v.Exists() {
			continue
		}
		one, err := e.New(Input{doc, v, nodes})
		errs.Add(err)
		out = append(out, one)
	}
	return out, errs.Err()
}

// Evaluate evaluates all sections.
func (a All) Evaluate(r *Run) (out Found, err error) {
	var errs []error
	for _, e := range a {
		f, err := e.Evaluate(r)
		errs = append(errs, err)
		out.Metrics = append(out.Metrics, f.Metrics...)
		out.Assumptions = append(out.Assumptions, f.Assumptions...)
		out.Warnings = append(out.Warnings, f.Warnings...)
	}
	return out, errors.Join(errs...)
}

// Declared lists the metrics that the sections may find, given those that the nodes declare.
func (a All) Declared(ms []stats.Metric) (out []stats.Metric) {
	for _, e := range a {
		out = append(out, e.Declared(&Run{Metrics: ms, Time: 1})...)
	}
	return out
}

// Schemas describes the sections, for the schema of whole documents.
func Schemas() (out []schema.Section) {
	for _, e := range Sections.Entries() {
		out = append(out, schema.Section{Name: e.Name, Doc: e.Doc, Spec: e.Spec})
	}
	return out
}
