package scalesim

// A stream reads, word by word, an ifmap whose windows share words or hang over
// the edge. It keeps one number per ifmap word and one per pixel and window
// element; the demand itself is never written down.
type stream struct {
	*readBuffer
	plan  *plan
	seen  []uint32 // per word: the turn in which it was last fetched, plus one
	tiles []tileState

	// The two sides of the ifmap operand. The window runs backwards for input
	// stationary, whose tiles are loaded from the last row up.
	pixels, window axis
	overhang       bool
}

// An axis is one side of the ifmap operand matrix: pixels or window elements.
// The word of a pixel and an element has the sum of their addresses, and lies
// in the ifmap when the sums of y and of x do.
type axis struct{ addr, y, x []int32 }

func (p *plan) stream(b *readBuffer) *stream {
	l := p.layer
	s := &stream{readBuffer: b, plan: p, seen: make([]uint32, l.H*l.W*l.C), overhang: p.overhang()}
	s.tiles = make([]tileState, p.ifmap(p.rowFolds-1, p.colFolds-1).tile+1)
	s.pixels, s.window = newAxis(p.pixels), newAxis(p.window)
	for i := range p.pixels {
		s.pixels.set(i, l, i/p.ofW*l.StrideH, i%p.ofW*l.StrideW, 0)
	}
	for i := range p.window {
		j := p.element(i)
		if p.Dataflow == IS {
			j = p.element(p.window - 1 - i)
		}
		s.window.set(i, l, j/(l.S*l.C), j/l.C%l.S, j%l.C)
	}
	return s
}

func newAxis(n int) axis { return axis{make([]int32, n), make([]int32, n), make([]int32, n)} }

func (a axis) set(i int, l Layer, y, x, ch int) {
	a.addr[i] = int32((y*l.W+x)*l.C + ch)
	a.y[i], a.x[i] = int32(y), int32(x)
}

func (a axis) cut(from, n int) axis {
	return axis{a.addr[from : from+n], a.y[from : from+n], a.x[from : from+n]}
}

// sides are the rows and columns of a fold's ifmap tile.
func (s *stream) sides(fr, fc int) (rows, cols axis) {
	p := s.plan
	row, used := fr*p.Rows, p.usedRows(fr)
	switch p.Dataflow {
	case OS:
		return s.window, s.pixels.cut(row, used)
	case WS:
		return s.pixels, s.window.cut(row, used)
	}
	return s.window.cut(p.window-row-used, used), s.pixels.cut(fc*p.Cols, p.usedCols(fc))
}

// pass asks for the ifmap tile of a fold.
func (s *stream) pass(fr, fc int) {
	d := s.plan.ifmap(fr, fc)
	state := &s.tiles[d.tile]
	if state.known && state.turns == s.turns {
		return // all of it was asked for since the last turn
	}
	line, turns := s.plan.line(fr, fc)+uint64(d.line), s.turns
	rows, cols := s.sides(fr, fc)
	for n := range d.lines() {
		// Element r of the rows meets column first, and the rows fall as the
		// columns rise; in a stationary tile one row meets all.
		r, first, end := n, 0, d.cols
		if d.skew {
			first, end = max(0, n-d.rows+1), min(d.cols, n+1)
			r = n - first
		}
		switch c := cols.cut(first, end-first); {
		case s.overhang:
			s.readInside(c, rows, r, d.skew, line+uint64(n))
		case d.skew:
			s.readFalling(c.addr, rows.addr[r+1-len(c.addr):r+1], line+uint64(n))
		default:
			s.readLevel(c.addr, rows.addr[r], line+uint64(n))
		}
	}
	*state = tileState{turns: s.turns, known: s.turns == turns}
}

func (s *stream) readFalling(cols, rows []int32, line uint64) {
	stamp, seen := s.turns+1, s.seen
	rows = rows[:len(cols)]
	for i, a := range cols {
		if a += rows[len(rows)-1-i]; seen[a] != stamp {
			seen[a] = stamp
			stamp = s.fetch(line)
		}
	}
}

func (s *stream) readLevel(cols []int32, row int32, line uint64) {
	stamp, seen := s.turns+1, s.seen
	for _, a := range cols {
		if a += row; seen[a] != stamp {
			seen[a] = stamp
			stamp = s.fetch(line)
		}
	}
}

// readInside leaves out the words beyond the edge.
func (s *stream) readInside(cols, rows axis, r int, falling bool, line uint64) {
	stamp, seen := s.turns+1, s.seen
	h, w := int32(s.plan.layer.H), int32(s.plan.layer.W)
	for i, a := range cols.addr {
		at := r
		if falling {
			at -= i
		}
		if rows.y[at]+cols.y[i] >= h || rows.x[at]+cols.x[i] >= w {
			continue
		}
		if a += rows.addr[at]; seen[a] != stamp {
			seen[a] = stamp
			stamp = s.fetch(line)
		}
	}
}

// fetch counts a word that the serving half does not hold, and returns the
// stamp of the words it holds from now on.
func (s *stream) fetch(line uint64) uint32 {
	if s.words++; s.words == s.half {
		s.turn(line)
	}
	return s.turns + 1
}
