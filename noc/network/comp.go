package network

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/bitset"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/topology"
)

// mailbox is how many messages wait at a terminal's port, and linkBuffer how many
// the link holds that go out of it. Beyond that senders are held back.
//
// assumption: one message per cycle can come in at full rate; what waits longer
// does so at its source.
const (
	mailbox    = 1
	linkBuffer = 2
)

// Comp is the shell of a network node. Make it with New, and set its core with Use.
type Comp struct {
	*sim.ComponentBase
	spec   Spec
	top    topology.Topology
	core   Core
	ticker *engine.Ticker
	ports  []*engine.Port
	list   []sim.Port
	names  []string // of linked ports
	table  map[sim.Port]home
	index  map[sim.Port]int32
	shared []bool            // terminals with several ports linked
	rates  []units.Bandwidth // of terminals by Limit; 0: none
	rest   energy.Rest       // of all routers
	came   bitset.Set        // terminals with messages
	now    uint64            // cycle being handled
	time   sim.VTimeInSec
	cursor instant.Cursor
	err    error

	slots []slot
	free  int32 // list of free slots by next; 0 ends it
	boxes []box // per terminal: what found no room on the link
	stuck []int32
	order order

	skip    Skip
	skipped string // what came of skip, a sentence; "": it is off
	fold    *Fold  // nil: every terminal is simulated
	times   uint64 // messages that each one stands for

	tasks       task.Source
	quantum     units.Time // parts of the system meet after it; 0: always
	count       counters
	moved       *stats.TimeSeries // bytes delivered; nil unless the run is observed
	paces       []stats.Pace      // of the channels to terminals, for moved
	lost        losses
	stats       *stats.Group
	assumptions []string
}

type home struct {
	terminal int32
	hops     int
}

// A slot is a message inside the network. Index 0 is never used.
type slot struct {
	msg      sim.Msg
	src, dst int32
	next     int32 // in a box, or of the free ones
	flow     int32 // of the order it has to keep, none
	seq      uint32
	bytes    int
	flits    int
	taken    uint64
	task     task.ID
}

// A box is a queue of slots that wait to be sent.
type box struct{ first, last int32 }

const none = -1

// New makes a node of a topology, without a core.
func New(name string, e sim.Engine, s Spec, t topology.Topology) *Comp {
	c := &Comp{
		ComponentBase: sim.NewComponentBase(name), spec: s, top: t, table: map[sim.Port]home{},
		index: map[sim.Port]int32{}, came: bitset.New(t.Terminals()),
		slots: make([]slot, 1), boxes: make([]box, t.Terminals()), shared: make([]bool, t.Terminals()), rates: make([]units.Bandwidth, t.Terminals()), order: newOrder(),
		skip: SkipOff, times: 1,
	}
	notes, _ := s.idle(t) // the error is that of Plan
	for _, n := range notes {
		c.Assume(name + ": " + n)
	}
	c.ticker, c.cursor = engine.NewTicker(e, s.Clock.Clock, c), instant.NewCursor(s.Clock.Clock)
	for i := range t.Terminals() {
		p := engine.NewPort(c, fmt.Sprintf("%s.Terminal[%d]", name, i), mailbox)
		c.ports, c.list, c.index[p] = append(c.ports, p), append(c.list, p), int32(i)
		c.AddPort(fmt.Sprintf("Terminal[%d]", i), p)
	}
	return c
}

// Use sets the core and declares the metrics; more adds those of the fidelity.
func (c *Comp) Use(core Core, more func(g *stats.Group)) {
	c.core = core
	c.stats = c.newStats()
	c.declareLosses(c.stats)
	if more != nil {
		more(c.stats)
	}
}

// Assume adds a sentence to Assumptions.
func (c *Comp) Assume(text string) { c.assumptions = append(c.assumptions, text) }

// Assumptions returns the sentences of Assume.
func (c *Comp) Assumptions() []string {
	if c.fold == nil {
		return c.assumptions
	}
	return append(slices.Clone(c.assumptions), c.skipped)
}

// Topology returns the topology of the terminals.
func (c *Comp) Topology() topology.Topology { return c.top }

// Placements implements system.Arranger.
func (c *Comp) Placements() []string { return topology.Placements() }

// Arrange implements system.Arranger.
func (c *Comp) Arrange(placement string, terminals []int, rng *rand.Rand) ([]int, error) {
	t := topology.Intact(c.top)
	return topology.Arrange(placement, terminals, func(k int) (int, error) { return topology.PartOf(t, placement, k) }, rng)
}

// Now returns the present cycle.
func (c *Comp) Now() uint64 { return c.now }

// Clock returns the clock of the network.
func (c *Comp) Clock() clock.Clock { return c.spec.Clock.Clock }

// Width returns the bytes of a flit.
func (c *Comp) Width() int { return int(c.spec.Width) }

// Header returns the header bytes of every message.
func (c *Comp) Header() int { return int(c.spec.Header) }

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{
		Name: "terminal", Protocol: system.Any, Role: system.Peers, Ports: c.list, Array: true, Many: true, Optional: true,
		Clock: c.Clock(), Buffer: linkBuffer,
	}}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// Through implements system.Transparent.
func (c *Comp) Through(port string) (exits []string, latency uint64) {
	if c.names == nil {
		for i := range c.ports {
			c.names = append(c.names, fmt.Sprintf("terminal[%d]", i))
		}
	}
	exits = make([]string, 0, len(c.names))
	for _, n := range c.names {
		if n != port {
			exits = append(exits, n)
		}
	}
	return exits, c.core.Nominal()
}

// SetPeers implements system.Neighbour: it fills the table from ports to terminals.
func (c *Comp) SetPeers(port string, peers []system.Peer) error {
	var t int32
	if _, err := fmt.Sscanf(port, "terminal[%d]", &t); err != nil {
		return fmt.Errorf("no port %q", port)
	}
	c.shared[t] = len(peers) > 1 && peers[1].Hops == 0 // nearest first
	for _, p := range peers {
		if old, ok := c.table[p.Port]; !ok || p.Hops < old.hops {
			c.table[p.Port] = home{t, p.Hops}
		}
	}
	return nil
}

// Reach sets the terminal that leads to a port. SetPeers does so in a configuration; a plain
// Akita program calls Reach for every destination port.
func (c *Comp) Reach(p sim.Port, terminal int) { c.table[p] = home{terminal: int32(terminal)} }

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, p sim.Port) {
	c.came.Add(int(c.index[p]))
	c.ticker.WakeAfter(now)
}

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Handle implements sim.Handler: one cycle.
func (c *Comp) Handle(e sim.Event) error {
	c.time = e.Time()
	c.now = c.ticker.Cycle(c.time)
	if len(c.stuck) > 0 {
		c.flush()
	}
	for w, b := c.came.Take(0); b != 0; w, b = c.came.Take(w + 1) {
		for ; b != 0; b &= b - 1 {
			t := w<<6 + bits.TrailingZeros64(b)
			p := c.ports[t]
			for p.Len() > 0 && c.core.Room(t) {
				if err := c.take(t, p.Retrieve(c.time)); err != nil {
					return err
				}
			}
			if p.Len() > 0 {
				c.came.Add(t) // when there is room
			}
		}
	}
	next, err := c.core.Advance(c.now)
	if err != nil {
		return err
	}
	if next != Idle {
		c.ticker.WakeAt(next)
	}
	return c.err
}

// take brings a message into the core.
func (c *Comp) take(src int, m sim.Msg) error {
	meta := m.Meta()
	h, ok := c.table[meta.Dst]
	if !ok {
		name := "nobody"
		if meta.Dst != nil {
			name = meta.Dst.Name()
		}
		return fmt.Errorf("network: a %T from %s goes to %s, which is at no terminal", m, meta.Src.Name(), name)
	}
	if c.free == 0 {
		c.slots = append(c.slots, slot{})
		c.free = int32(len(c.slots) - 1)
	}
	id := c.free
	s := &c.slots[id]
	c.free = s.next
	flits := c.spec.Flits(meta.TrafficBytes)
	*s = slot{msg: m, src: int32(src), dst: h.terminal, flow: none, bytes: meta.TrafficBytes, flits: flits, taken: c.now}
	switch m.(type) {
	case *mem.ReadReq, *mem.WriteReq:
		s.flow, s.seq = c.order.enter(s.src, s.dst)
	}
	if c.tasks.On() {
		s.task = c.tasks.Begin(c.time, task.Message, what(m), causeOf(m), uint64(s.bytes))
	}
	c.count.take(s, c.times)
	out := Message{ID: id, Src: s.src, Dst: s.dst, Bytes: s.bytes + c.Header(), Flits: flits, Class: class(m)}
	if x, ok := m.(Summand); ok {
		out.Sum = x.NetworkSum()
	}
	c.core.Take(c.now, out)
	return nil
}

// Arrive delivers a message. The core calls it during Advance. injected is the cycle in which its
// first flit entered.
func (c *Comp) Arrive(id int32, injected uint64, hops int) {
	s := &c.slots[id]
	if x, ok := s.msg.(Stamped); ok {
		*x.NetworkStamp() = Stamp{s.taken, injected, c.now, hops, s.task}
	}
	if c.fold != nil {
		s.dst = c.fold.Terminal[s.dst]
	}
	c.count.arrive(s, c.times, c.now, injected, hops)
	if c.moved != nil {
		c.eject(s)
	}
	c.explain(s, injected, hops)
	if s.flow == none {
		c.post(id)
		return
	}
	if !c.order.leave(s.flow, s.seq, id) {
		return // it has overtaken others
	}
	flow := s.flow
	c.post(id)
	c.follow(flow)
}

// post sends a message, or queues it after those that wait for room on the link.
func (c *Comp) post(id int32) {
	s := &c.slots[id]
	b := &c.boxes[s.dst]
	if b.first == 0 && c.ports[s.dst].CanSend() {
		c.send(id)
		return
	}
	s.next = 0
	if b.first == 0 {
		b.first = id
		c.stuck = append(c.stuck, s.dst)
		c.core.Hold(int(s.dst), true)
	} else {
		c.slots[b.last].next = id
	}
	b.last = id
}

func (c *Comp) send(id int32) {
	s := &c.slots[id]
	if c.ports[s.dst].Send(s.msg) != nil && c.err == nil {
		c.err = fmt.Errorf("network: the link of terminal %d refused a message after it had room", s.dst)
	}
	c.count.sent += c.times
	c.tasks.End(c.time, s.task)
	c.release(id)
}

// flush sends what waits for room.
func (c *Comp) flush() {
	keep := c.stuck[:0]
	for _, t := range c.stuck {
		b := &c.boxes[t]
		for b.first != 0 && c.ports[t].CanSend() {
			id := b.first
			b.first = c.slots[id].next
			c.send(id)
		}
		if b.first != 0 {
			keep = append(keep, t)
		} else {
			c.core.Hold(int(t), false)
		}
	}
	c.stuck = keep
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	var out []engine.Wait
	for _, t := range c.stuck {
		s := &c.slots[c.boxes[t].first]
		out = append(out, engine.Wait{Who: c.Name(), For: s.msg.Meta().Dst.Name(), Why: fmt.Sprintf("messages find no room on the link of terminal %d", t)})
	}
	if c.count.taken == c.count.sent+c.lost.count {
		return out
	}
	return append(out, c.core.Waiting()...)
}
