package panel

import (
	"regexp"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/explain"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report/chart"
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
	listed := map[string]bool{}
	for _, m := range r.Metrics {
		if m.Where != "" && keep(m.Name, m) && !listed[m.Where] {
			listed[m.Where] = true
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

// PeakBandwidth is the most GB/s that the configuration lets a node move, 0 where it has no limit
// or none is known. Elements of an array have equal parts of what the array moves at most.
func (r *Run) PeakBandwidth(where string) float64 {
	if m, ok := r.Metric(where, "peak_bandwidth"); ok {
		return m.Value
	}
	if r.Observed == nil {
		return 0
	}
	like := r.nodes(func(name string, m stats.Metric) bool {
		return name == "bandwidth" && elements.ReplaceAllString(m.Where, "") == elements.ReplaceAllString(where, "")
	})
	for _, names := range moved {
		if p := r.Observed.Peaks[elements.ReplaceAllString(where, "")+"."+names[0]]; p > 0 {
			return p / float64(len(like))
		}
	}
	return 0
}

// elements are indices of nodes of an array.
var elements = regexp.MustCompile(`\[[0-9]+\]`)

// cyclesOf is how many cycles of its clock a node had in the run, 0 where that is not known.
func (r *Run) cyclesOf(where string) float64 {
	f, ok := r.Clocks()(where)
	if !ok || r.Causes == nil {
		return 0
	}
	return r.Causes.Elapsed() / f.Nanoseconds(1)
}

// cyclesOfAll is cyclesOf of nodes of equal clocks, 0 where they differ.
func (r *Run) cyclesOfAll(nodes []string) (n float64) {
	for i, where := range nodes {
		if c := r.cyclesOf(where); i == 0 {
			n = c
		} else if c != n {
			return 0
		}
	}
	return n
}

// shareOfRun makes busy cycles of a figure percents of the cycles of the run, where those are
// known.
func shareOfRun(f *chart.Figure, a *chart.Axis, cycles float64) {
	if cycles == 0 {
		return
	}
	a.Name, a.Unit = "share of the run", string(stats.Percent)
	for _, s := range f.Series {
		for i := range s.Y {
			s.Y[i] *= 100 / cycles
		}
	}
	for i := range f.Edges {
		f.Edges[i].Value *= 100 / cycles
	}
}

// Words is the name of a metric with spaces for its underscores.
func Words(name string) string { return strings.ReplaceAll(name, "_", " ") }

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
