package topology

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Class says what kind of channel a port belongs to. Latency, bandwidth and
// virtual channels may differ by class.
type Class uint8

// The classes of ports.
const (
	Unused   Class = iota // faces no port: the edge of a mesh, a spare global port
	Terminal              // faces a terminal
	Local                 // a channel within a group, or any channel where there are no groups
	Global                // a channel between groups
)

func (c Class) String() string { return [...]string{"unused", "terminal", "local", "global"}[c] }

// A Topology is a fixed graph of routers. Arguments out of range are the
// caller's bug; the methods do not check them.
type Topology interface {
	Routers() int
	Terminals() int
	// Ports is the number of ports of a router, unused ones included.
	Ports(router int) int
	// Peer is the router and port that face a port of a router; ok is false
	// if the port faces a terminal or is unused.
	Peer(router, port int) (r, p int, ok bool)
	// Home is the router and port of a terminal. Terminal ports of a router are
	// its first, and hold consecutive terminals.
	Home(terminal int) (router, port int)
	// Class is the class of a port.
	Class(router, port int) Class
}

// A Factory makes a topology from its spec: a value of the type of the entry's
// Spec, or nil for the defaults. The error names every parameter that is wrong.
type Factory func(spec any) (Topology, error)

// All holds every topology by name.
var All = registry.New[Factory]("topology")

// New makes the topology called name.
func New(name string, spec any) (Topology, error) {
	e, ok := All.Entry(name)
	if !ok {
		return nil, fmt.Errorf("unknown topology %q (want one of: %s)", name, strings.Join(All.Names(), ", "))
	}
	return e.New(spec)
}

// MaxPorts bounds the ports of a network, all routers together, so that every
// port fits into 32 bits with room for virtual channels.
const MaxPorts = 1 << 26

// add registers a topology whose spec S checks itself and then makes it.
func add[S any](name, doc, source string, def S, build func(S) (Topology, error)) {
	All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, Spec: def, New: func(spec any) (Topology, error) {
		s := def
		switch v := spec.(type) {
		case nil:
		case S:
			s = v
		case *S:
			s = *v
		default:
			return nil, fmt.Errorf("topology %s: spec is a %T, want a %T", name, spec, def)
		}
		return build(s)
	}})
}

// bounds collects what is wrong with the parameters of a topology.
type bounds struct {
	what string
	bad  []string
}

func (b *bounds) check(key string, v, lo, hi int) {
	if v < lo || v > hi {
		b.bad = append(b.bad, fmt.Sprintf("%s is %d (want %d to %d)", key, v, lo, hi))
	}
}

func (b *bounds) errorf(format string, args ...any) {
	b.bad = append(b.bad, fmt.Sprintf(format, args...))
}

// product returns the product of the factors, or an error once it exceeds
// MaxPorts.
func (b *bounds) product(what string, factors ...int) int {
	n := 1
	for _, f := range factors {
		if n *= f; n > MaxPorts {
			b.errorf("more than %d %s", MaxPorts, what)
			return 0
		}
	}
	return n
}

func (b *bounds) err() error {
	if len(b.bad) == 0 {
		return nil
	}
	return fmt.Errorf("topology %s: %s", b.what, strings.Join(b.bad, "; "))
}

// skip numbers the others of a set: the i-th member that is not self.
func skip(i, self int) int {
	if i < self {
		return i
	}
	return i + 1
}

// slot is the inverse of skip: the number of other among those that are not self.
func slot(other, self int) int {
	if other < self {
		return other
	}
	return other - 1
}
