package seat

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// The values of NIC.Switching, those of a network.
const (
	CutThrough      = "cut_through"
	StoreAndForward = "store_and_forward"
)

// NIC holds the parameters of a network interface.
type NIC struct {
	Bandwidth  units.Bandwidth `yaml:"bandwidth" doc:"In each direction; 0B/s leaves it to the link"`
	Switching  string          `yaml:"switching" jsonschema:"enum=cut_through,enum=store_and_forward" doc:"cut_through: a message passes both interfaces and the network between them at once, at the least of their rates; store_and_forward: an interface passes it on when it has all of it, so that its bytes take their time at both interfaces and on the link"`
	Overhead   units.Latency   `yaml:"overhead" doc:"Time for each message, at the sender and again at the receiver"`
	Eager      units.Bytes     `yaml:"eager" doc:"Longer messages wait for their receive"`
	Control    units.Bytes     `yaml:"control" doc:"Size of the messages that announce and grant a long one"`
	Inject     units.Bytes     `yaml:"inject" doc:"A send of more bytes ends when the receiver's interface has acknowledged them; 0B: when the link has taken them"`
	Cost       Curve           `yaml:"cost" doc:"Time of a message in addition to overhead and bandwidth, at its sender, by its bytes: a list of bytes and time, linear between and beyond. Others do not wait for it"`
	Feed       Curve           `yaml:"feed" doc:"Time in which a message is fed to the link, in pieces at equal times, by its bytes: a list as of cost. The link carries other messages between the pieces, and adds its own time only where it is the slower one"`
	Stream     Curve           `yaml:"stream" doc:"Time in which a sender's messages that follow each other while the former are being fed get to the link, by their bytes together: a list as of cost. A piece leaves when both feed and stream let it. With feed; empty: messages of a sender do not wait for each other"`
	Piece      units.Bytes     `yaml:"piece" doc:"Size of the pieces of feed; a message has at most 64"`
	Header     units.Bytes     `yaml:"header" doc:"Bytes that the first piece has on the link besides its own: envelope, descriptor and what else the interface spends on a message. With feed; 0B is none"`
	Interfaces int             `yaml:"interfaces" jsonschema:"minimum=0" doc:"Sends of collectives that a rank carries out at a time, each by an interface that it keeps until it ends; of those that may begin the first of the schedule takes the first free interface. 0: all at once. See steps of the algorithms"`
	Window     units.Bytes     `yaml:"window" doc:"Bytes that an interface has in the network at a time, in pieces of piece: another one enters when one has come. Then bandwidth is that of each interface, for pieces one after the other, and overhead of a whole message. With interfaces; 0B: a message is sent as one"`
	Buffer     units.Bytes     `yaml:"buffer" doc:"Bytes that an interface holds of what has not entered the network: a send ends when no more of it are left. With window; 0B is none"`
	Spray      int             `yaml:"spray" jsonschema:"minimum=0,maximum=65536" doc:"Paths on which the packets of each flow go in turn, at a network with congestion control and selective retransmission: values of entropy, from which switches choose ports; 0 or 1 is one path per flow"`
	Queue      int             `yaml:"queue" jsonschema:"minimum=1" doc:"Messages that the link holds for an interface"`
	Energy     energy.NIC      `yaml:"energy" doc:"Energy of the interface per byte sent and at rest; without it the interface has no energy model"`
}

// DefaultNIC has no limit of bandwidth and no overhead.
//
// assumption: the eager limit of common MPI libraries is 4 to 64 KiB.
func DefaultNIC() NIC {
	return NIC{Switching: CutThrough, Eager: 8 << 10, Control: 16, Piece: 4 << 10, Queue: 4}
}

// Check returns an error for impossible sizes; v is the mapping of the interface.
func (n *NIC) Check(v configs.Value) error {
	var errs configs.Errors
	for _, x := range []struct {
		key string
		b   units.Bytes
	}{{"eager", n.Eager}, {"control", n.Control}} {
		if x.b > 1<<40 {
			errs.Add(v.Get(x.key).Errorf(nil, "is %s (want at most 1TiB)", x.b))
		}
	}
	if n.Inject > 1<<40 {
		errs.Add(v.Get("inject").Errorf(nil, "is %s (want at most 1TiB)", n.Inject))
	}
	if n.Piece < 1 || n.Piece > 1<<40 {
		errs.Add(v.Get("piece").Errorf(nil, "is %s (want 1B to 1TiB)", n.Piece))
	}
	if len(n.Feed) == 0 && n.Window == 0 && v.Get("piece").Exists() && n.Piece != DefaultNIC().Piece {
		errs.Add(v.Get("piece").Errorf(nil, "has no effect without feed or window"))
	}
	if n.Spray < 0 || n.Spray > 1<<16 {
		errs.Add(v.Get("spray").Errorf(nil, "is %d (want 0 to %d)", n.Spray, 1<<16))
	}
	n.checkWindow(v, &errs)
	n.checkSwitching(v, &errs)
	if n.Header > 1<<40 {
		errs.Add(v.Get("header").Errorf(nil, "is %s (want at most 1TiB)", n.Header))
	}
	if len(n.Feed) == 0 && n.Header > 0 {
		errs.Add(v.Get("header").Errorf(nil, "has no effect without feed"))
	}
	if _, _, _, err := n.Energy.Figures(); err != nil {
		errs.Add(v.Get("energy").Errorf(nil, "%s", err))
	}
	errs.Add(n.Cost.Check(v.Get("cost")))
	errs.Add(n.Feed.Check(v.Get("feed")))
	errs.Add(n.Stream.Check(v.Get("stream")))
	if len(n.Stream) > 0 && len(n.Feed) == 0 {
		errs.Add(v.Get("stream").Errorf(nil, "has no effect without feed"))
	}
	return errs.Err()
}

// maxInterfaces bounds the interfaces of a rank.
const maxInterfaces = 1 << 12

// checkWindow reports what interfaces of collectives do not go with.
func (n *NIC) checkWindow(v configs.Value, errs *configs.Errors) {
	bad := func(key, format string, args ...any) { errs.Add(v.Get(key).Errorf(nil, format, args...)) }
	if n.Interfaces > maxInterfaces {
		bad("interfaces", "is %d (want 0 to %d)", n.Interfaces, maxInterfaces)
	}
	if n.Buffer > 0 {
		switch {
		case n.Buffer > 1<<40:
			bad("buffer", "is %s (want at most 1TiB)", n.Buffer)
		case n.Window == 0:
			bad("buffer", "has no effect without window")
		case n.Inject > 0:
			bad("buffer", "has no effect with inject: a send ends with the receiver's answer")
		}
	}
	if n.Window == 0 {
		return
	}
	switch {
	case n.Interfaces == 0:
		bad("window", "has no effect without interfaces")
	case len(n.Feed) > 0:
		bad("window", "does not go with feed, which has times of its own for the pieces")
	case n.Window < n.Piece || n.Window > 1<<40:
		bad("window", "is %s (want %s, a piece, to 1TiB)", n.Window, n.Piece)
	}
}

// checkSwitching reports a switching that there is not, or that has no effect.
func (n *NIC) checkSwitching(v configs.Value, errs *configs.Errors) {
	at := v.Get("switching")
	switch {
	case n.Switching != CutThrough && n.Switching != StoreAndForward:
		errs.Add(at.Errorf([]string{CutThrough, StoreAndForward}, "unknown switching %q", n.Switching))
	case at.Exists() && n.Window > 0:
		errs.Add(at.Errorf(nil, "has no effect with window: pieces pass an interface one by one, each as a whole"))
	case n.Switching == StoreAndForward && n.Bandwidth == 0:
		errs.Add(at.Errorf(nil, "has no effect without bandwidth"))
	}
}

// Rate is the rate to which the interface limits its link, with cut-through. 0 is no limit: it
// stores whole messages or pieces, or has no bandwidth of its own.
func (n *NIC) Rate() units.Bandwidth {
	if n.Switching == StoreAndForward || n.Window > 0 {
		return 0
	}
	return n.Bandwidth
}

// Serializer makes one direction of the interface.
func (n *NIC) Serializer(c clock.Clock) memory.Serializer {
	return memory.NewSerializer(n.Bandwidth, c)
}

// Mailbox is the number of messages that a port holds.
const Mailbox = 16

// Port returns the description of a port with this interface.
func (n *NIC) Port(p *engine.Port, c clock.Clock) system.PortSpec {
	return system.PortSpec{Name: "nic", Protocol: system.Net, Role: system.Peers, Ports: []sim.Port{p}, Optional: true, Clock: c, Buffer: n.Queue}
}

// An Agent is a seat whose operations a scheduler issues during the run. The operations are sends,
// receives and collectives without dependencies. The player calls it in its own events.
type Agent interface {
	Seat
	// Asked receives messages, and appends the operations of the program to begin.
	Asked(now sim.VTimeInSec, cycle uint64, into []int32) ([]int32, error)
	// Ended reports that an operation has ended.
	Ended(op int32, cycle uint64)
	// Answer sends pending messages.
	Answer(now sim.VTimeInSec, cycle uint64)
}

// A Reporter is an agent that reports operations as tasks.
type Reporter interface {
	// TaskOf returns the task of an operation that has begun; 0 without a listener.
	TaskOf(op int32) task.ID
	// Because reports the task of the player that executes the operation.
	Because(op int32, by task.ID)
}

// An Extender is a player whose program can grow during the run, for transfers that are not in the
// program at the start.
type Extender interface {
	// Extend appends transfers without dependencies to the operations of a seat's rank, and
	// returns the number of the first. Their ranks must be a group of the program.
	Extend(s Seat, all []graph.Transfer, tag int64) (first int32, err error)
}

// An Accountant is a player that records the time of its ranks by cause.
type Accountant interface {
	// Spent adds the activity and waits of a seat's rank to the tree of its node. home is the
	// memory of the node; nil: none.
	Spent(s Seat, t *cause.Tree, home *memory.Map)
	// Booked returns pointers to the recorded times, and to the bytes of Sent, for stats.Group.Sum.
	Booked(s Seat) []any
	// Sent returns the bytes that a seat's rank has put on its link.
	Sent(s Seat) uint64
}

// A Piece is a range of bytes of an operation's tensors. Data to send are read, received data are
// written, and data to add or copy are read and then written.
type Piece struct {
	Op          int32
	Off, Bytes  uint64 // of the operation's buffer
	Read, Write bool
	Sum         bool // data are read, added to and written
	Result      bool // data read were received by the same operation and are in the result
}

// A Mover is an agent with a memory that holds the tensors of the program. The player calls it in
// its own events.
type Mover interface {
	Agent
	// Moves reports whether it is linked to a memory. Otherwise the other methods are not called.
	Moves() bool
	// Fetch begins to move a piece.
	Fetch(p Piece, token int32)
	// Fetched executes one cycle and appends the tokens of the completed pieces. again is true if
	// the next cycle has work.
	Fetched(now sim.VTimeInSec, into []int32) (done []int32, again bool, err error)
}

// A Seat is a node that executes one rank. The player uses its network interface. If it also
// computes, it is a work.Direct executor, to which the player issues the rank's computations.
type Seat interface {
	system.Node
	Clock() clock.Clock
	// Interface is the port of the network interface, nil if the node has none.
	Interface() (*engine.Port, NIC)
	// Peers returns the peers of the port, as in system.Neighbour.
	Peers() []system.Peer
	// Sit assigns the node to a player, which then receives the messages of its port. It returns
	// an error for keys of the node that have no effect.
	Sit(player sim.Component) error
	// Move returns the cycles in which the node's memory moves a number of bytes.
	Move(bytes uint64) (cycles uint64)
	// Until reports that an operation of the rank has ended in this cycle.
	Until(cycle uint64)
	// Unused returns an error if no player uses the node, because its interface has no effect.
	Unused() error
}

// EnergyAssumption says what the energy of an interface is of.
func (n *NIC) EnergyAssumption(name string) string {
	byte, rest, _, _ := n.Energy.Figures() // checked
	return fmt.Sprintf("Energy of the interface of %s is %.4g pJ per byte sent, both ends together, and %.4g W at rest (%s).", name, byte, rest, n.Energy.Source())
}
