package network

import (
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Message is a message in a Core.
type Message struct {
	ID       int32 // returned by Arrive
	Src, Dst int32 // terminals
	Bytes    int   // header included
	Flits    int   // at least 1
	Class    int   // 1 for an answer, else 0
	Sum      Sum   // the sum that it is a part of
}

// A Sum names a sum in the routers: messages of one group (of topology.Reducer; 0 is none) with
// equal Turn and Tag are added up. Each member of the group receives the sum when all its
// messages have arrived.
type Sum struct {
	Group int32
	Turn  uint32
	Tag   int32
}

// A Summand is a message that may be a part of a Sum.
type Summand interface{ NetworkSum() Sum }

// An Answer is a message that may answer another. Responses of Akita (sim.Rsp) are answers too.
type Answer interface{ NetworkAnswer() bool }

// class is 1 for an answer and 0 for a request. Where answers have a virtual network of their
// own, they pass requests that wait. A node that takes every answer to its requests then
// cannot be part of a deadlock, however long requests wait.
func class(m sim.Msg) int {
	switch x := m.(type) {
	case sim.Rsp:
		return 1
	case Answer:
		if x.NetworkAnswer() {
			return 1
		}
	}
	return 0
}

// Idle is later than every cycle: nothing happens until another message arrives.
const Idle = math.MaxUint64

// A Core moves messages between terminals. Only the shell calls its methods, for rising cycles.
type Core interface {
	// Room reports whether a terminal takes a message in this cycle.
	Room(terminal int) bool
	// Take sends a message; Room must be true. Advance for the same cycle follows.
	Take(cycle uint64, m Message)
	// Advance simulates up to cycle, calls Arrive of the shell for each message that has arrived,
	// and returns the next cycle in which it must be called, or Idle. The error of a deadlocked
	// core is an *engine.Stuck.
	Advance(cycle uint64) (next uint64, err error)
	// Hold stops a terminal from taking messages, or lets it take them again. The core may still
	// deliver messages that have left the last channel.
	Hold(terminal int, on bool)
	// Limit sets the rate of a terminal's channel, in bytes per cycle, before the first cycle. It
	// returns false if the core has no such channel.
	Limit(terminal int, rate float64) bool
	// Nominal returns the mean cycles of a message of one flit in an empty network, for analytic
	// models.
	Nominal() uint64
	// Waiting lists the messages that cannot move and what they wait for, for a deadlocked run.
	Waiting() []engine.Wait
	// Check returns an error if a conservation law of the core is violated at the end of a run.
	Check() error
}

// A Stamp is a network's record of a message, in cycles of the network. Of several networks on
// the way it is the last one's.
type Stamp struct {
	Taken    uint64  // the network took it from the link
	Injected uint64  // its first flit entered
	Arrived  uint64  // its last flit left
	Hops     int     // channels between routers that its last packet passed
	Task     task.ID // 0: no observer wants tasks
}

// A Stamped message has a Stamp, which the network writes before it delivers the message.
type Stamped interface{ NetworkStamp() *Stamp }

// Terminals is the view of a network for a player that drives it, as the Node of a system.Peer.
type Terminals interface {
	Topology() topology.Topology
	Clock() clock.Clock
	Width() int  // bytes of a flit
	Header() int // header bytes of every message
}

// PeerTraffic is the traffic and measurement of another simulator. Kind traffic takes keys from it
// that its configuration leaves out.
type PeerTraffic struct {
	Name                    string
	Packet                  int    // flits
	Queue                   string // keys of traffic, as all below
	Sample, Warmup, Samples int
	Change, Limit           float64
	Count                   string
}

// PeerTrafficUser is a network that may have the traffic of another simulator; nil is none.
type PeerTrafficUser interface{ PeerTraffic() *PeerTraffic }
