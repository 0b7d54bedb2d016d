// Package pool keeps values of short life, such as requests in flight, under small numbers that
// are used again.
//
//	var p pool.Of[request, int32]
//	i := p.Take()
//	*p.At(i) = request{...}
//	p.Give(i)
//
// Take returns the number that was given back last, so the same calls give the same numbers. The
// pool allocates only while it grows. Left out: shrinking, checks that a number is taken, and use
// by several goroutines at once. At panics for a number that Take never returned.
package pool

// An Index is the type of a pool's numbers.
type Index interface{ ~int32 | ~uint32 }

// Of is a pool of T. The zero value is empty.
type Of[T any, I Index] struct {
	all  []T
	free []I
}

// Take returns the number of a free value. The value is as its last user left it; a new value is
// zero. Take may move all values, so pointers of At are invalid afterwards.
func (p *Of[T, I]) Take() I {
	if n := len(p.free); n > 0 {
		i := p.free[n-1]
		p.free = p.free[:n-1]
		return i
	}
	var zero T
	p.all = append(p.all, zero)
	return I(len(p.all) - 1)
}

// At returns the value with number i, valid until the next Take.
func (p *Of[T, I]) At(i I) *T { return &p.all[i] }

// Give frees the number i, which must be taken.
func (p *Of[T, I]) Give(i I) { p.free = append(p.free, i) }

// All returns all values by number, including the free ones.
func (p *Of[T, I]) All() []T { return p.all }

// Len returns the number of values, free or taken.
func (p *Of[T, I]) Len() int { return len(p.all) }

// Taken returns the number of values that are taken.
func (p *Of[T, I]) Taken() int { return len(p.all) - len(p.free) }
