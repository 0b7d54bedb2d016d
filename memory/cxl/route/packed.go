package route

import "encoding/binary"

// packed stores routes in few bytes: between thousands of hosts and devices there are
// millions, and lines follow few of them. Each is its length, then the differences from
// leg to leg as varints; links that follow each other have numbers that are near.
type packed struct {
	pieces [][]byte // so that nothing is copied as it grows
	routes []packedRoute
}

// A packedRoute is where a route's bytes begin: the number of the piece, and the offset
// there in the low pieceBits.
type packedRoute struct {
	at   uint32
	open int32 // its number among the opened routes, plus 1; 0: no line follows it
}

// A piece is 64 KiB, or one route that is longer.
const pieceBits = 16

// add stores a route and returns its number.
func (p *packed) add(legs []Leg) int32 {
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
	before := Leg(0)
	for _, l := range legs {
		text = binary.AppendVarint(text, int64(l-before))
		before = l
	}
	p.pieces[last] = text
	return int32(len(p.routes) - 1)
}

// list appends the legs of a route.
func (p *packed) list(out []Leg, n int32) []Leg {
	at := p.routes[n].at
	text := p.pieces[at>>pieceBits][at&(1<<pieceBits-1):]
	left, k := binary.Uvarint(text)
	l := Leg(0)
	for ; left > 0; left-- {
		text = text[k:]
		var d int64
		d, k = binary.Varint(text)
		l += Leg(d)
		out = append(out, l)
	}
	return out
}
