package stats

// A Holding describes the contents of a node, such as the lines of a cache or the pages of a tier.
type Holding struct {
	What  string // the entries: "lines", "pages of tier 0"
	Size  uint64 // capacity in entries
	Bytes uint64 // capacity in bytes; 0 if not known
	Held  uint64 // entries present
	Gone  uint64 // entries evicted since the beginning
	Used  uint64 // accesses since the beginning, hits and misses
}

// Holds declares the contents of a node, such as lines of a cache. Gone and Used must be numbers
// that Count or Sum declares, so that Repeat advances them.
func (g *Group) Holds(f func() Holding) { g.holds = append(g.holds, f) }

// Holdings returns the present state of what Holds declared.
func (g *Group) Holdings() []Holding {
	out := make([]Holding, len(g.holds))
	for i, f := range g.holds {
		out[i] = f()
	}
	return out
}
