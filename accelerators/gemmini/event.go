package gemmini

// A what says what an event is.
type what uint8

const (
	evAnswer  what = iota // the first beat of an answer is ready: arg is the request
	evArrived             // the last beat of a read has come
	evWritten             // rows of a read stand in the scratchpad
	evZeros               // a row of zeros stands
	evAcked               // a write was acknowledged
	evFired               // the array has taken all rows of a step
	evTag                 // the array may take another step
	evResult              // results of a step stand in the accumulators
	evWriter              // the write engine is free
	evWake                // look again
)

// An event happens at a cycle; events of the same cycle in the order in which they were made.
type event struct {
	at, seq int64
	what    what
	arg     int
}

// A heap has the earliest event on top.
type heap struct {
	e   []event
	seq int64
}

func (a *event) before(b *event) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

func (h *heap) push(at int64, w what, arg int) {
	h.seq++
	h.e = append(h.e, event{at, h.seq, w, arg})
	for i := len(h.e) - 1; i > 0; {
		up := (i - 1) / 2
		if !h.e[i].before(&h.e[up]) {
			break
		}
		h.e[i], h.e[up] = h.e[up], h.e[i]
		i = up
	}
}

func (h *heap) pop() event {
	top := h.e[0]
	n := len(h.e) - 1
	h.e[0] = h.e[n]
	h.e = h.e[:n]
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < n; c++ {
			if h.e[c].before(&h.e[least]) {
				least = c
			}
		}
		if least == i {
			return top
		}
		h.e[i], h.e[least] = h.e[least], h.e[i]
		i = least
	}
}
