package policy

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
)

// Bypass, returned by Victim, keeps the new line out of the cache.
const Bypass = -1

// An Access is what a policy may know about one access to a line. Zero fields
// say that nothing is known.
type Access struct {
	Line   uint64 // address divided by the line size
	PC     uint64 // instruction or stream that asks
	Next   uint64 // index of the next access to this line in the trace, the first access being 0; 0 is never or unknown
	Reuse  uint32 // accesses to this line that are still to come, as the dataflow promises
	Core   uint16 // requester
	Tensor uint16 // index into Geometry.Tensors plus 1
	Write  bool

	// A copy in pieces of 16 bytes waits for what was just written where they overlap.
	_ [15]byte
}

// A Geometry is the shape of the cache that a policy serves, and what is known
// of its users.
type Geometry struct {
	Sets, Ways int
	Slices     int    // whose sets take turns in their numbers; 0 is 1
	Cores      int    // requesters; 0 is 1
	Line       int    // bytes per line; 0 is 64
	Seed       uint64 // of policies that draw
	Tensors    []Tensor
}

// place is the number of a set if those of slice 0 came first, then those of slice 1: what
// watches some sets chooses them by that.
func (g *Geometry) place(set int) int {
	if g.Slices <= 1 {
		return set
	}
	return set%g.Slices*(g.Sets/g.Slices) + set/g.Slices
}

// SetAt is the set at a place: the inverse of place.
func (g *Geometry) SetAt(place int) int {
	if g.Slices <= 1 {
		return place
	}
	each := g.Sets / g.Slices
	return place%each*g.Slices + place/each
}

// A Policy orders the ways of every set. Calls come from one goroutine, none of
// them allocates. The cache fills empty ways itself, lowest first; it calls
//
//	on a hit           Hit
//	on a miss          Victim if the set is full; then, unless bypassed,
//	                   Evict for the victim, and Fill
//	on an invalidation Evict
//
// so that exactly one of Hit, Fill and a Victim that returns Bypass ends every
// access.
type Policy interface {
	// Hit records a use of the line in way.
	Hit(set, way int, a Access)
	// Victim returns the way that a full set gives up, or Bypass.
	Victim(set int, a Access) int
	// Fill records that the line of a was placed in way, which was empty.
	Fill(set, way int, a Access)
	// Evict records that the line in way is gone.
	Evict(set, way int)
}

// A Clairvoyant policy decides by Access.Next, which it cannot do without.
type Clairvoyant interface {
	Policy
	Clairvoyant()
}

// An Indifferent policy records a hit without a look at the access: HitAny is Hit of any
// access. Callers save what it costs to describe one.
type Indifferent interface {
	Policy
	HitAny(set, way int)
}

// A Recent policy has an order of the ways of each set, 16 at most, and on a hit does nothing
// but move the way to the front of it.
type Recent interface {
	Indifferent
	// Orders is the order of each set, which callers may change by ToFront: four bits for each
	// way, the first one lowest.
	Orders() []uint64
}

// A Factory makes a policy. The spec is a value of the type of its entry's
// Spec, or nil for the defaults.
type Factory func(g Geometry, spec any) (Policy, error)

// All holds every policy by name.
var All = registry.New[Factory]("replacement policy")

// New makes the policy called name.
func New(name string, g Geometry, spec any) (Policy, error) {
	e, ok := All.Entry(name)
	if !ok {
		return nil, fmt.Errorf("unknown replacement policy %q (want one of: %s)", name, strings.Join(All.Names(), ", "))
	}
	if g.Sets < 1 || g.Ways < 1 || g.Ways > maxWays {
		return nil, fmt.Errorf("replacement policy %s: %d sets of %d ways (want at least 1 set, and 1 to %d ways)", name, g.Sets, g.Ways, maxWays)
	}
	if g.Cores == 0 {
		g.Cores = 1
	}
	if g.Line == 0 {
		g.Line = 64
	}
	return e.New(g, spec)
}

// maxWays bounds the ways of a set, so that a way fits into 16 bits.
const maxWays = 1<<16 - 1

// plain is the factory of a policy without keys.
func plain(f func(Geometry) Policy) Factory {
	return func(g Geometry, _ any) (Policy, error) { return f(g), nil }
}

// SpecOf returns spec as a T, or the default if it is nil.
func SpecOf[T any](spec any, def T) (T, error) {
	switch s := spec.(type) {
	case nil:
		return def, nil
	case T:
		return s, nil
	case *T:
		return *s, nil
	}
	return def, fmt.Errorf("spec is a %T, want a %T", spec, def)
}
