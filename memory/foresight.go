package memory

// A Foreseer is a component whose decisions need the future: a cache that evicts
// what is used farthest away. A requester that knows its future requests looks for a
// Foreseer below the ports of its address map, and puts the next uses into its hints.
type Foreseer interface {
	// Foresees returns the bytes of a line, and whether next uses are wanted at
	// all.
	Foresees() (line uint64, wanted bool)
}

// Foreseen is the line size of the first Foreseer of a map that wants next uses;
// false if there is none.
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
