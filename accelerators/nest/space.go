package nest

import "slices"

// Constraints say which mappings a search may propose, level by level, outermost
// first.
type Constraints struct{ Levels []LevelConstraints }

// LevelConstraints are those of one level.
type LevelConstraints struct {
	Temporal, Spatial LoopConstraints
	Keep, Bypass      Mask
}

// LoopConstraints fix the temporal or the spatial loops of a level.
type LoopConstraints struct {
	Factor []int64 // per dimension: what it has to be; 0 is free; Rest is what others leave
	Most   []int64 // per dimension: what it may be at most; 0 is free
	Order  []int   // dimensions, innermost first; those left out lie further out in any order
	// Split is how many of the spatial loops, in their order, run along X; the rest run
	// along Y. -1 is free.
	Split int
}

// Rest is a factor that takes what the other levels leave of a dimension.
const Rest = -1

// Free are constraints that allow everything.
func Free(levels, dims int) Constraints {
	c := Constraints{Levels: make([]LevelConstraints, levels)}
	for i := range c.Levels {
		for _, x := range []*LoopConstraints{&c.Levels[i].Temporal, &c.Levels[i].Spatial} {
			x.Factor, x.Most, x.Split = make([]int64, dims), make([]int64, dims), -1
		}
	}
	return c
}

// Whole is the order with the dimensions that it leaves out.
func (c *LoopConstraints) Whole(dims int) []int {
	order := slices.Clone(c.Order)
	for d := range dims {
		if !slices.Contains(order, d) {
			order = append(order, d)
		}
	}
	return order
}
