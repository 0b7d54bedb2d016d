package placement

import (
	"github.com/causeway-sim/causeway/components/registry"
)

// Nowhere is the tier of a page that was never accessed.
const Nowhere = -1

// A Page is the state of one page.
type Page struct {
	Tier   int8   // Nowhere: no frame yet
	Moving bool   // a move is in flight
	Count  uint32 // counted accesses; the policy may halve them
	Seen   uint32 // interval of the last counted access
	Before uint32 // last interval with an access before Seen
}

// A Tier is the size and the load of one tier.
type Tier struct {
	Frames, Used int     // frames in all, and frames in use
	Occupancy    float64 // reads in flight, mean over the interval
	Reads        uint64  // that began in the interval
	Bytes        uint64  // of the requests that began in the interval
	Idle         float64 // unloaded latency of a read, in cycles
}

// A View is the state of pages and tiers at the end of an interval. A policy may halve counts in
// it.
type View struct {
	Tiers    []Tier
	Pages    []Page
	Interval uint32  // number of the interval that ends; the first is 1
	Cycles   uint64  // length of the interval
	Budget   float64 // most pages that may be moved
	// PageBytes is the size of a page.
	PageBytes uint64
}

// A Move moves Page to tier To. With, if not None, moves the other way; None needs a free frame
// in To.
type Move struct {
	Page, With int32
	To         int8
}

// None is no page.
const None = -1

// Cost returns the pages that a move transfers.
func (m Move) Cost() float64 {
	if m.With == None {
		return 1
	}
	return 2
}

// A Policy places pages. Calls come from one goroutine; Plan allocates nothing once
// its buffers have grown.
type Policy interface {
	// First returns the tier for a page at its first access. If that is full, the node takes the
	// next one with a free frame.
	First(v *View, page int) int
	// Plan appends the moves of this interval to out. It must not move pages that are moving or
	// Nowhere, name a page twice, exceed the budget by the sum of costs, or give a tier more
	// pages than its free frames and those that earlier moves free.
	Plan(v *View, out []Move) []Move
}

// A Factory makes a policy. spec has the type of its entry's Spec; nil is the defaults.
type Factory func(spec any) (Policy, error)

// All holds every policy by name.
var All = registry.New[Factory]("placement policy")

// New makes the policy called name.
func New(name string, spec any) (Policy, error) {
	e, err := All.Find(name)
	if err != nil {
		return nil, err
	}
	return e.New(spec)
}

// free is the number of free frames of a tier.
func (t *Tier) free() int { return t.Frames - t.Used }
