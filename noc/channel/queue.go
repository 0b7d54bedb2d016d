package channel

// An event is the head of a packet at the router or terminal it travels to, or a
// terminal that may inject again.
type event struct {
	at  uint64 // ticks
	seq uint64 // breaks ties: first in, first out
	who int32  // packet; or ^terminal
}

func (a *event) before(b *event) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

// An eventQueue is a heap of four children per node.
type eventQueue struct {
	heap []event
	seq  uint64
}

func (q *eventQueue) push(at uint64, who int32) {
	e := event{at, q.seq, who}
	q.seq++
	q.heap = append(q.heap, e)
	i := len(q.heap) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !e.before(&q.heap[up]) {
			break
		}
		q.heap[i] = q.heap[up]
		i = up
	}
	q.heap[i] = e
}

func (q *eventQueue) pop() event {
	top := q.heap[0]
	n := len(q.heap) - 1
	last := q.heap[n]
	q.heap = q.heap[:n]
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
			if q.heap[k].before(&q.heap[best]) {
				best = k
			}
		}
		if !q.heap[best].before(&last) {
			break
		}
		q.heap[i] = q.heap[best]
		i = best
	}
	q.heap[i] = last
	return top
}
