package tiering

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// Comp is the node of kind tiering.
type Comp struct {
	*sim.ComponentBase
	spec   Spec
	at     func(key string) configs.Value
	clock  clock.Clock
	ticker *engine.Ticker
	top    *engine.Port
	below  []below
	mapped int // ports that have their map

	// pages
	table  table
	tlb    translations
	walker walker
	faults faults

	// decisions
	policy   placement.Policy
	view     placement.View
	interval period
	moving   moves
	counted  uint64 // accesses, counted or not

	// requests
	requests  pool.Of[request, int32]
	ready     ring.Of[int32] // to be answered
	responses memory.Responses
	delayed   calendar.Of[delayed]
	parked    []piece  // wait for a page that moves
	under     []uint16 // by page, pieces under way

	now   sim.VTimeInSec // instant that is being handled
	tasks task.Source
	count counters
	turns cause.Turns
	load  []load
	warm  []load // at the end of the warm-up
	stats *stats.Group
}

// New makes a node; SetMap sets the memory below each port bottom[i]. The error is an impossible
// Spec.
func New(name string, e sim.Engine, s Spec) (*Comp, error) {
	none := func(string) configs.Value { return configs.Value{} }
	if err := s.check(none); err != nil {
		return nil, err
	}
	p, err := s.Policy.New()
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

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Handle implements sim.Handler: one cycle.
func (c *Comp) Handle(e sim.Event) error {
	now := e.Time()
	c.now = now
	cycle := c.ticker.Cycle(now)
	// Without requests nothing is decided and no move begins, so that runs end.
	busy := c.open() > 0 || c.top.Len() > 0
	if busy {
		c.interval.pass(cycle)
	}
	if err := c.retrieve(now, cycle); err != nil {
		return err
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
	c.judge(cycle)
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

// retrieve takes the answers of the memories.
func (c *Comp) retrieve(now sim.VTimeInSec, cycle uint64) error {
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
	return nil
}
