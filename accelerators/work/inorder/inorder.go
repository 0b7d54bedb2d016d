package inorder

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Layer is the cost of one operator.
type Layer interface {
	comparable
	Cycles() uint64
	Bytes() uint64 // read and written
}

// Priced is a Layer with an energy.
type Priced interface {
	Energy() float64 // pJ
}

// Clocked is a Layer whose clock a limit of power lowers.
type Clocked interface {
	Clock() float64 // over the full one
}

// A Model computes the costs of operators.
type Model[L Layer] struct {
	// Cost returns the cost of operator op of a share that begins in cycle start. It is called
	// once per operator, in order, and must change no state that Plan reads.
	Cost func(w *work.Share, op int, start uint64) L
	// Plan returns the costs of operators on a node that has done nothing yet; nil: Cost at cycle
	// 0 for each. It is for nodes whose cost of an operator depends on the ones before.
	Plan func(w *work.Share, ops []int) []L
	// Recorded returns the cost of a recorded computation, for Direct executors; nil for others.
	Recorded func(r *work.Recorded, start uint64) L
	// Came, if not nil, is called with each operator before Cost.
	Came func(i work.Issued)
	// Count adds a finished operator to the node's counters.
	Count func(*L)
	// Fetch, if not nil, returns the cycles in which the memory loads an operator's bytes before
	// the operator begins. It may load while up to Ahead earlier operators are unfinished. Wait
	// adds to the cycles of an operator its wait for the memory, from its arrival and the end of
	// the one before.
	Fetch func(*L) uint64
	Wait  func(*L, uint64)
	Ahead int
	// Delay, if not nil, adds cycles to the start of an operator.
	Delay func(*L, uint64)
	// Start returns a pointer to an operator's start cycle, if no other field depends on it; then
	// equal operators share memory. It is nil otherwise.
	Start func(*L) *uint64
	// Name returns a pointer to an operator's name, with Start: operators that differ in nothing else
	// share memory too. It may be nil.
	Name func(*L) *string
}

// An Executor carries out operators in order. A node embeds it. Counts are cycles of its clock.
type Executor[L Layer] struct {
	*sim.ComponentBase
	model  Model[L]
	clock  clock.Clock
	ticker *engine.Ticker
	ops    *work.Queue
	known  map[int32]*work.Share // by number
	free   uint64                // cycle in which the last operator ends
	memory uint64                // with Fetch: cycle in which the memory has done its part for all operators
	ends   []uint64              // with Fetch: of the last Ahead + 1 operators, a ring
	turn   int                   // of ends: the oldest
	delay  uint64                // cycles that the next operator begins with
	end    uint64
	idle   uint64
	// awaited is the cycles without an operator until what the next one reads was carried there
	awaited uint64
	rows    rows[L]
	tasks   task.Source
	// Moved is the time series of the bytes of layers; nil unless the run is observed.
	Moved *stats.TimeSeries
}

// New makes the frame of node c, called name. e must not be nil.
func New[L Layer](c interface {
	sim.Component
	sim.Handler
}, name string, e sim.Engine, k clock.Clock, m Model[L]) *Executor[L] {
	x := &Executor[L]{ComponentBase: sim.NewComponentBase(name), model: m, clock: k, known: map[int32]*work.Share{}, rows: rows[L]{start: m.Start, name: m.Name}}
	x.ticker = engine.NewTicker(e, k, c)
	x.ops = work.NewQueue(c, name, x.ticker)
	x.AddPort("Ops", x.ops.Port())
	if m.Fetch != nil {
		x.ends = make([]uint64, m.Ahead+1)
	}
	return x
}

// End is the cycle in which the last operator ended.
func (x *Executor[L]) End() *uint64 { return &x.end }

// Idle is the cycles before End without an operator, as none had arrived.
func (x *Executor[L]) Idle() *uint64 { return &x.idle }

// Awaited is the cycles without an operator until a transfer or collective ended whose result the
// next one reads (work.DeclareAwaited).
func (x *Executor[L]) Awaited() *uint64 { return &x.awaited }

// PortSpecs implements system.Node: the port for operators.
func (x *Executor[L]) PortSpecs() []system.PortSpec { return []system.PortSpec{x.ops.PortSpec()} }

// Ops implements work.Executor.
func (x *Executor[L]) Ops() sim.Port { return x.ops.Port() }

// Clock implements work.Executor.
func (x *Executor[L]) Clock() clock.Clock { return x.clock }

// Waiting implements engine.Waiter.
func (x *Executor[L]) Waiting() []engine.Wait { return nil }

// Tasks implements task.Reporter: a task per layer, reported with its end when it begins.
func (x *Executor[L]) Tasks() *task.Source { return &x.tasks }

// NotifyRecv implements sim.Component.
func (x *Executor[L]) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { x.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (x *Executor[L]) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { x.ticker.WakeAfter(now) }

// Prepare implements work.Executor. It ignores mappings of the program.
func (x *Executor[L]) Prepare(w work.Share) error {
	if err := x.check(w); err != nil {
		return err
	}
	if w.Ahead {
		w = w.Whole()
	}
	x.known[w.ID] = &w
	if w.Ahead {
		return x.ops.Ahead(&w)
	}
	return nil
}

// check returns an error for work that the node cannot carry out.
func (x *Executor[L]) check(w work.Share) error {
	for _, j := range w.Program.Jobs {
		if j.Op < 0 || j.Op >= len(w.Graph.Ops) {
			return fmt.Errorf("%s: operator %d of %d", x.Name(), j.Op, len(w.Graph.Ops))
		}
		if len(j.After) > 0 || j.Awaited {
			return fmt.Errorf("%s: layer %s is shared with other nodes (the node works alone)", x.Name(), w.Graph.Ops[j.Op].Name)
		}
	}
	return nil
}

// Start implements work.Executor.
func (x *Executor[L]) Start() error {
	x.ticker.WakeAt(0)
	return nil
}

// Handle implements sim.Handler. The first event carries out all operators issued ahead, since
// nothing can change them, and one more event is their end. An operator issued during the run is
// carried out when it begins.
func (x *Executor[L]) Handle(e sim.Event) error {
	now := e.Time()
	cycle := x.ticker.Cycle(now)
	if err := x.ops.Receive(now, cycle); err != nil {
		return err
	}
	for x.ops.Fixed() || x.ready() <= cycle {
		i, ok := x.ops.Next()
		if !ok {
			break
		}
		begin, end := x.carry(i)
		x.ops.Done(i, begin, end)
	}
	x.ops.Send(now, cycle)
	x.end = max(x.end, x.free)
	if at := x.ready(); at > cycle && x.ops.Len() > 0 {
		x.ticker.WakeAt(at)
	}
	if x.free > cycle {
		x.ticker.WakeAt(x.free)
	}
	return nil
}

// Begin carries out an operator issued by call (work.Direct). Cycles without an operator do not
// count as idle; the calling player counts them.
func (x *Executor[L]) Begin(i *work.Issue, cycle uint64) work.Done {
	d, r := work.Done{Share: i.Share, Job: i.Job, Request: i.Request, Begin: cycle}, i.Recorded
	if r != nil && r.Beside {
		l := x.model.Recorded(r, cycle)
		d.End = cycle + l.Cycles()
		return d
	}
	x.free = max(x.free, cycle)
	if r == nil {
		d.Begin, d.End = x.carry(work.Issued{Share: i.Share, Job: i.Job, Request: i.Request, Task: i.Task, Delay: i.Delay, Carried: i.Carried, Came: cycle})
		return d
	}
	d.Begin = x.free
	if l := x.model.Recorded(r, x.free); l.Cycles() > 0 {
		x.do(l, r.Name, i.Task)
	}
	d.End = x.free
	return d
}

// carry carries out an operator, with what is fused to it.
func (x *Executor[L]) carry(i work.Issued) (begin, end uint64) {
	if i.Carried && i.Came > x.free {
		x.awaited += i.Came - x.free
		x.free = i.Came
	}
	x.open(i.Came)
	x.memory = max(x.memory, i.Came)
	if x.model.Came != nil {
		x.model.Came(i)
	}
	if i.Delay > 0 && x.model.Delay != nil {
		x.delay = x.clock.Cycles(uint64(i.Delay), uint64(units.Second))
	}
	begin, s := x.free, x.known[i.Share]
	for _, op := range s.Program.Jobs[i.Job].All() {
		x.do(x.model.Cost(s, op, x.free), s.Graph.Ops[op].Name, i.Task)
	}
	return begin, x.free
}

// ready returns the first cycle in which the next operator may begin or, with Fetch, be fetched.
func (x *Executor[L]) ready() uint64 {
	if x.model.Fetch == nil {
		return x.free
	}
	return max(x.memory, x.ends[x.turn])
}

// open counts the node idle until a cycle.
func (x *Executor[L]) open(cycle uint64) {
	if cycle > x.free {
		x.idle += cycle - x.free
		x.free = cycle
	}
}

// do carries out an operator of known cost.
func (x *Executor[L]) do(l L, name string, parent task.ID) {
	if x.delay > 0 {
		x.model.Delay(&l, x.delay)
		x.delay = 0
	}
	if x.model.Fetch != nil {
		x.memory = x.ready() + x.model.Fetch(&l)
		x.model.Wait(&l, max(x.memory, x.free)-x.free)
		x.ends[x.turn] = x.free + l.Cycles()
		x.turn = (x.turn + 1) % len(x.ends)
	}
	x.rows.add(l)
	x.model.Count(&l)
	if n := l.Cycles(); n > 0 && x.tasks.On() {
		id := x.tasks.Begin(instant.Of(x.clock, x.free), task.Layer, x.tasks.What(name), parent, l.Bytes())
		x.tasks.End(instant.Of(x.clock, x.free+n), id)
	}
	x.watch(&l)
	x.free += l.Cycles()
}

// watch adds the bytes of a layer that begins now to Moved, over the time in which the memory
// works for it.
func (x *Executor[L]) watch(l *L) {
	if x.Moved == nil {
		return
	}
	from, to := x.free, x.free+(*l).Cycles()
	if x.model.Fetch != nil {
		from, to = x.memory-x.model.Fetch(l), x.memory
	}
	x.Moved.Add(float64((*l).Bytes()), x.clock.Nanoseconds(from), x.clock.Nanoseconds(to))
}

// TrimEnd implements work.EndTrimmer.
func (x *Executor[L]) TrimEnd(until units.Time) {
	work.TrimEnd(&x.end, &x.idle, x.clock.Cycles(uint64(until), uint64(units.Second)))
	work.TrimEnd(&x.end, &x.awaited, x.clock.Cycles(uint64(until), uint64(units.Second)))
	x.free = max(x.free, x.end)
}

// Until moves End to a cycle, if it is earlier.
func (x *Executor[L]) Until(cycle uint64) { x.end = max(x.end, cycle) }

// Plan implements work.Executor.
func (x *Executor[L]) Plan(share int32, job int) work.Cost {
	s, cost, cycles, fetch := x.known[share], work.Cost{}, uint64(0), uint64(0)
	for _, l := range x.plan(s, s.Program.Jobs[job].All()) {
		if x.model.Fetch != nil {
			fetch += x.model.Fetch(&l)
		}
		cycles += l.Cycles()
		cost.Bytes += l.Bytes()
		if p, ok := any(l).(Priced); ok {
			cost.Energy += p.Energy()
		}
	}
	time := func(cycles uint64) units.Time {
		return units.Time(x.clock.Nanoseconds(cycles) * float64(units.Nanosecond))
	}
	cost.Time, cost.Fetch = time(max(cycles, fetch)), time(fetch)
	if x.model.Fetch != nil {
		cost.Compute = time(cycles)
	}
	return cost
}

// Price implements work.Pricer.
func (x *Executor[L]) Price(g *graph.Graph, op int) work.Cost {
	l := x.plan(&work.Share{Graph: g}, []int{op})[0]
	cost := work.Cost{Time: units.Time(x.clock.Nanoseconds(l.Cycles()) * float64(units.Nanosecond)), Bytes: l.Bytes()}
	if p, ok := any(l).(Priced); ok {
		cost.Energy = p.Energy()
	}
	if c, ok := any(l).(Clocked); ok {
		cost.Clock = c.Clock()
	}
	return cost
}

// plan is what operators take if nothing else is done.
func (x *Executor[L]) plan(w *work.Share, ops []int) (out []L) {
	if x.model.Plan != nil {
		return x.model.Plan(w, ops)
	}
	for _, op := range ops {
		out = append(out, x.model.Cost(w, op, 0))
	}
	return out
}
