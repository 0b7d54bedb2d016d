package ranks

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"sync"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Comp plays a program.
type Comp struct {
	*sim.ComponentBase
	spec    Spec
	program *comm.Program
	members []map[int32]int32 // of each group: the position of its ranks; nil for group 0
	ticker  *engine.Ticker
	now     uint64
	time    sim.VTimeInSec

	ports    []*engine.Port
	list     []sim.Port
	index    map[sim.Port]int32
	port     []int32                               // of each rank
	own      struct{ collectives, placement bool } // said by the node itself
	rankAt   []int32                               // of each port; -1: none
	places   []place
	chairs   []seat.Seat                            // by port; nil: the ports are the player's
	fail     func(format string, args ...any) error // an error at the node's place
	random   func() *rand.Rand
	workload string // for tables of seats

	mu    sync.Mutex // for sim.ParallelEngine
	came  []uint64   // ports with messages, a bit each
	freed []uint64   // ports whose link has room again

	ranks     []rank
	ready     ring.Of[token]
	timers    calendar.Of[timer] // by cycle
	match     *matcher
	pool      pool
	pairs     []pair
	pairOf    map[uint64]int32
	meets     []meeting
	freeMeet  int32
	plans     map[planKey]*plan
	instances []*instance
	going     map[turn]*instance
	doing     token
	partFunc  func(rank, op int32)
	failure   error

	tasks task.Source
	count counters
	stats *stats.Group
}

// A token is an operation of a rank: of the program, or of a collective.
type token struct{ rank, op, inst int32 }

// program as the inst of a token is the program itself.
const program = -1

// A rank is the state of one rank.
type rank struct {
	program  *comm.Rank
	missing  []int32    // dependencies that are open, by operation
	first    []uint32   // of waiters, by operation
	waiters  []comm.Dep // who waits: for the end, or with the mark for the start
	turns    []uint32   // of collectives: which one of its group it is
	begun    []uint64   // operations that have started, a bit each
	left     int        // operations that are not done
	finish   uint64     // cycle of the last one's end
	units    []unit
	seat     seat.Seat // nil: the player itself
	nic      NIC
	overhead uint64            // of nic, in cycles
	tx, rx   memory.Serializer // of nic
	sent     uint64            // cycle in which the interface has sent all so far
	taken    uint64            // and taken all so far
	out      ring.Of[*Message] // what the link has no room for
	bytes    uint64            // sent
	msgs     uint64            // sent
}

// A unit computes one thing at a time.
type unit struct {
	busy   bool
	since  uint64
	cycles uint64 // in all
	queue  ring.Of[token]
}

// A pair is the traffic from one rank to another, which matches in order.
type pair struct {
	sent, next uint32
	early      []*Message
}

// A meeting is a long message whose data wait for the receiver.
type meeting struct {
	send, recv token
	msg        Message // what the data will be
	next       int32
}

// New makes a player of a program. Without a configuration errors have no place.
func New(name string, e sim.Engine, s Spec, p *comm.Program) (*Comp, error) {
	c := &Comp{
		ComponentBase: sim.NewComponentBase(name), spec: s, index: map[sim.Port]int32{},
		match: newMatcher(0), pool: pool{name: name},
		pairOf: map[uint64]int32{}, meets: make([]meeting, 1), plans: map[planKey]*plan{}, going: map[turn]*instance{},
		fail: fmt.Errorf,
	}
	c.ticker = engine.NewTicker(e, s.Clock.Clock, c)
	if p != nil {
		if err := c.Play(p); err != nil {
			return nil, err
		}
	}
	c.stats = c.newStats()
	return c, nil
}

// Play gives the player its program, once, before Start.
func (c *Comp) Play(p *comm.Program) error {
	if err := p.Check(); err != nil {
		return err
	}
	c.program, c.ranks, c.match = p, make([]rank, len(p.Ranks)), newMatcher(len(p.Ranks))
	if err := c.prepare(); err != nil {
		return err
	}
	if c.seated() {
		return c.settle()
	}
	return nil
}

// Inherit takes what the configuration says for all players, where the node says
// nothing itself.
func (c *Comp) Inherit(s *Collectives, placement string) error {
	if s != nil && !c.own.collectives {
		c.spec.Collectives = *s
		if c.program != nil {
			if err := c.schedules(); err != nil {
				return err
			}
		}
	}
	if placement == "" || c.own.placement {
		return nil
	}
	c.spec.Placement = placement
	if c.program != nil && c.seated() {
		return c.settle()
	}
	return nil
}

// Clock is the clock that cycles are of.
func (c *Comp) Clock() clock.Clock { return c.spec.Clock.Clock }

// Program is what is played; nil if nothing has come yet.
func (c *Comp) Program() *comm.Program { return c.program }

// Grow implements system.Grower.
func (c *Comp) Grow(_ string, n int) {
	for i := len(c.ports); i < n; i++ {
		p := engine.NewPort(c, fmt.Sprintf("%s.Nic[%d]", c.Name(), i), seat.Mailbox)
		c.AddPort(fmt.Sprintf("Nic[%d]", i), p)
		c.attach(p)
	}
}

// attach adds a port, of the player or of a seat.
func (c *Comp) attach(p *engine.Port) {
	c.index[p] = int32(len(c.ports))
	c.ports, c.list = append(c.ports, p), append(c.list, p)
	c.came = make([]uint64, (len(c.ports)+63)/64)
	c.freed = make([]uint64, len(c.came))
}

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	if c.chairs != nil {
		return nil // the ports are those of the seats
	}
	return []system.PortSpec{{
		Name: "nic", Protocol: system.Net, Role: system.Peers, Ports: c.list, Array: true, Elastic: true, Optional: true,
		Clock: c.Clock(), Buffer: c.spec.NIC.Queue,
	}}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// Progress is how many operations are done.
func (c *Comp) Progress() (done, total int64) {
	return int64(c.count.done.Load()), int64(c.count.ops)
}

// Start implements system.Starter.
func (c *Comp) Start() error {
	if c.failure != nil {
		return c.failure
	}
	if c.port == nil {
		if err := c.settle(); err != nil {
			return err
		}
	}
	for i := range c.ranks {
		r := &c.ranks[i]
		for op := range r.missing {
			if r.missing[op] == 0 {
				c.ready.Push(token{int32(i), int32(op), program})
			}
		}
	}
	c.ticker.WakeAt(0)
	return nil
}

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, p sim.Port) { c.note(now, p, c.came) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, p sim.Port) { c.note(now, p, c.freed) }

func (c *Comp) note(now sim.VTimeInSec, p sim.Port, set []uint64) {
	c.mu.Lock()
	i := c.index[p]
	set[i>>6] |= 1 << (i & 63)
	c.mu.Unlock()
	c.ticker.WakeAfter(now)
}

// Handle implements sim.Handler: one cycle.
func (c *Comp) Handle(e sim.Event) error {
	c.time = e.Time()
	c.now = c.ticker.Cycle(c.time)
	for w := range c.came {
		for b := c.take(c.came, w); b != 0; b &= b - 1 {
			p := c.ports[w<<6+bits.TrailingZeros64(b)]
			for m := p.Retrieve(c.time); m != nil; m = p.Retrieve(c.time) {
				x, ok := m.(*Message)
				if !ok {
					return fmt.Errorf("ranks: %s: a %T came to %s", c.Name(), m, p.Name())
				}
				c.passIn(x)
			}
		}
	}
	for c.timers.Due(c.now) {
		t := c.timers.Pop().What
		switch t.what {
		case computed:
			c.endCompute(t.at)
		case moved:
			c.complete(t.at)
		case left:
			c.leaveBy(t.msg)
		case passed:
			c.arrive(t.msg)
		case reduced:
			c.donePart(t.at)
		case arrived:
			c.passIn(t.msg)
		}
	}
	for w := range c.freed {
		for b := c.take(c.freed, w); b != 0; b &= b - 1 {
			c.flush(int32(w<<6 + bits.TrailingZeros64(b)))
		}
	}
	for c.ready.Len() > 0 && c.failure == nil {
		c.start(c.ready.Pop())
	}
	if c.failure != nil {
		return c.failure
	}
	if c.timers.Len() > 0 {
		c.ticker.WakeAt(c.timers.First().At)
	}
	return nil
}

func (c *Comp) take(set []uint64, w int) uint64 {
	if set[w] == 0 {
		return 0
	}
	c.mu.Lock()
	b := set[w]
	set[w] = 0
	c.mu.Unlock()
	return b
}
