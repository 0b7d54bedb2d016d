package policy

import "math/bits"

// order16 keeps the ways of every set, 16 at most, in an order: a word of four bits for each way,
// the first one lowest. Empty ways are anywhere in it, without effect: a fill moves a way to the
// front, before the set is full.
type order16 struct {
	ways int
	set  []uint64
}

// fewWays is the number of ways up to which a word holds a set's order.
const fewWays = 16

func newOrder16(g Geometry) order16 {
	o := order16{g.Ways, make([]uint64, g.Sets)}
	for i := range o.set {
		o.set[i] = 0xfedcba9876543210
	}
	return o
}

// last is the last way of a full set.
func (o *order16) last(set int) int { return int(o.set[set] >> (4*o.ways - 4) & 15) }

// touch moves a way to the front.
func (o *order16) touch(set, way int) { o.set[set] = ToFront(o.set[set], way) }

// ToFront moves a way to the front of an order of Recent.
func ToFront(order uint64, way int) uint64 {
	const ones = 0x1111111111111111
	x := order ^ uint64(way)*ones
	at := bits.TrailingZeros64((x-ones)&^x&(8*ones)) & 60 // of the four bits that are zero
	behind := ^uint64(0) << at << 4
	return order&behind | order<<4&^behind | uint64(way)
}
