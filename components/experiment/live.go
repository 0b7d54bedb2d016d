package experiment

import (
	"slices"
	"time"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
)

// Live is the progress of a run, for the live page.
type Live struct {
	What    string   `json:"what"` // unit of Done and Total
	Done    int64    `json:"done"`
	Total   int64    `json:"total"`
	At      string   `json:"at,omitempty"`     // what a worker is doing
	Time    float64  `json:"sim_ns,omitempty"` // simulated
	Started string   `json:"started"`          // RFC 3339
	Spent   float64  `json:"spent_s"`          // wall time since then
	Waits   []string `json:"waits,omitempty"`  // who waits for whom
}

// How often Options.Live and the ProgressFunc of a run are called.
const (
	liveEvery     = 500 * time.Millisecond
	progressEvery = 250 * time.Millisecond
)

// maxWaits is the greatest number of waits in Live.
const maxWaits = 12

// leftover is an engine that knows whether anything is scheduled.
type leftover interface{ Left() bool }

// pauser is an engine that stands still between two events while its nodes are looked at.
type pauser interface {
	Pause()
	Continue()
}

// live looks at a run that is under way. Nodes are read only while the engine stands still.
func (a *assembly) live(started time.Time) Live {
	what, done, total := a.progress()
	l := Live{What: what, Done: done, Total: total, Time: float64(a.driver.CurrentTime()) * 1e9,
		Started: started.UTC().Format(time.RFC3339), Spent: time.Since(started).Seconds()}
	a.still(func() { a.look(&l) })
	return l
}

// still calls look while the engine stands still, and reports whether it could.
func (a *assembly) still(look func()) bool {
	p, ok := a.driver.(pauser)
	if _, ours := a.driver.(leftover); !ok || !ours {
		return false
	}
	a.looking.Lock() // the first of two who look would let the engine go on
	defer a.looking.Unlock()
	p.Pause()
	defer p.Continue()
	look()
	return true
}

// look says what starters do and who waits.
func (a *assembly) look(l *Live) {
	for _, w := range a.starters {
		if d, ok := w.(system.ActivityNamer); ok && l.At == "" {
			l.At = d.CurrentWork()
		}
	}
	for i, w := range engine.Waits(a.waiters()...) {
		if i == maxWaits {
			break
		}
		l.Waits = append(l.Waits, w.String())
	}
}

// progress sums the progress of the workers, with its unit. Nodes that get operators or transfers
// during the run have no total; the nodes that issue them have.
func (a *assembly) progress() (what string, done, total int64) {
	for _, w := range a.starters {
		p, ok := w.(system.Worker)
		if !ok || a.isIssuedTo(p) || len(a.Jobs) > 0 && slices.Contains(a.extra, system.Node(p)) {
			continue
		}
		d, t := p.Progress()
		if done, total = done+d, total+t; t == 0 {
			continue
		}
		unit := anyWork
		if c, ok := w.(system.Counter); ok {
			unit = c.Unit()
		}
		if what == "" || what == unit {
			what = unit
		} else {
			what = anyWork
		}
	}
	if what == "" {
		what = anyWork
	}
	return what, done, total
}

// isIssuedTo reports whether a schedule or a server issues operators to a node.
func (a *assembly) isIssuedTo(n system.Node) bool {
	for _, j := range a.Jobs {
		for _, e := range j.Executors() {
			if system.Node(e) == n {
				return true
			}
		}
	}
	return false
}

// anyWork is the unit of workers that count unlike things.
const anyWork = "parts of the work"
