package system

import (
	"io"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

// A Node is one component of a system. PortSpecs and Stats may be called at any
// time after the node is made and always say the same.
type Node interface {
	sim.Component
	PortSpecs() []PortSpec
	Stats() *stats.Group
}

// A Role says which way requests go through a port.
type Role uint8

// The roles of ports.
const (
	Requests Role = iota // sends requests and gets an address map
	Responds             // takes requests and answers them
	Peers                // symmetric: a network terminal, a message port
)

func (r Role) String() string { return [...]string{"requests", "responds", "peers"}[r] }

// Protocols of ports. Packages may add others: only equal
// protocols can be linked.
const (
	Mem = "mem" // Akita's mem requests and responses
	Net = "net" // messages between ranks
	Any = "any" // a network terminal carries every protocol
)

// A PortSpec describes one port of a node, or one array of ports.
type PortSpec struct {
	Name     string      // lower-case, as in links: "mem", "top", "terminal"
	Protocol string      // Mem, Net, ...; Any goes with all
	Role     Role        // Requests links to Responds, Peers to anything
	Ports    []sim.Port  // one; or one per index of an array port, terminal[0..71]
	Array    bool        // links may index it, even where it has one element only
	Many     bool        // takes any number of links, through one arbitrated wire
	Optional bool        // may stay unlinked
	Fused    bool        // links are no wires: see Part
	Clock    clock.Clock // of the node; decides when the port receives
	Buffer   int         // messages the wire holds for this port as a sender; 0 is DefaultBuffer
	Elastic  bool        // an array that gets as many ports as its links need; see Grower

	// Led marks a port at which an executor receives its operators. Two such ports cannot be linked.
	Led bool
}

// DefaultBuffer is how many messages a wire holds for one sender that have not
// been taken by their receivers.
//
// assumption: large enough that a DMA engine with 16 or 32 outstanding bursts
// is limited by its own window and not by the wire.
const DefaultBuffer = 64

// A Requester is a node with ports of role Requests. Build calls SetMap once for
// each of them (by the port's name, "mem", or "mem[3]" for an array), after
// everything is wired and before the first event.
type Requester interface {
	Node
	SetMap(port string, m *memory.Map) error
}

// A Responder is a node with ports of role Responds: a Home or a Relay.
// Nominal is what an analytic model may use: the unloaded latency inside
// the node in cycles of its clock, from a request's last byte at the port to the
// response, and the peak bandwidth of reads and writes together, 0 where it is
// unlimited.
type Responder interface {
	Node
	Nominal() (latency uint64, bandwidth units.Bandwidth)
}

// A Home is a memory: addresses end there. Size is its capacity in bytes; 0 is
// as large as anyone asks for.
type Home interface {
	Responder
	Home() (size uint64)
}

// A Gateway is a Home that also forwards requests to memories above it: a CXL device that
// caches its host's memory. Beyond lists the ports through which requests that entered at
// port reach the relays in front of those memories.
type Gateway interface {
	Home
	Beyond(port string) []string
}

// A Pooler is a Relay below which several memories are one: addresses are names of
// pages, which it keeps where it likes. Pools is how many memories these are.
type Pooler interface {
	Relay
	Pools() int
}

// An Extender is a Home whose size may not have been said. Build calls Extend
// where the ranges of the memory section give it more than it holds, before
// anything is wired; without an error Home is at least size from then on.
type Extender interface {
	Home
	Extend(size uint64) error
}

// A TurnTaker is a Home that wants to know which addresses come to it: where several memories
// take turns at a range, each of them sees pieces with gaps between. Build calls TakeTurns before
// anything is wired, with all of its ranges by their base.
type TurnTaker interface {
	Home
	TakeTurns(turns []memory.Turn)
}

// A Relay answers requests at one port and may send its own from others: a
// cache, a CXL root. Below lists the requesting ports that a responding one forwards to,
// as SetMap names them.
type Relay interface {
	Responder
	Requester
	Below(port string) []string
}

// A Selective relay answers requests of some of the ranges only whose memories it
// reaches: a host that is bound to one logical device of several. Build asks it by
// the tier of the memory section, once parts are fused, and leaves the others out of
// the maps of those who send requests to it.
type Selective interface {
	Relay
	Serves(tier string) bool
}

// A Transparent node passes requests on unchanged: a network. Through lists the
// ports by which a request that entered at a port may leave, the port itself
// left out, and the nominal cycles of the node's clock that it takes inside.
type Transparent interface {
	Node
	Through(port string) (exits []string, latency uint64)
}

// A Grower is a node with an elastic array of ports: synthetic traffic that
// drives all terminals of a network, however many there are. A link that leaves
// the element open, Traffic -> Net, takes one port for each free one of the other
// side. Grow makes the array called port n elements long; it is called while
// links are resolved, never to shrink, and PortSpecs then lists the new ports.
type Grower interface {
	Node
	Grow(port string, n int)
}

// A Peer is a port that messages from some port may come to.
type Peer struct {
	Node  Node     // that has the port
	Local string   // its name there: "top", "terminal[3]"
	Port  sim.Port // itself
	// Hops counts the Transparent nodes in between; 0 is the other end of a link.
	Hops int
}

// A Neighbour is a node that wants to know who is there: a network that sends
// messages on by their Dst, a player that needs to know what network it drives.
// Build calls SetPeers once for each of its linked ports, after everything is
// wired and before the address maps: with the ports at the other end of the
// links and, for a node that is Transparent itself, what lies behind those of
// Transparent nodes, nearest first and then by name. The node itself is left out.
type Neighbour interface {
	Node
	SetPeers(port string, peers []Peer) error
}

// A Limiter is a network whose channels to what is linked to it are as fast as that lets them
// be: messages between ranks (Net) pass a link or an interface while they come.
type Limiter interface {
	Node
	// Limit lowers the rate of the channel to an element of the array of terminals, each way
	// and before the first event, and returns the rate that it has: a higher one, where it
	// cannot. 0B/s only asks.
	Limit(terminal int, b units.Bandwidth) units.Bandwidth
}

// A Finisher is a node that has something to do when nothing else is left to do: a
// cache that writes back what is dirty. Finish is called when the run has come to
// its end, begins what there is to do and reports whether there was anything. The run
// then goes on, and Finish of all is called again, until each returns false.
type Finisher interface {
	Node
	Finish(now sim.VTimeInSec) bool
}

// A Warner is a node that has doubts about what it was given: a driver whose trace may have
// been cut off. It is asked before the run, for what it knows once its work is loaded, and
// after it; what it has said before it says again.
type Warner interface {
	Node
	Warnings() []string
}

// A Nester is a node that maps the products of a workload as loop nests. Loaded is called
// once all that it will carry out is loaded, before the run: what its keys say of operators
// that are not there is wrong.
type Nester interface {
	Node
	Loaded() error
}

// An Occupied node has something of its own to do and carries out no workload, although
// others of its kind do. NoWorker says what.
type Occupied interface {
	Node
	NoWorker() string
}

// A Starter is a node that begins by itself, like a player of traces. Start
// schedules its first event; it is called once, after the address maps are set
// and before the run.
type Starter interface {
	Node
	Start() error
}

// An Attacher is a node with files of its own among the results of a run. It is
// asked after the end of the run.
type Attacher interface {
	Node
	Attachments() []Attachment
}

// An Attachment is one file. Its name begins with that of the node and ends in one of
// AttachmentSuffixes.
type Attachment struct {
	Name    string
	Content io.WriterTo
}

// AttachmentSuffixes tell files of nodes from the others in a folder of results.
var AttachmentSuffixes = []string{".commands", ".trace"}
