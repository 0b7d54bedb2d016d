package nearmem

// kind is what happens.
type kind uint8

const (
	evDeviceStart kind = iota // the launch has come
	evTask                    // a device unit has done a task
	evPrepared                // a DMA request of some results is ready to go
	evArrived                 // some results lie in the ring
	evSeen                    // the host learns of some results
	evHead                    // a head has come to the device
	evCompleted               // the host learns that the kernel is done (rp, bs)
	evLoaded                  // all results have come (rp, bs)
	evHostTask                // a host unit has done a task
	evLine                    // a request for a line has passed the device's layers (flits)
	evFirmware                // the doorbell is there (flits)
	evDoorbell                // arguments are there, the doorbell may be rung (flits)
	evPoll                    // a poll leaves the host (flits)
	evPolled                  // it is at the device (flits)
	evNothing                 // an answer that says nothing (flits)
)

// An event is one of these. Equal times go in the order of kinds and then in that
// of scheduling, so that nothing depends on the heap.
type event struct {
	at    uint64
	seq   uint64
	value int64
	task  int32 // or a number of results
	unit  int32
	kind  kind
}

func (e *event) before(f *event) bool {
	if e.at != f.at {
		return e.at < f.at
	}
	if e.kind != f.kind {
		return e.kind < f.kind
	}
	return e.seq < f.seq
}

// events is a binary heap.
type events struct {
	heap []event
	seq  uint64
}

func (q *events) push(e event) {
	q.seq++
	e.seq = q.seq
	q.heap = append(q.heap, e)
	i := len(q.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !q.heap[i].before(&q.heap[up]) {
			return
		}
		q.heap[i], q.heap[up] = q.heap[up], q.heap[i]
		i = up
	}
}

func (q *events) pop() event {
	h := q.heap
	out := h[0]
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	q.heap = h
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			return out
		}
		if c+1 < n && h[c+1].before(&h[c]) {
			c++
		}
		if !h[c].before(&h[i]) {
			return out
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

// A queue is a first-in first-out list of tasks that is used again and again.
type queue struct {
	items []int32
	first int
}

func (q *queue) push(x int32) { q.items = append(q.items, x) }
func (q *queue) len() int     { return len(q.items) - q.first }
func (q *queue) peek() int32  { return q.items[q.first] }
func (q *queue) clear()       { q.items, q.first = q.items[:0], 0 }

func (q *queue) pop() int32 {
	x := q.items[q.first]
	q.first++
	if q.first == len(q.items) {
		q.clear()
	}
	return x
}
