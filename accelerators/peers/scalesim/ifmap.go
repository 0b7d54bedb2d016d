package scalesim

// element is the place in the dense window of the i-th element that pruning
// keeps: the first N of every M.
func (p *plan) element(i int) int { return i/p.keep*p.outs + i%p.keep }

// inside reports whether a window element of a pixel lies inside the ifmap.
func (p *plan) inside(pixel, i int) bool {
	l, j := p.layer, p.element(i)
	return pixel/p.ofW*l.StrideH+j/(l.S*l.C) < l.H && pixel%p.ofW*l.StrideW+j/l.C%l.S < l.W
}

// overhang reports whether any window leaves the ifmap.
func (p *plan) overhang() bool {
	l := p.layer
	return (p.ofH-1)*l.StrideH+l.R > l.H || (p.ofW-1)*l.StrideW+l.S > l.W
}

// disjoint reports whether no two windows share a word.
func (p *plan) disjoint() bool {
	l := p.layer
	return (p.ofH == 1 || l.R <= l.StrideH) && (p.ofW == 1 || l.S <= l.StrideW)
}

// words is the number of distinct ifmap words that a dense layer requests: touched rows times
// touched columns times channels.
func (p *plan) words() uint64 {
	l := p.layer
	return covered(l.H, p.ofH, l.StrideH, l.R) * covered(l.W, p.ofW, l.StrideW, l.S) * uint64(l.C)
}

// covered is how many of size places n windows of some width touch.
func covered(size, n, stride, width int) uint64 {
	total, end := 0, 0
	for i := range n {
		from, to := max(i*stride, end), min(i*stride+width, size)
		total += max(0, to-from)
		end = max(end, to)
	}
	return uint64(total)
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

// lastIfmapLine is the last line that requests an ifmap word. The last lines of a layer may
// belong to windows that hang over.
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
		if pixel, i := p.place(fr, fc, r, c); p.inside(pixel, i) {
			return true
		}
	}
	return false
}
