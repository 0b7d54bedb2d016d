package policy

import (
	"math"

	"github.com/causeway-sim/causeway/components/registry"
)

func init() {
	const source = "Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 1966 (MIN)"
	All.Add(registry.Entry[Factory]{
		Name:   "opt",
		Doc:    "Evicts the line whose next use is farthest away; every miss is filled. Needs Access.Next.",
		Source: source,
		New:    plain(func(g Geometry) Policy { return newOPT(g) }),
	})
	All.Add(registry.Entry[Factory]{
		Name:   "opt_bypass",
		Doc:    "OPT that keeps out a line that would be used no earlier than every line of the set. Needs Access.Next.",
		Source: source,
		New:    plain(func(g Geometry) Policy { return &optBypass{newOPT(g)} }),
	})
}

const never = math.MaxUint64

// opt keeps the next use of each line. Sets of many ways have a heap as well.
type opt struct {
	ways int
	next []uint64 // [set*ways+way]; 0 is an empty way
	heap *wayHeap // nil with few ways
}

// ScanWays is the number of ways up to which a scan is faster than a heap.
const ScanWays = 64

func newOPT(g Geometry) *opt {
	p := &opt{ways: g.Ways, next: make([]uint64, g.Sets*g.Ways)}
	if g.Ways > ScanWays {
		p.heap = newWayHeap(g, p.next)
	}
	return p
}

// NeedsNextUse implements NextUsePolicy.
func (p *opt) NeedsNextUse() {}

func (p *opt) Hit(set, way int, a Access) { p.put(set, way, a) }

func (p *opt) Fill(set, way int, a Access) { p.put(set, way, a) }

func (p *opt) put(set, way int, a Access) {
	n := a.Next
	if n == 0 {
		n = never
	}
	p.move(set, way, n)
}

func (p *opt) Evict(set, way int) { p.move(set, way, 0) }

func (p *opt) move(set, way int, n uint64) {
	p.next[set*p.ways+way] = n
	if p.heap != nil {
		p.heap.fix(set, way)
	}
}

func (p *opt) Victim(set int, _ Access) int {
	if p.heap != nil {
		return p.heap.top(set)
	}
	row := p.next[set*p.ways:][:p.ways]
	v := 0
	for w, n := range row {
		if n > row[v] {
			v = w
		}
	}
	return v
}

type optBypass struct{ *opt }

func (p *optBypass) Victim(set int, a Access) int {
	v := p.opt.Victim(set, a)
	if a.Next == 0 || a.Next >= p.next[set*p.ways+v] {
		return Bypass
	}
	return v
}
