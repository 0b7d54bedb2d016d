package reuse

import "slices"

// Distances measures reuse distances: how many other lines are accessed between two
// accesses to a line (the LRU stack distance of Mattson et al., Evaluation
// techniques for storage hierarchies, IBM Systems Journal 1970). An access costs
// the logarithm of the number of lines: a Fenwick tree over time marks the last
// access to every line (Bennett and Kruskal, LRU stack processing, IBM J. Res.
// Dev. 1975).
type Distances struct {
	last  map[uint64]uint32 // time of the last access, from 1
	now   uint32
	tree  []uint32 // Fenwick: 1 where a line was last accessed
	count []uint64 // accesses by distance
	cold  uint64   // first accesses to a line
	total uint64
}

// New has seen nothing.
func New() *Distances {
	return &Distances{last: map[uint64]uint32{}, tree: make([]uint32, 1<<12)}
}

// Access notes an access and returns its distance; -1 for the first to a line.
func (r *Distances) Access(line uint64) int {
	if int(r.now) == len(r.tree)-1 {
		r.renumber()
	}
	r.total++
	r.now++
	before, known := r.last[line]
	r.last[line] = r.now
	distance := -1
	if known {
		distance = int(r.sum(r.now-1) - r.sum(before))
		for len(r.count) <= distance {
			r.count = append(r.count, 0)
		}
		r.count[distance]++
		r.add(before, ^uint32(0))
	} else {
		r.cold++
	}
	r.add(r.now, 1)
	return distance
}

func (r *Distances) add(i, x uint32) {
	for ; int(i) < len(r.tree); i += i & -i {
		r.tree[i] += x
	}
}

// sum is the number of lines last accessed until time i.
func (r *Distances) sum(i uint32) (n uint32) {
	for ; i > 0; i &= i - 1 {
		n += r.tree[i]
	}
	return n
}

// renumber gives the lines the times 1, 2, ... in their order, when time has run
// out.
func (r *Distances) renumber() {
	type entry struct {
		at   uint32
		line uint64
	}
	all := make([]entry, 0, len(r.last))
	for l, at := range r.last {
		all = append(all, entry{at, l})
	}
	slices.SortFunc(all, func(a, b entry) int { return int(a.at) - int(b.at) }) // times differ: no map order shows
	if 2*len(all) >= len(r.tree) {
		r.tree = make([]uint32, 2*len(r.tree))
	} else {
		clear(r.tree)
	}
	for i, e := range all {
		r.last[e.line] = uint32(i + 1)
		r.add(uint32(i+1), 1)
	}
	r.now = uint32(len(all))
}

// Hits is how many of the accesses a fully associative LRU cache of so many lines
// hits.
func (r *Distances) Hits(lines int) (n uint64) {
	for _, c := range r.count[:min(lines, len(r.count))] {
		n += c
	}
	return n
}

// Cold is the number of first accesses.
func (r *Distances) Cold() uint64 { return r.cold }

// Percentile is the distance of index floor(p*n/100) among the n accesses that
// are not the first to their line; false if there is none.
func (r *Distances) Percentile(p uint64) (distance int, ok bool) {
	n := r.total - r.cold
	if n == 0 {
		return 0, false
	}
	rank := min(n/100*p+n%100*p/100, n-1)
	for d, c := range r.count {
		if rank < c {
			return d, true
		}
		rank -= c
	}
	return len(r.count) - 1, true
}
