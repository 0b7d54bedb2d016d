package link

import "github.com/causeway-sim/causeway/memory/cxl/flit"

// foreseeOne is foresee of a message that has the flit to itself.
func (l *Link) foreseeOne(h *half, s *flight, t int64) {
	m := &h.one
	h.waits, h.alone = 0, false
	l.waits--
	h.credits[m.Class]--
	l.departs(h, m, t)
	h.count.Messages[m.Class]++
	switch {
	case !m.Class.HasData():
		l.reportArrival(h, s, m, t)
	case h.packer.Alone(m):
		h.count.Data += 64
		l.reportArrival(h, s, m, t)
	default:
		h.owes = true
		l.begin(h, m, t)
		l.lookAhead(h)
	}
}

// begin notes a line whose header has left.
func (l *Link) begin(h *half, m *flit.Message, t int64) {
	x := h.open.More()
	x.Message, x.start, x.told = *m, t, false
	h.untold++
	l.waits++
}

// reportArrivals reports the arrivals of the messages of which a departing flit carries a part.
func (l *Link) reportArrivals(h *half, s *flight, t int64) {
	c := &l.waste
	h.waits -= len(c.Messages)
	l.waits -= len(c.Messages)
	h.owes = h.packer.Owed() > 0
	for i := range c.Messages {
		m := &c.Messages[i]
		l.departs(h, m, t)
		h.count.Messages[m.Class]++
		if m.Class.HasData() {
			l.begin(h, m, t)
			continue
		}
		l.reportArrival(h, s, m, t)
	}
	for range c.Finished {
		x := h.open.At(0)
		if !x.told {
			h.untold--
			l.waits--
			x.frees = l.arrives(h, &x.Message, x.start, h.ready)
		}
		if x.frees {
			s.free(x.Class)
		}
		h.count.Data += 64
		h.open.Drop()
	}
	if h.untold > 0 {
		l.lookAhead(h)
	}
}

// departs counts a message that is sent with its credit.
func (l *Link) departs(h *half, m *flit.Message, t int64) {
	l.note(h, m.Class, t)
	l.arrivals.Departed(m, t)
}

// reportArrival reports the arrival of a message that ends in a flit.
func (l *Link) reportArrival(h *half, s *flight, m *flit.Message, start int64) {
	if l.arrives(h, m, start, h.ready) {
		s.free(m.Class)
	}
}

// arrives reports the arrival of a message whose last flit is sent by a time.
func (l *Link) arrives(h *half, m *flit.Message, start, end int64) (frees bool) {
	tie := uint64(h.way)<<40 | h.sent&(1<<39-1)
	if m.Class.HasData() {
		tie |= 1 << 39
	}
	h.sent++
	return l.arrivals.Arrives(m, Times{Start: start, Sent: end, At: end + l.latency}, tie)
}

// free notes that the receiver of a flit gives a buffer back when that arrives.
func (s *flight) free(c flit.Class) {
	for i := range s.frees[:s.freed] {
		if s.frees[i].class == c {
			s.frees[i].n++
			return
		}
	}
	s.frees[s.freed] = repaid{c, 1}
	s.freed++
}

// lookAhead reports the arrivals of lines whose data are not sent yet. In flits of 68 B they take
// four slots of each flit, whatever messages arrive meanwhile, while the retry buffer has room.
// Three slots of the last flit, which has a header, hold the rest.
func (l *Link) lookAhead(h *half) {
	if l.cfg.Mode != flit.Flit68 {
		return
	}
	slots, flits := h.packer.Owed(), 0
	for i := range h.open.Len() {
		slots -= h.open.At(i).Slots()
	}
	free, at, end := h.free, h.at, h.ready
	for i := range h.open.Len() {
		x := h.open.At(i)
		slots += x.Slots()
		if x.told {
			continue
		}
		need := (slots + 3) / 4
		if h.next-h.oldest+uint64(need) > l.retries-1 {
			return
		}
		for ; flits < need; flits++ {
			free, at, end = l.after(free, at)
		}
		x.told = true
		h.untold--
		l.waits--
		x.frees = l.arrives(h, &x.Message, x.start, end)
	}
}
