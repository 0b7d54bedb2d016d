package mapping

import "github.com/causeway-sim/causeway/accelerators/mapping/machine"

// homes is how many of some cores are before each memory, and whether all cores are equal.
type homes struct {
	cores []machine.Core
	of    map[string]int
	alike bool
}

// homesOf looks at the cores once for all portions of an operator.
func (x *Mapper) homesOf(cores []machine.Core) *homes {
	h := &x.homes
	if len(h.cores) != len(cores) || &h.cores[0] != &cores[0] {
		*h = homes{cores, map[string]int{}, true}
		for i := range cores {
			h.of[cores[i].Memory.Home]++
			h.alike = h.alike && cores[i] == cores[0]
		}
	}
	return h
}

// sharers is the number of cores before the same memory.
func (x *Mapper) sharers(cores []machine.Core, home string) int { return x.homesOf(cores).of[home] }

// alike reports whether all cores are equal.
func (x *Mapper) alike(cores []machine.Core) bool { return x.homesOf(cores).alike }
