package link

// A flight is a flit in flight on a calm link.
type flight struct {
	at int64 // arrival
	flitReturns
	freed uint8     // how many of frees
	frees [4]repaid // of buffers that the receiver gives back at once
}

// flown returns a flit in flight, by its number.
func (h *half) flown(seq uint64) *flight { return &h.flights[seq&uint64(len(h.flights)-1)] }

// fly returns the place of the next flit, without content.
func (h *half) fly() *flight {
	if n := uint64(len(h.flights)); h.next-h.expected == n {
		old := h.flights
		h.flights = make([]flight, max(4, 2*n))
		for seq := h.expected; seq < h.next; seq++ {
			*h.flown(seq) = old[seq&(n-1)]
		}
	}
	s := h.flown(h.next)
	s.ack, s.repays, s.freed = 0, 0, 0
	s.back[0], s.frees[0] = repaid{}, repaid{} // of none, which arriving need not ask
	return s
}

// arriving has the flits of a direction arrive that do so up to a time. Few of them matter at
// their own time, see front: credits and Acks are looked for when they are needed.
func (h *half) arriving(t int64) {
	back := h.peer
	for ; h.expected < h.next; h.expected++ {
		s := h.flown(h.expected)
		if s.at > t {
			return
		}
		back.oldest = max(back.oldest, s.ack)
		back.credits[s.back[0].class] += int(s.back[0].n)
		h.repay(s.frees[0])
		if s.repays|s.freed <= 1 {
			continue
		}
		for i := 1; i < int(s.repays); i++ {
			r := &s.back[i&3]
			back.credits[r.class] += int(r.n)
		}
		for i := 1; i < int(s.freed); i++ {
			h.repay(s.frees[i&3])
		}
	}
}

// land has the flits of a direction arrive up to that whose arrival is waited for.
func (l *Link) land(h *half, t int64) {
	h.arriving(t)
	h.findFront(l)
	if back := h.peer; t < back.wake && (h.owed > 0 || l.acks(h) || back.waits > 0 || back.blocked >= 0) {
		back.wake, back.round = t, 0
	}
}

// findFront finds the first flit in flight whose arrival affects the other direction: it makes an Ack
// due, frees room at the receiver, or brings what a message waits for.
func (h *half) findFront(l *Link) {
	h.front = Never
	if h.peer.short {
		if h.expected < h.next {
			h.front = h.flown(h.expected).at
		}
		return
	}
	for seq := h.expected; seq < h.next; seq++ {
		if s := h.flown(seq); s.freed > 0 || seq-h.acked+1 >= l.ackEvery {
			h.front = s.at
			return
		}
	}
}
