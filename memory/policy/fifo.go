package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "fifo",
		Doc:    "Evicts the line that was filled longest ago.",
		Source: "Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 1966",
		New:    plain(func(g Geometry) Policy { return &fifo{lru{NewRecency(g)}} }),
	})
}

// fifo is lru that a hit does not move.
type fifo struct{ lru }

func (p *fifo) Hit(int, int, Access) {}
func (p *fifo) HitAny(int, int)      {}
