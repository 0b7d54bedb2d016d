package link

import (
	"math"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// An ArrivalSink receives the arrival of a message as soon as it is certain, before its time.
type ArrivalSink interface {
	// Departed is like Sink.Departed.
	Departed(m *flit.Message, at int64)
	// Arrives is called with the future times of a message's arrival. Messages of one time are in
	// the order of tie: towards the device first, then those without data, then in the order of
	// sending. frees means that the receiver frees the buffer at that time.
	Arrives(m *flit.Message, at Times, tie uint64) (frees bool)
}

// ReportAhead makes the link report arrivals ahead to s, and simulate flits without an effect outside
// only at the next call. The link then needs a call only when a header may leave, see Wake. ReportAhead
// must be the first call. It returns false, without effect, for a link with bit errors.
//
// Calls on a calm link have a turn, their order within a time; turn 0 precedes all calls. A call
// takes effect when the link runs up to its turn.
func (l *Link) ReportAhead(s ArrivalSink) bool {
	if l.half[0].errors.on || l.half[1].errors.on {
		return false
	}
	l.arrivals = s
	return true
}

// PushAhead is PushOn for a calm link. It returns Wake.
func (l *Link) PushAhead(d flit.Direction, now int64, turn int32, m *flit.Message) int64 {
	l.RunTo(now, turn)
	h := &l.half[d]
	l.stir(h, now, turn)
	if h.waits == 0 && !h.owes {
		h.one, h.alone = *m, true
	} else {
		h.pack()
		h.packer.Push(*m)
	}
	l.waits++
	h.waits++
	if l.waits == 1 && !h.owes {
		return max(h.wake, h.ready)
	}
	return l.Wake()
}

// pack gives the message that waits alone to the packer, if there is one.
func (h *half) pack() {
	if h.alone {
		h.alone = false
		h.packer.Push(h.one)
	}
}

// Free is ReleaseOn for a calm link. It returns Wake.
func (l *Link) Free(d flit.Direction, now int64, turn int32, c flit.Class) int64 {
	l.RunTo(now, turn)
	h := &l.half[d]
	h.repay(repaid{c, 1})
	l.stir(h.peer, now, turn)
	return l.Wake()
}

// repay has credits of a class, which may be none, wait for their way back.
func (h *half) repay(r repaid) {
	n := int(r.n)
	h.unsettled[r.class] += n
	h.owing |= uint16(min(n, 1)) << r.class
	h.owed += n
}

// stir has a direction look for something to send.
func (l *Link) stir(h *half, now int64, turn int32) {
	if now < h.wake {
		h.wake, h.round = now, turn
		l.soon = min(l.soon, max(now, h.ready))
	}
}

// Wake returns the time at which the link must be run without further calls; Never if it need
// not.
func (l *Link) Wake() int64 {
	if l.waits == 0 {
		return Never
	}
	down, up := &l.half[flit.Down], &l.half[flit.Up]
	t := int64(Never)
	if down.waits|down.untold != 0 {
		if down.short {
			return l.soon
		}
		t = max(down.wake, down.ready)
	}
	if up.waits|up.untold != 0 {
		if up.short {
			return l.soon
		}
		t = min(t, max(up.wake, up.ready))
	}
	return t
}

// pays reports whether something that waits may leave, as far as credits are concerned.
func (h *half) pays() bool {
	if h.alone && !h.owes {
		return h.credits[h.one.Class] > 0
	}
	return h.packer.Ready()
}

// RunTo simulates up to a turn of a time.
func (l *Link) RunTo(t int64, turn int32) {
	if l.soon < t || l.soon == t && turn > 0 {
		l.runTo(t, turn)
	}
}

func (l *Link) runTo(t int64, turn int32) {
	down, up := &l.half[flit.Down], &l.half[flit.Up]
	for {
		d, u := max(down.wake, down.ready), max(up.wake, up.ready)
		n := min(d, u)
		switch a := min(down.front, up.front); {
		case a <= n:
			if l.soon = a; a > t || a == t && turn == 0 {
				return
			}
			if a == down.front {
				l.land(down, a)
			} else {
				l.land(up, a)
			}
		case n > t:
			l.soon = n
			return
		case d == n && (n < t || down.before(t, turn)):
			l.leave(down, n)
		case u == n && (n < t || up.before(t, turn)):
			l.leave(up, n)
		default:
			l.soon = n
			return
		}
	}
}

// before reports whether a direction that looks for something to send at t does so before a
// turn of it.
func (h *half) before(t int64, turn int32) bool {
	if h.wake < t {
		return turn > 0
	}
	return h.round < turn
}

// Settle simulates to the end of a time, arrivals included, and returns the time of the next
// event.
func (l *Link) Settle(t int64) (next int64) {
	l.RunTo(t, math.MaxInt32)
	next = Never
	for d := range l.half {
		h := &l.half[d]
		h.arriving(t)
		next = min(next, max(h.wake, h.ready))
		if h.expected < h.next {
			next = min(next, h.flown(h.expected).at)
		}
	}
	return next
}
