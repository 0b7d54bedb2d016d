// Package ring is a first-in first-out queue that reuses its memory.
//
//	var r ring.Of[int]
//	r.Push(1)
//	r.Push(2)
//	r.Pop() // 1
//
// Nothing is allocated once it has grown to its longest. Left out: shrinking, and use by
// several goroutines at once.
package ring

// Of is a queue of T. The zero value is empty.
type Of[T any] struct {
	buf      []T // its length is a power of two, or zero
	first, n int
}

// Len is how many there are.
func (r *Of[T]) Len() int { return r.n }

// Push puts one at the end.
func (r *Of[T]) Push(v T) {
	if r.n == len(r.buf) {
		r.grow()
	}
	r.n++
	*r.At(r.n - 1) = v
}

// More puts one at the end, which is as its place was left, valid until the next Push or
// Pop.
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

// At is the i-th from the front, valid until the next Push or Pop.
func (r *Of[T]) At(i int) *T { return &r.buf[(r.first+i)&(len(r.buf)-1)] }

// Pop takes the first. There must be one.
func (r *Of[T]) Pop() T {
	p := r.At(0)
	v := *p
	var zero T
	*p = zero // what it held may be reused by its owner
	r.first = (r.first + 1) & (len(r.buf) - 1)
	r.n--
	return v
}

// Drop takes the first, of values without pointers: it is not cleared. There must be one.
func (r *Of[T]) Drop() {
	r.first = (r.first + 1) & (len(r.buf) - 1)
	r.n--
}
