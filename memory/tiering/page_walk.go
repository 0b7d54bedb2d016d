package tiering

import "github.com/causeway-sim/causeway/memory"

// maxLevels is the depth of a page table.
const maxLevels = 5

// fanout is the entries of a node of the page table, of 8 B each, as in x86-64.
const fanout = 512

// walker reads the page table, which is a tree in frames of one tier. The entries
// of a level follow each other, those of the leaves first.
type walker struct {
	levels int
	tier   int
	start  [maxLevels]uint64 // of each level in the table, bytes
	frames []uint32          // of the table
	active []walking         // by number; those with a page are under way
	idle   []int32
	reads  uint64 // sent
	time   uint64 // cycles of walks, from the miss to the translation
	done   uint64
}

// walking is one walk.
type walking struct {
	page  uint32
	level int // that is read next, or is being read; the leaf is 0
	begun uint64
	busy  bool
	wait  []piece // for the translation
}

// place gives the table its frames.
func (w *walker) place(t *table, levels, tier int) error {
	w.levels, w.tier = levels, tier
	bytes, n := uint64(0), uint64(len(t.frame))
	for k := range levels {
		w.start[k] = bytes
		bytes += (n*8 + 63) &^ 63
		n = (n + fanout - 1) / fanout
	}
	if levels == 0 {
		return nil
	}
	var err error
	w.frames, err = t.reserve(tier, int((bytes+1<<t.shift-1)>>t.shift))
	return err
}

// entry is the address of the line with a page's entry of a level.
func (w *walker) entry(t *table, page uint32, level int) uint64 {
	n := uint64(page)
	for range level {
		n /= fanout
	}
	at := (w.start[level] + n*8) &^ 63
	return t.address(w.frames[at>>t.shift]) + at&(1<<t.shift-1)
}

// of returns the walk of a page in flight, if any.
func (w *walker) of(page uint32) *walking {
	for i := range w.active {
		if x := &w.active[i]; x.busy && x.page == page {
			return x
		}
	}
	return nil
}

// begin starts a walk for a piece.
func (w *walker) begin(p piece, cycle uint64) int32 {
	var i int32
	if n := len(w.idle); n > 0 {
		i, w.idle = w.idle[n-1], w.idle[:n-1]
	} else {
		i = int32(len(w.active))
		w.active = append(w.active, walking{})
	}
	x := &w.active[i]
	x.page, x.level, x.begun, x.busy = p.page, w.levels-1, cycle, true
	x.wait = append(x.wait[:0], p)
	return i
}

// walk begins a walk. Its reads begin after the fixed time of a walk, tlb.walk.
func (c *Comp) walk(p piece, cycle uint64) {
	i := c.walker.begin(p, cycle)
	if c.tlb.walk == 0 {
		c.readEntry(i, cycle)
		return
	}
	c.delayed.Add(cycle+c.tlb.walk, delayed{walk: i + 1})
}

// readEntry sends the next read of a walk.
func (c *Comp) readEntry(i int32, cycle uint64) {
	w := &c.walker
	x := &w.active[i]
	w.reads++
	c.below[w.tier].push(order{addr: w.entry(&c.table, x.page, x.level), bytes: 64, at: cycle, request: -1, move: -1, walk: i + 1, hint: memory.Hint{Task: c.requests.At(x.wait[0].request).task}})
}

// walked takes in the answer to a read of a walk.
func (c *Comp) walked(i int32, cycle uint64) error {
	w := &c.walker
	x := &w.active[i]
	if x.level > 0 {
		x.level--
		c.readEntry(i, cycle)
		return nil
	}
	c.tlb.arrived(x.page, cycle)
	w.time += cycle - x.begun
	w.done++
	x.busy = false
	w.idle = append(w.idle, i)
	for k := 0; k < len(w.active[i].wait); k++ { // none joins any more
		if err := c.issue(w.active[i].wait[k], cycle); err != nil {
			return err
		}
	}
	return nil
}
