package policy

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
)

// Bypass, returned by Victim, means that the new line is not filled.
const Bypass = -1

// An Access describes one access to a line. Zero fields are unknown.
type Access struct {
	Line   uint64 // address divided by the line size
	PC     uint64 // instruction or stream of the access
	Next   uint64 // index of the next access to this line in the trace, from 0; 0 is never or unknown
	Reuse  uint32 // expected further accesses to this line, by the dataflow
	Core   uint16 // requester
	Tensor uint16 // index into Geometry.Tensors plus 1
	Write  bool

	// A copy in pieces of 16 bytes waits for what was just written where they overlap.
	_ [15]byte
}

// A Geometry is the shape of a policy's cache, with its requesters and their tensors.
type Geometry struct {
	Sets, Ways int
	Slices     int    // slices over which set numbers are interleaved; 0 is 1
	Cores      int    // requesters; 0 is 1
	Line       int    // bytes per line; 0 is 64
	Seed       uint64 // seed of random policies
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

// SetAt returns the set at a place: the inverse of place.
func (g *Geometry) SetAt(place int) int {
	if g.Slices <= 1 {
		return place
	}
	each := g.Sets / g.Slices
	return place%each*g.Slices + place/each
}

// A Policy chooses victims in every set. Calls come from one goroutine; none of them allocates.
// The cache fills empty ways itself, lowest first; it calls
//
//	on a hit           Hit
//	on a miss          Victim if the set is full; then, unless bypassed,
//	                   Evict for the victim, and Fill
//	on an invalidation Evict
//
// so that every access ends with exactly one of Hit, Fill and a Victim that returns Bypass.
type Policy interface {
	// Hit records a hit of the line in way.
	Hit(set, way int, a Access)
	// Victim returns the way of a full set to evict, or Bypass.
	Victim(set int, a Access) int
	// Fill records that the line of a was filled into way, which was empty.
	Fill(set, way int, a Access)
	// Evict records that the line in way was evicted or invalidated.
	Evict(set, way int)
}

// A NextUsePolicy needs Access.Next, as Belady's optimal replacement does.
type NextUsePolicy interface {
	Policy
	NeedsNextUse()
}

// A HitAnyPolicy handles every hit alike: HitAny does what Hit does for any Access, so that callers need
// not make one.
type HitAnyPolicy interface {
	Policy
	HitAny(set, way int)
}

// A Recent policy keeps an order of at most 16 ways per set. A hit only moves the way to the
// front.
type Recent interface {
	HitAnyPolicy
	// Orders returns the order of each set, four bits per way, the first way lowest. Callers may
	// change it by ToFront.
	Orders() []uint64
}

// A Factory makes a policy. spec has the type of its entry's Spec; nil is the defaults.
type Factory func(g Geometry, spec any) (Policy, error)

// All holds every policy by name.
var All = registry.New[Factory]("replacement policy")

// New makes the policy called name. The error is an unknown name or a wrong spec.
func New(name string, g Geometry, spec any) (Policy, error) {
	e, err := All.Find(name)
	if err != nil {
		return nil, err
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
