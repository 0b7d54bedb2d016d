// Package pool keeps values that come and go, such as requests in flight, under small
// numbers that are used again.
//
//	var p pool.Of[request, int32]
//	i := p.Take()
//	*p.At(i) = request{...}
//	p.Give(i)
//
// The number given back last is taken first, so the same calls give the same numbers.
// Nothing is allocated once it has grown to the most that were taken at once. Left out:
// shrinking, checks that a number is taken, and use by several goroutines at once.
package pool

// An Index is what numbers of a pool are kept as.
type Index interface{ ~int32 | ~uint32 }

// Of is a pool of T. The zero value is empty.
type Of[T any, I Index] struct {
	all  []T
	free []I
}

// Take is the number of a free value, which is as its last use left it; a new one is
// zero. It moves values: pointers of At do not survive it.
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

// At is the value of a number, valid until the next Take.
func (p *Of[T, I]) At(i I) *T { return &p.all[i] }

// Give frees a number that is taken.
func (p *Of[T, I]) Give(i I) { p.free = append(p.free, i) }

// All is every value by its number, free ones too.
func (p *Of[T, I]) All() []T { return p.all }

// Len is how many values there are, Taken how many of them are not free.
func (p *Of[T, I]) Len() int { return len(p.all) }

// Taken is how many values are not free.
func (p *Of[T, I]) Taken() int { return len(p.all) - len(p.free) }
