package systolic

import "github.com/causeway-sim/causeway/memory"

// leastSkip is the number of equal bursts from which on it pays to look for a
// period. assumption: measured, any value from 8 to 64 costs the same.
const leastSkip = 16

// A snapshot is the state of a recurrence at some burst of a uniform run.
type snapshot struct {
	next, last uint64
	flight     []uint64
	size       int
	channel    memory.Serializer
}

// uniform sends n whole bursts to one memory and returns when the last answer
// is here. It equals n calls of issue.
//
// The future of the recurrence depends only on its state relative to the next
// issue. Where that state comes back after p bursts, all times d cycles later
// (and d is a whole number of the memory's cycles too), every further p bursts
// add d again, so they are added at once. The search for p is Brent's: compare
// with a snapshot that is renewed at every power of two.
func (r *recurrence) uniform(n uint64) (arrive uint64) {
	b, _ := r.cut.next()
	r.cut.skip(n - 1)
	l := &r.lanes[b.target]
	arrive = r.issue(b)
	r.snap.take(r, l)
	renew, p := uint64(1), uint64(0)
	for left := n - 1; left > 0; {
		arrive = max(arrive, r.issue(b))
		left--
		p++
		if d, ok := r.snap.repeats(r, l); ok {
			times := left / p
			r.skipped += times * p
			r.shift(l, d*times)
			for left -= p * times; left > 0; left-- {
				r.issue(b)
			}
			return r.last
		}
		if p == renew {
			r.snap.take(r, l)
			renew, p = 2*renew, 0
		}
	}
	return arrive
}

// take keeps the state of r, as far as bursts to l go.
func (s *snapshot) take(r *recurrence, l *lane) {
	s.next, s.last, s.size, s.channel = r.next, r.newest(), r.size, l.channel
	for i := range r.size {
		s.flight[i] = r.flight[(r.head+i)%len(r.flight)]
	}
}

// newest is the latest answer under way.
func (r *recurrence) newest() uint64 {
	return r.flight[(r.head+r.size-1)%len(r.flight)]
}

// repeats tells whether r is in the state s, d cycles later. That needs a full
// window: while it fills, no state comes back.
func (s *snapshot) repeats(r *recurrence, l *lane) (d uint64, ok bool) {
	d = r.next - s.next
	if d%l.there.den != 0 || r.newest()-s.last != d || s.size != r.size {
		return 0, false
	}
	c := s.channel
	if c.Shift(d / l.there.den * l.there.num); c != l.channel {
		return 0, false
	}
	j := r.head
	for i := range s.size {
		if s.flight[i]+d != r.flight[j] {
			return 0, false
		}
		if j++; j == len(r.flight) {
			j = 0
		}
	}
	return d, true
}

// shift moves the state d cycles on. The window is full of answers that all
// move, so the newest of them is the last of all.
func (r *recurrence) shift(l *lane, d uint64) {
	r.next += d
	for i := range r.flight {
		r.flight[i] += d
	}
	r.last = max(r.last, r.newest())
	l.channel.Shift(d / l.there.den * l.there.num)
}
