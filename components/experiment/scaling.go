package experiment

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/system"
)

// printScaling prints the estimated speed-up on 2, 16 and 64 cores, if Options.Scaling is set.
func (x *Experiment) printScaling(a *assembly) {
	if !x.options.Scaling || x.options.Note == nil {
		return
	}
	for _, s := range a.starters {
		k, ok := s.(system.Scaler)
		if sharer, can := s.(system.Sharer); !ok || !can || !sharer.Shared() {
			continue
		}
		times, windows, parts := k.Estimate([]int{2, 16, 64})
		if times == nil {
			x.options.Note(fmt.Sprintf("--scaling: %s ran for too few windows to say (simulate longer)", s.Name()))
			continue
		}
		x.options.Note(fmt.Sprintf("%s: estimated from %d windows of %d parts, 2 cores would take %.2f times less, 16 cores %.1f, 64 cores %.1f (--workers)",
			s.Name(), windows, parts, times[0], times[1], times[2]))
	}
}
