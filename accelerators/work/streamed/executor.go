package streamed

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

// A Spec is what an Executor needs to know of its node.
type Spec struct {
	Clock       clock.Clock
	Burst       uint64  // bytes of a request at the most
	Outstanding int     // requests in flight at the most
	Latency     uint64  // cycles from a load to its data that rules of kernels hold
	PerByte     float64 // cycles of a byte at the nominal bandwidth
	Element     uint16  // of the node, in hints
}

// A Layer is an operator that was carried out.
type Layer interface {
	Cycles() uint64 // of its plan
	Bytes() uint64
}

// A Model says what operators are on a node.
type Model[L Layer] struct {
	// Plan returns operator op of a share that begins in cycle start, and its kernel. It changes nothing.
	Plan func(w *work.Share, op int, start uint64) (L, Kernel)
	// Begin, if not nil, is called when an operator begins, and may change it.
	Begin func(*L, *Kernel)
	// Came, if not nil, is called with what was issued before its first operator begins.
	Came func(work.Issued)
	// End is called when an operator has ended, with the cycles that it took and the bytes that it read
	// and wrote. It counts them.
	End func(l *L, cycles, read, written uint64)
	// Again returns an operator once more, with another name and later by some cycles.
	Again func(l L, name string, later uint64) L
	// Skip, if not nil, is called with cycles that are left out.
	Skip func(cycles uint64)
}

// An Executor carries out operators in order. A node embeds it.
type Executor[L Layer] struct {
	*sim.ComponentBase
	spec    Spec
	model   Model[L]
	ticker  *engine.Ticker
	ops     *work.Queue
	mem     *engine.Port
	homes   *memory.Map
	tasks   task.Source
	known   map[int32]*work.Share // by number
	repeats *repeated             // nil: every operator is carried out
	kernels []job                 // of what was issued that have not ended
	issued  work.Issued
	begun   uint64 // cycle in which its first kernel began

	running bool
	now     L
	share   *work.Share
	task    task.ID
	began   uint64 // cycle in which the operator did
	start   uint64 // cycle in which the kernel's requests may go
	core    uint64 // cycle before which it does not end
	ruled   bool
	flying  uint64 // bytes in flight
	moved   [2]uint64
	streams []stream
	queue   queue
	pace    pace
	meter   meter
	calls   memory.Calls[note]
	cycle   uint64 // of the event
	loads   readTimes
	rows    []L
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

// New makes the frame of node c, called name.
func New[L Layer](c interface {
	sim.Component
	sim.Handler
}, name string, e sim.Engine, s Spec, m Model[L]) *Executor[L] {
	x := &Executor[L]{ComponentBase: sim.NewComponentBase(name), spec: s, model: m, known: map[int32]*work.Share{}}
	x.ticker = engine.NewTicker(e, s.Clock, c)
	x.ops = work.NewQueue(c, name, x.ticker)
	x.AddPort("Ops", x.ops.Port())
	x.mem = engine.NewPort(c, name+".Mem", s.Outstanding)
	x.AddPort("Mem", x.mem)
	x.calls = memory.NewCalls[note](x.mem)
	return x
}

// End is the cycle in which the last operator ended.
func (x *Executor[L]) End() *uint64 { return &x.end }

// Idle is the cycles before End without an operator, as none had arrived.
func (x *Executor[L]) Idle() *uint64 { return &x.idle }

// Awaited is the cycles without an operator until what the next one reads was carried there.
func (x *Executor[L]) Awaited() *uint64 { return &x.awaited }

// Share is a prepared share.
func (x *Executor[L]) Share(id int32) *work.Share { return x.known[id] }

// Rows are the operators that were carried out, in order.
func (x *Executor[L]) Rows() []L { return x.rows }

// PortSpecs implements system.Node.
func (x *Executor[L]) PortSpecs() []system.PortSpec {
	return []system.PortSpec{
		{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{x.mem}, Clock: x.spec.Clock, Buffer: x.spec.Outstanding},
		x.ops.PortSpec(),
	}
}

// SetMap implements system.Requester.
func (x *Executor[L]) SetMap(port string, m *memory.Map) error {
	if port != "mem" {
		return fmt.Errorf("%s has no requesting port %q (want one of: mem)", x.Name(), port)
	}
	x.homes = m
	return nil
}

// Nominal sets Latency and PerByte of the Spec, of a node that learns them from its memory.
func (x *Executor[L]) Nominal(latency uint64, perByte float64) {
	x.spec.Latency, x.spec.PerByte = latency, perByte
}

// Clock implements work.Executor.
func (x *Executor[L]) Clock() clock.Clock { return x.spec.Clock }

// Ops implements work.Executor.
func (x *Executor[L]) Ops() sim.Port { return x.ops.Port() }

// Tasks implements task.Reporter: layers, and the requests below them.
func (x *Executor[L]) Tasks() *task.Source { return &x.tasks }

// NotifyRecv implements sim.Component.
func (x *Executor[L]) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { x.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (x *Executor[L]) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { x.ticker.WakeAfter(now) }

// Start implements work.Executor.
func (x *Executor[L]) Start() error {
	x.ticker.WakeAt(0)
	x.border(0)
	return nil
}

// Prepare implements work.Executor.
func (x *Executor[L]) Prepare(w work.Share) error {
	if w.Ahead {
		w = w.Whole()
	}
	if err := x.check(&w); err != nil {
		return err
	}
	x.known[w.ID] = &w
	if w.Ahead {
		return x.ops.Ahead(&w)
	}
	return nil
}

// check refuses what the node cannot carry out, and tensors that no memory holds. It gives
// the memory system the tensors that will be read.
func (x *Executor[L]) check(w *work.Share) error {
	for _, j := range w.Program.Jobs {
		if j.Op < 0 || j.Op >= len(w.Graph.Ops) {
			return fmt.Errorf("%s: operator %d of %d", x.Name(), j.Op, len(w.Graph.Ops))
		}
		if len(j.After) > 0 || j.Awaited {
			return fmt.Errorf("%s: layer %s is shared with other nodes (the node works alone)", x.Name(), w.Graph.Ops[j.Op].Name)
		}
	}
	whole := w.Whole()
	for _, i := range whole.Operators() {
		op := &w.Graph.Ops[i]
		_, k := x.model.Plan(w, i, 0)
		for _, s := range streams(nil, w, i, &k) {
			for at := s.base; at < s.base+s.size; {
				addr, piece := s.lies(at, s.size)
				_, _, run, ok := x.homes.Find(addr)
				if !ok {
					return fmt.Errorf("%s: %s of layer %s leaves the memory at %#x", x.Name(), w.Graph.Tensors[s.id].Name, op.Name, addr)
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

// TrimEnd implements work.EndTrimmer.
func (x *Executor[L]) TrimEnd(until units.Time) {
	work.TrimEnd(&x.end, &x.idle, x.spec.Clock.Cycles(uint64(until), uint64(units.Second)))
	work.TrimEnd(&x.end, &x.awaited, x.spec.Clock.Cycles(uint64(until), uint64(units.Second)))
}

// Handle implements sim.Handler.
func (x *Executor[L]) Handle(e sim.Event) error {
	now := e.Time()
	cycle := x.ticker.Cycle(now)
	x.cycle = cycle
	if err := x.ops.Receive(now, cycle); err != nil {
		return err
	}
	if err := x.receive(now); err != nil {
		return err
	}
	for {
		if !x.running && !x.take(now, cycle) {
			break
		}
		if cycle < x.start {
			x.ticker.WakeAt(x.start)
			break
		}
		x.send(now)
		if wake, more := x.pace.advance(cycle, x.meter.slow()); more {
			x.send(now)
			continue
		} else if wake > 0 {
			x.ticker.WakeAt(wake)
		}
		if !x.pace.over() || x.queue.next(&x.pace) != nil || x.flying > x.posted() {
			break // answers, or room at the port, wake the node
		}
		if cycle < x.core {
			x.ticker.WakeAt(x.core)
			break
		}
		x.finish(now, cycle)
	}
	x.ops.Send(now, cycle)
	return nil
}

// posted is the bytes that may be in flight when the kernel ends: those of a latency.
func (x *Executor[L]) posted() uint64 {
	slow := x.meter.slow()
	if !x.ruled || slow == 0 {
		return 0
	}
	return uint64(float64(x.spec.Latency) / (x.spec.PerByte * slow))
}

// take begins the next kernel if there is one.
func (x *Executor[L]) take(now sim.VTimeInSec, cycle uint64) bool {
	if len(x.kernels) == 0 {
		i := x.ops.First()
		if i == nil || x.repeats != nil && x.repeats.held {
			return false
		}
		if x.repeats != nil && x.repeats.from > cycle {
			x.ticker.WakeAt(x.repeats.from)
			return false
		}
		if i.Came > cycle {
			x.ticker.WakeAt(i.Came)
			return false
		}
		x.issued, _ = x.ops.Next()
		s := x.known[x.issued.Share]
		for _, op := range s.Program.Jobs[x.issued.Job].All() {
			x.kernels = append(x.kernels, job{share: s, op: op, parent: x.issued.Task})
		}
		x.begun = cycle
		if x.model.Came != nil {
			x.model.Came(x.issued)
		}
	}
	j := x.kernels[0]
	if gap := cycle - x.end; x.issued.Carried {
		x.awaited += gap
	} else {
		x.idle += gap
	}
	l, k := x.model.Plan(j.share, j.op, cycle)
	if x.model.Begin != nil {
		x.model.Begin(&l, &k)
	}
	x.running, x.now, x.share, x.began = true, l, j.share, cycle
	x.start, x.core, x.ruled = cycle+k.Launch, cycle+k.Launch+k.Work, k.Ruled
	x.streams = streams(x.streams, j.share, j.op, &k)
	x.pace = x.paceOf(&k, x.start)
	if k.Ruled { // the rule holds the latency of the first operands
		x.start = max(cycle, x.start-min(x.start, x.spec.Latency))
	}
	x.queue = queue{list: x.streams}
	x.meter.begin()
	x.moved = [2]uint64{}
	x.task = 0
	if x.tasks.On() && l.Cycles() > 0 {
		x.task = x.tasks.Begin(instant.Of(x.spec.Clock, cycle), task.Layer, x.tasks.What(j.share.Graph.Ops[j.op].Name), j.parent, l.Bytes())
	}
	return true
}

// send sends bursts of the kernel as far as there is room.
func (x *Executor[L]) send(now sim.VTimeInSec) {
	for x.calls.InFlight() < x.spec.Outstanding && x.mem.CanSend() {
		s := x.queue.next(&x.pace)
		if s == nil {
			return
		}
		addr, run := s.at()
		r, k, home, _ := x.homes.Find(addr)
		n := min(run, home, x.spec.Burst-addr%x.spec.Burst)
		c := x.calls.Take()
		c.Note = note{home: r, begun: x.cycle}
		c.Hint.Core, c.Hint.Task = x.spec.Element, 0
		c.Hint.Tensor, c.Hint.Kind, c.Hint.About = uint32(s.id)+1, x.share.Graph.Tensors[s.id].Role, x.share.Tensors.Of(s.id)
		way := 0
		if s.write {
			way = 1
		}
		if x.tasks.On() {
			c.Note.task = x.tasks.Begin(now, task.Request, [...]task.What{task.Read, task.Write}[way], x.task, n)
			c.Hint.Task = c.Note.task
		}
		if x.mem.Send(c.Message(s.write, addr, n, r.Ports[k], now)) != nil {
			panic(fmt.Sprintf("streamed: %s: the wire refused a message after it had room", x.Name()))
		}
		s.left -= n
		x.moved[way] += n
		x.flying += n
		x.pace.sent(s.write, n)
	}
}

// receive takes in all answers that are here.
func (x *Executor[L]) receive(now sim.VTimeInSec) error {
	for m := x.mem.Retrieve(now); m != nil; m = x.mem.Retrieve(now) {
		c, err := x.calls.Answered(m)
		if err != nil {
			return err
		}
		x.tasks.End(now, c.Note.task)
		from, to := c.Span()
		x.flying -= to - from
		due := float64(to-from) * x.spec.PerByte
		passed := x.loads.note(&c.Note, x.cycle, due, !c.Wrote())
		x.meter.answered(x.cycle, passed, due)
		if !c.Wrote() {
			x.pace.came += to - from
		}
	}
	return nil
}

// finish ends the kernel.
func (x *Executor[L]) finish(now sim.VTimeInSec, cycle uint64) {
	x.model.End(&x.now, cycle-x.began, x.moved[0], x.moved[1])
	x.rows = append(x.rows, x.now)
	x.tasks.End(now, x.task)
	x.running, x.end = false, cycle
	if x.kernels = x.kernels[1:]; len(x.kernels) == 0 {
		x.ops.Done(x.issued, x.begun, cycle)
		x.border(cycle)
	}
}

// Waiting implements engine.Waiter.
func (x *Executor[L]) Waiting() []engine.Wait {
	n := x.calls.InFlight()
	if !x.running || n == 0 && x.queue.next(&x.pace) == nil {
		return nil
	}
	name := x.share.Graph.Ops[x.kernels[0].op].Name
	return []engine.Wait{{Who: x.Name(), For: x.mem.Name(), Why: fmt.Sprintf("layer %s, %d requests without an answer", name, n)}}
}
