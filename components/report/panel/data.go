package panel

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/explain"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// Data are what a report is about: one run, two of them, a sweep, a validation, or the
// runs of a folder.
type Data struct {
	Title string
	Run   *Run  // nil where the report is not about one run
	Base  *Run  // the run that Run is held against
	Runs  []Run // of a folder
	Sweep *Sweep
	Study *Study
}

// A Run is one result with its process.
type Run struct {
	Name string
	*result.Result
	Process result.Process
	// Explained lists the settings that would help; nil where no explanation was made.
	Explained *explain.Explanation
}

// nodes lists the places of metrics of phase all that keep accepts, in the order of
// names.
func (r *Run) nodes(keep func(name string, m stats.Metric) bool) (out []string) {
	for _, m := range r.Metrics {
		if m.Where != "" && !slices.Contains(out, m.Where) && keep(m.Name, m) {
			out = append(out, m.Where)
		}
	}
	slices.SortStableFunc(out, configs.CompareNames)
	return out
}

// Having lists the nodes with a metric of that name.
func (r *Run) Having(metric string) []string {
	return r.nodes(func(name string, _ stats.Metric) bool { return name == metric })
}

// value is a metric of phase all.
func (r *Run) value(where, name string) (float64, bool) {
	m, ok := r.Metric(where, name)
	return m.Value, ok
}

// Words is the name of a metric with spaces for its underscores.
func Words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// number is a cell as a float; text and nil are 0.
func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case int:
		return float64(v)
	}
	return 0
}

// Slug is a name as part of the name of a figure.
func Slug(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, s)
	return strings.Trim(s, "-")
}
