package gpu

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
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/bound"
)

var _ work.Repeater = (*Tile)(nil)

// Tile is a GPU of fidelity tile: the bytes of every kernel go as bursts to the memory
// below its port, where they meet those of others. A kernel ends when its tiles have
// been worked on and its last answer is here.
type Tile struct {
	*sim.ComponentBase
	record
	ticker  *engine.Ticker
	ops     *work.Queue
	mem     *engine.Port
	homes   *memory.Map
	tasks   task.Source
	known   map[int32]*work.Share // by number
	repeats *repeated             // nil: every operator is carried out
	kernels []job                 // of the operator under way that have not ended
	issued  work.Issued           // that operator
	begun   uint64                // cycle in which its first kernel began

	running bool
	now     layer
	share   *work.Share
	task    task.ID
	start   uint64 // cycle in which the kernel's requests may go
	core    uint64 // cycle in which its tiles are done
	streams []stream
	pace    pace
	calls   memory.Calls[note]
	cycle   uint64 // of the event
	loads   readTimes
	element uint16
	rows    []layer
	end     uint64
	idle    uint64
	awaited uint64
}

// A job is one operator to be carried out.
type job struct {
	share  *work.Share
	op     int
	parent task.ID
}

// NewTile makes a GPU of fidelity tile. The Spec has been checked.
func NewTile(name string, e sim.Engine, element uint16, s Spec) *Tile {
	t := &Tile{ComponentBase: sim.NewComponentBase(name), known: map[int32]*work.Share{}, element: element,
		record: record{spec: s, chip: s.watts(false), clock: s.Clock.Clock, host: s.host(), ahead: true, costs: costs{}}}
	t.ticker = engine.NewTicker(e, t.clock, t)
	t.ops = work.NewQueue(t, name, t.ticker)
	t.AddPort("Ops", t.ops.Port())
	t.mem = engine.NewPort(t, name+".Mem", s.Outstanding)
	t.AddPort("Mem", t.mem)
	t.calls = memory.NewCalls[note](t.mem)
	t.newStats(name, &t.end, &t.idle, &t.awaited)
	return t
}

// PortSpecs implements system.Node.
func (t *Tile) PortSpecs() []system.PortSpec {
	return []system.PortSpec{
		{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{t.mem}, Clock: t.clock, Buffer: t.spec.Outstanding},
		t.ops.PortSpec(),
	}
}

// SetMap implements system.Requester.
func (t *Tile) SetMap(port string, m *memory.Map) error {
	if port != "mem" {
		return fmt.Errorf("%s has no requesting port %q (want one of: mem)", t.Name(), port)
	}
	t.homes = m
	return nil
}

// SetPeers implements system.Neighbour: an L2 within and a cache below are one too
// many.
func (t *Tile) SetPeers(port string, peers []system.Peer) error {
	if port != "mem" || t.spec.L2 == none {
		return nil
	}
	for _, p := range peers {
		if _, ok := p.Node.(bound.Cached); ok {
			return fmt.Errorf("l2: internal, and %s at the memory port is a cache (want l2: none)", p.Node.Name())
		}
	}
	return nil
}

// Layers implements work.Executor.
func (t *Tile) Layers() *stats.Table { return t.table(t.rows) }

// Clock implements work.Executor.
func (t *Tile) Clock() clock.Clock { return t.clock }

// Ops implements work.Executor.
func (t *Tile) Ops() sim.Port { return t.ops.Port() }

// Tasks implements task.Reporter: layers, and the requests below them.
func (t *Tile) Tasks() *task.Source { return &t.tasks }

// NotifyRecv implements sim.Component.
func (t *Tile) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { t.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (t *Tile) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { t.ticker.WakeAfter(now) }

// Start implements work.Executor.
func (t *Tile) Start() error {
	t.ticker.WakeAt(0)
	t.border(0)
	return nil
}

// Prepare implements work.Executor.
func (t *Tile) Prepare(w work.Share) error {
	if w.Ahead {
		w = w.Whole()
	}
	if err := t.check(&w); err != nil {
		return err
	}
	t.known[w.ID] = &w
	if w.Ahead {
		return t.ops.Ahead(&w)
	}
	return nil
}

// check refuses what the node cannot carry out, and tensors that no memory holds. It gives
// the memory system the tensors that will be read.
func (t *Tile) check(w *work.Share) error {
	for _, j := range w.Program.Jobs {
		if j.Op < 0 || j.Op >= len(w.Graph.Ops) {
			return fmt.Errorf("%s: operator %d of %d", t.Name(), j.Op, len(w.Graph.Ops))
		}
		if len(j.After) > 0 || j.Awaited {
			return fmt.Errorf("%s: layer %s is shared with other nodes (the node works alone)", t.Name(), w.Graph.Ops[j.Op].Name)
		}
	}
	t.lacks(w)
	whole := w.Whole()
	for _, i := range whole.Operators() {
		op := &w.Graph.Ops[i]
		_, cost := t.plan(w, i, 0)
		for _, s := range streams(nil, w, i, cost) {
			for at := s.base; at < s.base+s.size; {
				addr, piece := s.lies(at, s.size)
				_, _, run, ok := t.homes.Find(addr)
				if !ok {
					return fmt.Errorf("%s: %s of layer %s leaves the memory at %#x", t.Name(), w.Graph.Tensors[s.id].Name, op.Name, addr)
				}
				at += min(run, piece)
			}
			if w.Tensors != nil && s.spread == nil {
				load := int64(0)
				if !s.write {
					load = int64(s.total)
				}
				w.Tensors.Expect(s.id, s.base, load)
			}
		}
	}
	return nil
}

// Plan implements work.Executor: the kernels without what they wait for memory.
func (t *Tile) Plan(share int32, jobOf int) work.Cost {
	s, cost, cycles := t.known[share], work.Cost{}, uint64(0)
	for _, op := range s.Program.Jobs[jobOf].All() {
		l, c := t.plan(s, op, 0)
		cycles += t.host.Steady(l.launches, l.cycles)
		cost.Bytes += uint64(c.Bytes)
	}
	cost.Time = units.Time(t.clock.Nanoseconds(cycles) * float64(units.Nanosecond))
	return cost
}

// TrimEnd implements work.EndTrimmer.
func (t *Tile) TrimEnd(until units.Time) {
	work.TrimEnd(&t.end, &t.idle, t.clock.Cycles(uint64(until), uint64(units.Second)))
	work.TrimEnd(&t.end, &t.awaited, t.clock.Cycles(uint64(until), uint64(units.Second)))
}

// Handle implements sim.Handler.
func (t *Tile) Handle(e sim.Event) error {
	now := e.Time()
	cycle := t.ticker.Cycle(now)
	t.cycle = cycle
	if err := t.ops.Receive(now, cycle); err != nil {
		return err
	}
	if err := t.receive(now); err != nil {
		return err
	}
	for {
		if !t.running && !t.take(now, cycle) {
			break
		}
		if cycle < t.start {
			t.ticker.WakeAt(t.start)
			break
		}
		t.send(now)
		if wake, more := t.pace.advance(cycle); more {
			t.send(now)
			continue
		} else if wake > 0 {
			t.ticker.WakeAt(wake)
		}
		if !t.pace.over() || next(t.streams, &t.pace) != nil || t.calls.InFlight() > 0 {
			break // answers, or room at the port, wake the node
		}
		if cycle < t.core {
			t.ticker.WakeAt(t.core)
			break
		}
		t.finish(now, cycle)
	}
	t.ops.Send(now, cycle)
	return nil
}

// take begins the next kernel if there is one.
func (t *Tile) take(now sim.VTimeInSec, cycle uint64) bool {
	if len(t.kernels) == 0 {
		i := t.ops.First()
		if i == nil || t.repeats != nil && t.repeats.held {
			return false
		}
		if t.repeats != nil && t.repeats.from > cycle {
			t.ticker.WakeAt(t.repeats.from)
			return false
		}
		if i.Came > cycle {
			t.ticker.WakeAt(i.Came)
			return false
		}
		t.issued, _ = t.ops.Next()
		s := t.known[t.issued.Share]
		for _, op := range s.Program.Jobs[t.issued.Job].All() {
			t.kernels = append(t.kernels, job{share: s, op: op, parent: t.issued.Task})
		}
		t.begun = cycle
		t.came(t.issued)
	}
	j := t.kernels[0]
	if gap := cycle - t.end; t.issued.Carried {
		t.awaited += gap
	} else {
		t.idle += gap
	}
	l, cost := t.plan(j.share, j.op, cycle)
	l.await(&t.host)
	t.running, t.now, t.share = true, l, j.share
	t.start, t.core = cycle+l.launch, cycle+l.cycles
	t.streams = t.streams[:0]
	if l.cycles > 0 {
		t.streams = streams(t.streams, j.share, j.op, cost)
	}
	t.pace = t.paceOf(j.share.Graph.Ops[j.op].Kind, cost, t.core-t.start)
	t.now.bytes = 0
	t.task = 0
	if t.tasks.On() && l.cycles > 0 {
		t.task = t.tasks.Begin(instant.Of(t.clock, cycle), task.Layer, t.tasks.What(l.name), j.parent, l.bytes)
	}
	return true
}

// send sends bursts of the kernel as far as there is room.
func (t *Tile) send(now sim.VTimeInSec) {
	for t.calls.InFlight() < t.spec.Outstanding && t.mem.CanSend() {
		s := next(t.streams, &t.pace)
		if s == nil {
			return
		}
		addr, run := s.at()
		r, k, home, _ := t.homes.Find(addr)
		n := min(run, home, uint64(t.spec.Burst)-addr%uint64(t.spec.Burst))
		x := t.calls.Take()
		x.Note = note{home: r, begun: t.cycle}
		x.Hint.Core, x.Hint.Task = t.element, 0
		x.Hint.Tensor, x.Hint.Kind, x.Hint.About = uint32(s.id)+1, t.share.Graph.Tensors[s.id].Role, t.share.Tensors.Of(s.id)
		if t.tasks.On() {
			what := task.Read
			if s.write {
				what = task.Write
			}
			x.Note.task = t.tasks.Begin(now, task.Request, what, t.task, n)
			x.Hint.Task = x.Note.task
		}
		if t.mem.Send(x.Message(s.write, addr, n, r.Ports[k], now)) != nil {
			panic(fmt.Sprintf("gpu: %s: the wire refused a message after it had room", t.Name()))
		}
		s.left -= n
		t.now.bytes += n
		t.pace.sent(s, n)
	}
}

// receive takes in all answers that are here.
func (t *Tile) receive(now sim.VTimeInSec) error {
	for m := t.mem.Retrieve(now); m != nil; m = t.mem.Retrieve(now) {
		x, err := t.calls.Answered(m)
		if err != nil {
			return err
		}
		t.tasks.End(now, x.Note.task)
		if from, to := x.Span(); !x.Wrote() {
			t.pace.came += to - from
			t.loads.note(x.Note.home, t.cycle-x.Note.begun)
		}
	}
	return nil
}

// finish ends the kernel.
func (t *Tile) finish(now sim.VTimeInSec, cycle uint64) {
	l := &t.now
	l.cycles = cycle - l.start
	l.memory = l.cycles - l.launch - l.compute
	t.charge(l)
	t.rows = append(t.rows, *l)
	t.count(l)
	t.tasks.End(now, t.task)
	t.running, t.end = false, cycle
	if t.kernels = t.kernels[1:]; len(t.kernels) == 0 {
		t.ops.Done(t.issued, t.begun, cycle)
		t.border(cycle)
	}
}

// Waiting implements engine.Waiter.
func (t *Tile) Waiting() []engine.Wait {
	n := t.calls.InFlight()
	if !t.running || n == 0 && next(t.streams, &t.pace) == nil {
		return nil
	}
	return []engine.Wait{{Who: t.Name(), For: t.mem.Name(), Why: fmt.Sprintf("layer %s, %d requests without an answer", t.now.name, n)}}
}
