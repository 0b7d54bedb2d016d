package object

import "slices"

// A Stack computes the hits of fully associative LRU in caches of several capacities at once, by
// stack distances in bytes (Mattson et al., Evaluation techniques for storage hierarchies, IBM
// Systems Journal 1970; the tree over time as in reuse.Distances).
//
// A cache holds the last used objects that fit together, without objects larger than itself. So
// an access hits if the object and all objects used since, larger than the cache not counted, fit
// the capacity. Distances are kept by the smallest cache that the object fits.
//
// This holds while no object changes its size. From the first change on the caches are simulated
// one by one, starting from their contents by distances.
type Stack struct {
	capacity []uint64 // ascending
	last     map[uint64]use
	now      uint32
	slots    int
	tree     [][]uint64 // per class, Fenwick: bytes of an object where it was last used; nil: no objects
	hits     []bool
	caches   []Cache // once a size has changed
}

// A use is the last one of an object.
type use struct{ at, size uint32 }

// NewStack returns an empty Stack for capacities in bytes, which must ascend.
func NewStack(capacities []uint64) *Stack {
	return &Stack{capacity: capacities, last: map[uint64]use{}, slots: 1 << 12,
		tree: make([][]uint64, len(capacities)), hits: make([]bool, len(capacities))}
}

// Access returns, by capacity, whether the access hits. The slice is valid until the next call.
func (s *Stack) Access(id uint64, size uint32) []bool {
	if s.caches == nil {
		before, known := s.last[id]
		if !known || before.size == size {
			s.access(id, size, before, known)
			return s.hits
		}
		s.part()
	}
	for i, c := range s.caches {
		s.hits[i] = c.Access(id, size)
	}
	return s.hits
}

// class is the smallest cache that has room for an object.
func (s *Stack) class(size uint32) int {
	k, _ := slices.BinarySearch(s.capacity, uint64(size))
	return k
}

func (s *Stack) access(id uint64, size uint32, before use, known bool) {
	class := s.class(size)
	clear(s.hits)
	if class == len(s.capacity) {
		s.last[id] = use{0, size} // in no cache, but its size is known
		return
	}
	if int(s.now) == s.slots-1 {
		s.renumber()
		before = s.last[id]
	}
	if known {
		bytes := uint64(size)
		for k := range s.capacity {
			if t := s.tree[k]; t != nil {
				bytes += sum(t, s.now) - sum(t, before.at)
			}
			s.hits[k] = k >= class && bytes <= s.capacity[k]
		}
		add64(s.tree[class], before.at, -uint64(size))
	}
	s.now++
	s.last[id] = use{s.now, size}
	if s.tree[class] == nil {
		s.tree[class] = make([]uint64, s.slots)
	}
	add64(s.tree[class], s.now, uint64(size))
}

func add64(t []uint64, i uint32, x uint64) {
	for ; int(i) < len(t); i += i & -i {
		t[i] += x
	}
}

func sum(t []uint64, i uint32) (n uint64) {
	for ; i > 0; i &= i - 1 {
		n += t[i]
	}
	return n
}

// An object and its last use.
type last struct {
	id uint64
	use
}

// order lists the objects that fit anywhere, the one used longest ago first.
func (s *Stack) order() []last {
	all := make([]last, 0, len(s.last))
	for id, u := range s.last {
		if u.at > 0 {
			all = append(all, last{id, u})
		}
	}
	slices.SortFunc(all, func(a, b last) int { return int(a.at) - int(b.at) }) // times differ: no map order shows
	return all
}

// renumber gives the objects the times 1, 2, ... in their order, when time has run out.
func (s *Stack) renumber() {
	all := s.order()
	if 2*len(all) >= s.slots {
		s.slots *= 2
	}
	for k, t := range s.tree {
		if t != nil {
			s.tree[k] = make([]uint64, s.slots)
		}
	}
	for i, x := range all {
		at := uint32(i + 1)
		s.last[x.id] = use{at, x.size}
		add64(s.tree[s.class(x.size)], at, uint64(x.size))
	}
	s.now = uint32(len(all))
}

// part makes the caches, with what is in them now.
func (s *Stack) part() {
	all := s.order()
	for _, capacity := range s.capacity {
		from, bytes := len(all), uint64(0)
		for from > 0 {
			n := uint64(all[from-1].size)
			if n <= capacity {
				if bytes += n; bytes > capacity {
					break
				}
			}
			from--
		}
		c, err := New("lru", capacity)
		if err != nil {
			panic(err) // lru is there
		}
		for _, x := range all[from:] {
			c.Access(x.id, x.size) // nothing leaves; what is too large stays out
		}
		s.caches = append(s.caches, c)
	}
	s.last, s.tree = nil, nil
}
