package experiment

import (
	"strings"
	"unicode"

	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// Check builds nodes, links and workloads and discards them. The error has all their errors.
// Whether the work fits the nodes is only known when the experiment runs.
func (x *Experiment) Check() error {
	d, err := newDriver(x.options.Engine, x.options.Messages)
	if err != nil {
		return err
	}
	var errs configs.Errors
	_, err = system.Build(x.doc, &system.Env{Engine: d, Seed: x.sim.Seed})
	errs.Add(err)
	errs.Add(x.loader.checkWorkloads(x))
	return errs.Err()
}

// checkWorkloads reads the workloads of an experiment. They may be large files, so those of
// one file whose settings differ in nodes alone are read once.
func (l *Loader) checkWorkloads(x *Experiment) error {
	key := x.opened
	if known, ok := l.faults.Load(key); ok && key != "" {
		return *known.(*error)
	}
	_, err := demand.Decode(x.doc)
	if key != "" {
		l.faults.Store(key, &err)
	}
	return err
}

// besidesNodes is a key for a file with settings that leaves out those of nodes, which
// begin with a capital: what the others set may be the workloads'.
func besidesNodes(file string, set []string) string {
	var key strings.Builder
	key.WriteString(file + "\n")
	for _, s := range set {
		if !unicode.IsUpper([]rune(s)[0]) {
			key.WriteString(s + "\n")
		}
	}
	return key.String()
}

// MetricNames returns the keys of all metrics that a run may have, without those that are declared
// during the run.
func (x *Experiment) MetricNames() (out []string, err error) {
	a, err := x.assemble()
	if err != nil {
		return nil, err
	}
	for _, m := range a.declared() {
		out = append(out, result.Key(m))
	}
	return out, nil
}

// Declared lists the metrics that the experiment may have, with unit and text; metrics of equal
// nodes are listed once.
func (x *Experiment) Declared() []stats.Metric {
	if x.built == nil {
		return nil
	}
	return x.built.declared()
}

func (a *assembly) declared() []stats.Metric {
	var all []stats.Metric
	for _, n := range a.nodes() {
		all = append(all, n.Stats().Declared()...)
	}
	all = a.issued(all)
	all = append(append(all, a.systemMetrics(all)...), ownedBy(a.Sys.Made(), all).metrics()...)
	return append(all, a.asked.Declared(all)...)
}
