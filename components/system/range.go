package system

import "slices"

// Range returns the addresses whose only home is node n; ok is false if there are none.
func (s *System) Range(n Node) (base, size uint64, ok bool) {
	for _, t := range s.space.tiers {
		if len(t.homes) == 1 && t.homes[0].node == n {
			return t.base, t.size, true
		}
	}
	return 0, 0, false
}

// PrivateRange reports whether each memory of the ranges of that name belongs to nodes of its own
// (key private).
func (s *System) PrivateRange(name string) bool {
	return !slices.ContainsFunc(s.space.tiers, func(t *tier) bool { return t.family == name && t.name == name })
}

// PrivateAddress reports the same of the range of an address.
func (s *System) PrivateAddress(addr uint64) bool {
	return slices.ContainsFunc(s.space.tiers, func(t *tier) bool { return t.family != t.name && t.base <= addr && addr <= t.last() })
}

// Common returns the name of a range in which tensors of both nodes may lie; "" if there is none.
func (s *System) Common(a, b Node) string {
	var out []string
	for _, x := range s.reaches[a] {
		for _, y := range s.reaches[b] {
			if x == y {
				out = append(out, x)
			}
		}
	}
	slices.Sort(out)
	if len(out) == 0 {
		return ""
	}
	return out[0]
}
