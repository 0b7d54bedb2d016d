package engine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/sarchlab/akita/v3/sim"
)

func init() {
	// Akita makes its global message id generator on first use, which is a
	// data race when two goroutines are first at once.
	sim.GetIDGenerator()
}

// An Engine runs events in order of time. Among equal times all primary events
// come before secondary ones, each kind in the order scheduled. It implements
// sim.Engine.
//
// Only the goroutine that runs the engine may call Schedule, or any goroutine while the engine is
// paused or not running. Any goroutine may call Post, and Schedule of an engine made with
// External.
type Engine struct {
	sim.HookableBase
	queue

	cur          sim.VTimeInSec
	now          atomic.Uint64 // the bits of cur, for readers in other goroutines
	count        uint64        // events handled
	rnd          *rand.Rand    // order among equal times; nil: as scheduled
	external     bool          // mu guards queue and cur
	mu           sync.Mutex
	carried      bool           // see Carry
	messages     bool           // everything crosses ports as a message
	punctual     bool           // see Punctual
	countersRead bool           // see CountersRead
	limit        sim.VTimeInSec // of the run

	// One cursor per clock, shared by all tickers and wires: the instant is
	// the same for all of them, so its cycle is looked up once.
	cursors map[clock.Clock]*instant.Cursor

	dog  watchdog
	wait []Waiter
	ends []sim.SimulationEndHandler

	run       sync.Mutex    // one run at a time
	attention atomic.Uint32 // nonzero: look at ctl before the next event
	ctl       control
}

// control holds the requests of other goroutines to a run.
type control struct {
	sync.Mutex
	changed *sync.Cond
	running bool // a run is under way
	paused  bool // Pause was called
	parked  bool // the run stands still because of it
	ctx     context.Context
	inbox   []func()
}

// An Option is an option of New.
type Option func(*Engine)

// Shuffle runs events of equal time in an order drawn from seed, primary and
// secondary events apart. Results that change under it depend on tie order.
func Shuffle(seed uint64) Option {
	// The second word only has to be a constant: it names this stream.
	return func(e *Engine) { e.rnd = rand.New(rand.NewPCG(seed, 0x656e67696e65)) }
}

// External makes Schedule safe from other goroutines while the engine runs,
// as Akita's monitor needs for its tick button. It costs two locks per event,
// about 15 ns.
func External() Option {
	return func(e *Engine) { e.external = true }
}

// New returns an engine at time 0 with nothing scheduled.
func New(opts ...Option) *Engine {
	e := &Engine{cursors: map[clock.Clock]*instant.Cursor{}}
	e.ctl.changed = sync.NewCond(&e.ctl.Mutex)
	e.dog.deadline = math.MaxUint64
	for _, o := range opts {
		o(e)
	}
	e.Progress() // the watchdog counts from here
	return e
}

// CurrentTime is the time of the event being handled, or of the last one. It
// may be read from any goroutine.
func (e *Engine) CurrentTime() sim.VTimeInSec {
	return sim.VTimeInSec(math.Float64frombits(e.now.Load()))
}

// Events is the number of events handled so far. Read it between runs or from
// a handler.
func (e *Engine) Events() uint64 { return e.count }

// Schedule adds an event. It panics for a time before the current one: the
// component that asks for it is wrong.
func (e *Engine) Schedule(ev sim.Event) {
	e.push(ev.Time(), ev.IsSecondary(), ev)
}

// push is Schedule for a caller that knows time and kind. Locking is in a separate function, here
// and below, because a deferred call costs time even if it is not executed.
func (e *Engine) push(t sim.VTimeInSec, secondary bool, ev sim.Event) {
	if e.external {
		e.pushLocked(t, secondary, ev)
		return
	}
	e.add(t, secondary, ev)
}

func (e *Engine) pushLocked(t sim.VTimeInSec, secondary bool, ev sim.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.add(t, secondary, ev)
}

func (e *Engine) add(t sim.VTimeInSec, secondary bool, ev sim.Event) {
	if !(t >= e.cur) { // also true for NaN
		e.past(t, ev)
	}
	b := e.bucketOf(t)
	if secondary {
		b.secondary = append(b.secondary, ev)
	} else {
		b.primary = append(b.primary, ev)
	}
}

func (e *Engine) past(t sim.VTimeInSec, ev sim.Event) {
	panic(fmt.Sprintf("engine: %s schedules an event for %.12g s, now is %.12g s",
		nameOf(ev.Handler()), float64(t), float64(e.cur)))
}

// Post runs f in the goroutine of the engine, between two events: soon, if a
// run is under way and not paused, else at the beginning of the next one. Any
// goroutine may call it.
func (e *Engine) Post(f func()) {
	e.ctl.Lock()
	e.ctl.inbox = append(e.ctl.inbox, f)
	e.attention.Store(1)
	e.ctl.Unlock()
}

// Pause stops the run between two events and returns when the run has stopped, or at once if no
// run is under way; a later run then waits for Continue. Until Continue the state may be read and
// events scheduled. A handler must not call Pause: it would deadlock.
func (e *Engine) Pause() {
	c := &e.ctl
	c.Lock()
	defer c.Unlock()
	c.paused = true
	e.attention.Store(1)
	for c.paused && c.running && !c.parked {
		c.changed.Wait()
	}
}

// Continue lets a paused run go on.
func (e *Engine) Continue() {
	e.ctl.Lock()
	e.ctl.paused = false
	e.ctl.changed.Broadcast()
	e.ctl.Unlock()
}

// RegisterSimulationEndHandler adds a handler that Finished calls.
func (e *Engine) RegisterSimulationEndHandler(h sim.SimulationEndHandler) {
	e.ends = append(e.ends, h)
}

// Finished notifies the registered handlers that the simulation is over. As with
// Akita's engines the caller of Run decides when that is.
func (e *Engine) Finished() {
	for _, h := range e.ends {
		h.Handle(e.CurrentTime())
	}
}

// cursorOf is the cursor for clock c on engine e: the shared one, if the engine
// is ours and therefore runs one event at a time.
func cursorOf(e sim.Engine, c clock.Clock) *instant.Cursor {
	own, ok := e.(*Engine)
	if !ok {
		k := instant.NewCursor(c)
		return &k
	}
	k := own.cursors[c]
	if k == nil {
		n := instant.NewCursor(c)
		k = &n
		own.cursors[c] = k
	}
	return k
}

// nameOf names a handler in a message.
func nameOf(h sim.Handler) string {
	if n, ok := h.(sim.Named); ok {
		return n.Name()
	}
	return fmt.Sprintf("%T", h)
}
