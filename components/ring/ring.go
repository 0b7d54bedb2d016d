// Package ring is a first-in first-out queue in a ring buffer.
//
//	var r ring.Of[int]
//	r.Push(1)
//	r.Push(2)
//	r.Pop() // 1
//
// The queue allocates only while it grows beyond its greatest length so far. Left out: shrinking,
// use by several goroutines at once, and a check that the queue is not empty (see Pop).
package ring

// Of is a queue of T. The zero value is empty.
type Of[T any] struct {
	buf      []T // its length is a power of two, or zero
	first, n int
}

// Len returns the number of elements.
func (r *Of[T]) Len() int { return r.n }

// Push appends v.
func (r *Of[T]) Push(v T) {
	if r.n == len(r.buf) {
		r.grow()
	}
	r.n++
	*r.At(r.n - 1) = v
}

// More appends an element without clearing its slot, which may hold an old value, and returns a
// pointer to it that is valid until the next Push or Pop.
func (r *Of[T]) More() *T {
	if r.n == len(r.buf) {
		r.grow()
	}
	r.n++
	return r.At(r.n - 1)
}

func (r *Of[T]) grow() {
	buf := make([]T, max(4, 2*len(r.buf)))
	for i := range r.n {
		buf[i] = *r.At(i)
	}
	r.buf, r.first = buf, 0
}

// At returns element i, counted from 0 at the front, valid until the next Push or Pop.
func (r *Of[T]) At(i int) *T { return &r.buf[(r.first+i)&(len(r.buf)-1)] }

// Pop removes and returns the first element. The queue must not be empty; Pop does not check that.
func (r *Of[T]) Pop() T {
	p := r.At(0)
	v := *p
	var zero T
	*p = zero // what it held may be reused by its owner
	r.first = (r.first + 1) & (len(r.buf) - 1)
	r.n--
	return v
}

// Drop removes the first element without clearing its slot, for values without pointers. The queue
// must not be empty.
func (r *Of[T]) Drop() {
	r.first = (r.first + 1) & (len(r.buf) - 1)
	r.n--
}
