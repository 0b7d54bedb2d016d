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
		back.wake = min(back.wake, l.now)
	case reply:
		h.dropping, h.deadline = false, Never
	case numbered:
		if !h.dropping && f.seq == h.expected {
			l.accept(d, f)
		}
	}
}

// requestReplay has the receiver of direction d ask for a replay, over the other direction.
func (l *Link) requestReplay(d flit.Direction) {
	back := &l.half[1-d]
	if back.asking < 0 {
		back.asking = l.cfg.Frames
	}
	back.wake = min(back.wake, l.now)
}

// accept takes what is in the next flit of direction d.
func (l *Link) accept(d flit.Direction, f flying) {
	h, back := &l.half[d], &l.half[1-d]
	s := h.kept(f.seq)
	h.expected++
	if s.ack > back.oldest {
		back.oldest = s.ack
		back.wake = min(back.wake, l.now)
	}
	for _, r := range s.back {
		if r.n > 0 {
			back.credits[r.class] += r.n
			back.wake = min(back.wake, l.now)
		}
	}
	if h.expected-h.acked >= uint64(l.cfg.AckEvery) {
		back.wake = min(back.wake, l.now)
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
		l.whole = h.open.Pop()
		count.Data += 64
		l.sink.Arrived(&l.whole.Message, Times{Start: l.whole.start, Sent: s.end, At: l.now})
	}
	for _, p := range s.io {
		count.IO += uint64(p.size)
		l.sink.ArrivedIO(d, p.ref, Times{Start: p.start, Sent: s.end, At: l.now})
	}
}
