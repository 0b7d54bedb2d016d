package link

import "github.com/causeway-sim/causeway/memory/cxl/flit"

// arrive takes one flit of direction d.
func (l *Link) arrive(d flit.Direction, f flying) {
	h := &l.half[d]
	if f.kind == numbered && !h.dropping && f.seq == h.expected && h.wrongAt >= 0 {
		// the replay of the wrong flit
		count := &l.Count[d]
		count.Replays++
		count.ReplayWait += float64(f.start-h.wrongAt) * float64(l.den) / float64(l.num)
		h.wrongAt = -1
	}
	if f.wrong {
		l.Count[d].Wrong++
		if f.kind == numbered && !h.dropping && f.seq == h.expected {
			h.dropping = true
			h.wrongAt = f.start
			l.requestReplay(d)
		}
		return
	}
	switch f.kind {
	case frame:
	case request: // from the receiver of the other direction
		back := &l.half[1-d]
		if f.seq < back.oldest {
			return // an old one, repeated
		}
		back.oldest, back.replay = f.seq, f.seq
		back.answer = l.cfg.Frames
		l.rouse(back, l.now)
	case reply:
		h.dropping, h.deadline = false, Never
	case numbered:
		if !h.dropping && f.seq == h.expected {
			l.accept(d, f.seq)
		}
	}
}

// requestReplay has the receiver of direction d ask for a replay, over the other direction.
func (l *Link) requestReplay(d flit.Direction) {
	back := &l.half[1-d]
	if back.asking < 0 {
		back.asking = l.cfg.Frames
	}
	l.rouse(back, l.now)
}

// accept takes what is in the next flit of direction d.
func (l *Link) accept(d flit.Direction, seq uint64) {
	h, back := &l.half[d], &l.half[1-d]
	s := h.kept(seq)
	h.expected++
	news := h.expected-h.acked >= l.ackEvery
	if s.ack > back.oldest {
		back.oldest = s.ack
		news = true
	}
	if s.repays {
		for _, r := range s.back {
			back.credits[r.class] += int(r.n)
		}
		news = true
	}
	if news {
		l.rouse(back, l.now)
		l.look(1 - d)
	}
	at := Times{Start: s.first, Sent: s.end, At: l.now}
	count := &l.Count[d]
	for i := range s.Messages {
		m := &s.Messages[i]
		count.Messages[m.Class]++
		if m.Class.HasData() {
			h.open.Push(incoming{*m, s.first})
			continue
		}
		l.sink.Arrived(m, at)
	}
	for range s.Finished {
		l.done = h.open.Pop()
		count.Data += 64
		l.sink.Arrived(&l.done.Message, Times{Start: l.done.start, Sent: s.end, At: l.now})
	}
	for _, p := range s.io {
		count.IO += uint64(p.size)
		l.sink.ArrivedIO(d, p.ref, Times{Start: p.start, Sent: s.end, At: l.now})
	}
}
