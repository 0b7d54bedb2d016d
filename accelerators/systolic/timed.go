package systolic

import (
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// timed is a core whose layers take what rules of another program say: they are known when a
// workload is issued, which is before the run, and time passes.
type timed struct {
	*core
	spans []span
	total float64 // cycles
}

// A span is a layer in cycles from the start of the run.
type span struct {
	name       string
	start, end float64
}

// add appends a layer.
func (t *timed) add(name string, cycles float64) {
	t.spans = append(t.spans, span{name, t.total, t.total + cycles})
	t.total += cycles
}

// alone refuses single operators, rows in place of a graph, and a program of several cores.
func (t *timed) alone(w *work.Share) error {
	if !w.Ahead {
		return fmt.Errorf("%s: timing %s takes whole workloads, no single operators", t.Name(), t.spec.Timing)
	}
	if w.Rows != nil { // they have no padding
		return fmt.Errorf("%s: timing %s takes graphs, no rows of a SCALE-Sim topology", t.Name(), t.spec.Timing)
	}
	for _, j := range w.Program.Jobs {
		if len(j.After) > 0 || j.Awaited {
			return fmt.Errorf("%s: timing %s is for one core", t.Name(), t.spec.Timing)
		}
	}
	return nil
}

// SetMap implements system.Requester. A memory behind a core whose timing has bandwidths of
// its own is never asked.
func (t *timed) SetMap(port string, m *memory.Map) error {
	if t.spec.Timing == NVDLA || t.spec.Timing == RowStationary {
		t.warn([]string{fmt.Sprintf("%s: the link to the memory has no effect with timing %s, which asks no memory for anything (used by: %s)", t.Name(), t.spec.Timing, Physical)})
	}
	return t.core.SetMap(port, m)
}

// TakesRows implements work.Peer.
func (t *timed) TakesRows() bool { return false }

// lastCycle is the whole cycle after the last layer.
func (t *timed) lastCycle() uint64 { return uint64(math.Ceil(t.total)) }

// Handle implements sim.Handler: time passes, nothing else. Layers are reported ahead.
func (t *timed) Handle(e sim.Event) error {
	cycle := t.ticker.Cycle(e.Time())
	if t.tasks.On() && cycle == 0 {
		for _, s := range t.spans {
			id := t.tasks.Begin(instant.Of(t.clock, uint64(math.Ceil(s.start))), task.Layer, t.tasks.What(s.name), 0, 0)
			t.tasks.End(instant.Of(t.clock, uint64(math.Ceil(s.end))), id)
		}
	}
	if cycle < t.lastCycle() {
		t.ticker.WakeAt(t.lastCycle())
	}
	return nil
}

// Waiting implements engine.Waiter.
func (t *timed) Waiting() []engine.Wait { return nil }
