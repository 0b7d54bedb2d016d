package topology

import "math"

// AllToAllBound returns a lower bound of the time in which every terminal sends bytes to every
// other one: each message takes at least its distance of the capacity of all channels. rate
// returns the bytes per unit of time of a class of channels, per direction; 0 is no limit. The
// bound is infinite if two terminals are not connected.
//
// The argument holds for any lengths of channels, since flow and length are dual: the sum of the
// distances of all pairs, times bytes, is at most the time times the sum of length times rate.
// The result is the largest bound for length 1 of all channels between routers, of those of one
// class, and of terminals' channels.
//
// Source: Basu et al., Efficient all-to-all collective communication schedules for
// direct-connect topologies, arXiv 2309.13541, section 3; duality: Shahrokhi and Matula,
// The maximum concurrent flow problem, J. ACM 37(2), 1990.
func AllToAllBound(t Topology, bytes float64, rate func(Class) float64) float64 {
	most := 0.0
	if r := rate(Terminal); r > 0 {
		most = float64(t.Terminals()-1) * bytes / r
	}
	for _, count := range [][2]int{{1, 1}, {1, 0}, {0, 1}} { // length of local and of global channels
		length := func(c Class) int {
			if c == Global {
				return count[1]
			}
			return count[0]
		}
		capacity, free := 0.0, false
		for r := range t.Routers() {
			for p := range t.Ports(r) {
				if c := t.Class(r, p); (c == Local || c == Global) && length(c) > 0 {
					capacity += rate(c)
					free = free || rate(c) == 0
				}
			}
		}
		far := PairDistances(t, length)
		if far < 0 {
			return math.Inf(1)
		}
		if capacity > 0 && !free {
			most = max(most, float64(far)*bytes/capacity)
		}
	}
	return most
}

// PairDistances returns the sum of distances over all ordered pairs of terminals, or -1 if two
// are not connected; length returns 0 or 1 for a channel of a class.
func PairDistances(t Topology, length func(Class) int) (sum int64) {
	ends := make([]int64, t.Routers())
	for i := range t.Terminals() {
		r, _ := t.Home(i)
		ends[r]++
	}
	far := make([]int32, t.Routers())
	var queue []int
	for from, n := range ends {
		if n == 0 {
			continue
		}
		for i := range far {
			far[i] = -1
		}
		far[from] = 0
		level, next := append(queue[:0], from), []int(nil)
		for d := int32(0); len(level) > 0; d++ {
			// Channels of length 0 stay on the level, which grows while it is gone through.
			for i := 0; i < len(level); i++ {
				r := level[i]
				if far[r] != d {
					continue // reached on an earlier level after all
				}
				for p := range t.Ports(r) {
					to, _, ok := t.Peer(r, p)
					if !ok {
						continue
					}
					at := d + int32(length(t.Class(r, p)))
					if far[to] >= 0 && far[to] <= at {
						continue
					}
					far[to] = at
					if at == d {
						level = append(level, to)
					} else {
						next = append(next, to)
					}
				}
			}
			level, next = next, level[:0]
		}
		for r, d := range far {
			if d < 0 && ends[r] > 0 {
				return -1
			}
			if d > 0 {
				sum += n * ends[r] * int64(d)
			}
		}
	}
	return sum
}
