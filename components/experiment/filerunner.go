package experiment

import (
	"context"
	"strings"
	"sync"
	"unicode"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// fileRunner runs the points of a sweep over a configuration file.
type fileRunner struct {
	loader *Loader
	base   string
	loads  sync.Map // error of the workloads, by what the points set outside of nodes
}

// Prepare implements Runner.
func (r *fileRunner) Prepare(p Point) (Job, error) {
	x, err := r.loader.Open(r.base, p.Set)
	if err != nil {
		return nil, err
	}
	return &sweepJob{x, r, p}, nil
}

type sweepJob struct {
	*Experiment
	runner *fileRunner
	point  Point
}

// Run implements Job.
func (j *sweepJob) Run(ctx context.Context) (*Result, error) {
	res, _, err := j.Experiment.Run(ctx, nil)
	return res, err
}

// Check implements Checker: nodes, links and workloads are made, and thrown away.
// Whether the work fits the nodes comes out when the point runs.
func (j *sweepJob) Check() error {
	d, err := newDriver(j.options.Engine, j.options.Messages)
	if err != nil {
		return err
	}
	var errs configs.Errors
	_, err = system.Build(j.doc, &system.Env{Engine: d, Seed: j.sim.Seed})
	errs.Add(err)
	// Nodes begin with a capital: what others set may be the workloads'. Those may
	// be large files, so equal ones are read once.
	var key strings.Builder
	for _, s := range j.point.Set {
		if !unicode.IsUpper([]rune(s)[0]) {
			key.WriteString(s + "\n")
		}
	}
	known, ok := j.runner.loads.Load(key.String())
	if !ok {
		_, err := decodeWorkloads(j.doc)
		known = &err
		j.runner.loads.Store(key.String(), known)
	}
	errs.Add(*known.(*error))
	return errs.Err()
}

// MetricNames implements Checker.
func (j *sweepJob) MetricNames() ([]string, error) {
	a, err := j.assemble()
	if err != nil {
		return nil, err
	}
	return a.metricNames(), nil
}
