package systolic

import (
	"fmt"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/systolic/burst"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A core is what the fidelities share: ports, the list of jobs, tokens, the
// record of what was done. It has no opinion on how long a job takes.
type core struct {
	*sim.ComponentBase
	keyWarnings
	chosen  bool // the dataflow was set for this run
	spec    Spec
	clock   clock.Clock
	ticker  *engine.Ticker
	passing dataflow.Axis // the axis that passes in time
	skew    dataflow.Skew // registers at the edges of the array
	full    int64         // cycles until every element works
	element uint16
	planner machine.Planner // maps products in place of the array; nil: the array does
	priced  Priced          // what is known of the energy of what the planner maps

	mem    *engine.Port
	ops    *work.Queue
	routes *burst.Routes

	known   map[int32]*share // by number
	jobs    []job
	at      int          // index of the job that is under way or comes next
	passed  atomic.Int64 // array cycles of the jobs done, for Progress
	planned atomic.Int64 // array cycles of all jobs known so far, for Progress
	free    uint64       // cycle in which the last job ended
	idle    uint64       // cycles before a workload arrived
	awaited uint64       // cycles without a job until what the next one reads was carried there
	running bool         // jobs[at] has begun
	repeats *repeated    // nil: every job is carried out

	estimates  bool // layers of more steps than mostWalked are not walked
	mostWalked int64

	tasks task.Source
	task  task.ID // of the job under way

	layers []layer
	models map[graph.DType]energy.Model
	sum    totals
	group  *stats.Group
	did    *stats.TimeSeries // multiply-accumulates; nil unless the run is observed
	moved  *stats.TimeSeries // bytes
}

func newCore(name string, e sim.Engine, s Spec, h sim.Handler, c sim.Component) *core {
	k := bare(name, e, s, h, c)
	k.declare()
	return k
}

// bare is a core without metrics.
func bare(name string, e sim.Engine, s Spec, h sim.Handler, c sim.Component) *core {
	k := &core{
		ComponentBase: sim.NewComponentBase(name),
		spec:          s, clock: s.Clock.Clock,
		ticker:  engine.NewTicker(e, s.Clock.Clock, h),
		element: elementOf(name),
		known:   map[int32]*share{},
		models:  map[graph.DType]energy.Model{},
		group:   stats.NewGroup(name),
	}
	k.mem = engine.NewPort(c, name+".Mem", s.DMA.Outstanding.most())
	k.ops = work.NewQueue(c, name, k.ticker)
	k.AddPort("Mem", k.mem)
	k.AddPort("Ops", k.ops.Port())
	if d, ok := dataflow.All.Entry(string(s.Dataflow)); ok {
		_, _, k.passing = d.New.Axes()
		a := s.Core(graph.DTypes{}).Array
		k.skew, k.full = d.New.Skew(a), d.New.Timing(a).Full
	}
	return k
}

// elementOf is the index in a name such as Core[3], 0 without one.
func elementOf(name string) uint16 {
	var i uint16
	for at := len(name) - 1; at > 0; at-- {
		if name[at] == '[' {
			_, _ = fmt.Sscanf(name[at:], "[%d]", &i) // leaves 0 where there is no number
			break
		}
	}
	return i
}

// PortSpecs implements system.Node.
func (k *core) PortSpecs() []system.PortSpec {
	return []system.PortSpec{
		{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{k.mem}, Clock: k.clock,
			Buffer: max(k.spec.DMA.Outstanding.most(), system.DefaultBuffer)},
		k.ops.PortSpec(),
	}
}

// Stats implements system.Node.
func (k *core) Stats() *stats.Group { return k.group }

// Tasks implements task.Reporter.
func (k *core) Tasks() *task.Source { return &k.tasks }

// Clock implements work.Executor.
func (k *core) Clock() clock.Clock { return k.clock }

// Spec is what the core was made of.
func (k *core) Spec() Spec { return k.spec }

// Ops implements work.Executor.
func (k *core) Ops() sim.Port { return k.ops.Port() }

// SetMap implements system.Requester.
func (k *core) SetMap(port string, m *memory.Map) error {
	if port != "mem" {
		return fmt.Errorf("%s has no requesting port %q (want one of: mem)", k.Name(), port)
	}
	k.routes = burst.NewRoutes(m)
	return nil
}

// NotifyRecv implements sim.Component.
func (k *core) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { k.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (k *core) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { k.ticker.WakeAfter(now) }

// Start implements work.Executor.
func (k *core) Start() error {
	k.takeAhead()
	k.ticker.WakeAt(0)
	k.border(0)
	return nil
}

// open is the cycle from which on the next job is only held up by other cores.
func (k *core) open() uint64 { return max(k.free, k.jobs[k.at].arrival) }

// begin opens the record of the next job, which begins at cycle now.
func (k *core) begin(now uint64) *layer {
	j, open := &k.jobs[k.at], k.open()
	if j.issued.Carried {
		k.awaited += open - k.free
	} else {
		k.idle += open - k.free
	}
	k.layers = append(k.layers, layer{job: j, start: open})
	l := &k.layers[len(k.layers)-1]
	l.book[dependency] = now - open
	if k.tasks.On() {
		k.task = k.tasks.Begin(instant.Of(k.clock, now), task.Layer, k.tasks.What(j.share.Graph.Ops[j.Op].Name), j.issued.Task, 0)
		k.explainAwait(j, open, now)
	}
	k.running = true
	return l
}

// end closes the record of the job under way.
func (k *core) end(now uint64) {
	l := &k.layers[len(k.layers)-1]
	l.end = now
	if k.task != 0 {
		k.tasks.End(instant.Of(k.clock, now), k.task)
	}
	l.energy = k.spend(l)
	k.sum.add(l)
	k.ops.Done(l.job.issued, l.start, now)
	k.free = now
	k.running = false
	k.passed.Add(l.job.Plan.Cycles)
	k.at++
	k.border(now)
}

// Unit implements system.Counter.
func (k *core) Unit() string { return "cycles of the array" }

// CurrentWork implements system.ActivityNamer.
func (k *core) CurrentWork() string {
	if !k.running || k.at >= len(k.jobs) {
		return ""
	}
	j := &k.jobs[k.at]
	return fmt.Sprintf("%s at layer %s (%d of %d)", k.Name(), j.share.Graph.Ops[j.Op].Name, k.at+1, len(k.jobs))
}

// Progress tells how much of the work is done, weighed by the cycles of its
// mapping. Unlike everything else it may be asked while the simulation runs, from
// any goroutine.
func (k *core) Progress() (done, total int64) { return k.passed.Load(), k.planned.Load() }

// TrimEnd implements work.EndTrimmer.
func (k *core) TrimEnd(until units.Time) {
	work.TrimEnd(&k.free, &k.idle, k.clock.Cycles(uint64(until), uint64(units.Second)))
	work.TrimEnd(&k.free, &k.awaited, k.clock.Cycles(uint64(until), uint64(units.Second)))
}

// peak is the multiply-accumulates per cycle of the array for products of the fastest
// element type that it has carried out; of rate 1 before there are any.
func (k *core) peak() float64 {
	rate := 0.0
	for i := range k.layers {
		if p := k.layers[i].job.Plan; p != nil && p.Matrix {
			rate = max(rate, p.Rate().Float())
		}
	}
	if rate == 0 {
		rate = 1
	}
	return rate * float64(k.spec.Rows) * float64(k.spec.Cols)
}

// Sparsity implements work.Sparse.
func (k *core) Sparsity() graph.Pattern { return k.spec.Sparsity }
