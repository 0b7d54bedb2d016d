package address

import (
	"fmt"
	"math/bits"
)

// A Field is a coordinate of a burst.
type Field uint8

// The fields, in the order in which named maps place them from low to high.
const (
	Channel Field = iota
	Rank
	BankGroup
	Bank
	Row
	Column
	Fields // how many there are
)

var names = [Fields]string{"Ch", "Ra", "BG", "Ba", "Ro", "Co"}

func (f Field) String() string { return names[f] }

// A Geometry is the number of bits of each field.
type Geometry [Fields]uint8

// Bits is the number of bits of an address.
func (g Geometry) Bits() int {
	n := 0
	for _, b := range g {
		n += int(b)
	}
	return n
}

// A Coord is the place of a burst, by field.
type Coord [Fields]uint32

// A piece is a run of bits of one field: bits [at, at+n) of the address are bits
// [low, low+n) of the field.
type piece struct {
	field Field
	low   uint8
	at    uint8
	mask  uint64
}

// A twist permutes a field by the bits of another from low on.
type twist struct {
	field, by Field
	low       uint8
	mask      uint32
}

// A Map turns the number of a burst into a Coord. It is immutable.
type Map struct {
	text   string
	pieces []piece // from low to high
	twists []twist
	bits   int
}

// String is the expression the map was made of.
func (m *Map) String() string { return m.text }

// Bits is the number of bits of an address; higher ones are ignored.
func (m *Map) Bits() int { return m.bits }

// Decode is the place of a burst.
func (m *Map) Decode(burst uint64) Coord {
	var c Coord
	m.Place(burst, &c)
	return c
}

// Place is Decode into a Coord at hand.
func (m *Map) Place(burst uint64, c *Coord) {
	*c = Coord{}
	for i := range m.pieces {
		p := &m.pieces[i]
		c[p.field] |= uint32(burst>>p.at&p.mask) << p.low
	}
	m.twist(c)
}

// twist is its own inverse, because what it reads is not permuted.
func (m *Map) twist(c *Coord) {
	for i := range m.twists {
		t := &m.twists[i]
		c[t.field] ^= c[t.by] >> t.low & t.mask
	}
}

// Stripe is how many of the lowest bits of a burst's number tell its channel and nothing
// else. For k up to it, an aligned block of 2^k bursts lies in an aligned block of 2^k
// channels, one burst in each, and their other fields are equal.
func (m *Map) Stripe() int {
	if len(m.pieces) == 0 || m.pieces[0].field != Channel {
		return 0
	}
	for i := range m.twists {
		if m.twists[i].by == Channel {
			return 0
		}
	}
	return bits.OnesCount64(m.pieces[0].mask)
}

// Encode is the number of the burst at a place.
func (m *Map) Encode(c Coord) uint64 {
	m.twist(&c)
	burst := uint64(0)
	for _, p := range m.pieces {
		burst |= uint64(c[p.field]) >> p.low & p.mask << p.at
	}
	return burst
}

// New is Parse for expressions in a program; it panics where Parse fails.
func New(expression string, g Geometry) *Map {
	m, err := Parse(expression, g)
	if err != nil {
		panic(fmt.Sprintf("address: %s", err))
	}
	return m
}
