package block

import (
	"slices"

	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
)

// Fine is the clock of a source's port, 1 THz: a source acts in the first Fine cycle after each
// cycle of its own clock.
var Fine = clock.Hz(1e12)

// A Node answers requests, and may send others for them.
type Node interface {
	sim.Component
	// Asks returns the port through which the node sends requests, and its address map; nil for a
	// memory. ok is false if the node, as configured, needs messages.
	Asks() (port *engine.Port, homes *memory.Map, ok bool)
	// Enter puts the node into a block: requests then arrive over top, and the node sends its own
	// through below, which is nil for a memory.
	Enter(top *Link, below *Outlet)
	// Step simulates one cycle and returns the next cycle with known work, requests at the port
	// and answers on their way included.
	Step(cycle uint64) (next uint64, err error)
}

// A Source is the requester at the root of a block.
type Source interface {
	sim.Component
	// Instant converts a cycle of the source to the Fine cycle in which it acts.
	Instant(cycle uint64) uint64
	// Step is like Node.Step.
	Step(cycle uint64) (next uint64, err error)
}

// A Block is a source and the nodes below it.
type Block struct {
	engine     *engine.Engine
	clock      clock.Clock
	source     Source
	nodes      []Node         // requesters before those whom they ask
	due        []uint64       // of each node
	acts       uint64         // when the source is due
	coarse     *engine.Ticker // of clock
	fine       *engine.Ticker // of Fine
	out        *Outlet        // of the source
	last       uint64         // cycle of what was done last
	sourceLast bool           // by the source
	until      uint64         // a component outside may act from this cycle on
	settled    uint64         // last answer of a quick request
}

// Build makes a block of a source, the port that it sends through, and the nodes that its
// requests reach. Cycles are those of c. ok is false if messages are needed; then nothing has
// changed.
func Build(s Source, port *engine.Port, homes *memory.Map, c clock.Clock) (b *Block, ok bool) {
	b = &Block{clock: c, source: s, acts: Never}
	var joints []joint
	if !b.look(-1, port, homes, &joints) {
		return nil, false
	}
	b.engine.Carry()
	b.due = make([]uint64, len(b.nodes))
	for i := range b.due {
		b.due[i] = Never
	}
	b.coarse, b.fine = engine.NewTicker(b.engine, c, b), engine.NewTicker(b.engine, Fine, b)
	tops, belows := make([]*Link, len(b.nodes)), make([]*Outlet, len(b.nodes))
	for _, j := range joints {
		o := b.join(j, tops)
		if j.node < 0 {
			b.out = o
		} else {
			belows[j.node] = o
		}
	}
	for i, n := range b.nodes {
		n.Enter(tops[i], belows[i])
	}
	return b, true
}

// A joint is a requester's port with the nodes that its wire leads to.
type joint struct {
	node int // -1: the source
	end  engine.End
	to   []int
	ends []engine.End // of to
}

// look walks from the port of a node to all that it reaches, and notes nodes and joints.
func (b *Block) look(from int, port *engine.Port, homes *memory.Map, joints *[]joint) bool {
	near, far, e, ok := port.Carries()
	if !ok || b.engine != nil && b.engine != e {
		return false
	}
	b.engine = e
	to := homes.Ports()
	if len(far) == 0 || len(far) > maxLinks || len(far) != len(to) {
		return false
	}
	j := joint{node: from, end: near, ends: far}
	for _, x := range far {
		n, ok := x.Port.Component().(Node)
		if !ok || !slices.Contains(to, sim.Port(x.Port)) || x.Clock != b.clock {
			return false
		}
		j.to = append(j.to, len(b.nodes))
		b.nodes = append(b.nodes, n)
	}
	if j.node < 0 {
		if j.end.Clock != Fine || j.end.Latency != 1 {
			return false
		}
	} else if j.end.Clock != b.clock {
		return false
	}
	*joints = append(*joints, j)
	for _, i := range j.to {
		port, homes, ok := b.nodes[i].Asks()
		if !ok || port != nil && !b.look(i, port, homes, joints) {
			return false
		}
	}
	return true
}

// maxLinks is the most links, so that the answers of one instant fit a port.
const maxLinks = 15

// join makes the links of a requester.
func (b *Block) join(j joint, tops []*Link) *Outlet {
	o := &Outlet{room: j.end.Buffer, pause: 1}
	from, back := &b.acts, uint64(0)
	if j.node < 0 {
		o.late, o.pause = 1, 0
	} else {
		from, back = &b.due[j.node], j.end.Latency
	}
	for i, to := range j.to {
		x := j.ends[i]
		l := &Link{From: j.end.Port, To: x.Port, capacity: x.Port.Capacity(), there: x.Latency, back: back, room: x.Buffer, out: o, from: from, to: &b.due[to]}
		l.quick, _ = b.nodes[to].(KnownLatency)
		l.settled = &b.settled
		o.Links = append(o.Links, l)
		tops[to] = l
	}
	return o
}

// Out returns the Outlet of the source.
func (b *Block) Out() *Outlet { return b.out }

// Start schedules the source for a cycle.
func (b *Block) Start(cycle uint64) {
	b.acts = cycle
	b.fine.WakeAt(b.source.Instant(cycle))
}

// Patience sets the number of answers that may wait before the source is woken.
func (b *Block) Patience(n int) {
	for _, l := range b.out.Links {
		l.patient = n
	}
}

// Name implements sim.Named, for messages about errors.
func (b *Block) Name() string { return b.source.Name() }

// Handle implements sim.Handler: it simulates all cycles up to the next event outside.
func (b *Block) Handle(e sim.Event) error {
	nodes, source := b.horizon()
	b.until = min(nodes, source)
	for k := 1; ; k++ {
		n := Never
		for _, d := range b.due {
			n = min(n, d)
		}
		if s := b.acts; s < n {
			if s >= source {
				break
			}
			b.acts, b.last, b.sourceLast = Never, s, true
			next, err := b.source.Step(s)
			if err != nil {
				return err
			}
			b.acts = min(b.acts, next)
		} else {
			if n >= nodes {
				break
			}
			b.last, b.sourceLast = n, false
			for i := range b.due {
				if b.due[i] > n {
					continue
				}
				b.due[i] = Never
				next, err := b.nodes[i].Step(n)
				if err != nil {
					return err
				}
				b.due[i] = min(b.due[i], next)
			}
		}
		if k%256 == 0 && b.engine.Interrupted() {
			break
		}
	}
	b.leave()
	return nil
}

// horizon is the first cycle that nodes, and the source, are not to act in yet:
// a component outside may act before, or the run ends.
func (b *Block) horizon() (nodes, source uint64) {
	next, last := b.engine.Ahead()
	before := func(t sim.VTimeInSec) bool { return t < next && t <= last }
	end := min(next, last)
	if math.IsInf(float64(end), 1) {
		return Never, Never
	}
	n := instant.AtOrBefore(b.clock, end)
	nodes = n - min(n, 1)
	for before(instant.Of(b.clock, nodes)) {
		nodes++
	}
	source = n - min(n, 1)
	for before(instant.Of(Fine, b.source.Instant(source))) {
		source++
	}
	return nodes, source
}

// leave schedules the next event; at the end, one in the cycle of the last work, so that the run
// ends then.
func (b *Block) leave() {
	n := Never
	for _, d := range b.due {
		n = min(n, d)
	}
	switch {
	case b.acts < n:
		b.fine.WakeAt(b.source.Instant(b.acts))
	case n != Never:
		b.coarse.WakeAt(n)
	case b.sourceLast && instant.Of(Fine, b.source.Instant(b.last)) > b.engine.CurrentTime():
		b.fine.WakeAt(b.source.Instant(b.last))
	case !b.sourceLast && instant.Of(b.clock, b.last) > b.engine.CurrentTime():
		b.coarse.WakeAt(b.last)
	}
	if b.acts == Never && n == Never && b.settled > b.last {
		b.last, b.sourceLast = b.settled, false
		b.coarse.WakeAt(b.last)
	}
}
