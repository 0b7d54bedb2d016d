package system

import "slices"

// Range is the addresses whose only home is a node; ok is false if there are none.
func (s *System) Range(n Node) (base, size uint64, ok bool) {
	for _, t := range s.space.tiers {
		if len(t.homes) == 1 && t.homes[0].node == n {
			return t.base, t.size, true
		}
	}
	return 0, 0, false
}

// Common is the name of a range that tensors of both nodes may lie in; "" if there is none.
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
