package player

import (
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
)

// fine is the clock of the port: how long after its cycle the driver acts.
var fine = block.Fine

// Comp is a driver.
type Comp struct {
	*sim.ComponentBase
	spec   Spec
	port   *engine.Port
	ticker *engine.Ticker // of fine
	homes  *memory.Map
	pace   instant.Cursor             // of the driver's clock
	target instant.Cursor             // of the memory's
	same   bool                       // both are one
	known  struct{ cycle, at uint64 } // what actAt found last; at 0: nothing yet
	// patient: the driver acts soon anyway, so answers need not wake it
	patient bool
	feed    feed
	future  future
	fault   error // ends the run when all requests are done

	sent     uint64   // requests whose last part has left
	done     uint64   // requests that are done for the closed loop
	arrived  uint64   // requests that have arrived, in the closed loop
	arrivals []uint64 // their cycles, by index modulo a power of two that the window fits in
	acted    uint64   // cycles the driver has acted in: the last plus 1
	until    uint64   // first cycle in which no request begins

	cur  int32  // request whose parts are being sent, -1: none
	left uint64 // bytes of it not yet sent
	// blocked until the wire has room
	blocked bool
	calls   memory.Calls[part]
	block   *block.Block     // it is the source of; nil: there is none
	guest   *block.GuestPort // of its host; without it and block requests are messages
	prompt  bool             // the run is read while it goes on: the driver acts for every answer in the cycle that sees it
	told    uint64           // answers that are counted before the driver has acted for them, see tell
	worst   uint64           // cycles to the answer of a quick request; 0: there are none
	over    finishing        // quick requests, whose answers are to come
	ask     block.Request    // a quick request, and its hint
	swift   memory.Hint
	only    block.HomeCache // home of quick requests
	run     block.Reads     // requests that may hit, sent at once
	trip    uint64          // cycles to the answer of a request that hits
	late    few             // latencies of run since their arrival
	waited  few             // latencies of run since they were accepted, of those that miss
	slots   slots           // of round
	// Requests are quick, if they may be, that are sent before these cycles: any, and those
	// that hit.
	anyUntil, hitsUntil uint64
	jobs                pool.Of[job, int32]
	open                int // jobs without their last answer
	shown               int // those of them whose tasks an observer wants

	tasks task.Source
	count counters
	stats *stats.Group
}

// A job is a request that is not answered in full.
type job struct {
	arrival, accept uint64 // first memory cycle after it
	parts           int    // in flight
	whole           bool   // all parts are sent
	write           bool
	task            task.ID
}

// A part is a message's share of a request.
type part struct {
	job   int32
	first bool // part of its job
}

// New makes a driver. It opens the trace and returns its errors.
func New(name string, e sim.Engine, s Spec) (*Comp, error) {
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, cur: -1}
	c.feed.spec, c.feed.core = &c.spec, coreOf(name)
	if err := c.feed.check(); err != nil {
		return nil, err
	}
	c.ticker = engine.NewTicker(e, fine, c)
	c.port = engine.NewPort(c, name+".Mem", portBuffer)
	c.AddPort("Mem", c.port)
	c.calls = memory.NewCalls[part](c.port)
	if s.Mode.Kind == Closed {
		c.arrivals = make([]uint64, 1<<bits.Len64(s.Mode.N-1))
	}
	c.stats = c.newStats()
	return c, nil
}

// portBuffer is how many answers wait at the port; all are taken at once.
const portBuffer = 1024

// PortSpecs implements system.Node. The wire holds one request for a full memory, so that the
// driver notices a full memory early.
func (c *Comp) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{
		Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{c.port}, Clock: fine, Buffer: 1,
	}}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// Tasks implements task.Reporter: a task per request of the trace, from its first
// message to its last answer.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// SetMap implements system.Requester.
func (c *Comp) SetMap(_ string, m *memory.Map) error {
	c.homes = m
	target := m.Ranges()[0].Paths[0].Clock
	pace := target
	if c.spec.Clock != nil {
		pace = c.spec.Clock.Clock
	}
	c.pace, c.target, c.same = instant.NewCursor(pace), instant.NewCursor(target), pace == target
	c.future.line, _ = m.NextUseLine()
	c.until = math.MaxUint64
	if !c.spec.Until.IsZero() {
		c.until = c.spec.Until.In(pace)
	}
	return c.feed.reach(m)
}

// Start implements system.Starter.
func (c *Comp) Start() error {
	if err := c.feed.start(c.pace.Clock()); err != nil {
		return err
	}
	if c.feed.fault != nil && c.feed.fault != io.EOF {
		return c.feed.fault
	}
	if c.future.line > 0 {
		if err := c.future.look(&c.spec, &c.feed, c.pace.Clock(), c.homes); err != nil {
			return err
		}
	}
	if b, ok := c.enter(); ok {
		c.block = b
		if n, ok := b.Out().Worst(); ok {
			c.worst = n
			for _, l := range b.Out().Links {
				c.trip = max(c.trip, l.Trip())
			}
		}
		b.Start(0)
		return nil
	}
	if !c.tasks.All() {
		c.guest = block.Check(c, c.port)
	}
	if e, ok := c.ticker.Engine().(*engine.Engine); ok {
		c.prompt = !e.MayRunAhead()
	}
	c.wakeAt(c.actAt(0))
	return nil
}

// wakeAt has the driver act in a cycle of fine.
func (c *Comp) wakeAt(cycle uint64) {
	if c.guest != nil {
		c.guest.Wake(cycle)
		return
	}
	c.ticker.WakeAt(cycle)
}

// Unit implements system.Counter.
func (c *Comp) Unit() string {
	if c.spec.Limit > 0 {
		return "accesses"
	}
	return "bytes of the trace"
}

// Progress is the progress in the trace. Any goroutine may call it.
func (c *Comp) Progress() (done, total int64) { return c.feed.progress() }

// Clock is the clock of the memory, which latencies are counted in.
func (c *Comp) Clock() clock.Clock { return c.target.Clock() }

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) {
	if !c.patient || c.tasks.On() || c.port.Len() > portBuffer/2 {
		c.ticker.WakeAfter(now)
	}
}

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) {
	c.blocked = false
	c.ticker.WakeAfter(now)
}

// actAt is the instant, in cycles of fine, in which the driver acts for its cycle
// n: the first after it.
func (c *Comp) actAt(n uint64) uint64 {
	if n != c.known.cycle || c.known.at == 0 {
		c.known.cycle, c.known.at = n, behind(n, c.pace.Clock())
	}
	return c.known.at
}

// behind is the first cycle of fine strictly after cycle n of pace, as
// fine.After(pace.Time(n)) is, in integers.
func behind(n uint64, pace clock.Clock) uint64 {
	hi, x := bits.Mul64(n, pace.Num())
	over, ps := bits.Mul64(x, fine.Den())
	if hi != 0 || over >= pace.Den() {
		return instant.After(fine, instant.Of(pace, n))
	}
	at, _ := bits.Div64(over, ps, pace.Den())
	return at + 1
}

// seen is the first memory cycle after the driver's action in cycle n.
func (c *Comp) seen(n uint64) uint64 {
	if c.same {
		return n + 1
	}
	return instant.After(c.target.Clock(), instant.Of(fine, c.actAt(n)))
}

// Handle implements sim.Handler.
func (c *Comp) Handle(e sim.Event) error {
	now := e.Time()
	for m := c.port.Retrieve(now); m != nil; m = c.port.Retrieve(now) {
		if err := c.take(m, now); err != nil {
			return err
		}
	}
	return c.turn(c.ticker.Cycle(now), now)
}

// turn does the work of a cycle of fine except receiving answers.
func (c *Comp) turn(current uint64, now sim.VTimeInSec) error {
	n := c.known.cycle
	if c.known.at != current { // an answer or a wire with room woke it
		n = c.pace.AtOrBefore(now)
	}
	if n >= c.acted && current == c.actAt(n) {
		c.acted = n + 1
		if err := c.act(n, now); err != nil {
			return err
		}
	}
	c.plan(n, current)
	return nil
}

// act lets requests arrive and sends one part, if there is one and room for it.
func (c *Comp) act(n uint64, now sim.VTimeInSec) error {
	if c.spec.Mode.Kind == Closed {
		for c.arrived-c.done < c.spec.Mode.N {
			c.arrivals[c.arrived&uint64(len(c.arrivals)-1)] = n
			c.arrived++
		}
	}
	if c.cur < 0 && c.fault == nil {
		at, ok := c.arrival()
		if !ok || at > n {
			return nil
		}
		if n >= c.until {
			c.feed.stop()
			return nil
		}
		if n < c.hitsUntil {
			if done, err := c.hasten(at, n); done {
				return err
			}
		}
		c.begin(at, n, now)
	}
	if c.cur < 0 {
		return nil
	}
	if c.blocked = !c.canSend(n); c.blocked {
		return nil
	}
	return c.send(n, now)
}

// arrival is the cycle in which the next request arrives; false if that is not
// known yet, or there is none.
func (c *Comp) arrival() (n uint64, ok bool) {
	if !c.feed.ok {
		return 0, false
	}
	switch c.spec.Mode.Kind {
	case Closed:
		return c.arrivals[c.sent&uint64(len(c.arrivals)-1)], c.sent < c.arrived
	case Open:
		return c.sent * c.spec.Mode.N, true
	}
	return c.feed.rec.Time, true
}

// begin makes the next request the one being sent.
func (c *Comp) begin(arrival, n uint64, now sim.VTimeInSec) {
	c.cur, c.left = c.jobs.Take(), c.feed.size
	*c.jobs.At(c.cur) = job{arrival: c.seen(arrival), write: c.feed.rec.Write,
		task: c.tasks.Begin(now, task.Request, task.ReadWrite(c.feed.rec.Write), 0, c.feed.size)}
	c.open++
	if c.jobs.At(c.cur).task != 0 {
		c.shown++
	}
}

// send sends the next part of the current request.
func (c *Comp) send(n uint64, now sim.VTimeInSec) error {
	j := c.jobs.At(c.cur)
	rec := &c.feed.rec
	addr := rec.Addr + (c.feed.size - c.left)
	home, i, run, ok := c.homes.Find(addr)
	if !ok {
		return c.stop(c.feed.homeless(addr))
	}
	size := min(c.left, run, memory.MaxBurst)
	s := c.calls.Take()
	s.Note = part{c.cur, c.left == c.feed.size}
	s.Hint = memory.Hint{Tensor: rec.Tensor, Kind: c.feed.kind, Reuse: rec.Reuse, Core: uint16(rec.Core), PC: rec.PC, About: c.feed.about, Task: j.task, Next: c.future.take(addr, size)}
	if c.block != nil {
		c.hand(s, rec.Write, addr, size, home.Ports[i], n)
	} else if c.guest != nil {
		s.Ask(rec.Write, addr, size, home.Ports[i])
		c.guest.Ask(c.actAt(n), block.Request{Addr: addr, Bytes: size, Hint: &s.Hint, Tag: s.Number(), Write: rec.Write})
	} else if c.port.Send(s.Message(rec.Write, addr, size, home.Ports[i], now)) != nil {
		return fmt.Errorf("player: %s: the wire refused a message after it had room", c.Name())
	}
	if s.Note.first {
		j.accept = c.seen(n)
		c.count.accept(rec.Write, c.feed.size)
	}
	j.parts++
	c.left -= size
	if c.left > 0 {
		return nil
	}
	j.whole = true
	c.cur = -1
	return c.goOn(j.write)
}

// goOn advances to the next request when one is sent.
func (c *Comp) goOn(write bool) error {
	c.sent++
	if write && c.spec.Posted {
		c.done++
	}
	c.feed.next()
	return c.fed()
}

// fed stops at an error of the next request.
func (c *Comp) fed() error {
	if c.feed.fault != nil && c.feed.fault != io.EOF {
		return c.stop(c.feed.fault)
	}
	return nil
}

// stop ends the run with err when the requests under way are done.
func (c *Comp) stop(err error) error {
	if c.cur >= 0 { // it is given up half sent
		j := c.jobs.At(c.cur)
		j.whole = true
		if j.parts == 0 {
			c.jobs.Give(c.cur)
			c.open--
		}
		c.cur = -1
	}
	c.fault = err
	c.feed.ok = false
	c.feed.close()
	return c.ended()
}

// ended is the fault once nothing is under way.
func (c *Comp) ended() error {
	if c.open > 0 {
		return nil
	}
	return c.fault
}

// take notes an answer.
func (c *Comp) take(m sim.Msg, now sim.VTimeInSec) error {
	s, err := c.calls.Answered(m)
	if err != nil {
		return fmt.Errorf("player: %w", err)
	}
	return c.answered(s, c.target.AtOrBefore(m.Meta().RecvTime), now)
}

// answered notes that a call is over whose answer left in a memory cycle.
func (c *Comp) answered(s *memory.Call[part], cycle uint64, now sim.VTimeInSec) error {
	i := s.Note.job
	j := c.jobs.At(i)
	if s.Note.first && s.Hint.AcceptedIn > 0 { // the memory knows better
		j.accept = max(j.accept, s.Hint.AcceptedIn-1)
	} else if s.Note.first && s.Hint.Accepted > 0 {
		j.accept = max(j.accept, c.target.AtOrBefore(s.Hint.Accepted))
	}
	j.parts--
	if j.parts > 0 || !j.whole {
		return nil
	}
	c.count.answer(j, cycle)
	if j.task != 0 {
		c.tasks.End(now, j.task)
		c.shown--
	}
	if !(j.write && c.spec.Posted) {
		c.done++
	}
	c.jobs.Give(i)
	c.open--
	return c.ended()
}

// plan makes sure to be woken for the next thing to do. An answer wakes by
// itself, and so does a full wire.
func (c *Comp) plan(n, current uint64) {
	next, ok := c.next(n)
	if !ok {
		return
	}
	at := c.actAt(next)
	if at <= current {
		at = c.actAt(next + 1)
	}
	c.wakeAt(at)
}

// next is the cycle in which there is something to do, whatever answers come; false if
// there is none.
func (c *Comp) next(n uint64) (next uint64, ok bool) {
	c.patient = false
	if c.fault != nil {
		return 0, false
	}
	// In a closed loop a request that is done lets another arrive, in a cycle
	// that has to be noted.
	arriving := c.spec.Mode.Kind == Closed && c.arrived-c.done < c.spec.Mode.N
	next = max(c.acted, n)
	switch {
	case c.cur >= 0:
		if c.blocked && !arriving {
			return 0, false
		}
	case !c.feed.ok:
		return 0, false
	default:
		at, ok := c.arrival()
		switch {
		case ok:
			next = max(next, at)
		case !arriving:
			return 0, false
		}
	}
	// Answers of an open loop change nothing but counts, which a punctual run reads at any time.
	c.patient = c.spec.Mode.Kind != Closed && next <= n+patience && !c.prompt
	return next, true
}

// patience is how many cycles ahead the next action may be for answers to wait
// until then. It bounds how far counts lag behind.
const patience = 256
