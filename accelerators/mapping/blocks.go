package mapping

// A matrix is a tensor as rows of so many elements, and how they lie.
type matrix struct {
	rows, cols int64
	lay        lay
	wide       width
}

// region appends the transfers of the elements [c0,c1) of the rows [r0,r1); t has what
// does not depend on the place. Blocks come in the order in which they lie.
func (m *matrix) region(dst []Transfer, t Transfer, r0, r1, c0, c1 int64) []Transfer {
	s := m.lay.block
	first := len(dst)
	for top := r0 / s * s; top < r1; top += s {
		high := min(s, m.rows-top)
		a, b := max(r0, top)-top, min(r1, top+high)-top
		for c := c0; c < c1; {
			left := c / s * s
			wide := min(s, m.cols-left)
			base := top*m.cols + left*high
			if n := (c1 - left) / s; left == c && n > 0 { // whole rows of blocks
				t.Offset = offset(base+a*s, m.wide)
				t.RowBytes, t.Rows, t.Stride, t.Planes = size((b-a)*s, m.wide), n, offset(s*high, m.wide), 1
				c += n * s
			} else {
				n := min(c1, left+wide) - c
				t.Offset = offset(base+a*wide+c-left, m.wide)
				t.RowBytes, t.Rows, t.Stride, t.Planes = size(n, m.wide), b-a, offset(wide, m.wide), 1
				c += n
			}
			dst = join(dst, first, t.Contiguous())
		}
	}
	return dst
}

// join appends a transfer, or makes the one before it longer if it is one run and they
// touch.
func join(dst []Transfer, first int, t Transfer) []Transfer {
	if n := len(dst); n > first && t.Rows == 1 && t.Planes == 1 {
		if p := &dst[n-1]; p.Rows == 1 && p.Planes == 1 && p.Offset+p.RowBytes == t.Offset {
			p.RowBytes += t.RowBytes
			return dst
		}
	}
	return append(dst, t)
}

// blockRuns is the requests that move so many pieces of rows x cols elements of a tiled
// matrix.
func (m *Memory) blockRuns(planes, rows, cols, block int64, wide width) int64 {
	if rows >= block {
		high := ceil(rows, block)
		return m.requests(planes*high, size(block*cols, wide))
	}
	return m.requests(planes*ceil(cols, block), size(rows*min(cols, block), wide))
}
