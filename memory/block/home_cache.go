package block

import (
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
)

// A HomeCache remembers the memory of the last request, if it is the only home of its range.
type HomeCache struct {
	link       *Link
	base, size uint64
}

// Find returns the link to the home of size bytes from addr on; nil if they have no home or
// several.
func (n *HomeCache) Find(addr, size uint64, homes *memory.Map, out *Outlet) *Link {
	if at := addr - n.base; at < n.size && n.size-at >= size {
		return n.link
	}
	return n.look(addr, size, homes, out)
}

func (n *HomeCache) look(addr, size uint64, homes *memory.Map, out *Outlet) *Link {
	home, i, run, ok := homes.Find(addr)
	if !ok || run < size {
		return nil
	}
	l := out.To(home.Ports[i].(*engine.Port))
	if len(home.Ports) == 1 {
		n.link, n.base, n.size = l, home.Base, home.Size
	}
	return l
}

// Holds reports whether size bytes from every address from lo to hi are in the remembered memory.
func (n *HomeCache) Holds(lo, hi, size uint64) bool {
	return lo >= n.base && hi-n.base < n.size && n.size-(hi-n.base) >= size
}
