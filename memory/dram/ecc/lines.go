package ecc

// None is no burst of check bits, and no read of one.
const None = -1

// Data is how many bursts of data have their check bits in one burst.
const Data = 8

// A Geometry is the bursts of a channel. Columns are bursts of a row.
type Geometry struct{ Banks, Rows, Columns int }

// A Place is a burst of a channel.
type Place struct {
	Bank     int
	Row, Col uint32
}

// Lines is the bursts of check bits that a controller holds; the least recently used one is replaced.
type Lines struct {
	g     Geometry
	lines []line
	clock uint64
}

type line struct {
	of      int // burst of check bits, None if there is none
	used    uint64
	dirty   bool
	pending int // read that brings it, None if it is here
}

// DefaultCache is the bursts that a controller holds.
//
// assumption: makers do not publish the size.
const DefaultCache = 16

// NewLines makes room for n bursts of check bits, DefaultCache if n is 0.
func NewLines(g Geometry, n int) *Lines {
	if n == 0 {
		n = DefaultCache
	}
	l := &Lines{g: g, lines: make([]line, n)}
	for i := range l.lines {
		l.lines[i] = line{of: None, pending: None}
	}
	return l
}

// Of is the burst with the check bits of a burst of data.
func (l *Lines) Of(bank int, row, col uint32) int {
	return (bank*l.g.Rows+int(row))*l.g.Columns/Data + int(col)/Data
}

// Place is where a burst of check bits lies: in the last rows of the bank half the banks further, so that it finds a row of
// its own open.
func (l *Lines) Place(of int) Place {
	each := l.g.Rows * l.g.Columns / Data
	bank, at := of/each, of%each
	return Place{(bank + l.g.Banks/2) % l.g.Banks, uint32(l.g.Rows - 1 - at/l.g.Columns), uint32(at % l.g.Columns)}
}

// Use looks a burst up, and brings it in on a miss; i is its index. out is the changed burst that it replaces, None if
// there is none.
func (l *Lines) Use(of int, write bool) (i int, hit bool, out int) {
	l.clock++
	out = None
	for k := range l.lines {
		if l.lines[k].of == of {
			i, hit = k, true
			break
		}
		if l.lines[k].used < l.lines[i].used {
			i = k
		}
	}
	x := &l.lines[i]
	if !hit {
		if x.dirty {
			out = x.of
		}
		*x = line{of: of, pending: None}
	}
	x.used = l.clock
	x.dirty = x.dirty || write
	return i, hit, out
}

// Pend notes the read that brings a burst.
func (l *Lines) Pend(i, read int) { l.lines[i].pending = read }

// Pending is the read that brings a burst, None if it is here.
func (l *Lines) Pending(i int) int { return l.lines[i].pending }

// Came notes that a read has brought its burst.
func (l *Lines) Came(read int) {
	for i := range l.lines {
		if l.lines[i].pending == read {
			l.lines[i].pending = None
		}
	}
}
