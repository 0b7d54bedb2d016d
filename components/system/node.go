package system

import (
	"io"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

// A Node is one component of a system. PortSpecs and Stats may be called at any time after the
// node is made and always return the same.
type Node interface {
	sim.Component
	PortSpecs() []PortSpec
	Stats() *stats.Group
}

// A Role is the direction of requests through a port.
type Role uint8

// The roles of ports.
const (
	Requests Role = iota // sends requests and gets an address map
	Responds             // takes requests and answers them
	Peers                // symmetric: a network terminal, a message port
)

func (r Role) String() string { return [...]string{"requests", "responds", "peers"}[r] }

// Protocols of ports. Only ports of equal protocols, or Any, can be linked. Packages may add
// protocols.
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

// A Requester is a node with ports of role Requests. Build calls SetMap once for each of them
// (with the port's name, "mem", or "mem[3]" for an array), after wiring and before the first
// event.
type Requester interface {
	Node
	SetMap(port string, m *memory.Map) error
}

// A Responder is a node with ports of role Responds: a Home or a Relay. Nominal is for analytic
// models: the unloaded latency in cycles of the node's clock, from a request's last byte at the
// port to the response, and the peak bandwidth of reads and writes together (0: unlimited).
type Responder interface {
	Node
	Nominal() (latency uint64, bandwidth units.Bandwidth)
}

// A Home is a memory that holds addresses. Home returns its capacity in bytes; 0 is unlimited.
type Home interface {
	Responder
	Home() (size uint64)
}

// A Gateway is a Home that also forwards requests to memories above it: a CXL device that caches
// its host's memory. Beyond lists the ports through which requests from port reach the relays of
// those memories.
type Gateway interface {
	Home
	Beyond(port string) []string
}

// A Pooler is a Relay that presents several memories as one: it decides in which memory a page
// lies. Pools is the number of memories.
type Pooler interface {
	Relay
	Pools() int
}

// An Extender is a Home whose configured size may be open. Build calls Extend if the memory
// section gives it more addresses than it holds, before wiring. If Extend returns nil, Home
// returns at least size from then on.
type Extender interface {
	Home
	Extend(size uint64) error
}

// An InterleavedHome is a Home that needs to know which addresses it gets: of an interleaved range each
// memory gets pieces with gaps between them. Build calls SetInterleaving before wiring, with all its
// ranges by base address.
type InterleavedHome interface {
	Home
	SetInterleaving(turns []memory.Turn)
}

// A Relay answers requests at one port and may send requests from others: a cache, a CXL root.
// Below lists the requesting ports to which a responding port forwards, as SetMap names them.
type Relay interface {
	Responder
	Requester
	Below(port string) []string
}

// A Selective relay serves only some of the ranges that it reaches: a host that is bound to one of
// several logical devices. Build calls Serves with the tier of each range, after parts are fused,
// and leaves unserved ranges out of the maps of its requesters.
type Selective interface {
	Relay
	Serves(tier string) bool
}

// A Transparent node forwards requests unchanged: a network. Through lists the other ports by
// which a request from port may leave, and its nominal latency inside in cycles of the node's
// clock.
type Transparent interface {
	Node
	Through(port string) (exits []string, latency uint64)
}

// A Grower is a node with an elastic array of ports: synthetic traffic that drives all terminals
// of a network. A link without an index, Traffic -> Net, takes one port for each free port of the
// other side. Grow extends the array called port to n elements, while links are resolved;
// PortSpecs then lists the new ports.
type Grower interface {
	Node
	Grow(port string, n int)
}

// A Peer is a port that messages from a given port can reach.
type Peer struct {
	Node  Node     // that has the port
	Local string   // its name there: "top", "terminal[3]"
	Port  sim.Port // itself
	// Hops counts the Transparent nodes in between; 0 is the other end of a link.
	Hops int
}

// A Neighbour is a node that needs to know its neighbours: a network that forwards messages by
// their Dst, a player that drives a network. Build calls SetPeers once for each linked port, after
// wiring and before the address maps. peers are the ports at the other end of the links; a
// Transparent node also gets the ports reached through other Transparent nodes, nearest first and
// then by name. Ports of the node itself are left out.
type Neighbour interface {
	Node
	SetPeers(port string, peers []Peer) error
}

// A Limiter is a network whose terminal channels can be limited to the rate of the linked
// interface, so that messages between ranks (Net) cut through both.
type Limiter interface {
	Node
	// Limit lowers the rate of a terminal's channel, in both directions, before the first event.
	// It returns the rate that the channel has, which is higher if it cannot be lowered. 0B/s
	// changes nothing.
	Limit(terminal int, b units.Bandwidth) units.Bandwidth
}

// A Finisher is a node with work at the end of a run: a cache that writes back dirty lines. Finish
// is called when no event is left, starts that work and reports whether there is any. The run then
// continues; Finish of all nodes is called again until each returns false.
type Finisher interface {
	Node
	Finish(now sim.VTimeInSec) bool
}

// A Warner is a node with warnings about its inputs: a driver whose trace may be truncated.
// Warnings is called before the run, when its work is loaded, and again after it; the second list
// includes the first.
type Warner interface {
	Node
	Warnings() []string
}

// A Nester is a node that maps the products of a workload as loop nests. Loaded is called before
// the run, when all its operators are loaded; its error reports keys for operators that do not
// exist.
type Nester interface {
	Node
	Loaded() error
}

// An Occupied node does other work and executes no workload, although others of its kind do.
// NoWorker names that work.
type Occupied interface {
	Node
	NoWorker() string
}

// A Starter is a node that starts without a message, like a player of traces. Start schedules its
// first event; it is called once, after the address maps are set and before the run.
type Starter interface {
	Node
	Start() error
}

// An Attacher is a node that adds its own files to the results. Attachments is called after the
// run.
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

// AttachmentSuffixes are the endings of node files in a folder of results.
var AttachmentSuffixes = []string{".commands", ".trace"}
