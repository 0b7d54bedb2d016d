package memory

// A Foreseer is a component that needs future accesses: a cache that evicts the line with the
// latest next use. A requester that knows its future requests checks its address map for a
// Foreseer (Map.Foreseen), and sets Hint.Next.
type Foreseer interface {
	// Foresees returns the bytes of a line, and whether the component uses next accesses.
	Foresees() (line uint64, wanted bool)
}

// Foreseen returns the line size of the first Foreseer of the map that uses next accesses; wanted
// is false if there is none.
func (m *Map) Foreseen() (line uint64, wanted bool) {
	for _, r := range m.ranges {
		for _, p := range r.Ports {
			if f, ok := p.Component().(Foreseer); ok {
				if line, wanted = f.Foresees(); wanted {
					return line, true
				}
			}
		}
	}
	return 0, false
}
