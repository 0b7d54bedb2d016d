package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "sieve",
		Doc:    "A hand walks from the oldest line to the newest, spares those that were used, and evicts the first that was not; lines keep their order.",
		Source: "Zhang et al., SIEVE is simpler than LRU: an efficient turn-key eviction algorithm for web caches, NSDI 2024, section 3, algorithm 1",
		New: plain(func(g Geometry) Policy {
			p := &sieve{order: NewRecency(g), hand: make([]uint32, g.Sets), visited: make([]bool, g.Sets*g.Ways)}
			for s := range p.hand {
				p.hand[s] = uint32(g.Ways)
			}
			return p
		}),
	})
}

// sieve has a queue and a hand per set. The paper's cache is one set.
type sieve struct {
	order   Recency  // the newest first
	hand    []uint32 // way that is looked at next; the number of ways: the oldest
	visited []bool   // [set*ways+way]
}

func (p *sieve) Hit(set, way int, _ Access) { p.visited[set*p.order.ways+way] = true }
func (p *sieve) HitAny(set, way int)        { p.visited[set*p.order.ways+way] = true }

func (p *sieve) Fill(set, way int, _ Access) {
	p.order.PushFirst(set, way)
	p.visited[set*p.order.ways+way] = false
}

// Victim leaves the hand at the victim; Evict moves it on.
func (p *sieve) Victim(set int, _ Access) int {
	ways := p.order.ways
	l, visited := p.order.set(set), p.visited[set*ways:(set+1)*ways]
	way := int(p.hand[set])
	if way == ways {
		way = p.order.Last(set)
	}
	for visited[way] {
		visited[way] = false
		if way = int(l[way].prev); way == ways {
			way = p.order.Last(set)
		}
	}
	p.hand[set] = uint32(way)
	return way
}

func (p *sieve) Evict(set, way int) {
	if int(p.hand[set]) == way {
		p.hand[set] = p.order.set(set)[way].prev
	}
	p.order.Remove(set, way)
}
