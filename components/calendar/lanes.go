package calendar

import "github.com/causeway-sim/causeway/components/ring"

// lanes is how many queues Lanes has at most.
const lanes = 8

// Lanes is a calendar for entries whose delays are few: those of one delay come in order,
// so that they stand in a queue, and what an entry costs does not grow with their number.
// What fits in no queue is kept in an Of. Orders rise from Push to Push. The zero value is
// empty.
type Lanes[T any] struct {
	queues [lanes]ring.Of[Entry[T]]
	last   [lanes]uint64 // time of the last entry of a queue
	used   int           // queues with entries, or that had some
	rest   Of[T]
	n      int
	first  int    // queue of the entry in front; lanes: rest
	at     uint64 // its time
}

// never is the time of an empty calendar.
const never = ^uint64(0)

// Len is the number of entries.
func (c *Lanes[T]) Len() int { return c.n }

// First is the entry in front, valid until the next change. There must be one.
func (c *Lanes[T]) First() *Entry[T] {
	if c.first == lanes {
		return c.rest.First()
	}
	return c.queues[c.first].At(0)
}

// Due reports whether there is an entry of that time or before.
func (c *Lanes[T]) Due(at uint64) bool { return c.n > 0 && c.at <= at }

// Next is the time of the entry in front, the highest of all if there is none.
func (c *Lanes[T]) Next() uint64 {
	if c.n == 0 {
		return never
	}
	return c.at
}

// Push puts in an entry whose order is higher than all before.
func (c *Lanes[T]) Push(e Entry[T]) {
	k := c.lane(e.At)
	if k == lanes {
		c.rest.Push(e)
	} else {
		c.queues[k].Push(e)
		c.last[k] = e.At
	}
	if c.n++; c.n == 1 || e.At < c.at {
		c.first, c.at = k, e.At
	}
}

// lane is the queue for an entry: the one whose last is the latest not after it.
func (c *Lanes[T]) lane(at uint64) int {
	best, empty := lanes, lanes
	for k := range c.used {
		switch {
		case c.queues[k].Len() == 0:
			empty = k
		case c.last[k] <= at && (best == lanes || c.last[k] > c.last[best]):
			best = k
		}
	}
	if best < lanes {
		return best
	}
	if empty == lanes && c.used < lanes {
		empty = c.used
		c.used++
	}
	return empty
}

// Pop takes the entry in front. There must be one.
func (c *Lanes[T]) Pop() Entry[T] {
	e := *c.First()
	c.Take()
	return e
}

// Take is Pop of what is to happen alone.
func (c *Lanes[T]) Take() T {
	var what T
	if c.first == lanes {
		what = c.rest.Pop().What
	} else {
		q := &c.queues[c.first]
		e := q.At(0)
		what = e.What
		*e = Entry[T]{} // what it held may be reused by its owner
		q.Drop()
	}
	c.n--
	c.seek()
	return what
}

// seek finds the entry in front.
func (c *Lanes[T]) seek() {
	var front *Entry[T]
	if c.rest.Len() > 0 {
		front, c.first = c.rest.First(), lanes
	}
	for k := range c.used {
		if c.queues[k].Len() == 0 {
			continue
		}
		if e := c.queues[k].At(0); front == nil || e.Before(front) {
			front, c.first = e, k
		}
	}
	if front != nil {
		c.at = front.At
	}
}
