package stats

import "slices"

// digits is the bits of a number that one pass of sort looks at, of 32.
const digits = 11

// sort sorts by the digits of the numbers, the lowest first (radix sort), which costs a
// constant number of steps for each; a few numbers are compared. spare is as long.
func sort(list, spare []uint32) {
	if len(list) < 1<<digits {
		slices.Sort(list)
		return
	}
	from, to := list, spare
	for shift := 0; shift < 32; shift += digits {
		var first [1 << digits]uint32 // of each digit, how many come before
		for _, v := range from {
			first[v>>shift&(1<<digits-1)]++
		}
		if first[from[0]>>shift&(1<<digits-1)] == uint32(len(from)) {
			continue // all have the same
		}
		n := uint32(0)
		for i, k := range first {
			first[i] = n
			n += k
		}
		for _, v := range from {
			at := &first[v>>shift&(1<<digits-1)]
			to[*at] = v
			*at++
		}
		from, to = to, from
	}
	if &from[0] != &list[0] {
		copy(list, from)
	}
}
