package tsim4cxl

import "math"

// never is later than every time.
const never = math.MaxInt64

// A thread does one step after the other. step returns how long it waits then; no
// wait means that it found nothing to do.
type thread struct {
	at     int64 // of its next step, or when it last looked in vain
	asleep bool
	step   func(t int64) (wait int64)
}

// wake has a thread that found nothing look again, at one of its clocks.
func (x *thread) wake(t, period int64) {
	if x.asleep {
		x.asleep = false
		x.at += (max(t-x.at, 0) + period - 1) / period * period
	}
}

// next is the time of the first step.
func (c *Comp) next() int64 {
	t := int64(never)
	for _, x := range c.threads {
		if !x.asleep {
			t = min(t, x.at)
		}
	}
	return t
}

// run takes all steps up to and including a time, those of the same time in the
// order of the threads.
func (c *Comp) run(until int64) {
	for {
		t := c.next()
		if t > until {
			return
		}
		for _, x := range c.threads {
			if x.asleep || x.at > t {
				continue
			}
			if wait := x.step(t); wait > 0 {
				x.at = t + wait
			} else {
				x.asleep = true
			}
		}
	}
}

// A fifo is lines by number.
type fifo struct {
	list []int32
	head int
}

func (q *fifo) n() int { return len(q.list) - q.head }

func (q *fifo) push(i int32) {
	if q.head > 64 && q.head > len(q.list)/2 {
		q.list = q.list[:copy(q.list, q.list[q.head:])]
		q.head = 0
	}
	q.list = append(q.list, i)
}

func (q *fifo) pop() int32 {
	i := q.list[q.head]
	q.head++
	return i
}
