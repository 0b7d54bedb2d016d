package dram

import (
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/direct"
)

// ahead is the state of a device that gets requests directly, before they arrive.
type ahead struct {
	*direct.Link
	planned uint64           // the next cycle in which the device acts
	coming  ring.Of[arrival] // requests that are not counted
}

// An arrival is a request that arrives in a cycle.
type arrival struct {
	at, bytes uint64
	bursts    int32
	write     bool
}

// Answers implements direct.Memory: per clock a channel ends at most one read burst, one write
// burst, and one burst at its acceptance.
func (c *Comp) Answers() int { return 3 * len(c.accounts) }

// RunsAhead implements direct.Memory: commands are scheduled for many clocks at once.
func (c *Comp) RunsAhead() bool { return true }

// Join implements direct.Memory. It returns false if the device holds bytes or reports tasks.
func (c *Comp) Join(l *direct.Link) bool {
	if c.data != nil || c.link != nil || c.tasks.Wants(task.Memory) {
		return false
	}
	c.direct = &ahead{Link: l, planned: block.Never}
	for _, g := range c.gangs {
		g.unasked = true
	}
	return true
}

// Ask implements direct.Memory. Channels are simulated later, before they may produce an answer.
func (c *Comp) Ask(arrives uint64, q memory.Request, tag uint32) {
	q.Hint = nil // of Hint.Accepted, which a cache does not read
	i := c.bring(q, int64(arrives), 0)
	r := c.requests.At(i)
	r.tag, r.bytes = tag, q.Bytes
	*c.direct.coming.More() = arrival{arrives, q.Bytes, int32(r.left), q.Write}
}

// push brings a burst to a gang.
func (c *Comp) push(g *gang, at int64, tag uint32, place *address.Coord, isWrite bool) {
	g.arrive(at, tag, place, isWrite)
	g.expect(at)
	if c.direct != nil && uint64(g.horizon) < c.direct.planned {
		c.wakeAt(uint64(g.horizon))
	}
}

// leave gives an answer to the link.
func (c *Comp) leave(i uint32) {
	r := c.requests.At(i)
	due := uint64(r.due + c.extra)
	c.direct.Answer(due, r.order, direct.Answer{Tag: r.tag, Latency: due - uint64(r.at), Bytes: r.bytes})
	r.due = 0 // of the rest nothing is read before it is set
	c.requests.Give(i)
}

// Answered implements direct.Memory.
func (c *Comp) Answered(left uint64, a *direct.Answer) {
	c.count.bytesDone += a.Bytes
	c.count.answer(int64(a.Latency), int64(left))
}

// count counts requests that have arrived by a cycle.
func (d *ahead) count(n *counters, cycle uint64) {
	for d.coming.Len() > 0 && d.coming.At(0).at <= cycle {
		x := d.coming.At(0)
		n.arrived(memory.Request{Bytes: x.bytes, Write: x.write}, int(x.bursts), int64(x.at))
		d.coming.Drop()
	}
}

// catchUp counts what has happened until now.
func (c *Comp) catchUp(now float64) {
	if c.direct == nil {
		return
	}
	cycle := c.direct.Now()
	if !math.IsInf(now, 1) {
		cycle = c.direct.Clock(sim.VTimeInSec(now))
	}
	c.direct.count(&c.count, cycle)
	c.direct.Settle(cycle)
}
