package tiering

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// Comp is several memories behind one port.
type Comp struct {
	*sim.ComponentBase
	spec   Spec
	at     func(key string) configs.Value
	clock  clock.Clock
	ticker *engine.Ticker
	top    *engine.Port
	below  []below
	table  table
	tlb    translations
	policy placement.Policy
	view   placement.View
	mapped int // ports that have their map

	requests  []request
	free      []int32
	responses memory.Responses
	ready     ring.Of[int32] // requests to be answered
	delayed   calendar.Of[delayed]
	walker    walker
	faulted   []fault  // by page; nil where there are none
	fault     uint64   // cycles
	parked    []piece  // wait for a page that moves
	under     []uint16 // by page, pieces under way

	moving   moves
	counted  uint64 // accesses, counted or not
	interval period
	count    counters
	load     []load
	warm     []load // at the end of the warm-up
	stats    *stats.Group
}

// A request is a message that is not answered yet.
type request struct {
	msg  sim.Msg
	hint *memory.Hint
	at   uint64 // cycle in which it was taken
	left int32  // pieces that are not answered
}

// A piece is what of a request lies in one page.
type piece struct {
	addr, bytes uint64 // as the requester knows it
	request     int32
	page        uint32
	write       bool
	faulted     bool // it has paid for its fault
}

// New makes a node; SetMap tells each lower port what is behind it.
func New(name string, e sim.Engine, s Spec) (*Comp, error) {
	none := func(string) configs.Value { return configs.Value{} }
	if err := s.check(none); err != nil {
		return nil, err
	}
	p, err := placement.New(s.Policy.Name, s.Policy.spec)
	if err != nil {
		return nil, err
	}
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, at: none, clock: s.Clock.Clock, policy: p}
	c.ticker = engine.NewTicker(e, c.clock, c)
	c.top = engine.NewPort(c, name+".Top", portBuffer)
	c.AddPort("Top", c.top)
	c.below, c.load, c.warm = make([]below, s.Tiers), make([]load, s.Tiers), make([]load, s.Tiers)
	for i := range c.below {
		c.below[i].port = engine.NewPort(c, fmt.Sprintf("%s.Bottom[%d]", name, i), portBuffer)
		c.below[i].calls = memory.NewCalls[order](c.below[i].port)
		c.AddPort(fmt.Sprintf("Bottom[%d]", i), c.below[i].port)
	}
	c.table = table{shift: log2(s.Page), tiers: make([]frames, s.Tiers)}
	c.tlb = newTranslations(s.TLB.Entries, s.TLB.Walk.In(c.clock))
	c.view.Tiers, c.view.PageBytes = make([]placement.Tier, s.Tiers), uint64(s.Page)
	c.interval = newPeriod(c)
	c.moving = newMoves(c)
	c.stats = c.newStats()
	return c, nil
}

// portBuffer is how many messages wait at a port; all are taken at once.
const portBuffer = 1024

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	ports := make([]sim.Port, len(c.below))
	for i := range ports {
		ports[i] = c.below[i].port
	}
	return []system.PortSpec{
		{Name: "top", Protocol: system.Mem, Role: system.Responds, Ports: []sim.Port{c.top}, Many: true, Clock: c.clock},
		{Name: "bottom", Protocol: system.Mem, Role: system.Requests, Ports: ports, Array: true, Clock: c.clock},
	}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// Nominal implements system.Responder: the node itself takes no time.
func (c *Comp) Nominal() (uint64, units.Bandwidth) { return 0, 0 }

// Below implements system.Relay.
func (c *Comp) Below(string) []string {
	var out []string
	for i := range c.below {
		out = append(out, fmt.Sprintf("bottom[%d]", i))
	}
	return out
}

// SetMap implements system.Requester: port is bottom[i].
func (c *Comp) SetMap(port string, m *memory.Map) error {
	var i int
	if _, err := fmt.Sscanf(port, "bottom[%d]", &i); err != nil || i < 0 || i >= len(c.below) {
		panic(fmt.Sprintf("tiering: %s has no port %s", c.Name(), port))
	}
	c.below[i].homes = m
	capacity := uint64(0)
	if i < len(c.spec.Capacity) {
		capacity = uint64(c.spec.Capacity[i])
	}
	if err := c.table.add(i, m, capacity); err != nil {
		return c.at("capacity").Errorf(nil, "tier %d: %s", i, err)
	}
	p := m.Ranges()[0].Paths[0]
	ns := p.Clock.Nanoseconds(p.Request+p.Latency) + c.clock.Nanoseconds(p.Response)
	c.view.Tiers[i].Idle = ns / c.clock.Nanoseconds(1)
	if c.mapped++; c.mapped < len(c.below) {
		return nil
	}
	if err := c.table.build(); err != nil {
		return c.at("page").Errorf(nil, "%s", err)
	}
	if err := c.walker.place(&c.table, c.spec.TLB.Reads, c.spec.TLB.Tier); err != nil {
		return c.at("tlb").Errorf(nil, "%s", err)
	}
	if c.fault = c.spec.Fault.In(c.clock); c.fault > 0 {
		c.faulted = make([]fault, len(c.table.frame))
	}
	c.under = make([]uint16, len(c.table.frame))
	c.view.Pages = c.table.info
	return nil
}

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Handle implements sim.Handler: one cycle.
func (c *Comp) Handle(e sim.Event) error {
	now := e.Time()
	cycle := c.ticker.Cycle(now)
	// Without requests nothing is decided and no move begins, so that runs end.
	busy := c.open() > 0 || c.top.Len() > 0
	if busy {
		c.interval.pass(cycle)
	}
	for i := range c.below {
		b := &c.below[i]
		for m := b.port.Retrieve(now); m != nil; m = b.port.Retrieve(now) {
			s, err := b.calls.Answered(m)
			if err != nil {
				return fmt.Errorf("tiering: %w", err)
			}
			if err := c.answered(i, &s.Note, cycle); err != nil {
				return err
			}
		}
	}
	c.moving.step(cycle, busy)
	for c.delayed.Due(cycle) {
		d := c.delayed.Pop().What
		if d.walk > 0 {
			c.readEntry(d.walk-1, cycle)
		} else if err := c.issue(d.piece, cycle); err != nil {
			return err
		}
	}
	for c.spec.Outstanding == 0 || c.open() < c.spec.Outstanding {
		m := c.top.Retrieve(now)
		if m == nil {
			break
		}
		if err := c.accept(m, cycle); err != nil {
			return err
		}
	}
	for i := range c.below {
		if err := c.below[i].send(now); err != nil {
			return err
		}
	}
	if err := c.respond(now, cycle); err != nil {
		return err
	}
	if c.delayed.Len() > 0 {
		c.ticker.WakeAt(c.delayed.First().At)
	}
	if c.open() > 0 {
		c.ticker.WakeAt(c.interval.end)
	}
	if c.top.Len() > 0 && c.open() < c.spec.Outstanding {
		c.ticker.WakeAt(cycle + 1) // answers of this cycle made room
	}
	return nil
}

// open is the number of requests that are not answered.
func (c *Comp) open() int { return len(c.requests) - len(c.free) }

// accept cuts a request into pages.
func (c *Comp) accept(msg sim.Msg, cycle uint64) error {
	var addr, bytes uint64
	var write bool
	r := request{msg: msg, at: cycle}
	switch m := msg.(type) {
	case *mem.ReadReq:
		addr, bytes, r.hint = m.Address, m.AccessByteSize, memory.HintOf(m.Info)
		c.count.reads++
		c.count.readBytes += bytes
	case *mem.WriteReq:
		addr, bytes, r.hint, write = m.Address, uint64(len(m.Data)), memory.HintOf(m.Info), true
		c.count.writes++
		c.count.writeBytes += bytes
	default:
		panic(fmt.Sprintf("tiering: %s at cycle %d: %T is no memory request", c.Name(), cycle, msg))
	}
	if c.count.arrive(cycle) {
		copy(c.warm, c.load)
	}
	var i int32
	if n := len(c.free); n > 0 {
		i, c.free = c.free[n-1], c.free[:n-1]
	} else {
		i = int32(len(c.requests))
		c.requests = append(c.requests, request{})
	}
	r.left = 1 // until all pieces are known
	c.requests[i] = r
	for bytes = max(bytes, 1); bytes > 0; {
		page, ok := c.table.page(addr)
		if !ok {
			return &homeless{fmt.Sprintf("%s: address %#x, which %s asks for, has no home below", c.Name(), addr, msg.Meta().Src.Name())}
		}
		size := uint64(1) << c.table.shift
		n := min(bytes, size-addr&(size-1))
		c.requests[i].left++
		if err := c.translate(piece{addr: addr, bytes: n, request: i, page: page, write: write}, cycle); err != nil {
			return err
		}
		addr, bytes = addr+n, bytes-n
	}
	c.done(i)
	return nil
}

// translate issues a piece once its translation is at hand.
func (c *Comp) translate(p piece, cycle uint64) error {
	if c.walker.levels > 0 {
		if w := c.walker.of(p.page); w != nil {
			w.wait = append(w.wait, p)
			return nil
		}
		if _, hit := c.tlb.expect(p.page, cycle); !hit {
			c.count.walks++
			c.walk(p, cycle)
			return nil
		}
		return c.issue(p, cycle)
	}
	ready, hit := c.tlb.find(p.page, cycle)
	if !hit {
		c.count.walks++
	}
	if ready > cycle {
		c.delayed.Add(ready, delayed{piece: p})
		return nil
	}
	return c.issue(p, cycle)
}

// homeless is an error of the input.
type homeless struct{ text string }

func (e *homeless) Error() string { return e.text }

// BadInput marks the error as one of the input.
func (e *homeless) BadInput() {}

// issue sends a piece to where its page is. A page that moves holds it up.
func (c *Comp) issue(p piece, cycle uint64) error {
	x := &c.table.info[p.page]
	if x.Moving {
		c.count.stalled++
		c.parked = append(c.parked, p)
		return nil
	}
	if x.Tier == placement.Nowhere {
		if err := c.touch(p.page); err != nil {
			return err
		}
	}
	if c.fault > 0 && x.Tier > 0 && !p.faulted {
		f := &c.faulted[p.page]
		if f.interval != c.view.Interval {
			f.interval, f.end = c.view.Interval, cycle+c.fault
			c.count.faults++
		}
		if f.end > cycle { // all accesses to the page wait for the handler
			p.faulted = true
			c.delayed.Add(f.end, delayed{piece: p})
			return nil
		}
	}
	c.sample(x)
	c.forward(p, cycle)
	return nil
}

// A fault is the last one of a page.
type fault struct {
	interval uint32
	end      uint64 // cycle
}

// sample counts an access to a page, if it is its turn.
func (c *Comp) sample(x *placement.Page) {
	if c.counted++; c.counted%uint64(c.spec.Sample) != 0 {
		return
	}
	x.Count++
	if x.Seen != c.view.Interval {
		x.Before, x.Seen = x.Seen, c.view.Interval
	}
}

// touch gives a page its first frame.
func (c *Comp) touch(page uint32) error {
	c.refresh()
	want := c.policy.First(&c.view, int(page))
	n := len(c.below)
	for i := range n {
		tier := (min(want, n-1) + i) % n
		if frame, ok := c.table.take(tier); ok {
			c.table.frame[page], c.table.info[page].Tier = frame, int8(tier)
			return nil
		}
	}
	return &homeless{fmt.Sprintf("%s: page %d is touched, and all frames are in use (%d pages of %s): a larger capacity is needed", c.Name(), page, n, c.spec.Page)}
}

// forward sends a piece below.
func (c *Comp) forward(p piece, cycle uint64) {
	tier := int(c.table.info[p.page].Tier)
	o := order{addr: c.table.translate(p.addr, p.page), bytes: p.bytes, at: cycle, request: p.request, move: -1, page: p.page, write: p.write}
	if h := c.requests[p.request].hint; h != nil {
		o.hint = *h
		o.hint.Next = nil
	}
	c.under[p.page]++
	n := c.below[tier].push(o)
	c.requests[p.request].left += n - 1
	c.under[p.page] += uint16(n - 1)
	for left := p.bytes; n > 0; n-- {
		b := left / uint64(n)
		c.load[tier].begin(cycle, b, p.write)
		left -= b
	}
}

// answered takes in the answer of an order.
func (c *Comp) answered(tier int, s *order, cycle uint64) error {
	if s.walk > 0 {
		return c.walked(s.walk-1, cycle)
	}
	if s.move >= 0 {
		c.moving.answered(int(s.move))
		return nil
	}
	if !s.write {
		c.load[tier].answer(s.at, cycle)
	}
	c.under[s.page]--
	c.done(s.request)
	return nil
}

// done notes that a part of a request is.
func (c *Comp) done(i int32) {
	r := &c.requests[i]
	if r.left--; r.left == 0 {
		c.ready.Push(i)
	}
}

// respond sends the answers that are ready.
func (c *Comp) respond(now sim.VTimeInSec, cycle uint64) error {
	for c.ready.Len() > 0 && c.top.CanSend() {
		i := c.ready.Pop()
		r := &c.requests[i]
		var rsp sim.Msg
		bytes := uint64(0)
		read := false
		switch m := r.msg.(type) {
		case *mem.ReadReq:
			rsp, bytes, read = c.responses.Read(m, c.top, now), m.AccessByteSize, true
		case *mem.WriteReq:
			rsp, bytes = c.responses.Write(m, c.top, now), uint64(len(m.Data))
		}
		if c.top.Send(rsp) != nil {
			return fmt.Errorf("tiering: %s: the wire refused a message after it had room", c.Name())
		}
		c.count.answer(cycle, cycle-r.at, bytes, read)
		*r = request{} // the requester may reuse or drop the message
		c.free = append(c.free, i)
	}
	return nil
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	for i := range c.below {
		b := &c.below[i]
		if to := b.calls.Waits(); to != nil {
			return []engine.Wait{{Who: c.Name(), For: to.Name(), Why: fmt.Sprintf("%d requests below are not answered", b.calls.InFlight())}}
		}
	}
	for i := range c.requests {
		if r := &c.requests[i]; r.msg != nil {
			return []engine.Wait{{Who: c.Name(), For: r.msg.Meta().Src.Name(), Why: fmt.Sprintf("%d answers are not sent", c.open())}}
		}
	}
	return nil
}

var _ system.Relay = (*Comp)(nil)
