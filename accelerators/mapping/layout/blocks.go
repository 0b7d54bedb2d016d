package layout

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Matrix is a tensor as a tiled matrix: Layout.Block must be at least 1.
type Matrix struct {
	Rows, Cols int64       // elements
	Layout     Arrangement // Block counts elements
	Wide       graph.Unit  // bytes of an element, or of a block of elements with a common scale
}

// Region appends to dst the transfers of the elements [c0,c1) of the rows [r0,r1), in bytes from the start
// of the matrix, in the order in which blocks lie in memory. Other fields of the transfers are those of t.
// The ranges must lie in the matrix; this is not checked.
func (m *Matrix) Region(dst []dma.Transfer, t dma.Transfer, r0, r1, c0, c1 int64) []dma.Transfer {
	s := m.Layout.Block
	first := len(dst)
	for top := r0 / s * s; top < r1; top += s {
		high := min(s, m.Rows-top)
		a, b := max(r0, top)-top, min(r1, top+high)-top
		for c := c0; c < c1; {
			left := c / s * s
			wide := min(s, m.Cols-left)
			base := top*m.Cols + left*high
			if n := (c1 - left) / s; left == c && n > 0 { // whole rows of blocks
				t.Offset = m.Wide.Offset(base + a*s)
				t.RowBytes, t.Rows, t.Stride, t.Planes = m.Wide.Size((b-a)*s), n, m.Wide.Offset(s*high), 1
				c += n * s
			} else {
				n := min(c1, left+wide) - c
				t.Offset = m.Wide.Offset(base + a*wide + c - left)
				t.RowBytes, t.Rows, t.Stride, t.Planes = m.Wide.Size(n), b-a, m.Wide.Offset(wide), 1
				c += n
			}
			dst = join(dst, first, t.Contiguous())
		}
	}
	return dst
}

// join appends a transfer, or makes the one before it longer if it is one run and they
// touch.
func join(dst []dma.Transfer, first int, t dma.Transfer) []dma.Transfer {
	if n := len(dst); n > first && t.Rows == 1 && t.Planes == 1 {
		if p := &dst[n-1]; p.Rows == 1 && p.Planes == 1 && p.Offset+p.RowBytes == t.Offset {
			p.RowBytes += t.RowBytes
			return dst
		}
	}
	return append(dst, t)
}
