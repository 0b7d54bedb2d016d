package memory

// A NextUseReader is a component that needs future accesses: a cache that evicts the line with the
// latest next use. A requester that knows its future requests checks its address map for a
// NextUseReader (Map.NextUseLine), and sets Hint.Next.
type NextUseReader interface {
	// NextUseLine returns the bytes of a line, and whether the component uses next accesses.
	NextUseLine() (line uint64, wanted bool)
}

// NextUseLine returns the line size of the first NextUseReader of the map that uses next accesses; wanted
// is false if there is none.
func (m *Map) NextUseLine() (line uint64, wanted bool) {
	for _, r := range m.ranges {
		for _, p := range r.Ports {
			if f, ok := p.Component().(NextUseReader); ok {
				if line, wanted = f.NextUseLine(); wanted {
					return line, true
				}
			}
		}
	}
	return 0, false
}
