package memlink

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/clock"
)

// size is how many bytes of flits' payload a packet takes.
func (s *Spec) size(header, data uint64) uint64 {
	n := max(header+data, uint64(s.Least), 1)
	g := uint64(s.Granule)
	return (n + g - 1) / g * g
}

// A lane is one direction of one link. Packets are given to it in the order of
// time; it knows at once when each of them is through. Flit i of a busy period
// is sent from start + i num/den picoseconds on.
type lane struct {
	num, den      uint64 // time of a flit in ps
	payload       uint64
	start         uint64 // of the busy period
	flits         uint64 // of it, the last one included
	room          uint64 // left in the last one
	bytes, wasted uint64 // of packets; of flits that left with room
	sent          uint64 // flits of earlier busy periods
}

func newLane(s *Spec) lane {
	// size bytes at Bandwidth bit/s: size*8e12/bandwidth ps
	num, den := uint64(s.Flit.Size)*8e12, uint64(s.Bandwidth)
	g := clock.GCD(num, den)
	return lane{num: num / g, den: den / g, payload: uint64(s.Flit.Payload)}
}

// at is when flit i of the busy period begins, rounded up.
func (l *lane) at(i uint64) uint64 {
	hi, lo := bits.Mul64(i, l.num)
	q, r := bits.Div64(hi, lo, l.den)
	if r > 0 {
		q++
	}
	return l.start + q
}

// end returns the time at which n bytes that arrive at now would have passed.
func (l *lane) end(now, n uint64) uint64 {
	x := *l
	return x.send(now, n)
}

// send gives n bytes to the lane.
func (l *lane) send(now, n uint64) (through uint64) {
	l.bytes += n
	if l.flits > 0 && l.at(l.flits-1) < now { // the last flit has begun without it
		l.wasted += l.room
		l.room = 0
	}
	if l.flits == 0 || l.at(l.flits) < now {
		l.sent += l.flits
		l.start, l.flits, l.room = now, 0, 0
	}
	if n > l.room {
		n -= l.room
		more := (n + l.payload - 1) / l.payload
		l.flits += more
		l.room = more*l.payload - n
	} else {
		l.room -= n
	}
	return l.at(l.flits)
}

// count is the flits that were sent or will be.
func (l *lane) count() uint64 { return l.sent + l.flits }

// lanes are all links of one direction.
type lanes []lane

func newLanes(s *Spec) lanes {
	out := make(lanes, s.Links)
	for i := range out {
		out[i] = newLane(s)
	}
	return out
}

// send uses the lane on which n bytes are through first.
func (l lanes) send(now, n uint64) uint64 {
	best := 0
	if len(l) > 1 {
		first := l[0].end(now, n)
		for i := 1; i < len(l); i++ {
			if e := l[i].end(now, n); e < first {
				best, first = i, e
			}
		}
	}
	return l[best].send(now, n)
}

// flits is their number.
func (l lanes) flits() (n uint64) {
	for i := range l {
		n += l[i].count()
	}
	return n
}
