package roofline

import (
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// A node with an interface plays one rank of a parallel program.
var _ seat.Seat = (*Comp)(nil)

// rank is what a node with an interface has beside its roofs.
type rank struct {
	port     *engine.Port
	peers    []system.Peer
	player   sim.Component // nil: nobody
	workload string
}

// connect gives the node its interface.
func (c *Comp) connect() {
	c.rank.port = engine.NewPort(c, c.Name()+".Nic", seat.Mailbox)
	c.AddPort("Nic", c.rank.port)
}

// SetPeers implements system.Neighbour.
func (c *Comp) SetPeers(_ string, peers []system.Peer) error {
	c.rank.peers = peers
	return nil
}

// Interface implements seat.Seat.
func (c *Comp) Interface() (*engine.Port, seat.NIC) { return c.rank.port, c.spec.NIC }

// Peers implements seat.Seat.
func (c *Comp) Peers() []system.Peer { return c.rank.peers }

// Sit implements seat.Seat.
func (c *Comp) Sit(player sim.Component, workload string) error {
	c.rank.player, c.rank.workload = player, workload
	if len(c.spec.Efficiency) > 0 {
		return c.fault("efficiency", "has no effect: computations of a parallel program have no operator type")
	}
	return nil
}

// Unused implements seat.Seat.
func (c *Comp) Unused() error {
	return c.fault("nic", "has no effect: there is no parallel program for the node (workload: {file: a communication trace})")
}

// fault is an error at a key of the node.
func (c *Comp) fault(key, text string) error {
	if c.at.Exists() {
		return c.at.Get(key).Errorf(nil, "%s", text)
	}
	return fmt.Errorf("roofline: %s: %s %s", c.Name(), key, text)
}

// NotifyRecv implements sim.Component: messages of ranks are the player's.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, p sim.Port) {
	if c.rank.player == nil {
		c.Executor.NotifyRecv(now, p)
		return
	}
	c.rank.player.NotifyRecv(now, p)
}

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, p sim.Port) {
	if c.rank.player == nil {
		c.Executor.NotifyPortFree(now, p)
		return
	}
	c.rank.player.NotifyPortFree(now, p)
}

// host is the unit of computations that go on beside those of the node.
const host = 1

// Compute implements seat.Seat. Counted operations and bytes meet the roofs; what
// has only a recorded time takes that.
func (c *Comp) Compute(name string, o *comm.Op, now uint64) uint64 {
	l := layer{workload: c.rank.workload, name: name, kind: "compute", start: now}
	switch {
	case o.Work > 0 || o.Time == 0 && o.Bytes > 0:
		l.vector = uint64(min(math.Round(o.Work), 1<<62))
		l.bytes = o.Bytes
		l.compute = cyclesOf(o.Work/float64(c.spec.Compute), c.Clock())
		l.memory = c.Move(o.Bytes)
		l.overhead = c.spec.Overhead.In(c.Clock())
	default:
		l.kind = "recorded"
		l.compute = c.Clock().Cycles(uint64(o.Time), uint64(units.Second))
	}
	if o.Unit == host || l.Cycles() == 0 { // beside the node's own
		return l.Cycles()
	}
	c.Record(l, name, now, 0)
	return l.Cycles()
}

// Move implements seat.Seat.
func (c *Comp) Move(bytes uint64) uint64 {
	return c.Clock().Cycles(8*min(bytes, math.MaxUint64/8), uint64(c.spec.Memory))
}
