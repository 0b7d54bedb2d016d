package mapping

// allRows is the rows of a matrix that holds all products one after the other.
func (s *shape) allRows(at *place) int64 { return at.products * at.fullM }

// products appends the transfers of columns [c0,c1) of the box's rows, product after
// product.
func (s *shape) products(dst []Transfer, at *place, x *box, m *matrix, t Transfer, c0, c1 int64) []Transfer {
	for b := x.b0; b < x.b1; b++ {
		r := (at.batch0+b)*at.fullM + at.m0 + x.p0 + x.x0
		dst = m.region(dst, t, r, r+x.m(), c0, c1)
	}
	return dst
}

// inPixels is inRegion for images whose channels are last: rows [lo, lo+n) every pitch, and
// columns [q, q+cols) of them, in r.
func (s *shape) inPixels(dst []Transfer, at *place, image, images, channel, channels int64, r [4]int64, pitch int64) []Transfer {
	lo, n, q, cols := r[0], r[1], r[2], r[3]
	all := at.channels
	plane := s.h * s.w * all
	t := Transfer{Tensor: at.a, Buffer: Ifmap, Offset: offset((at.image0+image)*plane+(lo*s.w+q)*all+channel, s.aWide)}
	switch {
	case channels == all && pitch == 1 && cols == s.w: // rows join; planes are images
		t.RowBytes, t.Rows, t.Stride, t.Planes = size(n*s.w*all, s.aWide), images, offset(plane, s.aWide), 1
		return append(dst, t)
	case channels == all:
		t.RowBytes, t.Rows, t.Stride = size(cols*all, s.aWide), n, offset(pitch*s.w*all, s.aWide)
		t.Planes, t.PlaneStride = images, offset(plane, s.aWide)
		return append(dst, t)
	}
	t.RowBytes, t.Rows, t.Stride = size(channels, s.aWide), cols, offset(all, s.aWide)
	t.Planes, t.PlaneStride = n, offset(pitch*s.w*all, s.aWide)
	for range images {
		dst = append(dst, t)
		t.Offset += offset(plane, s.aWide)
	}
	return dst
}
