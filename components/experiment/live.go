package experiment

import (
	"time"

	"github.com/causeway-sim/causeway/components/engine"
)

// Live is how far a run is, for whoever watches it.
type Live struct {
	What    string   `json:"what"` // unit of Done and Total
	Done    int64    `json:"done"`
	Total   int64    `json:"total"`
	Time    float64  `json:"sim_ns,omitempty"` // simulated
	Started string   `json:"started"`          // RFC 3339
	Spent   float64  `json:"spent_s"`          // wall time since then
	Waits   []string `json:"waits,omitempty"`  // who waits for whom
}

// liveEvery is how often Options.Live is told.
const liveEvery = 500 * time.Millisecond

// maxWaits bounds what Live says about waiting nodes.
const maxWaits = 12

// pauser is an engine that stands still between two events while its nodes are looked at.
type pauser interface {
	Pause()
	Continue()
}

// live looks at a run that is under way. Nodes are read only while the engine stands still.
func (a *assembly) live(done, total int64, started time.Time) Live {
	l := Live{What: "work", Done: done, Total: total, Time: float64(a.driver.CurrentTime()) * 1e9,
		Started: started.UTC().Format(time.RFC3339), Spent: time.Since(started).Seconds()}
	p, ok := a.driver.(pauser)
	if _, ours := a.driver.(leftover); !ok || !ours {
		return l
	}
	p.Pause()
	defer p.Continue()
	for i, w := range engine.Waits(a.waiters()...) {
		if i == maxWaits {
			break
		}
		l.Waits = append(l.Waits, w.String())
	}
	return l
}
