package policy

// ghost remembers, per set, the lines that left last, up to a number. The oldest
// are forgotten.
type ghost struct {
	most  int
	order Recency  // of the slots that hold a line, the latest first
	free  []uint32 // per set: a slot that holds none, followed by link.next
	held  []uint32 // per set: slots that hold a line
	line  []uint64 // [set*most+slot]
	place lineTable
}

func newGhost(sets, most int) ghost {
	g := ghost{most: most, order: NewRecency(Geometry{Sets: sets, Ways: most}),
		free: make([]uint32, sets), held: make([]uint32, sets), line: make([]uint64, sets*most), place: newLineTable(sets * most)}
	for s := range sets {
		for i := range most {
			g.order.set(s)[i].next = uint32(i + 1)
		}
	}
	return g
}

// push remembers a line that is not there.
func (g *ghost) push(set int, line uint64) {
	if g.most == 0 {
		return
	}
	if int(g.held[set]) == g.most {
		g.forget(set)
	}
	i := int(g.free[set])
	g.free[set] = g.order.set(set)[i].next
	g.order.PushFirst(set, i)
	g.line[set*g.most+i] = line
	g.place.put(line, uint32(i))
	g.held[set]++
}

// take removes a line and reports whether it was present.
func (g *ghost) take(set int, line uint64) bool {
	i, ok := g.place.get(line)
	if ok {
		g.drop(set, int(i))
	}
	return ok
}

// forget removes the oldest line of a set that has one.
func (g *ghost) forget(set int) { g.drop(set, g.order.Last(set)) }

func (g *ghost) drop(set, i int) {
	g.place.remove(g.line[set*g.most+i])
	g.order.Remove(set, i)
	g.order.set(set)[i].next = g.free[set]
	g.free[set] = uint32(i)
	g.held[set]--
}

// recall carries from a Victim to its Fill whether the line was in a ghost queue,
// which it has left by then.
type recall []struct {
	line       uint64
	asked, was bool
}

func newRecall(sets int) recall { return make(recall, sets) }

func (r recall) note(set int, line uint64, was bool) {
	r[set].line, r[set].asked, r[set].was = line, true, was
}

// known reports, once, whether Victim was called for this line, and its result.
func (r recall) known(set int, line uint64) (asked, was bool) {
	asked = r[set].asked && r[set].line == line
	r[set].asked = false
	return asked, asked && r[set].was
}

// lineTable finds the slot of a line by open addressing. It never grows: at most
// half of it is used.
type lineTable struct {
	mask uint64
	line []uint64
	slot []uint32 // plus 1; 0 is empty
}

func newLineTable(lines int) lineTable {
	n := 1
	for n < 2*lines {
		n *= 2
	}
	return lineTable{uint64(n - 1), make([]uint64, n), make([]uint32, n)}
}

// home is where a line wants to be: Fibonacci hashing, 2^64 over the golden ratio
// (Knuth, The Art of Computer Programming 3, section 6.4).
func (t *lineTable) home(line uint64) uint64 {
	x := line * 0x9e3779b97f4a7c15
	return (x ^ x>>32) & t.mask
}

// find is where a line is, or the empty place where it would be put.
func (t *lineTable) find(line uint64) uint64 {
	i := t.home(line)
	for t.slot[i] != 0 && t.line[i] != line {
		i = (i + 1) & t.mask
	}
	return i
}

func (t *lineTable) get(line uint64) (slot uint32, ok bool) {
	i := t.find(line)
	return t.slot[i] - 1, t.slot[i] != 0
}

func (t *lineTable) put(line uint64, slot uint32) {
	i := t.find(line)
	t.line[i], t.slot[i] = line, slot+1
}

// remove removes a line and moves back lines that were displaced by it.
func (t *lineTable) remove(line uint64) {
	i := t.find(line)
	for j := i; ; {
		j = (j + 1) & t.mask
		if t.slot[j] == 0 {
			break
		}
		if want := t.home(t.line[j]); (j-want)&t.mask >= (j-i)&t.mask {
			t.line[i], t.slot[i] = t.line[j], t.slot[j]
			i = j
		}
	}
	t.slot[i] = 0
}
