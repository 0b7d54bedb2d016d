package engine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sarchlab/akita/v3/sim"
)

// A Wait says that Who waits for For, and Why.
type Wait struct{ Who, For, Why string }

func (w Wait) String() string {
	return fmt.Sprintf("%s waits for %s: %s", w.Who, w.For, w.Why)
}

// A Waiter returns what it waits for; an empty list if nothing is outstanding.
type Waiter interface{ Waiting() []Wait }

// A Reasoner is a Waiter that may know why other components wait. Reasons is called only if a
// component waits.
type Reasoner interface{ Reasons() []Wait }

// Stuck is the error of a run that cannot go on.
type Stuck struct {
	Time   sim.VTimeInSec
	Reason string
	Waits  []Wait // sorted
}

func (s *Stuck) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "stuck at %.12g s: %s", float64(s.Time), s.Reason)
	for _, w := range s.Waits {
		fmt.Fprintf(&b, "\n  %s", w)
	}
	if c := s.Circle(); c != nil {
		fmt.Fprintf(&b, "\n  in a circle: %s", strings.Join(append(c, c[0]), " -> "))
	}
	return b.String()
}

// Circle returns a cycle of waiting components: each waits for the next, the last for the first.
// It is nil if there is none.
func (s *Stuck) Circle() []string {
	next := map[string][]string{}
	for _, w := range s.Waits {
		next[w.Who] = append(next[w.Who], w.For)
	}
	done := map[string]bool{}
	var path []string
	var walk func(string) []string
	walk = func(n string) []string {
		if i := slices.Index(path, n); i >= 0 {
			return slices.Clone(path[i:])
		}
		if done[n] {
			return nil
		}
		done[n] = true
		path = append(path, n)
		for _, m := range next[n] {
			if c := walk(m); c != nil {
				return c
			}
		}
		path = path[:len(path)-1]
		return nil
	}
	for _, w := range s.Waits { // sorted, so the answer is always the same
		if c := walk(w.Who); c != nil {
			return c
		}
	}
	return nil
}

// Waits returns the sorted Waits of all waiters.
func Waits(waiters ...Waiter) []Wait {
	var all []Wait
	for _, w := range waiters {
		all = append(all, w.Waiting()...)
	}
	if len(all) > 0 {
		for _, w := range waiters {
			if r, ok := w.(Reasoner); ok {
				all = append(all, r.Reasons()...)
			}
		}
	}
	slices.SortFunc(all, func(a, b Wait) int {
		return cmp.Or(strings.Compare(a.Who, b.Who), strings.Compare(a.For, b.For), strings.Compare(a.Why, b.Why))
	})
	return slices.Compact(all)
}

// Watch registers a component that may wait. A run that ends while it waits is Stuck.
func (e *Engine) Watch(w Waiter) { e.wait = append(e.wait, w) }

func (e *Engine) stillWaiting(reason string) error {
	if waits := Waits(e.wait...); len(waits) > 0 {
		return &Stuck{e.cur, reason, waits}
	}
	return nil
}

// A watchdog ends a run that does not get anywhere.
type watchdog struct {
	events   uint64         // so many events without progress are too many; 0: any number is fine
	span     sim.VTimeInSec // so much time is
	deadline uint64         // the count of events at which it barks
	since    sim.VTimeInSec // last progress
}

// Watchdog ends a run with *Stuck after that many events, or that much
// simulated time, without a call of Progress. Zero switches either off. Every
// message that a Wire delivers is progress.
func Watchdog(events uint64, span sim.VTimeInSec) Option {
	return func(e *Engine) { e.dog.events, e.dog.span = events, span }
}

// Progress notifies the watchdog that the simulation has made progress.
func (e *Engine) Progress() {
	e.dog.since = e.cur
	if e.dog.events > 0 {
		e.dog.deadline = e.count + e.dog.events
	}
}

func (e *Engine) bark() error {
	reason := fmt.Sprintf("no progress since %.12g s", float64(e.dog.since))
	if e.dog.deadline != math.MaxUint64 {
		reason += fmt.Sprintf(", %d events", e.count-(e.dog.deadline-e.dog.events))
	}
	waits := Waits(e.wait...)
	if len(waits) == 0 {
		reason += "; no watched component waits"
	}
	e.Progress() // a caller that runs on gets a full interval again
	return &Stuck{e.cur, reason, waits}
}
