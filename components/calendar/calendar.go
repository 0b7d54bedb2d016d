// Package calendar is a priority queue of future events, the earliest first.
//
//	var c calendar.Of[string]
//	c.Add(30, "late")
//	c.Add(10, "early")
//	c.Pop().What // early
//
// The caller chooses the unit of time. Of entries with equal times the one with the least order
// comes first; Add numbers the orders from 1, so equal times are first in, first out. The queue is
// a heap of four children per node (Johnson 1975), which allocates only while it grows.
//
// Left out: cancelling an entry. The caller ignores a cancelled entry when Pop returns it.
package calendar

// An Entry is an event: what happens at time At. Order decides between equal times.
type Entry[T any] struct {
	At, Order uint64
	What      T
}

// Before reports whether e comes before o.
func (e *Entry[T]) Before(o *Entry[T]) bool {
	return e.At < o.At || e.At == o.At && e.Order < o.Order
}

// Of is a calendar of T. The zero value is empty.
type Of[T any] struct {
	heap  []Entry[T]
	added uint64
}

// Len returns the number of entries.
func (c *Of[T]) Len() int { return len(c.heap) }

// First returns the earliest entry, valid until the next change. It panics if there is none.
func (c *Of[T]) First() *Entry[T] { return &c.heap[0] }

// All returns all entries in heap order, valid until the next change.
func (c *Of[T]) All() []Entry[T] { return c.heap }

// Due reports whether an entry has a time of at most at.
func (c *Of[T]) Due(at uint64) bool { return len(c.heap) > 0 && c.heap[0].At <= at }

// Add inserts an entry at a time, after all entries that Add inserted at that time before.
func (c *Of[T]) Add(at uint64, what T) {
	c.added++
	c.Push(Entry[T]{at, c.added, what})
}

// Push inserts an entry with the order that the caller gives it.
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

// Pop removes and returns the earliest entry. It panics if there is none.
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

// Clear removes all entries and keeps the memory.
func (c *Of[T]) Clear() {
	clear(c.heap)
	c.heap = c.heap[:0]
}
