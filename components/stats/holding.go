package stats

// A Holding is what a node keeps of what passed through it: lines of a cache, pages of a tier.
type Holding struct {
	What  string // the entries: "lines", "pages of tier 0"
	Size  uint64 // entries that it has place for
	Bytes uint64 // that those have together; 0 where the node does not say
	Held  uint64 // entries that are there
	Gone  uint64 // entries that made room for others, since the beginning
	Used  uint64 // accesses to entries, whether they were there or not, since the beginning
}

// Holds declares what the node of the group keeps. Gone and Used must be among what Count and Sum
// add up, so that they go on where Repeat does.
func (g *Group) Holds(f func() Holding) { g.holds = append(g.holds, f) }

// Holdings are what the node keeps now.
func (g *Group) Holdings() []Holding {
	out := make([]Holding, len(g.holds))
	for i, f := range g.holds {
		out[i] = f()
	}
	return out
}
