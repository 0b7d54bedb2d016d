package placement

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
)

// Nowhere is the tier of a page that was never touched.
const Nowhere = -1

// A Page is what is known of one page.
type Page struct {
	Tier   int8   // Nowhere: it has no memory yet
	Moving bool   // it is on its way
	Count  uint32 // accesses counted; the policy halves them
	Seen   uint32 // interval of the last access counted
	Before uint32 // last interval with an access before that one
}

// A Tier is what is known of one tier.
type Tier struct {
	Frames, Used int     // pages it holds, and those it does
	Occupancy    float64 // reads under way, mean over the interval
	Reads        uint64  // that began in the interval
	Bytes        uint64  // of the requests that began in the interval
	Idle         float64 // latency of a read where nothing else is under way, in cycles
}

// A View is what a policy sees at the end of an interval. It may halve counts.
type View struct {
	Tiers    []Tier
	Pages    []Page
	Interval uint32  // number of the interval that ends; the first is 1
	Cycles   uint64  // it took
	Budget   float64 // pages that may be moved
	// PageBytes is the size of a page.
	PageBytes uint64
}

// A Move sends a page to another tier; With goes the other way, or is None where
// the other tier has a free frame.
type Move struct {
	Page, With int32
	To         int8
}

// None stands for no page.
const None = -1

// Cost is the number of pages that a move carries.
func (m Move) Cost() float64 {
	if m.With == None {
		return 1
	}
	return 2
}

// A Policy places pages. Calls come from one goroutine; Plan allocates nothing once
// its buffers have grown.
type Policy interface {
	// First is the tier that a page should get when it is touched first. Where it
	// is full the node takes the next one that is not.
	First(v *View, page int) int
	// Plan appends the moves to be made now. Pages that are moving, or nowhere, are
	// left alone; no page is named twice; the costs are within the budget; and a
	// tier gets no more pages than it has free frames and gives away in moves
	// before.
	Plan(v *View, out []Move) []Move
}

// A Factory makes a policy. The spec is a value of the type of its entry's Spec,
// or nil for the defaults.
type Factory func(spec any) (Policy, error)

// All holds every policy by name.
var All = registry.New[Factory]("placement policy")

// New makes the policy called name.
func New(name string, spec any) (Policy, error) {
	e, ok := All.Entry(name)
	if !ok {
		return nil, fmt.Errorf("unknown placement policy %q (want one of: %s)", name, strings.Join(All.Names(), ", "))
	}
	return e.New(spec)
}

// specOf returns spec as a T, or the default if it is nil.
func specOf[T any](spec any, def T) (T, error) {
	switch s := spec.(type) {
	case nil:
		return def, nil
	case T:
		return s, nil
	}
	return def, fmt.Errorf("spec is a %T, want a %T", spec, def)
}

// free is the number of free frames of a tier.
func (t *Tier) free() int { return t.Frames - t.Used }
