package systolic

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
)

// A repeated is what a core knows of the periods of its program, some of which it need not
// carry out (simulation.repeat: sampled).
type repeated struct {
	periods *work.Periods
	first   bool    // states the assumption for all cores
	of      []int32 // period of each operator
	now     int32   // under way
	layers  int     // records before it
	held    bool    // until Resume
	arrives bool    // within border
	from    uint64  // cycle from which on the next job may begin
}

// Repeat implements work.Repeater.
func (k *core) Repeat(p *work.Periods, m int, of []int32) error {
	if len(k.known) != 1 {
		return fmt.Errorf("%s has %d workloads: those that repeat are one workload", k.Name(), len(k.known))
	}
	k.takeAhead()
	for i := range k.jobs {
		j := k.jobs[i].Job
		j.After = slices.DeleteFunc(slices.Clone(j.After), func(a *mapping.Join) bool { return of[a.Op()] != of[j.Op] })
	}
	k.repeats = &repeated{periods: p, first: m == 0, of: of}
	return nil
}

// busy reports whether the next job belongs to the period under way.
func (k *core) busy() bool {
	return k.at < len(k.jobs) && k.repeats.of[k.jobs[k.at].Op] == k.repeats.now
}

// border ends the period under way if its last job has ended in this cycle.
func (k *core) border(now uint64) {
	if r := k.repeats; r != nil && !k.busy() {
		r.held, r.arrives = true, true
		r.periods.Arrived(now)
		r.arrives = false
	}
}

// skip leaves out periods: their layers have the records of those of the last one. The first
// waits for other cores until the period begins.
func (k *core) skip(r *work.Resumption) {
	was := k.layers[k.repeats.layers:len(k.layers):len(k.layers)]
	if n := len(was); n > 0 {
		k.free = was[n-1].end
	}
	for n := range r.Skipped {
		later := uint64(n+1) * r.Took
		for i := range was {
			l := was[i]
			if i == 0 {
				began := l.start + l.book[dependency]
				later = max(began+later, k.free) - began
				l.start, l.book[dependency] = k.free-later, began+later-k.free
			}
			k.jobs[k.at].early = l.job.early
			l.job, l.start, l.end = &k.jobs[k.at], l.start+later, l.end+later
			k.layers = append(k.layers, l)
			k.passed.Add(l.job.Plan.Cycles)
			k.free = l.end
			k.at++
		}
	}
	if len(was) > 0 && k.at < len(k.jobs) { // its weights are fetched ahead as those of the first
		k.jobs[k.at].early = was[0].job.early
	}
	k.sum.book[dependency] += k.free - k.idle - k.awaited - k.sum.book.total()
}

// Resume implements work.Repeater.
func (k *core) Resume(r work.Resumption) (busy bool) {
	p := k.repeats
	if r.Skipped > 0 {
		k.skip(&r)
	}
	p.now, p.layers, p.held = r.Next, len(k.layers), false
	if !k.busy() {
		p.held = true
		return false
	}
	if p.from = r.At; !p.arrives {
		k.ticker.WakeAt(r.At)
	}
	return true
}
