package tagstore

import "slices"

// tagArray is which line is in which way.
type tagArray struct {
	index     Index
	ways      int
	tags      []uint64  // [set*ways+way] line plus 1; 0 is empty
	tagHashes tagHashes // of caches of few ways
	find      *lineMap  // of caches of many ways
	free      []uint16  // [set] empty ways
	low       []uint16  // [set] no way below is empty
}

// A place is the set of a line and the way in which it is, -1 if it is not there; good
// until the next change of the tags.
type place struct {
	known    bool
	set, way int
}

// Size returns the lines that there is room for.
func (c *tagArray) Size() int { return len(c.tags) }

// Ways returns the ways of each set.
func (c *tagArray) Ways() int { return c.ways }

// Sets returns the sets of all slices together.
func (c *tagArray) Sets() int { return c.index.Sets() }

// Index returns how lines find their sets.
func (c *tagArray) Index() Index { return c.index }

// Set returns the set of a line among those of all slices.
func (c *tagArray) Set(line uint64) int { return c.index.Set(line) }

// Slice returns the slice of a line.
func (c *tagArray) Slice(line uint64) int { return c.index.Slice(line) }

// Way returns where a line is, or -1.
func (c *tagArray) Way(set int, line uint64) int {
	if c.find != nil {
		return c.find.get(line)
	}
	return c.tagHashes.find(set, line, c.tags[set*c.ways:][:c.ways])
}

// Look finds the place of a touch.
func (c *tagArray) Look(t *Touch) (set, way int) {
	if !t.known {
		set = c.index.Set(t.Line)
		t.place = place{true, set, c.Way(set, t.Line)}
	}
	return t.set, t.way
}

// place notes that a line is in a way now.
func (c *tagArray) place(set, way int, line uint64) {
	c.tags[set*c.ways+way] = line + 1
	if c.find != nil {
		c.find.put(line, way)
	} else {
		c.tagHashes.put(set, way, line)
	}
}

// empty returns the lowest empty way of a set that has one.
func (c *tagArray) empty(set int) int {
	w := int(c.low[set])
	for row := c.tags[set*c.ways:][:c.ways]; row[w] != 0; {
		w++
	}
	c.low[set] = uint16(w)
	return w
}

// Has reports whether a line is there, with all of its sectors or not. The policy
// does not learn of it.
func (c *tagArray) Has(line uint64) bool { return c.Way(c.index.Set(line), line) >= 0 }

// Held is the number of lines that are there.
func (c *tagArray) Held() uint64 {
	free := 0
	for _, n := range c.free {
		free += int(n)
	}
	return uint64(len(c.tags) - free)
}

// Lines returns the lines of a set by way, empty ways left out.
func (c *tagArray) Lines(set int) []uint64 {
	var out []uint64
	for _, t := range c.tags[set*c.ways:][:c.ways] {
		if t != 0 {
			out = append(out, t-1)
		}
	}
	return out
}

// Within lists the lines from first to last that are there, in order.
func (c *tagArray) Within(first, last uint64) []uint64 {
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
