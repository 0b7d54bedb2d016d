package policy

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "plru",
		Doc:    "Evicts the way that a binary tree of last directions points away from; needs a power of two of ways.",
		Source: "Handy, The Cache Memory Book, 2nd edition 1998, section 2.2 (tree pseudo-LRU)",
		New: func(g Geometry, _ any) (Policy, error) {
			if g.Ways&(g.Ways-1) != 0 {
				return nil, fmt.Errorf("replacement policy plru: %d ways (want a power of two)", g.Ways)
			}
			return &plru{g.Ways, make([]bool, g.Sets*g.Ways)}, nil
		},
	})
}

// plru keeps a heap-ordered tree per set: node 1 is the root, the children of n are 2n and 2n+1,
// way w is the leaf ways+w. A set bit means that the victim is to the right.
type plru struct {
	ways  int
	right []bool // [set*ways+node], node 0 unused
}

func (p *plru) Victim(set int, _ Access) int {
	tree := p.right[set*p.ways:][:p.ways]
	n := 1
	for n < p.ways {
		r := tree[n]
		n *= 2
		if r {
			n++
		}
	}
	return n - p.ways
}

// touch points every node on the way to the leaf at the other side.
func (p *plru) touch(set, way int) {
	tree := p.right[set*p.ways:][:p.ways]
	for n := p.ways + way; n > 1; n /= 2 {
		tree[n/2] = n&1 == 0
	}
}

func (p *plru) Hit(set, way int, _ Access)  { p.touch(set, way) }
func (p *plru) HitAny(set, way int)         { p.touch(set, way) }
func (p *plru) Fill(set, way int, _ Access) { p.touch(set, way) }
func (p *plru) Evict(int, int)              {}
