package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "mru",
		Doc:    "Evicts the line that was used last.",
		Source: "Chou and DeWitt, An evaluation of buffer management strategies for relational database systems, VLDB 1985, section 3",
		New:    plain(func(g Geometry) Policy { return &mru{lru{NewRecency(g)}} }),
	})
}

// mru is lru with the victim at the other end.
type mru struct{ lru }

func (p *mru) Victim(set int, _ Access) int { return p.order.first(set) }
