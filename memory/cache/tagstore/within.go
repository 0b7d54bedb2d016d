package tagstore

import "slices"

// Within lists the lines from first to last that are there, in order.
func (c *Store) Within(first, last uint64) []uint64 {
	var out []uint64
	if last-first < uint64(len(c.tags)) {
		for l := first; l <= last; l++ {
			if c.Has(l) {
				out = append(out, l)
			}
		}
		return out
	}
	for _, t := range c.tags {
		if l := t - 1; t != 0 && first <= l && l <= last {
			out = append(out, l)
		}
	}
	slices.Sort(out)
	return out
}
