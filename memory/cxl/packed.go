package cxl

import "encoding/binary"

// packed is routes, small: between thousands of hosts and devices there are millions, of
// which few are taken. Each is its length and then the differences from leg to leg, as
// varints; neighbours have numbers that are near.
type packed struct {
	pieces [][]byte // so that nothing is copied as it grows
	routes []packedRoute
}

// A packedRoute is where its text begins: the number of the piece and the place there,
// which has pieceBits.
type packedRoute struct {
	at   uint32
	open int32 // its number among the routes of lines, plus 1; 0: none has taken it
}

// A piece is 64 KiB, or one route that is longer.
const pieceBits = 16

// add takes a route in and tells its number.
func (p *packed) add(legs []leg) int32 {
	last := len(p.pieces) - 1
	if need := binary.MaxVarintLen32 * (len(legs) + 1); last < 0 || len(p.pieces[last])+need > 1<<pieceBits {
		if last++; last == 0 { // of a small fabric
			p.pieces = append(p.pieces, nil)
		} else {
			p.pieces = append(p.pieces, make([]byte, 0, max(need, 1<<pieceBits)))
		}
	}
	text := p.pieces[last]
	p.routes = append(p.routes, packedRoute{at: uint32(last<<pieceBits | len(text))})
	text = binary.AppendUvarint(text, uint64(len(legs)))
	before := leg(0)
	for _, l := range legs {
		text = binary.AppendVarint(text, int64(l-before))
		before = l
	}
	p.pieces[last] = text
	return int32(len(p.routes) - 1)
}

// list appends the legs of a route.
func (p *packed) list(out []leg, n int32) []leg {
	at := p.routes[n].at
	text := p.pieces[at>>pieceBits][at&(1<<pieceBits-1):]
	left, k := binary.Uvarint(text)
	l := leg(0)
	for ; left > 0; left-- {
		text = text[k:]
		var d int64
		d, k = binary.Varint(text)
		l += leg(d)
		out = append(out, l)
	}
	return out
}

// open is the number of a route among those that lines take.
func (f *fabric) open(n int32) int32 {
	r := &f.packed.routes[n]
	if r.open == 0 {
		f.routes = append(f.routes, f.packed.list(nil, n))
		r.open = int32(len(f.routes))
	}
	return r.open - 1
}
