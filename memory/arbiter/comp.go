package arbiter

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

// portBuffer is how many messages wait at a port; all are taken at once.
const portBuffer = 1024

// Comp is the node of kind arbiter.
type Comp struct {
	*sim.ComponentBase
	spec   Spec
	clock  clock.Clock
	ticker *engine.Ticker
	starve uint64 // cycles
	choice rule

	above     [ports]*engine.Port
	bottom    *engine.Port
	homes     *memory.Map
	calls     memory.Calls[call]
	requests  pool.Of[request, int32]
	waiting   [ports]ring.Of[int32] // requests, of which not all has gone on
	answered  [ports]ring.Of[int32] // that wait for room on the wire
	responses memory.Responses
	view      view
	number    uint64

	count [ports]counters
	end   uint64
	most  uint64
	turns cause.Turns
	tasks task.Source
	group *stats.Group
}

// A request is what came and is not answered.
type request struct {
	memory.Request
	msg    sim.Msg
	port   int
	number uint64
	at     uint64 // cycle in which it came
	next   uint64 // first byte that has not gone on
	left   uint64 // bytes that are not answered
	task   task.ID
}

// A call is a piece of a request at the memory.
type call struct {
	request int32
	bytes   uint64
}

// New makes an arbiter of a Spec that it does not check; a configuration is checked when it is
// read. SetMap sets the memories below it.
func New(name string, e sim.Engine, s Spec) *Comp {
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, clock: s.Clock.Clock}
	c.ticker = engine.NewTicker(e, c.clock, c)
	c.starve = c.clock.Cycles(uint64(s.Starve), uint64(units.Second))
	c.choice = c.rule()
	for p, n := range [ports]string{"First", "Later"} {
		c.above[p] = engine.NewPort(c, name+"."+n, portBuffer)
		c.AddPort(n, c.above[p])
	}
	c.bottom = engine.NewPort(c, name+".Bottom", portBuffer)
	c.AddPort("Bottom", c.bottom)
	c.calls = memory.NewCalls[call](c.bottom)
	c.view.last = later
	c.group = c.newStats()
	return c
}

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	up := func(name string, p int) system.PortSpec {
		return system.PortSpec{Name: name, Protocol: system.Mem, Role: system.Responds, Ports: []sim.Port{c.above[p]}, Many: true, Optional: true, Clock: c.clock, Buffer: portBuffer}
	}
	return []system.PortSpec{up("first", first), up("later", later),
		{Name: "bottom", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{c.bottom}, Many: true, Clock: c.clock, Buffer: portBuffer}}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.group }

// Tasks implements task.Reporter: a task per request, from its port to its answer.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// Nominal implements system.Responder: it adds no time.
func (c *Comp) Nominal() (uint64, units.Bandwidth) { return 0, 0 }

// Below implements system.Relay.
func (c *Comp) Below(string) []string { return []string{"bottom"} }

// SetMap implements system.Requester.
func (c *Comp) SetMap(_ string, m *memory.Map) error {
	c.homes = m
	return m.TimingOnly(c.Name())
}

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Handle implements sim.Handler: first answers, then arrivals, then forwarding.
func (c *Comp) Handle(e sim.Event) error {
	now := e.Time()
	c.view.now = c.ticker.Cycle(now)
	for m := c.bottom.Retrieve(now); m != nil; m = c.bottom.Retrieve(now) {
		x, err := c.calls.Answered(m)
		if err != nil {
			return err
		}
		c.served(x.Note)
	}
	for p := range c.above {
		for m := c.above[p].Retrieve(now); m != nil; m = c.above[p].Retrieve(now) {
			c.accept(p, m, now)
		}
		c.respond(p, now)
	}
	for (c.view.waits[first] || c.view.waits[later]) && c.view.under < uint64(c.spec.Queue) && c.bottom.CanSend() {
		p, ok := c.choice.next(&c.view)
		if !ok {
			break
		}
		if err := c.pass(p, now); err != nil {
			return err
		}
	}
	c.judge(c.view.now)
	if c.view.waits[later] && c.starve > 0 && c.view.since[later]+c.starve > c.view.now {
		c.ticker.WakeAt(c.view.since[later] + c.starve)
	}
	return nil
}

// accept takes a request in.
func (c *Comp) accept(p int, msg sim.Msg, now sim.VTimeInSec) {
	q, ok := memory.RequestOf(msg)
	if !ok {
		panic(fmt.Sprintf("arbiter: %s in cycle %d: %T is no memory request", c.Name(), c.view.now, msg))
	}
	c.count[p].Count(q)
	q.Bytes = max(q.Bytes, 1)
	i := c.requests.Take()
	*c.requests.At(i) = request{Request: q, msg: msg, port: p, number: c.number, at: c.view.now, left: q.Bytes, task: c.tasks.Begin(now, task.Request, task.ReadWrite(q.Write), q.Hint.Cause(), q.Bytes)}
	c.number++
	c.waiting[p].Push(i)
	if c.waiting[p].Len() == 1 {
		c.head(p)
	}
}

// head notes which request of a port waits longest.
func (c *Comp) head(p int) {
	if c.view.waits[p] = c.waiting[p].Len() > 0; c.view.waits[p] {
		r := c.requests.At(*c.waiting[p].At(0))
		c.view.came[p], c.view.since[p] = r.number, r.at
	}
}

// pass lets the first request of a port go on, up to the last byte that one memory holds.
func (c *Comp) pass(p int, now sim.VTimeInSec) error {
	i := *c.waiting[p].At(0)
	r := c.requests.At(i)
	home, k, run, ok := c.homes.Find(r.Addr + r.next)
	if !ok {
		return memory.BadInputf("%s: address %#x has no home behind the arbiter", c.Name(), r.Addr+r.next)
	}
	n := min(run, r.Bytes-r.next)
	x := c.calls.Take()
	x.Note, x.Hint = call{i, n}, memory.Hint{}
	if r.Hint != nil {
		x.Hint = *r.Hint
	}
	if c.tasks.On() {
		x.Hint.Task = r.task
	}
	if c.bottom.Send(x.Message(r.Write, r.Addr+r.next, n, home.Ports[k], now)) != nil {
		panic("arbiter: " + c.Name() + ": the wire refused a message after it had room")
	}
	if r.next == 0 {
		c.count[p].waited += c.view.now - r.at
		c.count[p].longest = max(c.count[p].longest, c.view.now-r.at)
	}
	c.view.under += n
	c.most = max(c.most, c.view.under)
	c.view.last = p
	if r.next += n; r.next == r.Bytes {
		c.waiting[p].Pop()
		c.head(p)
	}
	return nil
}

// served notes the answer to a piece.
func (c *Comp) served(x call) {
	c.view.under -= x.bytes
	r := c.requests.At(x.request)
	if r.left -= x.bytes; r.left == 0 {
		c.answered[r.port].Push(x.request)
	}
}

// respond answers requests of a port, as far as the wire takes them.
func (c *Comp) respond(p int, now sim.VTimeInSec) {
	for c.answered[p].Len() > 0 && c.above[p].CanSend() {
		i := c.answered[p].Pop()
		r := c.requests.At(i)
		if c.above[p].Send(c.responses.Respond(r.msg, c.above[p], now)) != nil {
			panic("arbiter: " + c.Name() + ": the wire refused a message after it had room")
		}
		c.count[p].answered++
		c.count[p].took += c.view.now - r.at
		c.end = c.view.now
		c.tasks.End(now, r.task)
		*r = request{} // the requester may reuse or drop the message
		c.requests.Give(i)
	}
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	if to := c.calls.Waits(); to != nil {
		return []engine.Wait{{Who: c.Name(), For: to.Name(), Why: fmt.Sprintf("%d requests are not answered", c.calls.InFlight())}}
	}
	if n := c.requests.Taken(); n > 0 {
		return []engine.Wait{{Who: c.Name(), For: c.Name(), Why: fmt.Sprintf("%d requests have not gone on", n)}}
	}
	return nil
}

var _ system.Relay = (*Comp)(nil)
