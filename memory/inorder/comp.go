package inorder

import (
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
)

// A Timing computes the cycles of answers.
type Timing interface {
	// Due is called once per request, in the order of arrival. at is the cycle in which the
	// request was taken from the port. The result is the cycle of the answer, not before at nor
	// before the answer of an earlier request.
	Due(at, bytes uint64, write bool) uint64
	// Nominal returns the unloaded latency in cycles after the last byte, and the sustained
	// bandwidth; 0 is unlimited.
	Nominal() (latency uint64, bandwidth units.Bandwidth)
	// Peak returns the bandwidth that is a utilisation of 1; 0 is none.
	Peak() units.Bandwidth
}

// A Constant timing takes the same time for every request.
type Constant interface {
	Timing
	// Constant returns the latency in cycles; ok is false if the timing, as configured, is not
	// constant.
	Constant() (latency uint64, ok bool)
}

// An Addressed timing depends on addresses: a memory of banks.
type Addressed interface {
	Timing
	// DueAt is called in place of Due.
	DueAt(at, addr, bytes uint64, write bool) uint64
}

// PortBuffer is the requests that fit the port. The memory takes all of them in one cycle, so
// that only more requests in a single memory cycle are held back.
const PortBuffer = 1024

// Comp is a memory that answers in the order of arrival.
type Comp struct {
	*sim.ComponentBase
	top       *engine.Port
	link      *block.Link // what comes over it is no message; nil outside of a block
	direct    *asked      // the same of one requester; nil where messages are needed
	ticker    *engine.Ticker
	clock     clock.Clock
	size      uint64
	timing    Timing
	responses memory.Responses
	queue     ring
	data      *memory.Data // nil: the memory keeps time only
	count     counters
	tasks     task.Source
	stats     *stats.Group
	moved     *stats.TimeSeries // nil unless the run is observed

	assumptions []string
}

// New makes a memory of size bytes (0: no limit) under
// clock c. The name must be valid for Akita.
func New(name string, e sim.Engine, c clock.Clock, size uint64, t Timing) *Comp {
	m := &Comp{ComponentBase: sim.NewComponentBase(name), clock: c, size: size, timing: t}
	m.ticker = engine.NewTicker(e, c, m)
	m.top = engine.NewPort(m, name+".Top", PortBuffer)
	m.AddPort("Top", m.top)
	m.stats = m.newStats()
	return m
}

// Keep makes the memory hold bytes, and returns their storage.
func (c *Comp) Keep() *mem.Storage {
	if c.data == nil {
		c.data = memory.NewData()
	}
	return c.data.Storage
}

// Storage implements memory.StorageOwner: the result of Keep, nil without it.
func (c *Comp) Storage() *mem.Storage {
	if c.data == nil {
		return nil
	}
	return c.data.Storage
}

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{
		Name: "top", Protocol: system.Mem, Role: system.Responds, Ports: []sim.Port{c.top},
		Many: true, Clock: c.clock, Buffer: PortBuffer,
	}}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// Tasks implements task.Reporter: a task per request, from the port to its answer.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// Nominal implements system.Responder.
func (c *Comp) Nominal() (uint64, units.Bandwidth) { return c.timing.Nominal() }

// Home implements system.Home.
func (c *Comp) Home() uint64 { return c.size }

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Handle implements sim.Handler: one memory cycle.
func (c *Comp) Handle(e sim.Event) error {
	now := e.Time()
	cycle := c.ticker.Cycle(now)
	for msg := c.top.Retrieve(now); msg != nil; msg = c.top.Retrieve(now) {
		c.accept(msg, now, cycle)
	}
	if c.direct != nil {
		c.receiveDirect(cycle)
	}
	return c.answer(now, cycle)
}

func (c *Comp) accept(msg sim.Msg, now sim.VTimeInSec, cycle uint64) {
	r, ok := memory.RequestOf(msg)
	if !ok {
		panic(fmt.Sprintf("inorder: %s at cycle %d: %T is no memory request", c.Name(), cycle, msg))
	}
	due := c.take(&r, cycle)
	var data []byte
	if c.data != nil {
		data = c.data.Serve(msg)
	}
	id := c.tasks.Begin(now, task.Memory, task.ReadWrite(r.Write), r.Hint.Cause(), r.Bytes)
	c.explain(id, cycle, due)
	c.queue.push(pending{bytes: r.Bytes, data: data, due: due, at: cycle, req: msg, task: id})
}

// take counts a request, and returns the cycle of its answer.
func (c *Comp) take(r *memory.Request, cycle uint64) (due uint64) {
	c.count.Count(*r)
	if c.count.sent() == 1 {
		c.count.first = cycle
	}
	if t, ok := c.timing.(Addressed); ok {
		due = t.DueAt(cycle, r.Addr, r.Bytes, r.Write)
	} else {
		due = c.timing.Due(cycle, r.Bytes, r.Write)
	}
	c.pass(r.Bytes, due)
	return due
}

// explain reports what the time of a request goes to: the unloaded latency is its end.
func (c *Comp) explain(id task.ID, at, due uint64) {
	if id == 0 || !c.tasks.Explains() {
		return
	}
	latency, _ := c.timing.Nominal()
	loaded := max(due, at+latency) - latency
	c.tasks.Explain(id, c.tasks.What("waits for bandwidth, and is transferred"), instant.Of(c.clock, at), instant.Of(c.clock, loaded), 0)
	c.tasks.Explain(id, c.tasks.What("unloaded latency of the memory"), instant.Of(c.clock, loaded), instant.Of(c.clock, due), 0)
}

// Charge implements memory.Charged.
func (c *Comp) Charge(t memory.Traffic) {
	n := &c.count
	n.Traffic = n.Since(n.unsent)
	n.Add(t)
	n.unsent = t
}

// answer sends what is due and makes sure to be woken for the rest. Where the
// wire is full, NotifyPortFree does that.
func (c *Comp) answer(now sim.VTimeInSec, cycle uint64) error {
	for c.queue.n > 0 {
		p := c.queue.head()
		if p.due > cycle {
			c.ticker.WakeAt(p.due)
			return nil
		}
		if !c.top.CanSend() {
			return nil
		}
		rsp := c.responses.Respond(p.req, c.top, now)
		memory.Fill(rsp, p.data)
		if c.top.Send(rsp) != nil {
			return fmt.Errorf("inorder: %s: the wire refused a message after it had room", c.Name())
		}
		if !p.counted {
			c.count.answer(cycle-p.at, cycle, p.bytes)
		}
		c.tasks.End(now, p.task)
		c.queue.pop()
	}
	return nil
}

// Waiting implements engine.Waiter: answers that the requester does not take.
func (c *Comp) Waiting() []engine.Wait {
	n := c.queue.n
	if c.direct != nil {
		c.catchUp(math.Inf(1))
		n += c.direct.open
	}
	if n == 0 {
		return nil
	}
	from := sim.Port(nil)
	if c.link != nil {
		from = c.link.From
	} else if c.direct != nil {
		from = c.direct.From
	} else {
		from = c.queue.head().req.Meta().Src
	}
	who := "its requester" // whose message may have no port yet
	if from != nil {
		who = from.Name()
	}
	return []engine.Wait{{
		Who: c.Name(), For: who,
		Why: fmt.Sprintf("%d answers are not sent", n),
	}}
}
