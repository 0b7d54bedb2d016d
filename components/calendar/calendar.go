// Package calendar holds what is to happen, the earliest in front.
//
//	var c calendar.Of[string]
//	c.Add(30, "late")
//	c.Add(10, "early")
//	c.Pop().What // early
//
// Times are in whatever unit its owner has. Of equal times the least order comes first,
// so that nothing depends on how entries are kept; Add gives orders as they come. It is
// a heap of four children per node (Johnson 1975), which allocates only while it grows.
//
// Left out: taking entries out again. Who no longer wants one lets it pass.
package calendar

// An Entry is one thing that is to happen.
type Entry[T any] struct {
	At, Order uint64
	What      T
}

// Before reports whether e is to happen before o.
func (e *Entry[T]) Before(o *Entry[T]) bool {
	return e.At < o.At || e.At == o.At && e.Order < o.Order
}

// Of is a calendar of T. The zero value is empty.
type Of[T any] struct {
	heap  []Entry[T]
	added uint64
}

// Len is the number of entries.
func (c *Of[T]) Len() int { return len(c.heap) }

// First is the entry in front, valid until the next change. There must be one.
func (c *Of[T]) First() *Entry[T] { return &c.heap[0] }

// All is every entry, in no order; valid until the next change.
func (c *Of[T]) All() []Entry[T] { return c.heap }

// Due reports whether there is an entry of that time or before.
func (c *Of[T]) Due(at uint64) bool { return len(c.heap) > 0 && c.heap[0].At <= at }

// Add puts in what is to happen at a time, after all that was added for it before.
func (c *Of[T]) Add(at uint64, what T) {
	c.added++
	c.Push(Entry[T]{at, c.added, what})
}

// Push puts in an entry with an order of its own.
func (c *Of[T]) Push(e Entry[T]) {
	c.heap = append(c.heap, e)
	h := c.heap
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !e.Before(&h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
}

// Pop takes the entry in front. There must be one.
func (c *Of[T]) Pop() Entry[T] {
	h := c.heap
	top, n := h[0], len(h)-1
	last := h[n]
	h[n] = Entry[T]{} // what it held may be reused by its owner
	c.heap = h[:n]
	h = c.heap
	if n == 0 {
		return top
	}
	i := 0
	for {
		first := 4*i + 1
		if first >= n {
			break
		}
		best := first
		for k := first + 1; k < min(first+4, n); k++ {
			if h[k].Before(&h[best]) {
				best = k
			}
		}
		if !h[best].Before(&last) {
			break
		}
		h[i] = h[best]
		i = best
	}
	h[i] = last
	return top
}

// Clear forgets all entries.
func (c *Of[T]) Clear() {
	clear(c.heap)
	c.heap = c.heap[:0]
}
