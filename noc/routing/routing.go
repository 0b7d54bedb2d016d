package routing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Packet is the words of a packet that an algorithm reads and writes. The zero value with Dst
// set is a new packet.
type Packet struct {
	Dst   int32 // terminal
	Src   int32 // terminal; only valid where Hops is 0
	Via   int32 // owned by the algorithm
	Link  int16 // owned by the algorithm
	Hops  uint8 // channels between routers passed so far; 0 at the source router
	Phase uint8 // owned by the algorithm
	// Pending is owned by the algorithm: the next Phase, once the packet moves.
	Pending uint8
	Mode    uint8 // owned by the algorithm
	// Again: Next was called before for this packet at this router. Words that the earlier call
	// wrote are kept.
	Again bool
}

// A View is the state that an algorithm may read at a router. An algorithm should call only the
// methods that it needs, since deadlock.Check follows every answer. A model without some of the
// state embeds Blind.
type View interface {
	// Router returns the packet's router.
	Router() int
	// Queue returns the flits that were sent through a port of this router, or are queued for it,
	// and whose credits have not returned.
	Queue(port int) int
	// QueueClass is Queue for one class.
	QueueClass(port, class int) int
	// Remote returns Queue at another router, without delay, plus the flits there in buffers
	// whose first packet goes through the port.
	Remote(router, port int) int
	// Flying returns the part of Queue that is on the channel: flits, and credits on their way
	// back.
	Flying(port int) int
	// Ready reports whether the packet could leave through a port and class now:
	// the port is idle, and there is room for all of it.
	Ready(port, class int) bool
	// Notice returns the last notice of a router of this group about one of its ports; see
	// Notifier.
	Notice(router, port int) bool
	// Rate returns the flits that left through a port of this router in the last full window of
	// RateWindow cycles.
	Rate(port int) int
	// Capacity returns the flits of buffer at the far end of one virtual channel of a class of
	// channels, and Latency the cycles to pass an empty one, its router included.
	Capacity(class topology.Class) int
	Latency(class topology.Class) int
	// Intn draws a number from 0 to n-1.
	Intn(n int) int
}

// RateWindow is the cycles over which Rate counts.
const RateWindow = 1024

// A Notifier is an algorithm whose routers send one bit per global port to their group. In every
// cycle the model calls Congested for the ports of each router; the other routers receive the
// result a local latency later.
type Notifier interface {
	Congested(v View, port int) bool
}

// A ViewUser is an algorithm that declares whether it calls Flying and Rate of a View. A model need
// not count for a method that is never called.
type ViewUser interface {
	ViewUse() (flying, rate bool)
}

// Blind implements the methods of a View for which a model has no state: queues are empty, every
// port is ready, no router has sent a notice.
type Blind struct{}

// Flying implements View.
func (Blind) Flying(int) int { return 0 }

// Ready implements View.
func (Blind) Ready(int, int) bool { return true }

// Notice implements View.
func (Blind) Notice(int, int) bool { return false }

// Rate implements View.
func (Blind) Rate(int) int { return 0 }

// Capacity implements View.
func (Blind) Capacity(topology.Class) int { return 1 }

// Latency implements View.
func (Blind) Latency(topology.Class) int { return 1 }

// A Hop is a port and the class of virtual channels that the packet takes there.
type Hop struct {
	Port, Class int
	// Optional: the hop is taken at once or not at all. An algorithm returns one only if
	// View.Ready is true for it. A model that cannot grant it calls Next again with Ready false
	// for all ports.
	Optional bool
}

// AnyClass allows any virtual channel. It is valid only for ports to terminals.
const AnyClass = -1

// An Algorithm routes a packet to its terminal hop by hop.
type Algorithm interface {
	// Classes returns the number of classes that it needs.
	Classes() int
	// Next returns the hop of packet p in router v.Router(). It is called at every router of the
	// packet's path, the last one included. A model may call it again while the packet waits,
	// with p.Again set; the last result before the packet moves counts.
	Next(v View, p *Packet) Hop
}

// An OpportunisticAlgorithm has Optional hops. It needs virtual cut-through: a packet takes
// such a hop only with room for all of its flits.
type OpportunisticAlgorithm interface {
	Algorithm
	Opportunistic()
}

// A SourceRouted algorithm decides at the source router; later hops depend only on the router and the
// packet.
type SourceRouted interface {
	Algorithm
	// Onward is like Next for a packet whose Hops is not 0. It uses no View and no random
	// numbers, and no hop is Optional.
	Onward(router int, p *Packet) (port, class int)
}

// A TerminalRouted algorithm may send packets for two terminals of one router by different ways.
type TerminalRouted interface {
	Algorithm
	TerminalRouted()
}

// A Factory makes an algorithm for a topology. spec has the type of its entry's Spec; nil is the
// defaults.
type Factory func(t topology.Topology, spec any) (Algorithm, error)

// All holds every algorithm by name.
var All = registry.New[Factory]("routing algorithm")

// New makes the algorithm called name for a topology; a nil spec is the defaults.
func New(name string, t topology.Topology, spec any) (Algorithm, error) {
	e, err := All.Find(name)
	if err != nil {
		return nil, err
	}
	return e.New(t, spec)
}

// A TopologyError is the error of an algorithm that does not support a topology, or for which the
// topology has no key Missing.
type TopologyError struct{ Algorithm, Want, Missing string }

func (e *TopologyError) Error() string {
	if e.Missing != "" {
		return fmt.Sprintf("routing algorithm %s: %s is not set (%s)", e.Algorithm, e.Missing, e.Want)
	}
	return fmt.Sprintf("routing algorithm %s runs on %s only", e.Algorithm, e.Want)
}

// specOf returns spec as an S, or the default if it is nil.
func specOf[S any](name string, spec any, def S) (S, error) {
	s, err := registry.SpecOf(spec, def)
	if err != nil {
		err = fmt.Errorf("routing algorithm %s: %w", name, err)
	}
	return s, err
}

// oneOf checks a key with a closed set of values.
func oneOf[T ~string](bad *[]string, key string, v *T, def T, want ...T) {
	if *v == "" {
		*v = def
	}
	if !slices.Contains(want, *v) {
		*bad = append(*bad, fmt.Sprintf("%s %q (want one of: %s)", key, *v, strings.Trim(fmt.Sprint(want), "[]")))
	}
}
