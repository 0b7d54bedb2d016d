package system

// Range is the addresses whose only home is a node; ok is false if there are none.
func (s *System) Range(n Node) (base, size uint64, ok bool) {
	for _, t := range s.space.tiers {
		if len(t.homes) == 1 && t.homes[0].node == n {
			return t.base, t.size, true
		}
	}
	return 0, 0, false
}
