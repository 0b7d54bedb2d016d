package dram

import (
	"fmt"
	"math/bits"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/dram/buslog"
)

// portBuffer is how many requests wait at the port; all of them are taken in
// one cycle.
const portBuffer = 1024

// Comp is the node of fidelity bank: a device of one or more channels.
type Comp struct {
	*sim.ComponentBase
	top       *engine.Port
	link      *block.Link // what comes over it is no message; nil outside of a block
	direct    *ahead      // of a requester that asks directly, without messages; nil: none does
	ticker    *engine.Ticker
	clock     clock.Clock
	cfg       Config
	spec      Spec
	extra     int64        // clocks added to every answer
	burst     uint         // log2 of the bytes of a burst
	turns     memory.Turns // of memories at a range
	mapped    *address.Map
	accounts  []account // of the channels
	gangs     []*gang   // by channel
	gangOf    []*gang   // of a channel
	side      int       // channels of a gang at most
	spare     []*gang   // that are no more
	came      int64     // clock of the last request, which may not be counted yet
	reached   int64     // clock up to which channels were asked last; they may not have got there
	spans     spans     // of all channels
	requests  pool.Of[request, uint32]
	answers   calendar.Of[uint32] // requests; of one cycle in the order in which they came
	order     uint64              // of requests
	responses memory.Responses
	count     counters
	tasks     task.Source
	stages    map[uint32]burstStages // of requests; nil: no observer wants explanations
	stats     *stats.Group
	data      *memory.Data // nil: the device keeps time only
	log       *buslog.Log  // of commands; nil: none is written
	assumed   string
}

// A request is a message that is not answered yet.
type request struct {
	msg   sim.Msg // nil in a block
	tag   uint32  // of a request in a block, and its bytes
	bytes uint64
	hint  *memory.Hint // of a read; nil: it has none
	left  int          // bursts that are not done
	due   int64        // of the answer, so far
	at    int64        // clock in which it was taken from the port
	order uint64
	task  task.ID
	data  []byte // of a read, where the device holds bytes
}

// posted marks bursts of writes that are over for the requester when they are
// accepted. The rest of the tag may belong to another request after that.
const posted = 1 << 31

// NewComp makes a device. The name must be valid for Akita. The error is an unknown grade, map or
// timing, or an impossible Spec.
func NewComp(name string, e sim.Engine, s Spec) (*Comp, error) {
	cfg, m, err := s.config()
	if err != nil {
		return nil, err
	}
	g := cfg.Grade
	c := &Comp{ComponentBase: sim.NewComponentBase(name), clock: g.Clock.Clock, cfg: cfg, spec: s, mapped: m}
	c.extra = int64(s.Latency.In(c.clock))
	c.burst = uint(bits.TrailingZeros(uint(g.Organisation.Burst())))
	side := 1 << m.Stripe() // channels side by side
	if s.CommandTrace {
		c.log, side = buslog.NewLog(g, s.Timing), 1
	}
	if cfg.Hammer.Mitigation != "" || cfg.Rest.On() || cfg.ECC.On() {
		side = 1
	}
	c.accounts = make([]account, s.Channels*max(g.Organisation.Pseudo, 1))
	if err := c.form(side); err != nil {
		return nil, err
	}
	c.ticker = engine.NewTicker(e, c.clock, c)
	c.top = engine.NewPort(c, name+".Top", portBuffer)
	c.AddPort("Top", c.top)
	c.stats = c.newStats()
	if s.Functional {
		c.data = memory.NewData()
	}
	return c, nil
}

// Storage implements memory.StorageOwner: nil if the device is not functional.
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
		Many: true, Clock: c.clock, Buffer: portBuffer,
	}}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// Tasks implements task.Reporter: a task per request, from the port to its answer.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// Attachments implements system.Attacher: the command trace, if the Spec has CommandTrace.
func (c *Comp) Attachments() []system.Attachment {
	if c.log == nil {
		return nil
	}
	return []system.Attachment{{Name: c.Name() + ".commands", Content: c.log}}
}

// Nominal implements system.Responder: the latency of a closed row, and what the
// pins carry.
func (c *Comp) Nominal() (uint64, units.Bandwidth) {
	t := c.cfg.Grade.Timing
	rcd := t["RCD"]
	if rcd == 0 {
		rcd = t["RCDRD"]
	}
	return uint64(rcd+t["CL"]+t["BL"]) + uint64(c.extra), units.Bandwidth(c.peak() * 8)
}

// peak is the bytes per second of all pins.
func (c *Comp) peak() float64 {
	perClock := float64(c.cfg.Grade.Organisation.Burst()) / float64(c.cfg.Grade.Timing["BL"]) * float64(len(c.accounts))
	return perClock * float64(c.clock.Den()) / float64(c.clock.Num())
}

// Home implements system.Home.
func (c *Comp) Home() uint64 { return 1 << (c.mapped.Bits() + int(c.burst)) }

// SetInterleaving implements system.InterleavedHome: the address map skips the blocks of other memories.
func (c *Comp) SetInterleaving(turns []memory.Turn) { c.turns = memory.NewTurns(turns) }

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Handle implements sim.Handler. Controller.Horizon bounds the time to the next event.
func (c *Comp) Handle(e sim.Event) error {
	now := e.Time()
	cycle := int64(c.ticker.Cycle(now))
	for msg := c.top.Retrieve(now); msg != nil; msg = c.top.Retrieve(now) {
		c.accept(msg, now, cycle)
	}
	if c.direct != nil {
		c.direct.planned = block.Never
		c.direct.count(&c.count, uint64(cycle))
	}
	next := c.carryOn(cycle)
	blocked, err := c.answer(now, cycle)
	if c.answers.Len() > 0 && !blocked {
		next = min(next, c.answers.First().At)
	}
	if next != block.Never {
		c.wakeAt(max(next, uint64(cycle)+1))
	}
	return err
}

// wakeAt has the device act in a cycle.
func (c *Comp) wakeAt(cycle uint64) {
	if c.direct != nil {
		c.direct.planned = min(c.direct.planned, cycle)
	}
	c.ticker.WakeAt(cycle)
}

// carryOn simulates the channels up to a cycle, and returns the next cycle in which it must be
// called.
func (c *Comp) carryOn(cycle int64) uint64 {
	next := int64(Never)
	c.reached = cycle
	soon := cycle + c.gangs[0].latency/2
	for _, g := range c.gangs {
		if g.horizon <= soon && g.next <= cycle { // else it would be for a few clocks
			g.serve(cycle)
		}
		next = min(next, g.horizon)
	}
	if next == Never {
		return block.Never
	}
	return uint64(max(next, cycle+1))
}

// reach simulates all channels up to their requested clocks.
func (c *Comp) reach() {
	for _, g := range c.gangs {
		if g.next <= c.reached {
			g.serve(c.reached)
		}
	}
}

// accept takes a message.
func (c *Comp) accept(msg sim.Msg, now sim.VTimeInSec, cycle int64) {
	q, ok := memory.RequestOf(msg)
	if !ok {
		panic(fmt.Sprintf("dram: %s at cycle %d: %T is no memory request", c.Name(), cycle, msg))
	}
	i := c.bring(q, cycle, c.beginTask(now, task.ReadWrite(q.Write), q.Hint.Cause(), q.Bytes))
	r := c.requests.At(i)
	c.count.arrived(q, r.left, cycle)
	r.msg = msg
	if c.data != nil {
		r.data = c.data.Serve(msg)
	}
}

// bring cuts a request into bursts and brings them to the doors.
func (c *Comp) bring(q memory.Request, cycle int64, id task.ID) uint32 {
	mark := uint32(0)
	if q.Write {
		q.Hint = nil // of reads only
		if c.spec.Posted {
			mark = posted
		}
	}
	if c.order == 0 {
		c.count.first = cycle
	}
	c.unite(cycle)
	i := c.requests.Take()
	addr := c.turns.Dense(q.Addr)
	first, last := addr>>c.burst, (addr+max(q.Bytes, 1)-1)>>c.burst
	r := c.requests.At(i) // which is empty
	r.hint, r.left, r.at, r.order, r.task = q.Hint, int(last-first+1), cycle, c.order, id
	c.order++
	var at address.Coord
	for b := first; b <= last; {
		c.mapped.Place(b, &at)
		g := c.meets(b, last, at[address.Channel])
		c.push(g, cycle, i|mark, &at, q.Write)
		if q.Write && c.cfg.ECC.On() && c.isPart(b, addr, q.Bytes) {
			g.part()
		}
		b += uint64(g.n)
	}
	return i
}

// isPart reports whether a request has a part of a burst only.
func (c *Comp) isPart(b, addr, bytes uint64) bool {
	return addr > b<<c.burst || addr+bytes < (b+1)<<c.burst
}

// finish notes that n bursts of a request are done.
func (c *Comp) finish(i uint32, at int64, n int) {
	r := c.requests.At(i)
	r.due = max(r.due, at)
	r.left -= n
	switch {
	case r.left > 0:
	case c.direct != nil && r.msg == nil:
		c.leave(i)
	default:
		c.answers.Push(calendar.Entry[uint32]{At: uint64(r.due + c.extra), Order: r.order, What: i})
	}
}

// answer sends the due answers; blocked means that the wire took no more, and will notify when it
// does.
func (c *Comp) answer(now sim.VTimeInSec, cycle int64) (blocked bool, err error) {
	for c.answers.Due(uint64(cycle)) {
		if !c.top.CanSend() {
			return true, nil
		}
		i := c.answers.First().What
		r := c.requests.At(i)
		var rsp sim.Msg
		switch m := r.msg.(type) {
		case *mem.ReadReq:
			rsp = c.responses.Read(m, c.top, now)
			memory.Fill(rsp, r.data)
			c.count.bytesDone += m.AccessByteSize
		case *mem.WriteReq:
			rsp = c.responses.Write(m, c.top, now)
			c.count.bytesDone += uint64(len(m.Data))
		}
		if c.top.Send(rsp) != nil {
			return true, fmt.Errorf("dram: %s: the wire refused a message after it had room", c.Name())
		}
		c.count.answer(cycle-r.at, cycle)
		c.answers.Pop()
		c.tasks.End(now, r.task)
		if c.stages != nil {
			c.explain(i, r)
		}
		*r = request{} // the requester may reuse or drop the message
		c.requests.Give(i)
	}
	return false, nil
}

// Waiting implements engine.Waiter: requests that are not answered.
func (c *Comp) Waiting() []engine.Wait {
	n := c.requests.Taken()
	if n == 0 {
		return nil
	}
	for i := range c.requests.All() {
		r := &c.requests.All()[i]
		from := sim.Port(nil)
		switch {
		case r.msg != nil:
			from = r.msg.Meta().Src
		case c.link != nil:
			from = c.link.From
		case c.direct != nil:
			from = c.direct.From
		}
		if from != nil {
			return []engine.Wait{{Who: c.Name(), For: from.Name(), Why: fmt.Sprintf("%d requests are not answered", n)}}
		}
	}
	return nil
}
