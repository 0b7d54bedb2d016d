package sweep

import (
	"context"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
)

// A Trial is the result of a point that is not kept in a folder.
type Trial struct {
	Result *result.Result // nil if there is none
	Err    error          // why the result is not complete; nil if ctx ended first
}

// Try runs a configuration with each list of settings, on a number of workers, without a folder.
// If ctx ends it returns early with the finished trials. done is called after each trial, from any
// goroutine.
func Try(ctx context.Context, loader *experiment.Loader, file string, sets [][]string, workers int, done func()) []Trial {
	r := &fileRunner{loader: loader, base: file}
	s := &Sweep{Workers: workers}
	out := make([]Trial, len(sets))
	s.share(ctx, len(sets), func(i int) {
		defer done()
		job, err := r.Prepare(grid.Point{Index: i, Set: sets[i]})
		if err != nil {
			out[i].Err = err
			return
		}
		out[i].Result, out[i].Err = runGuarded(ctx, job)
	})
	return out
}
