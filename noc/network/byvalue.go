package network

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
)

// A Packet is a packet by value that has arrived. Times are cycles of the network.
type Packet struct {
	ID                       int32 // number of Offer; free after the call
	Src, Dst, Flits, Hops    int32
	Due                      int64 // as it was offered
	Taken, Injected, Arrived int64
}

// A Source is a player that drives all terminals of a network without messages. Methods for
// different parts may be called concurrently.
type Source interface {
	// Offer offers the packets due at the terminals of a part after a cycle: it calls Offer of
	// the network for Free terminals.
	Offer(part int, cycle int64)
	// Come receives a packet that has arrived at a terminal of a part; p is valid until it
	// returns.
	Come(part int, p *Packet)
	// Cause returns the task of a packet, while tasks are recorded.
	Cause(id int32) task.ID
}

// A ByValue core takes packets without messages, links and events. A terminal holds two packets,
// like a port and a link of latency 1, and injects one in the next cycle if the packet before it
// has entered.
type ByValue interface {
	// Accepts reports whether the core takes packets of so many flits by value.
	Accepts(flits int) bool
	// Drive makes s the source of all terminals, before the first cycle. It returns the terminal
	// at which each part ends, and the least cycles from one part to another.
	Drive(s Source) (ends []int, lookahead int64)
	// Last returns the cycle of the last scheduled event, such as the return of a credit.
	Last() int64
	// Free reports whether a terminal takes another packet.
	Free(terminal int) bool
	// Offer offers a packet at a Free terminal of a part and returns its number.
	Offer(part, terminal, dst, flits int, due int64) (id int32)
	// Run simulates the cycles after from up to and including to. Before each cycle it calls the
	// source's Offer for the cycle before; if offered, not before the first. Parts are divided
	// among workers, which changes no result. Counts go to Tally of the node.
	Run(from, to int64, offered bool, workers int) error
}

// A Scaler is a ByValue core that estimates the speed-up by more cores. It measures its parts on
// one worker; Estimate returns the speed-ups by number of cores, from the medians of so many
// windows of so many parts, or none if there were too few. The estimate leaves out shared memory.
type Scaler interface {
	Scale() // before the first cycle
	Estimate(cores []int) (times []float64, windows, parts int)
}

// A Tally counts packets taken and arrived, their flits and latencies in cycles.
type Tally struct {
	Taken, Flits             uint64
	Arrived, GotFlits        uint64
	Latency, Inside, Longest uint64 // latency from Taken, latency from Injected, longest latency of one packet
	Hops                     uint64
	First, Last              uint64 // cycles of the first taken and the last arrived packet
}

// Add adds o.
func (t *Tally) Add(o *Tally) {
	if o.Taken > 0 && (t.Taken == 0 || o.First < t.First) {
		t.First = o.First
	}
	t.Taken, t.Flits = t.Taken+o.Taken, t.Flits+o.Flits
	t.Arrived, t.GotFlits = t.Arrived+o.Arrived, t.GotFlits+o.GotFlits
	t.Latency, t.Inside, t.Longest = t.Latency+o.Latency, t.Inside+o.Inside, max(t.Longest, o.Longest)
	t.Hops, t.Last = t.Hops+o.Hops, max(t.Last, o.Last)
}

// A Strider has parts that are independent for Stride cycles; 0: it is one part.
type Strider interface{ Stride() int64 }

// Stride implements Strider: the core's value.
func (c *Comp) Stride() int64 {
	if s, ok := c.core.(Strider); ok {
		return s.Stride()
	}
	return 0
}

// DriveByValue returns the core for a player that drives all terminals with packets of at most so
// many flits; nil if the core only takes messages.
func (c *Comp) DriveByValue(flits int) ByValue {
	if core, ok := c.core.(ByValue); ok && core.Accepts(flits) {
		return core
	}
	return nil
}

// Tally adds the counts of a core driven by value up to a cycle.
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

// Followed reports whether more tasks are recorded.
func (c *Comp) Followed() bool { return c.tasks.Wants(task.Message) || c.Watched() }

// At sets the present cycle of a core driven by value, for its tasks.
func (c *Comp) At(cycle int64) {
	c.now = uint64(cycle)
	c.time = c.cursor.Time(c.now)
}

// BeginPacket starts the task of a packet that is taken.
func (c *Comp) BeginPacket(cause task.ID, flits int32) task.ID {
	return c.tasks.Begin(c.time, task.Message, task.Send, cause, uint64(int(flits)*c.Width()-c.Header()))
}

// EndPacket ends a task of BeginPacket.
func (c *Comp) EndPacket(id task.ID) { c.tasks.End(c.time, id) }

// A Divided core can be simulated in parts that synchronise only every so many cycles. Late
// returns the flits and credits that were delayed by that.
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
