package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "lru",
		Doc:    "Evicts the line that was used longest ago.",
		Source: "Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 1966",
		New:    plain(func(g Geometry) Policy { return &lru{newRecency(g)} }),
	})
}

// lru keeps the line used last in front.
type lru struct{ order recency }

func (p *lru) Hit(set, way int, _ Access)   { p.order.touch(set, way) }
func (p *lru) HitAny(set, way int)          { p.order.touch(set, way) }
func (p *lru) Victim(set int, _ Access) int { return p.order.last(set) }
func (p *lru) Fill(set, way int, _ Access)  { p.order.pushFirst(set, way) }
func (p *lru) Evict(set, way int)           { p.order.remove(set, way) }
