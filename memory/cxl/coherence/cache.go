package coherence

// A Cache is a set-associative cache of line states with LRU replacement. A cache without ways
// holds nothing.
type Cache struct {
	sets, ways uint64
	tags       []uint64 // address of the line; by set and way
	state      []State
	value      []uint64
	used       []uint64 // when, by clock
	clock      uint64
}

// NewCache makes a cache of sets x ways lines of 64 B.
func NewCache(sets, ways int) Cache {
	n := sets * ways
	return Cache{sets: uint64(max(sets, 1)), ways: uint64(ways), tags: make([]uint64, n), state: make([]State, n), value: make([]uint64, n), used: make([]uint64, n)}
}

func (c *Cache) set(addr uint64) (first, end uint64) {
	first = addr / 64 % c.sets * c.ways
	return first, first + c.ways
}

// number is the set of a line.
func (c *Cache) number(addr uint64) int { return int(addr / 64 % c.sets) }

// held is how many lines are in the set of a line.
func (c *Cache) held(addr uint64) (n int) {
	first, end := c.set(addr)
	for i := first; i < end; i++ {
		if c.state[i] != I {
			n++
		}
	}
	return n
}

// find is the place of a line, or -1.
func (c *Cache) find(addr uint64) int {
	first, end := c.set(addr)
	for i := first; i < end; i++ {
		if c.state[i] != I && c.tags[i] == addr {
			return int(i)
		}
	}
	return -1
}

// State returns the state of a line.
func (c *Cache) State(addr uint64) State {
	if i := c.find(addr); i >= 0 {
		return c.state[i]
	}
	return I
}

// Value returns the value of a line that is not I.
func (c *Cache) Value(addr uint64) uint64 {
	if i := c.find(addr); i >= 0 {
		return c.value[i]
	}
	return 0
}

// touch makes a line the most recently used one.
func (c *Cache) touch(i int) {
	c.clock++
	c.used[i] = c.clock
}

// put changes a present line, or fills one into a free place, which must exist.
func (c *Cache) put(addr uint64, s State, value uint64) {
	i := c.find(addr)
	if i < 0 {
		first, end := c.set(addr)
		for k := first; k < end && i < 0; k++ {
			if c.state[k] == I {
				i = int(k)
			}
		}
		if i < 0 {
			panic("coherence: no free place in a cache")
		}
	}
	c.tags[i], c.state[i], c.value[i] = addr, s, value
	c.touch(i)
}

// turn changes the state of a line, if present.
func (c *Cache) turn(addr uint64, s State) {
	if i := c.find(addr); i >= 0 {
		c.state[i] = s
	}
}

// access reads a present line, or writes it if its state allows that. ok is false if a request is
// needed.
func (c *Cache) access(addr uint64, kind Access, value uint64) (read uint64, ok bool) {
	i := c.find(addr)
	if i < 0 || kind != Load && c.state[i] < E {
		return 0, false
	}
	c.touch(i)
	if kind != Load {
		c.state[i], c.value[i] = M, value
	}
	return c.value[i], true
}

// replace is put that evicts the least recently used line if no place is free. dirty reports
// that the evicted line old was modified; without any ways the line itself is evicted.
func (c *Cache) replace(addr uint64, s State, value uint64) (old, data uint64, dirty bool) {
	if c.ways == 0 {
		return addr, value, s == M
	}
	if c.find(addr) < 0 {
		if victim, free, _ := c.victim(addr, func(uint64) bool { return false }); !free {
			old, data, dirty = victim, c.Value(victim), c.State(victim) == M
			c.turn(victim, I)
		}
	}
	c.put(addr, s, value)
	return old, data, dirty
}

// victim returns the line to evict for a new one: free means that none is needed, ok is false if
// all are pinned.
func (c *Cache) victim(addr uint64, pinned func(uint64) bool) (line uint64, free, ok bool) {
	first, end := c.set(addr)
	best := -1
	for i := first; i < end; i++ {
		if c.state[i] == I {
			return 0, true, true
		}
		if (best < 0 || c.used[i] < c.used[best]) && !pinned(c.tags[i]) {
			best = int(i)
		}
	}
	if best < 0 {
		return 0, false, false
	}
	return c.tags[best], false, true
}
