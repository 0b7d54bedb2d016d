package network

import (
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Message is what a Core moves.
type Message struct {
	ID       int32 // to be handed back to Arrive
	Src, Dst int32 // terminals
	Bytes    int   // header included
	Flits    int   // at least 1
	Class    int   // 1 for an answer, else 0
	Sum      Sum   // what it is added up with on its way
}

// A Sum names what messages are added up with in the routers, those of one group (of
// topology.Reducer, 0 for none) with equal numbers: each of its members gets its message
// back when all are in it.
type Sum struct {
	Group int32
	Turn  uint32
	Tag   int32
}

// A Summand is a message that may be a part of a Sum.
type Summand interface{ NetworkSum() Sum }

// An Answer is a message that answers another, if NetworkAnswer says so. Responses of
// Akita (sim.Rsp) are answers as well.
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

// Idle is no cycle: nothing happens until another message comes.
const Idle = math.MaxUint64

// A Core moves messages between terminals. Its methods are called by the shell
// only, for cycles in rising order.
type Core interface {
	// Room reports whether a terminal can take a message in this cycle.
	Room(terminal int) bool
	// Take hands over a message, after a true of Room. Advance for the same cycle
	// follows.
	Take(cycle uint64, m Message)
	// Advance does all work of cycles up to this one, calls Arrive of the shell for
	// each message that has come whole, and returns the next cycle it wants to be
	// called in, or Idle. The error of a core that cannot go on is an *engine.Stuck.
	Advance(cycle uint64) (next uint64, err error)
	// Hold says whether a terminal takes messages off the network. The core may
	// still deliver there what no channel holds back any more.
	Hold(terminal int, on bool)
	// Limit sets the rate of a terminal's channel, in bytes per cycle, before the first
	// cycle. It reports false where the core has no such channel.
	Limit(terminal int, rate float64) bool
	// Nominal is the mean time of a message of one flit in an empty network, in
	// cycles, for analytic models.
	Nominal() uint64
	// Waiting lists what keeps messages from moving, for a run that cannot go on.
	Waiting() []engine.Wait
	// Check verifies the conservation laws of the core at the end of a run.
	Check() error
}

// A Stamp is what a network writes about a message, in its own cycles. Of several
// networks on the way it holds the last.
type Stamp struct {
	Taken    uint64  // the network took it from the link
	Injected uint64  // its first flit entered
	Arrived  uint64  // its last flit left
	Hops     int     // channels between routers that its last packet passed
	Task     task.ID // 0: no observer wants tasks
}

// A Stamped message has room for a Stamp. It is written before the message is
// sent on, and not touched later.
type Stamped interface{ NetworkStamp() *Stamp }

// Terminals is what a player may ask of a network that it drives: it finds it as
// the Node of a system.Peer.
type Terminals interface {
	Topology() topology.Topology
	Clock() clock.Clock
	Width() int  // bytes of a flit
	Header() int // bytes that every message has besides its own
}

// A Custom is how the networks of a simulator are driven and measured there. Traffic
// takes from it what its configuration leaves out.
type Custom struct {
	Name                    string
	Packet                  int    // flits
	Queue                   string // keys of traffic, as all below
	Sample, Warmup, Samples int
	Change, Limit           float64
	Count                   string
}

// Customary is a network that comes with a Custom; nil is none.
type Customary interface{ Custom() *Custom }
