package roofline

import (
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// A node with an interface plays one rank of a parallel program: messages are the player's,
// and computations are operators that the player issues to it.
var (
	_ seat.Seat   = (*Comp)(nil)
	_ work.Direct = (*Comp)(nil)
)

// rank is the state of a node with a network interface.
type rank struct {
	port   *engine.Port
	peers  []system.Peer
	player sim.Component // nil: none
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
func (c *Comp) Sit(player sim.Component) error {
	c.rank.player = player
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

// NotifyRecv implements sim.Component. The player of ranks receives their messages.
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

// Issue implements work.Direct.
func (c *Comp) Issue(i *work.Issue, cycle uint64) work.Done { return c.Begin(i, cycle) }

// recorded implements inorder.Model. Counted operations and bytes meet the roofs; what has
// only a recorded time takes that.
func (c *Comp) recorded(r *work.Recorded, start uint64) layer {
	l := layer{workload: r.Workload, name: r.Name, kind: "compute", start: start}
	if r.FLOPs > 0 || r.Time == 0 && r.Bytes > 0 {
		l.vector = uint64(min(math.Round(r.FLOPs), 1<<62))
		l.bytes = r.Bytes
		l.compute = cyclesOf(r.FLOPs/float64(c.spec.Compute), c.Clock())
		l.memory = c.Move(r.Bytes)
		l.overhead = c.spec.Overhead.In(c.Clock())
		return l
	}
	l.kind = "recorded"
	l.compute = c.Clock().Cycles(uint64(r.Time), uint64(units.Second))
	return l
}

// Move implements seat.Seat.
func (c *Comp) Move(bytes uint64) uint64 {
	return c.Clock().Cycles(8*min(bytes, math.MaxUint64/8), uint64(c.spec.Memory))
}
