package scalesim

// windows finds the ifmap address of (pixel, window element). A pixel has the
// address of its top left corner; a window element has an offset from it.
// Elements that hang over the right or lower edge are not asked for.
type windows struct {
	corner []int32 // per pixel
	down   []int32 // per pixel: rows of the ifmap from the corner to the edge
	right  []int32 // per pixel: columns of the ifmap from the corner to the edge
	offset []int32 // per kept window element
	row    []int32 // per kept window element
	col    []int32
}

func (p *plan) windows() *windows {
	l := p.layer
	w := &windows{
		corner: make([]int32, p.pixels), down: make([]int32, p.pixels), right: make([]int32, p.pixels),
		offset: make([]int32, p.window), row: make([]int32, p.window), col: make([]int32, p.window),
	}
	for i := range p.pixels {
		y, x := i/p.ofW*l.StrideH, i%p.ofW*l.StrideW
		w.corner[i] = int32((y*l.W + x) * l.C)
		w.down[i], w.right[i] = int32(l.H-y), int32(l.W-x)
	}
	for i := range p.window {
		j := p.element(i)
		r, c := j/(l.S*l.C), j/l.C%l.S
		w.offset[i] = int32((r*l.W+c)*l.C + j%l.C)
		w.row[i], w.col[i] = int32(r), int32(c)
	}
	return w
}

// element is the place in the dense window of the i-th element that pruning
// keeps: the first N of every M.
func (p *plan) element(i int) int { return i/p.keep*p.outs + i%p.keep }

// asked tells whether a window element of a pixel lies inside the ifmap.
func (p *plan) asked(pixel, i int) bool {
	l, j := p.layer, p.element(i)
	return pixel/p.ofW*l.StrideH+j/(l.S*l.C) < l.H && pixel%p.ofW*l.StrideW+j/l.C%l.S < l.W
}

// overhang tells whether any window leaves the ifmap.
func (p *plan) overhang() bool {
	l := p.layer
	return (p.ofH-1)*l.StrideH+l.R > l.H || (p.ofW-1)*l.StrideW+l.S > l.W
}

// place maps element (r, c) of a fold's ifmap tile to its pixel and window
// element. The rows of a stationary tile come from the last one up.
func (p *plan) place(fr, fc, r, c int) (pixel, element int) {
	switch p.Dataflow {
	case OS:
		return fr*p.Rows + c, r
	case WS:
		return r, fr*p.Rows + c
	}
	return fc*p.Cols + c, fr*p.Rows + p.usedRows(fr) - 1 - r
}

// lastIfmapLine is the last line that asks for any ifmap word. The last lines
// of a layer may belong to windows that hang over.
func (p *plan) lastIfmapLine() uint64 {
	fr, fc := p.rowFolds-1, p.colFolds-1
	if !p.overhang() {
		return p.line(fr, fc) + uint64(p.ifmap(fr, fc).last())
	}
	for ; fc >= 0; fc-- {
		for fr = p.rowFolds - 1; fr >= 0; fr-- {
			d := p.ifmap(fr, fc)
			for n := d.lines() - 1; n >= 0; n-- {
				if p.asksInLine(fr, fc, d, n) {
					return p.line(fr, fc) + uint64(d.line+n)
				}
			}
		}
	}
	panic("scalesim: the first pixel asks for nothing")
}

func (p *plan) asksInLine(fr, fc int, d demand, n int) bool {
	first, end := 0, d.cols
	if d.skew {
		first, end = max(0, n-d.rows+1), min(d.cols, n+1)
	}
	for c := first; c < end; c++ {
		r := n
		if d.skew {
			r = n - c
		}
		if pixel, i := p.place(fr, fc, r, c); p.asked(pixel, i) {
			return true
		}
	}
	return false
}
