package peertiming

import (
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// A Core is what cores of all these timings have: rows and columns of processing elements, a
// clock, and the name of the timing for messages.
type Core struct {
	Timing     string
	Rows, Cols int
	Clock      clock.Clock
	Energy     energy.Model // of timing scalesim
	Idle       float64      // W, of the same
}

// base is a core whose layers take what rules of another program say: they are known when a
// workload is issued, which is before the run, and time passes.
type base struct {
	*sim.ComponentBase
	core     Core
	engine   sim.Engine
	ticker   *engine.Ticker
	mem      *engine.Port
	ops      *work.Queue
	tasks    task.Source
	group    *stats.Group
	warnings []string
}

func newBase(name string, e sim.Engine, core Core, h sim.Handler, c sim.Component) *base {
	b := &base{ComponentBase: sim.NewComponentBase(name), core: core, engine: e, ticker: engine.NewTicker(e, core.Clock, h), group: stats.NewGroup(name)}
	b.mem = engine.NewPort(c, name+".Mem", 1)
	b.ops = work.NewQueue(c, name, b.ticker)
	b.AddPort("Mem", b.mem)
	b.AddPort("Ops", b.ops.Port())
	return b
}

// PortSpecs implements system.Node.
func (b *base) PortSpecs() []system.PortSpec {
	return []system.PortSpec{
		{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{b.mem}, Clock: b.core.Clock, Optional: true, Buffer: system.DefaultBuffer},
		b.ops.PortSpec(),
	}
}

// Stats implements system.Node.
func (b *base) Stats() *stats.Group { return b.group }

// Tasks implements task.Reporter.
func (b *base) Tasks() *task.Source { return &b.tasks }

// Clock implements work.Executor.
func (b *base) Clock() clock.Clock { return b.core.Clock }

// Ops implements work.Executor.
func (b *base) Ops() sim.Port { return b.ops.Port() }

// Plan implements work.Executor: these cores take no single operators.
func (b *base) Plan(int32, int) work.Cost { return work.Cost{} }

// Start implements work.Executor.
func (b *base) Start() error {
	b.ticker.WakeAt(0)
	return nil
}

// NotifyRecv implements sim.Component.
func (b *base) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { b.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (b *base) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { b.ticker.WakeAfter(now) }

// SetMap implements system.Requester. A memory below the core gets no requests.
func (b *base) SetMap(port string, _ *memory.Map) error {
	if port != "mem" {
		return fmt.Errorf("%s has no requesting port %q (want one of: mem)", b.Name(), port)
	}
	return nil
}

// Waiting implements engine.Waiter.
func (b *base) Waiting() []engine.Wait { return nil }

// Warnings implements system.Warner.
func (b *base) Warnings() []string { return b.warnings }

// Warn adds warnings about the configuration.
func (b *base) Warn(warnings []string) { b.warnings = append(b.warnings, warnings...) }

// share is the percentage of the peak of the array, of one operation per element and cycle, that n
// are.
func (b *base) share(n float64, cycles uint64) (float64, bool) {
	if cycles == 0 {
		return 0, false
	}
	return 100 * n / (float64(cycles) * float64(b.core.Rows) * float64(b.core.Cols)), true
}

// timed is a base whose layers have times in fractions of cycles, and bandwidths of their own.
type timed struct {
	*base
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
		return fmt.Errorf("%s: timing %s takes whole workloads, no single operators", t.Name(), t.core.Timing)
	}
	if w.Rows != nil { // they have no padding
		return fmt.Errorf("%s: timing %s takes graphs, no rows of a SCALE-Sim topology", t.Name(), t.core.Timing)
	}
	for _, j := range w.Program.Jobs {
		if len(j.After) > 0 || j.Awaited {
			return fmt.Errorf("%s: timing %s is for one core", t.Name(), t.core.Timing)
		}
	}
	return nil
}

// SetMap implements system.Requester, and says that the link has no effect.
func (t *timed) SetMap(port string, m *memory.Map) error {
	t.Warn([]string{fmt.Sprintf("%s: the link to the memory has no effect with timing %s, which asks no memory for anything (used by: physical)", t.Name(), t.core.Timing)})
	return t.base.SetMap(port, m)
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
			id := t.tasks.Begin(instant.Of(t.core.Clock, uint64(math.Ceil(s.start))), task.Layer, t.tasks.What(s.name), 0, 0)
			t.tasks.End(instant.Of(t.core.Clock, uint64(math.Ceil(s.end))), id)
		}
	}
	if cycle < t.lastCycle() {
		t.ticker.WakeAt(t.lastCycle())
	}
	return nil
}
