package sweep

import (
	"context"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
)

// fileRunner runs the points of a sweep over a configuration file.
type fileRunner struct {
	loader *experiment.Loader
	base   string
}

// Prepare implements Runner.
func (r *fileRunner) Prepare(p grid.Point) (Job, error) {
	x, err := r.loader.Open(r.base, p.Set)
	if err != nil {
		return nil, err
	}
	return fileJob{x}, nil
}

// A fileJob is a Job and a Checker.
type fileJob struct{ *experiment.Experiment }

// Run implements Job.
func (j fileJob) Run(ctx context.Context) (*result.Result, error) {
	res, _, err := j.Experiment.Run(ctx, nil)
	return res, err
}
