package link

// arrive takes one flit of a direction.
func (l *Link) arrive(h *half, f flying) {
	if f.kind == numbered && !h.dropping && f.seq == h.expected && h.wrongAt >= 0 {
		// the replay of the wrong flit
		h.count.Replays++
		h.count.ReplayWait += float64(f.start-h.wrongAt) * float64(l.den) / float64(l.num)
		h.wrongAt = -1
	}
	if f.wrong {
		h.count.Wrong++
		if f.kind == numbered && !h.dropping && f.seq == h.expected {
			h.dropping = true
			h.wrongAt = f.start
			l.requestReplay(h)
		}
		return
	}
	switch f.kind {
	case frame:
	case request: // from the receiver of the other direction
		back := h.peer
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
			l.accept(h, f.seq)
		}
	}
}

// requestReplay makes the receiver of a direction request a replay, over the other direction.
func (l *Link) requestReplay(h *half) {
	if h.peer.asking < 0 {
		h.peer.asking = l.cfg.Frames
	}
	l.rouse(h.peer, l.now)
}

// accept takes what is in the next flit of a direction.
func (l *Link) accept(h *half, seq uint64) {
	s, back := h.kept(seq), h.peer
	h.expected++
	due := h.expected-h.acked >= l.ackEvery
	news := due
	if s.ack > back.oldest {
		back.oldest = s.ack
		news = true
	}
	if s.repays > 0 {
		for _, r := range s.back[:s.repays] {
			back.credits[r.class] += int(r.n)
		}
		news = true
	}
	switch {
	case !news:
	case back.idle && !due && back.packer.Waiting() == 0:
		back.wake = l.now // it looks in vain
	default:
		l.rouse(back, l.now)
		l.look(back)
	}
	for i := range s.Messages {
		m := &s.Messages[i]
		h.count.Messages[m.Class]++
		if m.Class.HasData() {
			x := h.open.More()
			x.Message, x.start = *m, s.first
			continue
		}
		l.sink.Arrived(m, Times{Start: s.first, Sent: s.end, At: l.now})
	}
	for range s.Finished {
		l.done = *h.open.At(0)
		h.open.Drop()
		h.count.Data += 64
		l.sink.Arrived(&l.done.Message, Times{Start: l.done.start, Sent: s.end, At: l.now})
	}
	for _, p := range s.io {
		h.count.IO += uint64(p.size)
		l.sink.ArrivedIO(h.way, p.ref, Times{Start: p.start, Sent: s.end, At: l.now})
	}
}
