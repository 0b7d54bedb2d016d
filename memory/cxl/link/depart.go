package link

import (
	"math/bits"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// depart sends one flit of a direction at time t, or nothing if there is none to
// be sent.
func (l *Link) depart(h *half, t int64) {
	h.wake, h.idle, h.hungry = t, false, false
	if h.answer >= 0 || h.asking >= 0 || h.replay < h.next {
		l.retry(h, t)
		return
	}
	if n := h.next - h.oldest; n >= l.retries-1 && !l.mayAck(h) {
		h.wake = Never // until an Ack comes
		h.hungry = true
		if h.blocked < 0 {
			h.blocked = t
		}
		return
	}
	l.packNext(h, t)
	l.look(h)
}

// retry sends a flit that goes before new ones.
func (l *Link) retry(h *half, t int64) {
	switch {
	case h.answer > 0:
		h.answer--
		h.count.Frames++
		l.send(h, t, frame, 0)
	case h.answer == 0:
		h.answer = -1
		h.count.Frames++
		l.send(h, t, reply, 0)
	case h.asking > 0:
		h.asking--
		h.count.Frames++
		l.send(h, t, frame, 0)
	case h.asking == 0:
		h.asking = -1
		h.count.Frames++
		other := h.peer
		other.acked = other.expected
		other.deadline = t + int64(l.cfg.Timeout)*l.num/l.den
		l.send(h, t, request, other.expected)
	default:
		h.count.Replayed++
		l.send(h, t, numbered, h.replay)
		h.replay++
	}
}

// look finds out whether the next look for something to send will find nothing, if
// nothing is brought before, and whether that is because something waits for credits. Links
// with replays put nothing off.
func (l *Link) look(h *half) {
	if l.exact {
		return
	}
	h.idle = h.peer.owed == 0 && !h.packer.Ready() && h.io.Len() == 0 &&
		h.peer.expected-h.peer.acked < l.ackEvery && h.next-h.oldest < l.retries-1
	h.hungry = h.idle && h.packer.Waiting() > 0
}

// mayAck reports whether a flit may take the last place of the retry buffer: only
// one with an Ack may. Else both ends could wait for each other's Ack.
func (l *Link) mayAck(h *half) bool {
	return h.next-h.oldest < l.retries && h.peer.expected-h.peer.acked >= l.ackEvery
}

// turns arbitrates between messages and packets of CXL.io if both wait: each sends its share of
// flits in a row.
func (l *Link) turns(h *half) (mem, io bool) {
	mem = h.turn < l.cfg.Share[0]
	if h.turn < 0 {
		mem = -h.turn >= l.cfg.Share[1]
	}
	return mem, !mem
}

// packNext makes a new flit.
func (l *Link) packNext(h *half, t int64) {
	mem, io := h.packer.Ready(), h.io.Len() > 0
	if h.next-h.oldest == l.retries-1 {
		mem, io = false, false // the last place is for an Ack
	}
	if mem && io {
		mem, io = l.turns(h)
	}
	s := h.place()
	header := true // credits can go with it
	switch {
	case mem:
		h.turn = max(h.turn, 0) + 1
		h.packer.Starved(&h.count.Starved)
		h.packer.Fill(&s.Content)
		header, s.control = !s.AllData, false
		h.count.Flits++
	case io:
		h.turn = min(h.turn, 0) - 1
		l.packIO(h, s, t)
		header, s.control = false, false
		h.count.Flits++
	case h.peer.owed > 0 || h.peer.expected-h.peer.acked >= l.ackEvery:
		s.Reset()
		s.control = true
		h.count.Control++
	default:
		h.wake = Never
		return
	}
	if !io && len(s.io) > 0 {
		s.io = s.io[:0]
	}
	s.ack, s.repays = 0, 0
	if header {
		l.returnCredits(h.peer, &s.flitReturns)
	}
	for i := range s.Messages {
		l.spend(h, &s.Messages[i], t)
	}
	seq := h.next
	h.next++
	h.replay = h.next
	s.first = t
	if l.exact {
		l.send(h, t, numbered, seq)
	} else {
		l.sendCalm(h, t, s)
	}
	s.end = h.ready
}

// spend counts a message that is sent with its credit.
func (l *Link) spend(h *half, m *flit.Message, t int64) {
	l.note(h, m.Class, t)
	l.sink.Departed(m, t)
}

// quiet reports whether a flit with the last number given brings no message to its end,
// and makes no Ack due.
func (l *Link) quiet(h *half, s *stored) bool {
	if s.Finished > 0 || len(s.io) > 0 || h.next-h.acked >= l.ackEvery {
		return false
	}
	for i := range s.Messages {
		if !s.Messages[i].Class.HasData() {
			return false
		}
	}
	return true
}

// returnCredits puts Ack and credits of the other direction into a flit.
func (l *Link) returnCredits(other *half, s *flitReturns) {
	if n := l.ackEvery; other.expected-other.acked >= n {
		other.acked += n
		if s.control { // has room for all of them
			other.acked = other.expected - (other.expected-other.acked)%n
		}
		s.ack = other.acked
	}
	if other.owed == 1 {
		c := flit.Class(bits.TrailingZeros16(other.owing))
		other.unsettled[c], other.owing, other.owed = 0, 0, 0
		s.back[0], s.repays = repaid{c, 1}, 1
		return
	}
	for left := other.owing; left != 0; {
		best := flit.Class(bits.TrailingZeros16(left))
		some := left & fieldMask[best]
		left &^= some
		for some &= some - 1; some != 0; some &= some - 1 {
			if c := flit.Class(bits.TrailingZeros16(some)); other.unsettled[c] > other.unsettled[best] {
				best = c
			}
		}
		n := 1 << min(bits.Len(uint(other.unsettled[best]))-1, 6) // flit.Credit
		if other.unsettled[best] -= n; other.unsettled[best] == 0 {
			other.owing &^= 1 << best
		}
		other.owed -= n
		s.back[s.repays] = repaid{best, uint8(n)}
		s.repays++
	}
}

// fields lists the classes that share a credit field: Req, Data, Rsp, BI.
var fields = [4][]flit.Class{
	{flit.M2SReq, flit.H2DReq, flit.D2HReq},
	{flit.M2SRwD, flit.S2MDRS, flit.H2DData, flit.D2HData},
	{flit.S2MNDR, flit.H2DRsp, flit.D2HRsp},
	{flit.M2SBIRsp, flit.S2MBISnp},
}

// fieldMask is the classes that share a class's field, a bit each.
var fieldMask [flit.Classes]uint16

func init() {
	for _, cs := range fields {
		for _, c := range cs {
			for _, x := range cs {
				fieldMask[c] |= 1 << x
			}
		}
	}
}

// packIO fills a flit of CXL.io.
func (l *Link) packIO(h *half, s *stored, t int64) {
	s.Reset()
	s.io = s.io[:0]
	for room := l.cfg.Mode.IOBytes(); room > 0 && h.io.Len() > 0; {
		p := h.io.At(0)
		if p.start < 0 {
			p.start = t
		}
		n := min(room, p.bytes)
		p.bytes -= n
		room -= n
		if p.bytes > 0 {
			return
		}
		s.io = append(s.io, h.io.Pop())
	}
}

// send occupies the direction for one flit and lets it fly. A numbered one is not quiet,
// unless it is sent for the first time and brings credits and Acks alone.
func (l *Link) send(h *half, t int64, k kind, seq uint64) {
	if h.wrongAt < 0 { // else it is part of N
		if h.blocked >= 0 {
			h.count.Extra += float64(t-h.blocked) * float64(l.den) / float64(l.num)
		}
		if k != numbered {
			h.count.Extra++
		}
	}
	h.blocked = -1
	l.occupy(h, t)
	f := h.flight.More()
	f.start, f.seq, f.kind = t, seq, k
	f.at = h.ready + l.latency
	f.wrong = h.errors.on && h.errors.next()
	f.plain = k == numbered && !f.wrong
	f.quiet = f.plain && seq+1 == h.next && l.quiet(h, h.kept(seq))
	if !f.quiet && h.loud == Never {
		h.loud = f.at
	}
	if h.front == Never {
		h.front = f.at
	}
}

// sendCalm is send of a new flit on a link without errors.
func (l *Link) sendCalm(h *half, t int64, s *stored) {
	if h.blocked >= 0 {
		h.count.Extra += float64(t-h.blocked) * float64(l.den) / float64(l.num)
		h.blocked = -1
	}
	l.occupy(h, t)
	s.at = h.ready + l.latency
	if s.quiet = l.quiet(h, s); !s.quiet && h.loud == Never {
		h.loud = s.at
	}
	if h.front == Never {
		h.front = s.at
	}
}

// occupy has a direction be taken for one flit from t on.
func (l *Link) occupy(h *half, t int64) {
	free, at := h.free, h.at
	if t > h.ready {
		free = t
	}
	if t > h.ready { // apart, so that neither needs a branch
		at = 0
	}
	if h.wire != nil {
		l.watched(h, free, at)
	}
	h.free, h.at, h.ready = l.after(free, at)
	h.count.Busy += uint64(l.whole)
}

// after is when a direction is free again, and the first picosecond in which it is, if a
// flit departs when it is.
func (l *Link) after(free, at int64) (int64, int64, int64) {
	free += l.whole
	if at += l.rest; at >= l.den {
		at -= l.den
		free++
	}
	if at > 0 {
		return free, at, free + 1
	}
	return free, at, free
}
