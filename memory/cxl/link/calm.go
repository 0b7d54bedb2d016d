package link

import (
	"math"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// A Teller is told of messages when it is certain when they arrive, before they do.
type Teller interface {
	// Departed is a Sink's.
	Departed(m *flit.Message, at int64)
	// Arrives is called with the times at which a message will have arrived. Of messages
	// that arrive at one time at one end the order is that of tie: towards the device
	// first, then those without data, then as they were sent. frees tells that the receiver
	// gives the buffer back at that time.
	Arrives(m *flit.Message, at Times, tie uint64) (frees bool)
}

// Calm has the link tell of messages ahead, and do in one go what has no effect outside: flits
// that arrive, credits and Acks on their way back, the flits of a line after its first. It
// needs to be asked only when a header may leave, see Wake. It is called before all else;
// links with errors stay as they are, and tell so.
//
// Who brings something says in which turn of its time that is: of one time, turn 0 is what
// happens of itself, and what is brought in a turn is seen when the link runs up to it.
func (l *Link) Calm(s Teller) bool {
	if l.half[0].errors.on || l.half[1].errors.on {
		return false
	}
	l.teller = s
	return true
}

// Bring is PushOn on a calm link. It returns Wake.
func (l *Link) Bring(d flit.Direction, now int64, turn int32, m flit.Message) int64 {
	l.RunTo(now, turn)
	h := &l.half[d]
	l.stir(h, now, turn)
	if l.waits == 0 && !h.owes {
		l.waits, h.waits, h.one = 1, 1, m
		return max(h.wake, h.ready)
	}
	if h.waits == 0 && !h.owes {
		h.one = m
	} else {
		h.pack()
		h.packer.Push(m)
	}
	l.waits++
	h.waits++
	return l.Wake()
}

// pack gives the message that waits alone to the packer, if there is one.
func (h *half) pack() {
	if h.waits == 1 && h.packer.Waiting() == 0 {
		h.packer.Push(h.one)
	}
}

// Free is ReleaseOn on a calm link. It returns Wake.
func (l *Link) Free(d flit.Direction, now int64, turn int32, c flit.Class) int64 {
	l.RunTo(now, turn)
	h := &l.half[d]
	h.repay(c, 1)
	l.stir(h.peer, now, turn)
	return l.Wake()
}

// repay has n credits of a class wait for their way back.
func (h *half) repay(c flit.Class, n int) {
	h.unsettled[c] += n
	h.owing |= 1 << c
	h.owed += n
}

// stir has a direction look for something to send.
func (l *Link) stir(h *half, now int64, turn int32) {
	if now < h.wake {
		h.wake, h.round = now, turn
		l.soon = min(l.soon, max(now, h.ready))
	}
}

// Wake is when the link is to be run, if nothing is brought before; Never: as things are it
// need not.
func (l *Link) Wake() int64 {
	if l.waits == 0 {
		return Never
	}
	t := int64(Never)
	for d := range l.half {
		h := &l.half[d]
		if h.waits == 0 && h.untold == 0 {
			continue
		}
		if h.short {
			return l.soon
		}
		t = min(t, max(h.wake, h.ready))
	}
	return t
}

// pays reports whether something that waits may leave, as far as credits are concerned.
func (h *half) pays() bool {
	if h.waits == 1 && !h.owes && h.packer.Waiting() == 0 {
		return h.credits[h.one.Class] > 0
	}
	return h.packer.Ready()
}

// RunTo does everything before a turn of a time.
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

// A flight is a flit under way on a calm link.
type flight struct {
	at int64 // arrival
	news
	freed uint8     // how many of frees
	frees [4]repaid // of buffers that the receiver gives back at once
}

// flown is a flit under way, by its number.
func (h *half) flown(seq uint64) *flight { return &h.flights[seq&uint64(len(h.flights)-1)] }

// fly is the place of the next flit.
func (h *half) fly() *flight {
	if n := uint64(len(h.flights)); h.next-h.expected == n {
		old := h.flights
		h.flights = make([]flight, max(4, 2*n))
		for seq := h.expected; seq < h.next; seq++ {
			*h.flown(seq) = old[seq&(n-1)]
		}
	}
	return h.flown(h.next)
}

// arriving has the flits of a direction arrive that do so up to a time. Few of them matter at
// their own time, see front: credits and Acks are looked for when they are needed.
func (h *half) arriving(t int64) {
	back := h.peer
	for h.expected < h.next {
		s := h.flown(h.expected)
		if s.at > t {
			return
		}
		h.expected++
		if s.ack > back.oldest {
			back.oldest = s.ack
		}
		for i := range s.repays {
			r := &s.back[i&3]
			back.credits[r.class] += int(r.n)
		}
		for i := range s.freed {
			r := &s.frees[i&3]
			h.repay(r.class, int(r.n))
		}
	}
}

// land has the flits of a direction arrive up to that whose arrival is waited for.
func (l *Link) land(h *half, t int64) {
	h.arriving(t)
	h.heed(l)
	if back := h.peer; t < back.wake && (h.owed > 0 || l.acks(h) || back.waits > 0 || back.blocked >= 0) {
		back.wake, back.round = t, 0
	}
}

// heed finds the first flit under way whose arrival changes what the other direction does:
// it makes an Ack due, or room at the receiver, or somebody waits for what it tells.
func (h *half) heed(l *Link) {
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

// leave has a flit depart, if there is any.
func (l *Link) leave(h *half, t int64) {
	h.wake = Never
	peer := h.peer
	if peer.expected < peer.next {
		peer.arriving(t)
	}
	due := l.acks(peer)
	if l.full(h, due) {
		h.block(l, t)
		return
	}
	mem := (h.waits > 0 || h.owes) && h.next-h.oldest < l.retries-1 && h.pays()
	if h.short = !mem && h.waits > 0; h.short {
		h.wait(l)
	}
	news := due || peer.owed > 0
	if !mem && !news {
		return
	}
	s := h.fly()
	s.ack, s.repays, s.freed, s.control = 0, 0, 0, !mem
	if mem {
		h.count.Flits++
		l.fill(h, s, t, news)
	} else {
		h.count.Control++
		l.sendOff(h, s, t, news)
	}
	if h.front == Never && (s.freed > 0 || h.next-h.acked >= l.ackEvery || peer.short) {
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
	if h.waits == 1 && !h.owes && l.cfg.Mode <= flit.Flit256 && h.packer.Waiting() == 0 {
		l.sendOff(h, s, t, news)
		l.foreseeOne(h, s, t)
		return
	}
	h.pack()
	h.packer.Starved(&h.count.Starved)
	h.packer.Fill(&l.waste)
	l.sendOff(h, s, t, news && !l.waste.AllData)
	l.foresee(h, s, t)
}

// sendOff gives a flit its times, and what it tells.
func (l *Link) sendOff(h *half, s *flight, t int64, news bool) {
	if news {
		l.returnCredits(h.peer, &s.news)
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
	h.peer.heed(l)
}

// Settle is RunTo the end of a time, with all that has arrived by then, and returns when
// something happens next.
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

// foreseeOne is foresee of a message that has the flit to itself.
func (l *Link) foreseeOne(h *half, s *flight, t int64) {
	m := &h.one
	h.waits = 0
	l.waits--
	h.credits[m.Class]--
	l.departs(h, m, t)
	h.count.Messages[m.Class]++
	switch {
	case !m.Class.HasData():
		l.tell(h, s, m, t)
	case h.packer.Alone(m):
		h.count.Data += 64
		l.tell(h, s, m, t)
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

// foresee tells when the messages arrive of which a flit that departs has something.
func (l *Link) foresee(h *half, s *flight, t int64) {
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
		l.tell(h, s, m, t)
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

// departs notes that a message with its credit is on its way.
func (l *Link) departs(h *half, m *flit.Message, t int64) {
	q := &h.spent[m.Class]
	if q.Len() == l.cfg.Credits[m.Class] {
		h.count.RoundTrip[m.Class] += uint64(t - *q.At(0))
		h.count.Respent[m.Class]++
		q.Drop()
	}
	*q.More() = t
	l.teller.Departed(m, t)
}

// tell tells of a message that a flit ends with.
func (l *Link) tell(h *half, s *flight, m *flit.Message, start int64) {
	if l.arrives(h, m, start, h.ready) {
		s.free(m.Class)
	}
}

// arrives tells of a message whose last flit is sent by a time.
func (l *Link) arrives(h *half, m *flit.Message, start, end int64) (frees bool) {
	tie := uint64(h.way)<<40 | h.sent&(1<<39-1)
	if m.Class.HasData() {
		tie |= 1 << 39
	}
	h.sent++
	return l.teller.Arrives(m, Times{Start: start, Sent: end, At: end + l.latency}, tie)
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

// lookAhead tells of lines whose data are not sent. In flits of 68 B they take four slots of
// each flit, whatever comes meanwhile, as long as the retry buffer has room: three of the
// last, which has a header, are enough for what is left then.
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
