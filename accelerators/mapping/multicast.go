package mapping

// A multicastShare is what one of several cores fetches of an operand that they share: part at
// of so many. The others fetch theirs at the same time, and all of it reaches all of
// them over a multicast bus. The zero value fetches everything itself.
//
// assumption: the cores run in step, so that the parts arrive with one's own, and the
// bus between them is no bottleneck.
type multicastShare struct{ at, of int64 }

func (c multicastShare) shared() bool { return c.of > 1 }

// cut leaves, of the transfers from index from on, the core's part: of rows where there are enough
// of them, else of bytes. Parts differ by a row, or by a byte; the last one is the largest.
func (c multicastShare) cut(list []Transfer, from int) []Transfer {
	if !c.shared() {
		return list
	}
	n := len(list)
	for i := from; i < n; i++ {
		list = c.part(list, list[i].Contiguous())
	}
	return append(list[:from], list[n:]...)
}

// last is the part that is the largest, which a plan counts on.
func (c multicastShare) last() multicastShare { return multicastShare{max(0, c.of-1), c.of} }

// part appends the core's part of a transfer.
func (c multicastShare) part(dst []Transfer, t Transfer) []Transfer {
	rows := t.Planes * t.Rows
	if rows >= c.of {
		return t.rows(dst, rows*c.at/c.of, rows*(c.at+1)/c.of)
	}
	bytes := rows * t.RowBytes
	for lo, hi := bytes*c.at/c.of, bytes*(c.at+1)/c.of; lo < hi; {
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

// fetched corrects the traffic of a plan for what the core fetches itself.
func (p *Plan) fetched() {
	p.into = [2]int64{p.Traffic.Ifmap, p.Traffic.Filter}
	p.Traffic.Ifmap, p.Traffic.Filter = 0, 0
	for st := range p.All() {
		for i := range st.Loads {
			switch t := &st.Loads[i]; t.Buffer {
			case Ifmap:
				p.Traffic.Ifmap += t.Bytes()
			case Filter:
				p.Traffic.Filter += t.Bytes()
			}
		}
	}
}

// Multicast reports whether operands reach the core from others, too.
func (p *Plan) Multicast() bool { return p.casts[0].shared() || p.casts[1].shared() }
