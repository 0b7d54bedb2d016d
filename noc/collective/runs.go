package collective

import (
	"slices"
	"sort"
)

// A run is neighbouring cells of a rank in equal state: cells lo to hi-1.
type run struct {
	lo, hi int
	cell
}

// A buffer is the state of all cells of one rank. Most algorithms move long runs of cells, so
// that a rank has few of them however many cells there are; a rank whose cells go their own
// ways has a state for each.
type buffer struct {
	runs  []run
	cells []cell // in place of runs, once there are more than maxRuns
}

// maxRuns is the most runs of a rank before each of its cells gets its own state.
const maxRuns = 64

// newBuffer is that of n cells that nothing has read or written.
func newBuffer(n int) buffer { return buffer{runs: []run{{hi: n}}} }

// extend adds a cell at the end.
func (b *buffer) extend() {
	if b.cells != nil {
		b.cells = append(b.cells, cell{})
		return
	}
	last := &b.runs[len(b.runs)-1]
	if last.untouched() {
		last.hi++
		return
	}
	b.runs = append(b.runs, run{lo: last.hi, hi: last.hi + 1})
}

func (s *cell) untouched() bool { return s.written == nil && s.base == nil && s.read == nil }

// each calls f for every state of cells lo to hi-1; f may change it.
func (b *buffer) each(lo, hi int, f func(*cell)) {
	if lo >= hi {
		return
	}
	if b.cells == nil {
		from := b.border(lo)
		to := b.border(hi)
		if len(b.runs) <= maxRuns {
			for i := from; i < to; i++ {
				f(&b.runs[i].cell)
			}
			return
		}
		b.spread()
	}
	for i := lo; i < hi; i++ {
		f(&b.cells[i])
	}
}

// border has a run begin with a cell, and returns its index: that after the last one for the
// cell after the last.
func (b *buffer) border(at int) int {
	i := sort.Search(len(b.runs), func(i int) bool { return b.runs[i].hi > at })
	if i == len(b.runs) || b.runs[i].lo == at {
		return i
	}
	right := run{lo: at, hi: b.runs[i].hi, cell: b.runs[i].clone()}
	b.runs[i].hi = at
	b.runs = slices.Insert(b.runs, i+1, right)
	return i + 1
}

// spread gives each cell a state of its own.
func (b *buffer) spread() {
	b.cells = make([]cell, b.runs[len(b.runs)-1].hi)
	for _, r := range b.runs {
		for i := r.lo; i < r.hi; i++ {
			b.cells[i] = r.clone()
		}
	}
	b.runs = nil
}

// clone shares nothing with s, to which operations are appended.
func (s *cell) clone() cell {
	return cell{slices.Clone(s.written), slices.Clone(s.base), slices.Clone(s.read)}
}
