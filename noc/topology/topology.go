package topology

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Class is the kind of a port's channel. Latency, bandwidth and virtual channels may differ by
// class.
type Class uint8

// The classes of ports.
const (
	Unused   Class = iota // faces no port: the edge of a mesh, a spare global port
	Terminal              // faces a terminal
	Local                 // a channel within a group, or any channel where there are no groups
	Global                // a channel between groups
)

func (c Class) String() string { return [...]string{"unused", "terminal", "local", "global"}[c] }

// A Topology is a fixed graph of routers. The methods do not check arguments out of range, which
// are the caller's bug.
type Topology interface {
	Routers() int
	Terminals() int
	// Ports returns the ports of a router, unused ones included.
	Ports(router int) int
	// Peer returns the router and port that face a port of a router; ok is false if the port
	// faces a terminal or is unused.
	Peer(router, port int) (r, p int, ok bool)
	// Home returns the router and port of a terminal. Terminal ports of a router are its first
	// ports, and have consecutive terminals.
	Home(terminal int) (router, port int)
	// Class returns the class of a port.
	Class(router, port int) Class
}

// A Factory makes a topology. spec has the type of the entry's Spec; nil is the defaults. The
// error names every wrong parameter.
type Factory func(spec any) (Topology, error)

// All holds every topology by name.
var All = registry.New[Factory]("topology")

// New makes the topology called name; a nil spec is the defaults. Errors are an unknown name, and
// wrong parameters.
func New(name string, spec any) (Topology, error) {
	e, err := All.Find(name)
	if err != nil {
		return nil, err
	}
	return e.New(spec)
}

// MaxPorts is the most ports of a network, over all routers, so that a port with its virtual
// channels fits into 32 bits.
const MaxPorts = 1 << 26

// add registers a topology whose spec S checks itself and then makes it.
func add[S any](name, doc, source string, def S, build func(S) (Topology, error)) {
	All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, Spec: def, New: func(spec any) (Topology, error) {
		s, err := registry.SpecOf(spec, def)
		if err != nil {
			return nil, fmt.Errorf("topology %s: %w", name, err)
		}
		return build(s)
	}})
}

// Classes lists the classes of channels that a topology has.
func Classes(t Topology) []Class {
	out := []Class{Terminal}
	for r := range t.Routers() {
		for p := range t.Ports(r) {
			if c := t.Class(r, p); !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
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
