package tiering

// A ring is a first-in first-out queue that reuses its memory. Its length is a
// power of two.
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
	r.n++
	*r.at(r.n - 1) = v
}

// at is the i-th from the front.
func (r *ring[T]) at(i int) *T { return &r.buf[(r.first+i)&(len(r.buf)-1)] }

func (r *ring[T]) pop() T {
	v := *r.at(0)
	r.first = (r.first + 1) & (len(r.buf) - 1)
	r.n--
	return v
}
