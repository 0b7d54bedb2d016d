package product

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/layout"
)

// allRows is the rows of a matrix that holds all products one after the other.
func (s *Shape) allRows(at *Place) int64 { return at.products * at.fullM }

// products appends the transfers of columns [c0,c1) of the box's rows, product after
// product.
func (s *Shape) products(dst []dma.Transfer, at *Place, x *Box, m *layout.Matrix, t dma.Transfer, c0, c1 int64) []dma.Transfer {
	for b := x.B0; b < x.B1; b++ {
		r := (at.Batch0+b)*at.fullM + at.M0 + x.P0 + x.X0
		dst = m.Region(dst, t, r, r+x.m(), c0, c1)
	}
	return dst
}

// inPixels is inRegion for images whose channels are last: rows [lo, lo+n) every pitch, and
// columns [q, q+cols) of them, in r.
func (s *Shape) inPixels(dst []dma.Transfer, at *Place, image, images, channel, channels int64, r [4]int64, pitch int64) []dma.Transfer {
	lo, n, q, cols := r[0], r[1], r[2], r[3]
	all := at.channels
	plane := s.h * s.W * all
	t := dma.Transfer{Tensor: at.A, Buffer: dma.Ifmap, Offset: s.AWide.Offset((at.Image0+image)*plane + (lo*s.W+q)*all + channel)}
	switch {
	case channels == all && pitch == 1 && cols == s.W: // rows join; planes are images
		t.RowBytes, t.Rows, t.Stride, t.Planes = s.AWide.Size(n*s.W*all), images, s.AWide.Offset(plane), 1
		return append(dst, t)
	case channels == all:
		t.RowBytes, t.Rows, t.Stride = s.AWide.Size(cols*all), n, s.AWide.Offset(pitch*s.W*all)
		t.Planes, t.PlaneStride = images, s.AWide.Offset(plane)
		return append(dst, t)
	}
	t.RowBytes, t.Rows, t.Stride = s.AWide.Size(channels), cols, s.AWide.Offset(all)
	t.Planes, t.PlaneStride = n, s.AWide.Offset(pitch*s.W*all)
	for range images {
		dst = append(dst, t)
		t.Offset += s.AWide.Offset(plane)
	}
	return dst
}
