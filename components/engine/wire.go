package engine

import (
	"fmt"
	"slices"
	"sync"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/units"
)

// EndOptions holds the parameters of one end of a Wire.
type EndOptions struct {
	// Latency is the number of cycles of this end's clock after which a
	// message sent to it is seen, at least 1; 0 is taken as 1.
	Latency uint64
	// Buffer is the number of messages of this end that the wire holds before they leave, or
	// because their receiver is full; 0 is taken as 4. Messages in flight do not count, so a long
	// wire is a pipeline.
	Buffer int
	// Bandwidth limits each direction of this end separately; 0 is no limit. It counts
	// TrafficBytes.
	Bandwidth units.Bandwidth
	// Uplink makes this end the one that gets messages whose Dst is not on
	// the wire. A wire of two ends needs none: it delivers to the other one.
	Uplink bool
}

// A Wire carries messages between two or more ports. It implements
// sim.Connection; the package documentation has the rules of time and order.
type Wire struct {
	sim.HookableBase
	name    string
	own     *Engine // the engine, if it is ours: then nothing needs atomics
	engine  sim.Engine
	clock   clock.Clock // of ports plugged in without one
	ends    []*end      // sorted by port name from seal on
	index   map[sim.Port]int
	names   map[string]bool // of the ports, until seal
	uplink  int
	seal    sync.Once
	sealed  bool
	mu      sync.Mutex // two events of one instant, under a foreign engine
	event   uint64     // counts events
	collect tick       // the event that ends the instant being run
	armed   uint32     // collect is scheduled
	later   alarms     // deliveries to come

	fresh    bitset // sources with offers not yet looked at
	denied   bitset // sources whose offers found no room
	inFlight bitset // receivers with messages on their way
	blocked  bitset // receivers with messages that found no room

	quantum quantum
}

// An end is one port on the wire. Offers and held belong to the goroutine that
// runs the sender's component in primary events, everything to the wire in
// secondary ones.
type end struct {
	port   sim.Port
	fast   *Port // port, if it is ours
	opts   EndOptions
	cursor *instant.Cursor

	// as sender
	offers []offer
	held   int // messages that count against opts.Buffer
	out    serializer
	starts ring.Of[sim.VTimeInSec] // when offers that wait for the serializer leave the buffer

	// as receiver
	in      serializer
	flight  ring.Of[delivery] // on their way, in order of arrival
	lanes   []lane            // what found no room, by source; made when first needed
	waiting int               // messages in lanes
	last    int               // the source served last
	fullIn  uint64            // the event in which the port refused: no need to ask again
}

// An offer is a message and where it goes.
type offer struct {
	msg sim.Msg
	dst int
}

// A delivery is a message on its way.
type delivery struct {
	msg sim.Msg
	src int
	at  sim.VTimeInSec // when it is put into the port
}

// A lane holds what one source sent and the receiver had no room for.
type lane struct {
	src  int
	msgs ring.Of[sim.Msg]
}

// NewWire returns a wire without ends.
func NewWire(name string, e sim.Engine) *Wire {
	sim.NameMustBeValid(name)
	w := &Wire{name: name, engine: e, clock: clock.GHz, index: map[sim.Port]int{}, names: map[string]bool{}, uplink: -1}
	w.own, _ = e.(*Engine)
	w.collect = tick{handler: w, secondary: true}
	w.later = newAlarms(e, w, true)
	if x, ok := e.(Watcher); ok {
		x.Watch(w)
	}
	return w
}

// Name is the name of the wire.
func (w *Wire) Name() string { return w.name }

// SetClock changes the clock of ports that PlugIn adds from now on.
func (w *Wire) SetClock(c clock.Clock) { w.clock = c }

// PlugIn attaches a port as Akita does: with the clock of SetClock (1 GHz by default), latency 1
// and no limit of bandwidth.
func (w *Wire) PlugIn(p sim.Port, buffer int) {
	w.Attach(p, w.clock, EndOptions{Buffer: buffer})
}

// Attach adds a port whose component runs on clock c. It panics after the first message, and for a
// name that is on the wire already.
func (w *Wire) Attach(p sim.Port, c clock.Clock, opts EndOptions) {
	switch {
	case w.sealed:
		panic(fmt.Sprintf("engine: %s is attached to %s, which is in use", p.Name(), w.name))
	case opts.Buffer < 0:
		panic(fmt.Sprintf("engine: buffer of %d messages for %s on %s", opts.Buffer, p.Name(), w.name))
	case w.names[p.Name()]:
		panic(fmt.Sprintf("engine: two ports %s on %s", p.Name(), w.name))
	case opts.Uplink && slices.ContainsFunc(w.ends, func(e *end) bool { return e.opts.Uplink }):
		panic(fmt.Sprintf("engine: %s has two uplinks", w.name))
	}
	fast, _ := p.(*Port)
	if fast != nil && fast.conn != nil {
		panic(fmt.Sprintf("engine: %s is attached to %s, and already to another connection", p.Name(), w.name))
	}
	opts.Latency = max(opts.Latency, 1)
	if opts.Buffer == 0 {
		opts.Buffer = 4
	}
	e := &end{port: p, fast: fast, opts: opts, cursor: cursorOf(w.engine, c)}
	e.out, e.in = newSerializer(c, opts.Bandwidth), newSerializer(c, opts.Bandwidth)
	w.ends = append(w.ends, e)
	w.names[p.Name()] = true
	p.SetConnection(w)
}

// Unplug removes a port of a wire that is not in use.
func (w *Wire) Unplug(p sim.Port) {
	if w.sealed {
		panic(fmt.Sprintf("engine: %s is unplugged from %s, which is in use", p.Name(), w.name))
	}
	p.SetConnection(nil)
	w.ends = slices.DeleteFunc(w.ends, func(e *end) bool { return e.port == p })
	delete(w.names, p.Name())
}

// fix gives the ends their indices, in order of name. It runs once, before the
// first message.
func (w *Wire) fix() {
	slices.SortFunc(w.ends, func(a, b *end) int { return compareNames(a.port.Name(), b.port.Name()) })
	n := len(w.ends)
	w.fresh, w.denied, w.inFlight, w.blocked = newBitset(n), newBitset(n), newBitset(n), newBitset(n)
	for i, e := range w.ends {
		w.index[e.port] = i
		if e.fast != nil {
			e.fast.end = i
		}
		if e.opts.Uplink {
			w.uplink = i
		}
		e.last = n - 1
	}
	w.sealed, w.names = true, nil
}
