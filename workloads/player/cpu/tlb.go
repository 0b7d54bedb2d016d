package cpu

// A tlb is one level of translations: sets of ways, the most recently used first.
type tlb struct {
	ways int
	sets uint64
	tags []uint64 // page plus 1; 0: none
}

func newTLB(entries, ways int) tlb {
	if ways == 0 {
		ways = entries
	}
	if entries == 0 {
		return tlb{}
	}
	return tlb{ways: ways, sets: uint64(entries / ways), tags: make([]uint64, entries)}
}

// hit looks a page up.
func (t *tlb) hit(page uint64) bool {
	if t.sets == 0 {
		return false
	}
	set := t.set(page)
	for i, tag := range set {
		if tag == page+1 {
			copy(set[1:i+1], set[:i])
			set[0] = tag
			return true
		}
	}
	return false
}

// fill brings a page in, in the place of the least recently used.
func (t *tlb) fill(page uint64) {
	if t.sets == 0 {
		return
	}
	set := t.set(page)
	copy(set[1:], set[:len(set)-1])
	set[0] = page + 1
}

func (t *tlb) set(page uint64) []uint64 {
	at := page % t.sets * uint64(t.ways)
	return t.tags[at : at+uint64(t.ways)]
}

// A table is a page table in memory: level 0 has an entry per page, each further level
// one per 512 of those below.
type table struct {
	level []level
	pages uint64
}

// A level is its entries, one after the other, and those of them that a walk knows.
type level struct {
	base  uint64
	shift uint // log2 of the pages that an entry stands for
	known tlb
}

const (
	entryBytes = 8
	fan        = 9 // log2 of the entries of a table
)

// newTable lays out a page table for a number of pages from base on. end is the first address
// after it.
func newTable(w *Walk, pages, base uint64) (t table, end uint64) {
	t.pages = pages
	for l := range w.Levels {
		shift := uint(l) * fan
		t.level = append(t.level, level{base: base, shift: shift})
		if l > 0 {
			t.level[l].known = newTLB(w.Entries, 0)
		}
		base += ((pages-1)>>shift + 1) * entryBytes
		base = (base + 4095) &^ 4095
	}
	return t, base
}

// first is the highest level of a page whose entry has to be read: walks begin there and
// go down to level 0.
func (t *table) first(page uint64) int {
	page %= t.pages
	for l := 1; l < len(t.level); l++ {
		if t.level[l].known.hit(page >> t.level[l].shift) {
			return l - 1
		}
	}
	return len(t.level) - 1
}

// entry is the address of a page's entry in a level.
func (t *table) entry(page uint64, l int) uint64 {
	return t.level[l].base + page%t.pages>>t.level[l].shift*entryBytes
}

// learn notes the entries that a walk from a level down has read.
func (t *table) learn(page uint64, first int) {
	page %= t.pages
	for l := 1; l <= first; l++ {
		t.level[l].known.fill(page >> t.level[l].shift)
	}
}
