package cpu

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// Comp is a core.
type Comp struct {
	*sim.ComponentBase
	spec    Spec
	core    int
	clock   clock.Clock
	port    *engine.Port
	ticker  *engine.Ticker
	homes   *memory.Map
	program program
	rest    energy.Rest
	warmup  warmup

	dispatch dispatch
	ops      []op   // by number modulo their length, a power of two
	head     uint64 // oldest that holds the window up
	tail     uint64 // next to be dispatched
	loads    int    // not answered
	stores   int
	ready    ring.Of[uint64] // may be translated
	mapped   ring.Of[uint64] // may be sent
	calls    memory.Calls[call]

	paged         bool // translations cost something
	frames        frames
	first, second tlb
	table         table
	late          ring.Of[lookup] // in the second level
	walks         []walk
	queue         ring.Of[uint64] // operations that wait for a walker
	reads         ring.Of[int32]  // walks whose next read may be sent
	over          ring.Of[walkEnd]

	until, skip uint64 // cycles
	tasks       task.Source
	count       counters
	book        book
	stats       *stats.Group
}

// lineBytes is the line that stores are combined or cut by.
//
// assumption: the caches' lines are of 64 B.
const lineBytes = 64

// portBuffer is how many answers wait at the port; all are taken at once.
const portBuffer = 1024

// New makes a core. It opens the trace, if there is one, and returns its errors.
func New(name string, e sim.Engine, s Spec) (*Comp, error) {
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, core: coreOf(name), clock: s.Clock.Clock}
	c.program.spec, c.program.core = &c.spec, c.core
	if err := c.program.open(); err != nil {
		return nil, err
	}
	if err := c.program.look(); err != nil {
		return nil, err
	}
	if c.program.endless() && s.Limit == 0 && s.Until.IsZero() {
		return nil, fmt.Errorf("%s never ends: it needs a count here, or limit: or until: of the core", s.Generate.Name)
	}
	c.ticker = engine.NewTicker(e, c.clock, c)
	c.port = engine.NewPort(c, name+".Mem", portBuffer)
	c.AddPort("Mem", c.port)
	c.calls = memory.NewCalls[call](c.port)
	c.ops = make([]op, 1<<bits.Len(uint(2*(max(s.Window, s.Chains)+s.Stores))))
	c.paged = s.TLB.Entries > 0
	c.first, c.second = newTLB(s.TLB.Entries, s.TLB.Ways), newTLB(s.TLB.Second.Entries, s.TLB.Second.Ways)
	if s.Scatter > 0 {
		c.frames = newFrames(uint64(s.Scatter/s.Page), s.Seed^uint64(c.core)<<40)
	}
	c.walks = make([]walk, s.TLB.Walk.Walkers)
	c.until, c.skip = math.MaxUint64, s.Skip.In(c.clock)
	if !s.Until.IsZero() {
		c.until = s.Until.In(c.clock)
	}
	c.dispatch.pause = s.Pause.Time.In(c.clock)
	c.stats = c.newStats()
	return c, nil
}

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{
		Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{c.port}, Clock: c.clock, Buffer: c.spec.Ports,
	}}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// Tasks implements task.Reporter: a task per load or store, from its first message to its
// last answer.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// SetMap implements system.Requester. It is an error if the pattern or the page table has an
// address without a home.
func (c *Comp) SetMap(_ string, m *memory.Map) error {
	c.homes = m
	if _, asked := m.NextUseLine(); asked {
		return memory.BadInputf("%s: a policy below wants to know the next use of every line, which a core does not tell (a driver that plays a trace does)", c.Name())
	}
	base, span := uint64(c.spec.Base), c.program.span()
	if s := uint64(c.spec.Scatter); s > 0 {
		if span > s {
			return memory.BadInputf("%s: the pattern has %d bytes, and pages are scattered over %d (key scatter)", c.Name(), span, s)
		}
		span = s
	}
	if err := covers(m, base, span); err != nil {
		return memory.BadInputf("%s: %v, which the pattern touches (base and scatter move it)", c.Name(), err)
	}
	if !c.paged {
		return nil
	}
	return c.layTable(m, base+span)
}

// tracedPages is how many pages the page table of a trace has: the addresses of a trace are
// not known before the run. Pages with higher numbers share entries in turns.
const tracedPages = 1 << 20

// layTable lays the page table, by default from an address on that nothing else is at.
func (c *Comp) layTable(m *memory.Map, end uint64) error {
	pages := (c.program.span() + uint64(c.spec.Page) - 1) / uint64(c.spec.Page)
	at := uint64(c.spec.TLB.Walk.Table)
	if pages == 0 {
		pages = tracedPages
		if at == 0 {
			return memory.BadInputf("%s: where a trace leaves room for a page table is not known (want tlb: {walk: {table: ADDRESS}})", c.Name())
		}
	} else if at == 0 {
		at = (end + 4095) &^ 4095
	}
	c.table, end = newTable(&c.spec.TLB.Walk, pages, at)
	if err := covers(m, at, end-at); err != nil {
		return memory.BadInputf("%s: %v, where the page table lies (tlb: walk: table moves it)", c.Name(), err)
	}
	return nil
}

// Start implements system.Starter.
func (c *Comp) Start() error {
	if err := c.warm(); err != nil {
		return err
	}
	if err := c.program.bad(); err != nil {
		return err
	}
	c.ticker.WakeAt(0)
	return nil
}

// Unit implements system.Counter.
func (*Comp) Unit() string { return "accesses" }

// Progress counts the accesses that have begun, if their number is known. Any goroutine may call
// it.
func (c *Comp) Progress() (done, total int64) {
	if c.spec.Limit == 0 {
		return 0, 0
	}
	done, total = int64(c.program.shown.Load()), int64(c.spec.Limit)
	if c.program.ended.Load() { // it may be shorter than the limit
		total = done
	}
	return done, total
}

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Handle implements sim.Handler: one cycle.
func (c *Comp) Handle(e sim.Event) error {
	now := e.Time()
	cycle := c.ticker.Cycle(now)
	defer c.judge(cycle)
	for m := c.port.Retrieve(now); m != nil; m = c.port.Retrieve(now) {
		s, err := c.calls.Answered(m)
		if err != nil {
			return fmt.Errorf("cpu: %w", err)
		}
		c.answered(s, cycle, now)
	}
	c.looked(cycle)
	c.end(cycle)
	next := c.fill(cycle)
	more, err := c.issue(cycle, now)
	if err != nil {
		return err
	}
	if more {
		next = cycle + 1
	}
	if c.late.Len() > 0 {
		next = min(next, c.late.At(0).at)
	}
	if c.over.Len() > 0 {
		next = min(next, c.over.At(0).at)
	}
	if next != never {
		c.ticker.WakeAt(max(next, cycle+1))
	} else if c.loads+c.stores == 0 {
		return c.program.bad() // all that came before the fault is done
	}
	return nil
}

const never = ^uint64(0)

// pageOf is the page of an address, from base on.
func (c *Comp) pageOf(addr uint64) uint64 {
	return (addr - uint64(c.spec.Base)) / uint64(c.spec.Page)
}

// physical is where an address lies in memory.
func (c *Comp) physical(addr uint64) uint64 {
	if c.frames.n == 0 {
		return addr
	}
	page, base := uint64(c.spec.Page), uint64(c.spec.Base)
	return base + c.frames.of((addr-base)/page)*page + (addr-base)%page
}

// piece is how many bytes of an access from an address on go as one request: up to the end
// of the page, of half a line for stores, since caches take a line that is written
// altogether without fetching it, and of a line for those that pass by.
func (c *Comp) piece(addr, left uint64, write bool) uint64 {
	size := uint64(c.spec.Page)
	if write {
		size = lineBytes / 2
		if c.spec.StoreMode == StoreModes[1] {
			size = lineBytes
		}
	}
	return min(left, size-addr%size)
}

// hintOf is the hint of a request.
func (c *Comp) hintOf(r *trace.Record) memory.Hint {
	return memory.Hint{Core: uint16(c.core), PC: r.PC, Passing: r.Write && c.spec.StoreMode == StoreModes[1]}
}

var (
	_ system.Requester = (*Comp)(nil)
	_ system.Starter   = (*Comp)(nil)
	_ system.Warner    = (*Comp)(nil)
	_ engine.Waiter    = (*Comp)(nil)
)
