package congestion

import (
	"fmt"
	"math"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
)

// A Path is what an algorithm knows of a flow before its first packet.
type Path struct {
	Rate     float64 // of the sender's channel
	RTT      float64 // of a full packet and its acknowledgement in the empty network
	Farthest float64 // the longest RTT of any two terminals
	Packet   float64 // a full packet on the channel, header included
	Payload  float64 // of a full packet
	Hops     int     // channels from the sender to the receiver
	Trims    bool    // full queues trim packets
}

// An Ack is an acknowledgement.
type Ack struct {
	Now       float64
	RTT       float64 // of the packet that caused it; 0: unknown, since the packet was sent more than once
	Bytes     float64 // that it newly acknowledges, headers included
	InFlight  float64 // that remain unacknowledged
	Marked    bool    // the packet that caused it was marked
	Last      uint64  // number of the packet that caused it
	Next      uint64  // number of the next new packet of the sender
	Telemetry []Hop   // of the packet that caused it, if the algorithm needs it; valid until the call returns
}

// A Hop is the state of a switch's port when a packet left it.
type Hop struct {
	Now   float64
	Queue float64 // bytes that wait
	Sent  float64 // bytes since the begin of the run
	Rate  float64
}

// A Loss is a packet that has to be sent again.
type Loss struct {
	Now      float64
	Bytes    float64
	InFlight float64 // without the lost packet
	Timeout  bool    // found by a timeout, not by the receiver
}

// A Control is the state of one flow at its sender.
type Control interface {
	// Allow returns the most bytes in flight and the rate at which packets leave; +Inf is no
	// limit. Times of all calls rise. A flow with nothing in flight may send one packet
	// whatever the window is.
	Allow(now float64) (window, rate float64)
	// Sent reports a packet that leaves.
	Sent(now, bytes float64)
	// Acked reports an acknowledgement.
	Acked(a *Ack)
	// Lost reports a lost packet.
	Lost(l *Loss)
}

// A Notified control receives congestion notification packets. The receiver sends at most one per
// Needs.Notify of each flow, and only if a packet was marked.
type Notified interface {
	Notify(now float64)
}

// Needs is what an algorithm needs of switches and receivers.
type Needs struct {
	Marks     bool    // marked packets
	Notify    float64 // least time between two notifications of a flow; 0: none
	Telemetry bool    // the state of each switch's port
	Selective bool    // by itself the protocol sends again only what is missing
}

// An Algorithm starts a Control for each flow.
type Algorithm interface {
	Needs() Needs
	Start(p Path) Control
}

// A Factory makes an algorithm. spec has the type of its entry's Spec; nil is the defaults.
type Factory func(spec any) (Algorithm, error)

// All holds every algorithm by name.
var All = registry.New[Factory]("congestion control")

// New makes the algorithm called name; a nil spec is the defaults.
func New(name string, spec any) (Algorithm, error) {
	e, err := All.Find(name)
	if err != nil {
		return nil, err
	}
	return e.New(spec)
}

// add registers an algorithm with parameters.
func add[S any](name, doc, source string, def S, f func(s S) (Algorithm, error)) {
	All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, Spec: def, New: func(spec any) (Algorithm, error) {
		s, err := registry.SpecOf(spec, def)
		if err != nil {
			return nil, fmt.Errorf("congestion control %s: %w", name, err)
		}
		a, err := f(s)
		if err != nil {
			return nil, fmt.Errorf("congestion control %s: %w", name, err)
		}
		return a, nil
	}})
}

// ns is a time in nanoseconds.
func ns(t units.Time) float64 { return float64(t) / float64(units.Nanosecond) }

// rate is a bandwidth in bytes per nanosecond.
func rate(b units.Bandwidth) float64 { return float64(b) / 8e9 }

// checks collects the impossible values of a spec.
type checks []string

// between reports a value outside of a range.
func (c *checks) between(key string, v, lo, hi float64) {
	if !(v >= lo && v <= hi) {
		*c = append(*c, fmt.Sprintf("%s is %g (want %g to %g)", key, v, lo, hi))
	}
}

// positive reports a quantity that is 0.
func (c *checks) positive(key string, zero bool, text fmt.Stringer) {
	if zero {
		*c = append(*c, fmt.Sprintf("%s is %s (want more than 0)", key, text))
	}
}

func (c checks) err() error {
	if c == nil {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(c, "; "))
}

var unlimited = math.Inf(1)
