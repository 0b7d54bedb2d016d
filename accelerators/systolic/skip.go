package systolic

import (
	"iter"

	"github.com/causeway-sim/causeway/memory"
)

// leastSkip is the number of equal bursts from which on it pays to look for a
// period. assumption: measured, any value from 8 to 64 costs the same.
const leastSkip = 16

// A snapshot is the state of a recurrence at some burst of a uniform run. Of the
// answers under way it holds those later than next, the newest first: earlier ones
// hold up no burst any more.
type snapshot struct {
	next, last uint64
	flight     []uint64
	size       int
	channel    memory.Serializer
}

// uniform sends n whole bursts to one memory and returns when the last answer
// is here. It equals n calls of issue.
func (r *recurrence) uniform(n uint64) (arrive uint64) {
	b, _ := r.cut.Next()
	r.cut.Skip(n - 1)
	return r.repeat(b.Target, n, func() { r.issue(b) }, func(uint64) {})
}

// rows sends as many rows of the current plane as have bursts of the same sizes
// in turn, and returns when the last answer is here. ok is false where there are
// too few of them.
func (r *recurrence) rows() (arrive uint64, ok bool) {
	c := &r.cut
	turn := c.Turn()
	if c.Left() != 0 || c.RowsLeft() < leastSkip*turn || !c.OneHome() {
		return 0, false
	}
	one := func() {
		for range turn {
			for more := true; more; more = c.Left() > 0 {
				b, _ := c.Next()
				r.issue(b)
			}
		}
	}
	return r.repeat(c.Target(), c.RowsLeft()/turn, one, func(n uint64) { c.SkipRows(n * turn) }), true
}

// repeat does one() n times, which sends the same bursts each time, all to one
// memory; skip passes what need not be walked. It returns when the last answer
// is here.
//
// The future of the recurrence depends only on its state relative to the next
// issue. Where that state comes back after p turns, all times d cycles later
// (and d is a whole number of the memory's cycles too), every further p turns
// add d again, so they are added at once. The search for p is Brent's: compare
// with a snapshot that is renewed at every power of two.
func (r *recurrence) repeat(target int32, n uint64, one func(), skip func(n uint64)) (arrive uint64) {
	l := &r.lanes[target]
	before := l.sent
	one()
	each := l.sent.Since(before)
	r.snap.take(r, l)
	renew, p := uint64(1), uint64(0)
	for left := n - 1; left > 0; {
		one()
		left--
		p++
		if d, ok := r.snap.repeats(r, l); ok {
			times := left / p
			if r.of != nil && r.of.moved != nil {
				r.of.skipped(l, d*times, each.Times(p*times))
			}
			r.shift(l, d*times)
			skip(p * times)
			l.sent.Add(each.Times(p * times))
			r.skipped += p * times
			for left -= p * times; left > 0; left-- {
				one()
			}
			break
		}
		if p == renew {
			r.snap.take(r, l)
			renew, p = 2*renew, 0
		}
	}
	// Answers of one memory come in the order of issue.
	return l.latest
}

// take keeps the state of r, as far as bursts to l go.
func (s *snapshot) take(r *recurrence, l *lane) {
	s.next, s.last, s.size, s.channel = r.next, r.newest(), 0, l.channel
	for x := range r.ahead() {
		s.flight[s.size] = x
		s.size++
	}
}

// ahead yields the answers under way that are later than next, the newest first.
func (r *recurrence) ahead() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		j := r.head + r.size
		if j > len(r.flight) {
			j -= len(r.flight)
		}
		for range r.size {
			if j--; j < 0 {
				j += len(r.flight)
			}
			if r.flight[j] <= r.next || !yield(r.flight[j]) {
				return
			}
		}
	}
}

// newest is the latest answer under way.
func (r *recurrence) newest() uint64 {
	return r.flight[(r.head+r.size-1)%len(r.flight)]
}

// repeats reports whether r is in the state s, d cycles later.
func (s *snapshot) repeats(r *recurrence, l *lane) (d uint64, ok bool) {
	d = r.next - s.next
	if d%l.there.Den != 0 || r.newest()-s.last != d {
		return 0, false
	}
	c := s.channel
	if c.Shift(d / l.there.Den * l.there.Num); c != l.channel {
		return 0, false
	}
	i := 0
	for x := range r.ahead() {
		if i == s.size || s.flight[i]+d != x {
			return 0, false
		}
		i++
	}
	return d, i == s.size
}

// shift moves the state d cycles on. The window is full of answers that all
// move, so the newest of them is the last of all.
func (r *recurrence) shift(l *lane, d uint64) {
	r.next += d
	for i := range r.flight {
		r.flight[i] += d
	}
	r.last = max(r.last, r.newest())
	l.latest = r.newest()
	l.channel.Shift(d / l.there.Den * l.there.Num)
}
