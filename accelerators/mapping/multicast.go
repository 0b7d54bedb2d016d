package mapping

// A multicastShare is what one of several cores fetches of an operand that they share: part at
// of so many. The others fetch theirs at the same time, and all of it reaches all of
// them over a multicast bus. The zero value fetches everything itself.
//
// assumption: the cores run in step, so that the parts arrive with one's own, and the
// bus between them is no bottleneck.
type multicastShare struct{ at, of int64 }

func (c multicastShare) shared() bool { return c.of > 1 }

// cut leaves, of the transfers from index from on, the core's part: of planes, rows or
// bytes, whichever there are enough of.
func (c multicastShare) cut(list []Transfer, from int) []Transfer {
	if !c.shared() {
		return list
	}
	kept := list[:from]
	for _, t := range list[from:] {
		t = t.Contiguous()
		part := func(n int64) (lo, hi int64) { return n * c.at / c.of, n * (c.at + 1) / c.of }
		switch {
		case t.Planes >= c.of:
			lo, hi := part(t.Planes)
			t.Offset, t.Planes = t.Offset+lo*t.PlaneStride, hi-lo
		case t.Rows >= c.of:
			lo, hi := part(t.Rows)
			t.Offset, t.Rows = t.Offset+lo*t.Stride, hi-lo
		default:
			lo, hi := part(t.RowBytes)
			t.Offset, t.RowBytes = t.Offset+lo, hi-lo
		}
		if t.Bytes() > 0 {
			kept = append(kept, t)
		}
	}
	return kept
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
