package network

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
)

// A Packet is a message by value, as it comes out of a network. Times are cycles of the
// network.
type Packet struct {
	ID                       int32 // the number that Offer gave it; free from now on
	Src, Dst, Flits, Hops    int32
	Due                      int64 // as it was offered
	Taken, Injected, Arrived int64
}

// A Source is a player that drives all terminals of a network without messages. Each of
// its methods is about one part of the network at a time, and different parts may be asked
// about at once.
type Source interface {
	// Offer hands over what is due at the terminals of a part after a cycle: it calls
	// Offer of the network for terminals that are Free.
	Offer(part int, cycle int64)
	// Come takes a packet that has come to a terminal of a part; p is valid until it returns.
	Come(part int, p *Packet)
	// Cause is the task that a packet belongs to, as long as tasks are followed.
	Cause(id int32) task.ID
}

// A ByValue core takes packets without messages, links and events between. A terminal
// keeps two of them, as the port of a terminal and a link of latency 1 would, and takes
// one into the network in the cycle after, if the one before has entered.
type ByValue interface {
	// Accepts reports whether packets of so many flits can be handed over by value.
	Accepts(flits int) bool
	// Drive makes s the source of all terminals, before the first cycle. It returns the
	// terminal at which each part ends, and the cycles in which nothing gets from one part
	// to another.
	Drive(s Source) (ends []int, lookahead int64)
	// Last is the cycle of the last thing that is about to happen as things stand: a credit
	// that is on its way back.
	Last() int64
	// Free reports whether a terminal takes another packet.
	Free(terminal int) bool
	// Offer hands a packet over to a Free terminal of a part and returns its number.
	Offer(part, terminal, dst, flits int, due int64) (id int32)
	// Run simulates the cycles after from, up to to and including it. Before each of them
	// the source offers what is due in the cycle before; if offered, it has done so for
	// the first. Parts are shared among workers, which changes no result. What is counted
	// goes to Tally of the node.
	Run(from, to int64, offered bool, workers int) error
}

// A Scaler is a ByValue that measures what its parts cost, on one worker, and says how many
// times as fast more cores would be: from the medians of so many windows of so many parts,
// or nothing if there were too few. It knows nothing of memory that cores share.
type Scaler interface {
	Scale() // before the first cycle
	Estimate(cores []int) (times []float64, windows, parts int)
}

// A Tally counts packets that are taken and that arrive, in flits and cycles.
type Tally struct {
	Taken, Flits             uint64
	Arrived, GotFlits        uint64
	Latency, Inside, Longest uint64 // from being taken, from entering; of one
	Hops                     uint64
	First, Last              uint64 // cycle in which the first was taken, in which the last arrived
}

// Add joins two tallies.
func (t *Tally) Add(o *Tally) {
	if o.Taken > 0 && (t.Taken == 0 || o.First < t.First) {
		t.First = o.First
	}
	t.Taken, t.Flits = t.Taken+o.Taken, t.Flits+o.Flits
	t.Arrived, t.GotFlits = t.Arrived+o.Arrived, t.GotFlits+o.GotFlits
	t.Latency, t.Inside, t.Longest = t.Latency+o.Latency, t.Inside+o.Inside, max(t.Longest, o.Longest)
	t.Hops, t.Last = t.Hops+o.Hops, max(t.Last, o.Last)
}

// A Strider says in how many cycles its parts know nothing of each other; 0: it is one
// part.
type Strider interface{ Stride() int64 }

// Stride implements Strider: it is that of the core.
func (c *Comp) Stride() int64 {
	if s, ok := c.core.(Strider); ok {
		return s.Stride()
	}
	return 0
}

// DriveByValue is the core, for a player that drives all terminals with packets of so
// many flits at most; nil if it only takes messages.
func (c *Comp) DriveByValue(flits int) ByValue {
	if core, ok := c.core.(ByValue); ok && core.Accepts(flits) {
		return core
	}
	return nil
}

// Tally adds what a core counted that is driven by value, up to a cycle.
func (c *Comp) Tally(t *Tally, cycle uint64) {
	n := &c.count
	if n.taken == 0 && t.Taken > 0 {
		n.first = t.First
	}
	bytes := func(packets, flits uint64) uint64 {
		return flits*uint64(c.spec.Width) - packets*uint64(c.spec.Header)
	}
	n.taken, n.flits, n.bytes = n.taken+t.Taken, n.flits+t.Flits, n.bytes+bytes(t.Taken, t.Flits)
	n.arrived, n.gotFlits, n.gotBytes = n.arrived+t.Arrived, n.gotFlits+t.GotFlits, n.gotBytes+bytes(t.Arrived, t.GotFlits)
	n.sent += t.Arrived
	n.latency, n.inside, n.longer = n.latency+t.Latency, n.inside+t.Inside, max(n.longer, t.Longest)
	n.hops, n.last = n.hops+t.Hops, max(n.last, t.Last)
	c.now = cycle
}

// Followed reports whether further tasks are to be reported.
func (c *Comp) Followed() bool { return c.tasks.Wants(task.Message) || c.Watched() }

// At is the time of a cycle that a core driven by value simulates, for the tasks that it
// reports.
func (c *Comp) At(cycle int64) {
	c.now = uint64(cycle)
	c.time = c.cursor.Time(c.now)
}

// BeginPacket reports that a packet is taken, and EndPacket that it has arrived.
func (c *Comp) BeginPacket(cause task.ID, flits int32) task.ID {
	return c.tasks.Begin(c.time, task.Message, task.Send, cause, uint64(int(flits)*c.Width()-c.Header()))
}

// EndPacket ends a task of BeginPacket.
func (c *Comp) EndPacket(id task.ID) { c.tasks.End(c.time, id) }

// A Divided core can be simulated in parts that meet after some cycles only. Late counts
// what came later for that: flits and credits.
type Divided interface {
	Divide(cycles int64)
	Late() uint64
}

// Divide implements system.Divisible.
func (c *Comp) Divide(quantum units.Time) {
	c.quantum = quantum
	if d, ok := c.core.(Divided); ok {
		d.Divide(int64(instant.AtOrBefore(c.Clock(), sim.VTimeInSec(float64(quantum)/float64(units.Second)))))
	}
	c.Assume(c.Name() + ": simulation.quantum is " + quantum.String() + ": results depend on what is simulated apart: networks and what is linked to them, or the groups of a network")
}

// late counts messages of links, or flits and credits between groups, that came later than
// they should because of the quantum.
func (c *Comp) late() (n uint64) {
	for _, p := range c.ports {
		n += p.Late()
	}
	if d, ok := c.core.(Divided); ok {
		n += d.Late()
	}
	return n
}
