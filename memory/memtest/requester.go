// Package memtest has a requester for tests of memories: it sends a list of requests and records
// the cycle of each answer. New makes it, and Wire joins it to the memory; a full wire panics.
// Left out: data.
package memtest

import (
	"fmt"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// A Request is one entry of a Requester's list.
type Request struct {
	Cycle uint64 // earliest cycle of sending, by the requester's clock
	Bytes uint64
	Write bool
	Addr  uint64
	Task  task.ID // task that sends the request
}

// A Requester sends requests in the order of its list, at most one per cycle and at most Window
// in flight. Send and Answer are the cycles in which each request left and its answer arrived.
type Requester struct {
	*sim.ComponentBase
	Port   *engine.Port
	Dst    sim.Port
	Window int // 0: no limit
	List   []Request
	Send   []uint64
	Answer []uint64
	Repeat int // repetitions of the list, 1 by default; above 1 Send and Answer are not recorded

	ticker *engine.Ticker
	clock  clock.Clock
	next   int
	calls  memory.Calls[int] // by index
	done   int
}

// New makes a requester; call Start before the engine's Run.
func New(name string, e sim.Engine, c clock.Clock, dst sim.Port, list ...Request) *Requester {
	r := &Requester{ComponentBase: sim.NewComponentBase(name), Dst: dst, List: list, clock: c, Repeat: 1}
	r.ticker = engine.NewTicker(e, c, r)
	r.Port = engine.NewPort(r, name+".Mem", 64)
	r.AddPort("Mem", r.Port)
	r.calls = memory.NewCalls[int](r.Port)
	return r
}

// Start schedules the first cycle.
func (r *Requester) Start() { r.ticker.WakeAt(0) }

// NotifyRecv implements sim.Component.
func (r *Requester) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { r.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (r *Requester) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { r.ticker.WakeAfter(now) }

// Handle implements sim.Handler.
func (r *Requester) Handle(e sim.Event) error {
	now := e.Time()
	cycle := r.ticker.Cycle(now)
	for m := r.Port.Retrieve(now); m != nil; m = r.Port.Retrieve(now) {
		if err := r.take(m, cycle); err != nil {
			return err
		}
	}
	total := r.Repeat * len(r.List)
	if r.next >= total || r.Window > 0 && r.calls.InFlight() >= r.Window {
		return nil
	}
	q := r.List[r.next%len(r.List)]
	if q.Cycle > cycle {
		r.ticker.WakeAt(q.Cycle)
		return nil
	}
	if !r.Port.CanSend() {
		return nil
	}
	r.send(q, now, cycle)
	if r.next < total {
		r.ticker.WakeAt(cycle + 1)
	}
	return nil
}

func (r *Requester) send(q Request, now sim.VTimeInSec, cycle uint64) {
	x := r.calls.Take()
	x.Note, x.Hint.Tensor, x.Hint.Task = r.next, 1, q.Task
	if r.Port.Send(x.Message(q.Write, q.Addr, q.Bytes, r.Dst, now)) != nil {
		panic("memtest: the wire refused a message after it had room")
	}
	if r.Repeat == 1 {
		r.Send = append(r.Send, cycle)
		r.Answer = append(r.Answer, 0)
	}
	r.next++
}

func (r *Requester) take(m sim.Msg, cycle uint64) error {
	x, err := r.calls.Answered(m)
	if err != nil {
		return fmt.Errorf("memtest: %w", err)
	}
	if r.Repeat == 1 {
		r.Answer[x.Note] = cycle
	}
	r.done++
	return nil
}

// Done returns the answered requests.
func (r *Requester) Done() int { return r.done }

// Log returns a line per request: index, cycle sent, cycle answered.
func (r *Requester) Log() string {
	var b strings.Builder
	for i := range r.Send {
		fmt.Fprintf(&b, "%s %d: %d -> %d\n", r.Name(), i, r.Send[i], r.Answer[i])
	}
	return b.String()
}

// Wire joins requesters and a memory, with latency 1 at every end and no limit of bandwidth.
func Wire(e sim.Engine, memory sim.Port, memoryClock clock.Clock, rs ...*Requester) *engine.Wire {
	w := engine.NewWire("Link", e)
	w.Attach(memory, memoryClock, engine.EndOptions{Buffer: 1024})
	for _, r := range rs {
		w.Attach(r.Port, r.clock, engine.EndOptions{Buffer: 64})
	}
	return w
}
