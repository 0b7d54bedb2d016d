package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "lru",
		Doc:    "Evicts the line that was used longest ago.",
		Source: "Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 1966",
		New: plain(func(g Geometry) Policy {
			if g.Ways <= fewWays {
				return &lru16{newOrder16(g)}
			}
			return &lru{NewRecency(g)}
		}),
	})
}

// lru keeps the line used last in front.
type lru struct{ order Recency }

func (p *lru) Hit(set, way int, _ Access)   { p.order.Touch(set, way) }
func (p *lru) HitAny(set, way int)          { p.order.Touch(set, way) }
func (p *lru) Victim(set int, _ Access) int { return p.order.Last(set) }
func (p *lru) Fill(set, way int, _ Access)  { p.order.PushFirst(set, way) }
func (p *lru) Evict(set, way int)           { p.order.Remove(set, way) }

// lru16 is lru in a word per set.
type lru16 struct{ order order16 }

func (p *lru16) Hit(set, way int, _ Access)   { p.order.touch(set, way) }
func (p *lru16) HitAny(set, way int)          { p.order.touch(set, way) }
func (p *lru16) Victim(set int, _ Access) int { return p.order.last(set) }
func (p *lru16) Fill(set, way int, _ Access)  { p.order.touch(set, way) }
func (p *lru16) Evict(int, int)               {}
func (p *lru16) Orders() []uint64             { return p.order.set }
