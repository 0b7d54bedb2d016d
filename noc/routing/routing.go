package routing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Packet is what an algorithm may read and remember. The zero value with
// Dst set is a fresh packet.
type Packet struct {
	Dst   int32 // terminal
	Src   int32 // terminal; only valid where Hops is 0
	Via   int32 // owned by the algorithm
	Link  int16 // owned by the algorithm
	Hops  uint8 // channels between routers passed so far; 0 at the source router
	Phase uint8 // owned by the algorithm
	// Pending is owned by the algorithm: what Phase becomes once the packet moves.
	Pending uint8
	Mode    uint8 // owned by the algorithm
	// Again tells that Next was asked before about this packet at this router,
	// and the packet has not moved since. What the earlier call wrote is kept.
	Again bool
}

// A View is what a router shows an algorithm. An algorithm asks for nothing that
// it does not need: Check follows both answers to every question. A model that
// cannot sense all of it embeds Blind.
type View interface {
	// Router is where the packet stands.
	Router() int
	// Queue is the number of flits that were sent through a port of this router,
	// or are about to be, and whose credits have not come back.
	Queue(port int) int
	// QueueClass is the same for one class.
	QueueClass(port, class int) int
	// Remote is Queue at another router, known without delay, and the flits that
	// wait there in buffers whose first packet goes through this port.
	Remote(router, port int) int
	// Flying is the part of Queue that is no queue: flits on the channel, and
	// credits on their way back.
	Flying(port int) int
	// Ready reports whether the packet could leave through a port and class now:
	// the port is idle, and there is room for all of it.
	Ready(port, class int) bool
	// Notice is what a router of this group last told the others about a port of
	// its own; see Notifier.
	Notice(router, port int) bool
	// Rate is the number of flits that left through a port of this router in the
	// last full window of RateWindow cycles.
	Rate(port int) int
	// Capacity is the room for flits at the far end of one virtual channel of a class of
	// channels, and Latency the cycles to pass an empty one, its router included.
	Capacity(class topology.Class) int
	Latency(class topology.Class) int
	// Intn draws from 0 to n-1.
	Intn(n int) int
}

// RateWindow is the number of cycles that Rate counts over.
const RateWindow = 1024

// A Notifier is an algorithm whose routers tell the others of their group one
// bit per global port. Every cycle each router asks Congested about its own
// ports; the answer reaches the others a local latency later.
type Notifier interface {
	Congested(v View, port int) bool
}

// A Senses is an algorithm that says whether it calls Flying and Rate of a View. A model
// need not keep the counts for a method that the algorithm never calls.
type Senses interface {
	Senses() (flying, rate bool)
}

// Blind answers the questions of a View that a model has no state for: nothing
// waits, every port is ready, no router has sent a notice.
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

// A Hop is one decision: a port, and the class of virtual channels that the packet takes there.
type Hop struct {
	Port, Class int
	// Optional hops are taken at once or not at all: no packet waits for one. An
	// algorithm offers one only while the View is Ready for it, and a model that
	// cannot grant it asks again, not Ready for anything.
	Optional bool
}

// AnyClass lets a packet take any virtual channel. Only ports to terminals may
// be left by it.
const AnyClass = -1

// An Algorithm takes a packet to its terminal hop by hop.
type Algorithm interface {
	// Classes is the number of classes that it needs.
	Classes() int
	// Next decides about the packet p, which stands in v.Router(). It is called
	// at every router that the packet passes, the last one included. A model may
	// ask again while the packet waits, with p.Again set; the last answer before
	// the packet moves counts.
	Next(v View, p *Packet) Hop
}

// An Opportunist is an algorithm that offers Optional hops. It needs virtual
// cut-through: a packet that took one must find room for all of its flits.
type Opportunist interface {
	Algorithm
	Opportunistic()
}

// A Settled algorithm decides at the source router: from there on a packet's hops follow
// from the router and the packet alone.
type Settled interface {
	Algorithm
	// Onward is Next for a packet whose Hops is not 0. It asks nothing, draws nothing, and
	// no hop is Optional.
	Onward(router int, p *Packet) (port, class int)
}

// A Factory makes an algorithm for a topology. The spec is a value of the type
// of its entry's Spec, or nil for the defaults.
type Factory func(t topology.Topology, spec any) (Algorithm, error)

// All holds every algorithm by name.
var All = registry.New[Factory]("routing algorithm")

// New makes the algorithm called name.
func New(name string, t topology.Topology, spec any) (Algorithm, error) {
	e, ok := All.Entry(name)
	if !ok {
		return nil, fmt.Errorf("unknown routing algorithm %q (want one of: %s)", name, strings.Join(All.Names(), ", "))
	}
	return e.New(t, spec)
}

// A TopologyError says that an algorithm does not run on a topology, or does not
// know it: a key that it needs is Missing.
type TopologyError struct{ Algorithm, Want, Missing string }

func (e *TopologyError) Error() string {
	if e.Missing != "" {
		return fmt.Sprintf("routing algorithm %s: %s is not set (%s)", e.Algorithm, e.Missing, e.Want)
	}
	return fmt.Sprintf("routing algorithm %s runs on %s only", e.Algorithm, e.Want)
}

// specOf returns spec as an S, or the default if it is nil.
func specOf[S any](name string, spec any, def S) (S, error) {
	switch s := spec.(type) {
	case nil:
		return def, nil
	case S:
		return s, nil
	case *S:
		return *s, nil
	}
	return def, fmt.Errorf("routing algorithm %s: spec is a %T, want a %T", name, spec, def)
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
