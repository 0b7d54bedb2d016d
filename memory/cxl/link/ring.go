package link

// ring is a queue that reuses its memory; its length is a power of two.
type ring[T any] struct {
	buf      []T
	first, n int
}

func (r *ring[T]) push(v T) {
	if r.n == len(r.buf) {
		buf := make([]T, max(16, 2*len(r.buf)))
		for i := range r.n {
			buf[i] = *r.at(i)
		}
		r.buf, r.first = buf, 0
	}
	r.buf[(r.first+r.n)&(len(r.buf)-1)] = v
	r.n++
}

// at is the i-th from the head.
func (r *ring[T]) at(i int) *T { return &r.buf[(r.first+i)&(len(r.buf)-1)] }

func (r *ring[T]) pop() T {
	v := r.buf[r.first]
	r.first = (r.first + 1) & (len(r.buf) - 1)
	r.n--
	return v
}
