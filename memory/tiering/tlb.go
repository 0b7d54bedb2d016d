package tiering

// ways of a set of translations.
const ways = 4

// translations is a TLB: entries in sets of four, the most recently used first.
type translations struct {
	entries []translation
	mask    uint32
	walk    uint64 // cycles
}

type translation struct {
	page  uint32 // plus 1; 0: none
	ready uint64 // cycle from which on it is there
}

func newTranslations(n int, walk uint64) translations {
	if n == 0 {
		return translations{}
	}
	return translations{entries: make([]translation, n), mask: uint32(n/ways - 1), walk: walk}
}

// find returns the cycle in which the translation of a page is available. A miss starts a fetch
// in the place of the least recently used.
func (t *translations) find(page uint32, cycle uint64) (ready uint64, hit bool) {
	if t.entries == nil {
		return cycle, true
	}
	set := t.entries[(page&t.mask)*ways:][:ways]
	for i := range set {
		if e := set[i]; e.page == page+1 {
			copy(set[1:i+1], set[:i])
			set[0] = e
			return max(cycle, e.ready), true
		}
	}
	copy(set[1:], set[:ways-1])
	set[0] = translation{page + 1, cycle + t.walk}
	return cycle + t.walk, false
}

// pending marks a translation that is being read from memory.
const pending = ^uint64(0)

// expect is find where walks read memory: a translation that is not there is
// pending until arrived.
func (t *translations) expect(page uint32, cycle uint64) (ready uint64, hit bool) {
	walk := t.walk
	t.walk = 0
	ready, hit = t.find(page, cycle)
	t.walk = walk
	if !hit {
		t.entries[(page&t.mask)*ways].ready = pending
		ready = pending
	}
	return ready, hit
}

// arrived records that a translation has arrived, unless another has taken its place.
func (t *translations) arrived(page uint32, cycle uint64) {
	set := t.entries[(page&t.mask)*ways:][:ways]
	for i := range set {
		if set[i].page == page+1 {
			set[i].ready = cycle
		}
	}
}

// drop forgets a page that has moved.
func (t *translations) drop(page uint32) {
	if t.entries == nil {
		return
	}
	set := t.entries[(page&t.mask)*ways:][:ways]
	for i := range set {
		if set[i].page == page+1 {
			copy(set[i:], set[i+1:])
			set[ways-1] = translation{}
			return
		}
	}
}
