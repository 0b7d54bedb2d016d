package coherence

// An entry of a snoop filter is the hosts with copies of one line.
type entry struct {
	sharers uint64 // hosts that may have a copy, by bit
	alone   bool   // the only sharer may have it exclusive, or modified
}

// A Filter is an inclusive snoop filter of sets x ways entries; without sets it has an entry for
// every line of the memory (states in metadata).
type Filter struct {
	sets, ways uint64
	tags       []uint64
	live       []bool
	entries    []entry
	used       []uint64
	clock      uint64
	all        map[uint64]entry
	count      int
}

// NewFilter makes a filter; with sets 0 it is unbounded.
func NewFilter(sets, ways int) Filter {
	f := Filter{sets: uint64(sets), ways: uint64(ways)}
	if sets == 0 {
		f.all = map[uint64]entry{}
		return f
	}
	n := sets * ways
	f.tags, f.live, f.entries, f.used = make([]uint64, n), make([]bool, n), make([]entry, n), make([]uint64, n)
	return f
}

// set is the number of a line's set.
func (f *Filter) set(addr uint64) uint64 {
	if f.sets == 0 {
		return 0
	}
	return addr / 64 % f.sets
}

func (f *Filter) find(addr uint64) int {
	first := f.set(addr) * f.ways
	for i := first; i < first+f.ways; i++ {
		if f.live[i] && f.tags[i] == addr {
			return int(i)
		}
	}
	return -1
}

// get is what is known about a line.
func (f *Filter) get(addr uint64) entry {
	if f.sets == 0 {
		return f.all[addr]
	}
	if i := f.find(addr); i >= 0 {
		return f.entries[i]
	}
	return entry{}
}

// put changes an entry. A line without sharers leaves the filter, unless keep is set because its
// place is needed at once.
func (f *Filter) put(addr uint64, e entry, keep bool) {
	if f.sets == 0 {
		if e.sharers == 0 {
			delete(f.all, addr)
		} else {
			f.all[addr] = e
		}
		f.count = len(f.all)
		return
	}
	i := f.find(addr)
	if i < 0 {
		if e.sharers == 0 {
			return
		}
		panic("coherence: a sharer of a line without a place in the filter")
	}
	f.entries[i] = e
	f.clock++
	f.used[i] = f.clock
	if e.sharers == 0 && !keep {
		f.live[i] = false
		f.count--
	}
}

// reserve finds a place for a line: ok if it has one now. Otherwise victim, if found,
// is the line that has to go first: the least recently used one that is not pinned.
func (f *Filter) reserve(addr uint64, pinned func(uint64) bool) (victim uint64, found, ok bool) {
	if f.sets == 0 || f.find(addr) >= 0 {
		return 0, false, true
	}
	first := f.set(addr) * f.ways
	best := -1
	for i := first; i < first+f.ways; i++ {
		if !f.live[i] {
			f.tags[i], f.live[i], f.entries[i] = addr, true, entry{}
			f.count++
			return 0, false, true
		}
		if (best < 0 || f.used[i] < f.used[best]) && !pinned(f.tags[i]) {
			best = int(i)
		}
	}
	if best < 0 {
		return 0, false, false
	}
	return f.tags[best], true, false
}

// Holds reports whether host may have a copy, by the filter.
func (f *Filter) Holds(host int, addr uint64) bool { return f.get(addr).sharers>>host&1 != 0 }

// Entries returns the lines in the filter.
func (f *Filter) Entries() int { return f.count }
