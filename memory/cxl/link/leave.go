package link

import "github.com/causeway-sim/causeway/memory/cxl/flit"

// leave has a flit depart, if there is any.
func (l *Link) leave(h *half, t int64) {
	h.wake = Never
	peer := h.peer
	if peer.expected < peer.next {
		peer.arriving(t)
	}
	due, room := l.acks(peer), l.retries-1 > h.next-h.oldest
	if !room && l.full(h, due) {
		h.block(l, t)
		return
	}
	news := due || peer.owed > 0
	if h.waits == 0 && !h.owes { // half of all flits
		if h.short = false; news {
			l.control(h, t)
		}
		return
	}
	mem := room && h.pays()
	if h.short = !mem && h.waits > 0; h.short {
		h.wait(l)
	}
	if !mem {
		if news {
			l.control(h, t)
		}
		return
	}
	s := h.fly()
	s.control = false
	h.count.Flits++
	l.fill(h, s, t, news)
	l.left(h, s, t)
}

// control has a flit depart that brings credits and Acks alone.
func (l *Link) control(h *half, t int64) {
	s := h.fly()
	s.control = true
	h.count.Control++
	l.sendOff(h, s, t, true)
	l.left(h, s, t)
}

// left records a departed flit: when it must be handled, and whether another may depart.
func (l *Link) left(h *half, s *flight, t int64) {
	peer := h.peer
	if h.front == Never && (s.freed > 0 || peer.short || h.next-h.acked >= l.ackEvery) {
		h.front = s.at
	}
	if h.waits > 0 || h.owes || peer.owed > 0 || l.acks(peer) || h.next-h.oldest >= l.retries-1 {
		h.wake, h.round = t, 0
	}
}

// acks reports whether an Ack is due of what came in a direction.
func (l *Link) acks(h *half) bool { return h.expected-h.acked >= l.ackEvery }

// full reports whether the retry buffer takes no flit: the last place is for one with an Ack.
func (l *Link) full(h *half, due bool) bool {
	n := h.next - h.oldest
	return n >= l.retries-1 && (n >= l.retries || !due)
}

// block notes that the retry buffer is full.
func (h *half) block(l *Link, t int64) {
	if h.blocked < 0 {
		h.blocked = t
	}
	h.wait(l)
}

// fill has a flit with messages or data depart.
func (l *Link) fill(h *half, s *flight, t int64, news bool) {
	if h.alone && !h.owes && l.cfg.Mode <= flit.Flit256 {
		l.sendOff(h, s, t, news)
		l.foreseeOne(h, s, t)
		return
	}
	h.pack()
	h.packer.Starved(&h.count.Starved)
	h.packer.Fill(&l.waste)
	l.sendOff(h, s, t, news && !l.waste.AllData)
	l.reportArrivals(h, s, t)
}

// sendOff sets the times and the content of a flit.
func (l *Link) sendOff(h *half, s *flight, t int64, news bool) {
	if news {
		l.returnCredits(h.peer, &s.flitReturns)
	}
	h.next++
	if h.blocked >= 0 {
		h.count.Extra += float64(t-h.blocked) * float64(l.den) / float64(l.num)
		h.blocked = -1
	}
	l.occupy(h, t)
	s.at = h.ready + l.latency
}

// wait has what the other direction brings be looked at when it arrives.
func (h *half) wait(l *Link) {
	h.short = true
	h.peer.findFront(l)
}
