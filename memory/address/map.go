package address

import (
	"fmt"
	"math/bits"
)

// A Field is a coordinate of a burst.
type Field uint8

// The fields, in the order of named maps from low to high.
const (
	Channel Field = iota
	Rank
	BankGroup
	Bank
	Row
	Column
	Fields // number of fields
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

// A permutation permutes a field, from bit up on, by the bits of another from low on.
type permutation struct {
	field, by Field
	low, up   uint8
	mask      uint32
}

// A Map converts the number of a burst to a Coord and back. It is immutable.
type Map struct {
	text         string
	pieces       []piece // from low to high
	permutations []permutation
	bits         int
}

// String returns the expression that the map was made of.
func (m *Map) String() string { return m.text }

// Bits returns the bits of a burst number; higher bits are ignored.
func (m *Map) Bits() int { return m.bits }

// Decode returns the place of a burst.
func (m *Map) Decode(burst uint64) Coord {
	var c Coord
	m.Place(burst, &c)
	return c
}

// Place is like Decode, and writes to c.
func (m *Map) Place(burst uint64, c *Coord) {
	*c = Coord{}
	for i := range m.pieces {
		p := &m.pieces[i]
		c[p.field] |= uint32(burst>>p.at&p.mask) << p.low
	}
	m.permute(c)
}

// permutation is its own inverse, because what it reads is not permuted.
func (m *Map) permute(c *Coord) {
	for i := range m.permutations {
		t := &m.permutations[i]
		c[t.field] ^= c[t.by] >> t.low << t.up & t.mask
	}
}

// Stripe returns the number of lowest bits of a burst number that select only its channel. For k
// up to Stripe, an aligned block of 2^k bursts is in an aligned block of 2^k channels, one burst
// in each, with equal other fields.
func (m *Map) Stripe() int {
	if len(m.pieces) == 0 || m.pieces[0].field != Channel {
		return 0
	}
	for i := range m.permutations {
		if m.permutations[i].by == Channel {
			return 0
		}
	}
	return bits.OnesCount64(m.pieces[0].mask)
}

// Encode returns the number of the burst at a place.
func (m *Map) Encode(c Coord) uint64 {
	m.permute(&c)
	burst := uint64(0)
	for _, p := range m.pieces {
		burst |= uint64(c[p.field]) >> p.low & p.mask << p.at
	}
	return burst
}

// New is like Parse, but panics on an error. It is for constant expressions.
func New(expression string, g Geometry) *Map {
	m, err := Parse(expression, g)
	if err != nil {
		panic(fmt.Sprintf("address: %s", err))
	}
	return m
}
