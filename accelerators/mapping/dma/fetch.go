package dma

import "github.com/causeway-sim/causeway/components/integer"

// A Fetch is what one of several cores fetches of an operand that they share: part at
// of so many. The others fetch theirs at the same time, and all of it reaches all of
// them over a multicast bus. The zero value fetches everything itself.
//
// assumption: the cores run in step, so that the parts arrive with one's own, and the
// bus between them is no bottleneck.
type Fetch struct{ At, Of int64 } // part At, from 0, of Of parts

func (c Fetch) Shared() bool { return c.Of > 1 }

// Cut leaves, of the transfers from index from on, the core's part: of rows where there are enough
// of them, else of bytes. Parts differ by a row, or by a byte; the last one is the largest.
func (c Fetch) Cut(list []Transfer, from int) []Transfer {
	if !c.Shared() {
		return list
	}
	n := len(list)
	for i := from; i < n; i++ {
		list = c.part(list, list[i].Contiguous())
	}
	return append(list[:from], list[n:]...)
}

// Last is the part that is the largest, which a plan counts on.
func (c Fetch) Last() Fetch { return Fetch{max(0, c.Of-1), c.Of} }

// part appends the core's part of a transfer.
func (c Fetch) part(dst []Transfer, t Transfer) []Transfer {
	rows := t.Planes * t.Rows
	if rows >= c.Of {
		return t.rows(dst, rows*c.At/c.Of, rows*(c.At+1)/c.Of)
	}
	bytes := rows * t.RowBytes
	for lo, hi := bytes*c.At/c.Of, bytes*(c.At+1)/c.Of; lo < hi; {
		row, at := lo/t.RowBytes, lo%t.RowBytes
		n := min(hi-lo, t.RowBytes-at)
		x := t
		x.Offset += row/t.Rows*t.PlaneStride + row%t.Rows*t.Stride + at
		x.RowBytes, x.Rows, x.Planes = n, 1, 1
		dst = append(dst, x)
		lo += n
	}
	return dst
}

// rows appends the rows [lo, hi) of a transfer, counted over its planes: the rest of a plane,
// whole planes, and the begin of one.
func (t *Transfer) rows(dst []Transfer, lo, hi int64) []Transfer {
	for lo < hi {
		plane, row := lo/t.Rows, lo%t.Rows
		x := *t
		x.Offset += plane*t.PlaneStride + row*t.Stride
		if x.Planes = (hi - lo) / t.Rows; row > 0 || x.Planes == 0 {
			x.Planes, x.Rows = 1, min(hi-lo, t.Rows-row)
		}
		dst = append(dst, x)
		lo += x.Planes * x.Rows
	}
	return dst
}

// Adds is the additions of a core of a group to its part of so many results; 0 without a group.
func (c Fetch) Adds(results int64) int64 {
	if !c.Shared() {
		return 0
	}
	return integer.Ceil(results*(c.Of-1), c.Of)
}
