package engine

import (
	"math"

	"github.com/sarchlab/akita/v3/sim"
)

// A bucket holds the events of one instant, in the order they were scheduled.
type bucket struct {
	t                    sim.VTimeInSec
	primary, secondary   []sim.Event
	nextPrimary, nextSec int
}

// An entry is a bucket in the heap; seq orders buckets of one instant.
type entry struct {
	t   sim.VTimeInSec
	seq uint64
	b   *bucket
}

func (a entry) before(b entry) bool {
	return a.t < b.t || (a.t == b.t && a.seq < b.seq)
}

const cacheBits = 8

// A queue is a 4-ary heap of distinct instants with a list of events each, so
// that the heap is touched once per instant and not once per event. Which
// bucket an instant has is remembered in a small direct-mapped cache; when two
// instants collide there, the loser gets a second bucket later, and the two
// are joined in order of creation when their instant comes.
type queue struct {
	heap    []entry
	cache   [1 << cacheBits]*bucket
	current *bucket // being run, not in the heap
	seq     uint64
	free    []*bucket
}

func slot(t sim.VTimeInSec) uint64 {
	// 2^64 divided by the golden ratio spreads the bits of the float.
	return (math.Float64bits(float64(t)) * 0x9E3779B97F4A7C15) >> (64 - cacheBits)
}

// bucketOf returns the bucket that an event of instant t goes to.
func (q *queue) bucketOf(t sim.VTimeInSec) *bucket {
	if b := q.current; b != nil && b.t == t {
		return b
	}
	s := slot(t)
	if b := q.cache[s]; b != nil && b.t == t {
		return b
	}
	return q.newBucket(t, s)
}

func (q *queue) newBucket(t sim.VTimeInSec, s uint64) *bucket {
	var b *bucket
	if n := len(q.free); n > 0 {
		b = q.free[n-1]
		q.free = q.free[:n-1]
	} else {
		b = new(bucket)
	}
	b.t = t
	q.seq++
	q.cache[s] = b
	e := entry{t, q.seq, b}
	h := append(q.heap, e)
	i := len(h) - 1
	for i > 0 {
		p := (i - 1) / 4
		if h[p].before(e) {
			break
		}
		h[i] = h[p]
		i = p
	}
	h[i] = e
	q.heap = h
	return b
}

// take removes the earliest instant with all its events. The heap must not be
// empty.
func (q *queue) take() *bucket {
	b := q.pop()
	for len(q.heap) > 0 && q.heap[0].t == b.t {
		d := q.pop()
		b.primary = append(b.primary, d.primary...)
		b.secondary = append(b.secondary, d.secondary...)
		clear(d.primary)
		clear(d.secondary)
		q.recycle(d)
	}
	return b
}

func (q *queue) pop() *bucket {
	h := q.heap
	top := h[0].b
	l := len(h) - 1
	e := h[l]
	h[l] = entry{}
	h = h[:l]
	q.heap = h
	i := 0
	for l > 0 {
		first := 4*i + 1
		if first >= l {
			h[i] = e
			break
		}
		m := first
		for j := first + 1; j < min(first+4, l); j++ {
			if h[j].before(h[m]) {
				m = j
			}
		}
		if e.before(h[m]) {
			h[i] = e
			break
		}
		h[i] = h[m]
		i = m
	}
	return top
}

// recycle keeps an emptied bucket for a later instant.
func (q *queue) recycle(b *bucket) {
	b.primary, b.secondary = b.primary[:0], b.secondary[:0]
	b.nextPrimary, b.nextSec = 0, 0
	b.t = -1 // no instant: the cache may still point here
	q.free = append(q.free, b)
}
