package link

import (
	"math/bits"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// depart sends one flit of direction d at time t, or nothing if there is none to
// be sent.
func (l *Link) depart(d flit.Direction, t int64) {
	h := &l.half[d]
	h.wake, h.idle, h.hungry = t, false, false
	count := &l.Count[d]
	switch {
	case h.answer > 0:
		h.answer--
		count.Frames++
		l.send(d, t, flying{kind: frame})
	case h.answer == 0:
		h.answer = -1
		count.Frames++
		l.send(d, t, flying{kind: reply})
	case h.asking > 0:
		h.asking--
		count.Frames++
		l.send(d, t, flying{kind: frame})
	case h.asking == 0:
		h.asking = -1
		count.Frames++
		other := &l.half[1-d]
		other.acked = other.expected
		other.deadline = t + int64(l.cfg.Timeout)*l.num/l.den
		l.send(d, t, flying{kind: request, seq: other.expected})
	case h.replay < h.next:
		count.Replayed++
		l.send(d, t, flying{kind: numbered, seq: h.replay})
		h.replay++
	case h.next-h.oldest >= uint64(l.cfg.Retry)-1 && !l.mayAck(d):
		h.wake = Never // until an Ack comes
		h.hungry = true
		if h.blocked < 0 {
			h.blocked = t
		}
	default:
		l.packNext(d, t)
		l.look(d)
	}
}

// look finds out whether the next look for something to send will find nothing, if
// nothing is brought before, and whether that is because something waits for credits.
func (l *Link) look(d flit.Direction) {
	h, other := &l.half[d], &l.half[1-d]
	if other.owed > 0 || h.packer.Ready() || h.io.Len() > 0 || h.replay < h.next || h.answer >= 0 || h.asking >= 0 ||
		other.expected-other.acked >= l.ackEvery || h.next-h.oldest >= uint64(l.cfg.Retry)-1 {
		h.idle, h.hungry = false, false
		return
	}
	h.idle, h.hungry = true, h.packer.Waiting() > 0
}

// mayAck reports whether a flit may take the last place of the retry buffer: only
// one with an Ack may. Else both ends could wait for each other's Ack.
func (l *Link) mayAck(d flit.Direction) bool {
	h, other := &l.half[d], &l.half[1-d]
	return h.next-h.oldest < uint64(l.cfg.Retry) && other.expected-other.acked >= l.ackEvery
}

// packNext makes a new flit.
func (l *Link) packNext(d flit.Direction, t int64) {
	h, other := &l.half[d], &l.half[1-d]
	s := h.place()
	s.io, s.ack, s.control, s.repays = s.io[:0], 0, false, false
	mem, io := h.packer.Ready(), h.io.Len() > 0
	if h.next-h.oldest == uint64(l.cfg.Retry)-1 {
		mem, io = false, false // the last place is for an Ack
	}
	if mem && io {
		// who is at it stays so for its share
		switch {
		case h.turn > 0 && h.turn < l.cfg.Share[0]:
			io = false
		case h.turn < 0 && -h.turn < l.cfg.Share[1]:
			mem = false
		case h.turn > 0:
			mem = false
		default:
			io = false
		}
	}
	count := &l.Count[d]
	header := true // credits can go with it
	switch {
	case mem:
		h.turn = max(h.turn, 0) + 1
		h.packer.Starved(&count.Starved)
		h.packer.Fill(&s.Content)
		header = !s.AllData
		count.Flits++
	case io:
		h.turn = min(h.turn, 0) - 1
		l.packIO(h, s, t)
		header = false
		count.Flits++
	case other.owed > 0 || other.expected-other.acked >= l.ackEvery:
		s.Reset()
		s.control = true
		count.Control++
	default:
		h.wake = Never
		return
	}
	if header {
		l.returnCredits(other, s)
	}
	for i := range s.Messages {
		c := s.Messages[i].Class
		if q := &h.spent[c]; q.Len() == l.cfg.Credits[c] {
			count.RoundTrip[c] += uint64(t - q.Pop())
			count.Respent[c]++
		}
		h.spent[c].Push(t)
		l.sink.Departed(&s.Messages[i], t)
	}
	h.next++
	h.replay = h.next
	s.first = t
	l.send(d, t, flying{kind: numbered, seq: h.next - 1, quiet: l.quiet(h, s)})
	s.end = h.ready()
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
func (l *Link) returnCredits(other *half, s *stored) {
	if n := l.ackEvery; other.expected-other.acked >= n {
		other.acked += n
		if s.control { // has room for all of them
			other.acked = other.expected - (other.expected-other.acked)%n
		}
		s.ack = other.acked
	}
	if other.owed == 0 {
		return
	}
	s.back, s.repays = [4]repaid{}, true
	for left := other.owing; left != 0; {
		best := flit.Class(bits.TrailingZeros16(left))
		i := fieldOf[best]
		some := left & fieldMask[i]
		left &^= some
		for some &= some - 1; some != 0; some &= some - 1 {
			if c := flit.Class(bits.TrailingZeros16(some)); other.unsettled[c] > other.unsettled[best] {
				best = c
			}
		}
		_, n := flit.Credit(other.unsettled[best], true)
		if other.unsettled[best] -= n; other.unsettled[best] == 0 {
			other.owing &^= 1 << best
		}
		other.owed -= n
		s.back[i] = repaid{best, uint8(n)}
	}
}

// fields lists the classes that share a credit field: Req, Data, Rsp, BI.
var fields = [4][]flit.Class{
	{flit.M2SReq, flit.H2DReq, flit.D2HReq},
	{flit.M2SRwD, flit.S2MDRS, flit.H2DData, flit.D2HData},
	{flit.S2MNDR, flit.H2DRsp, flit.D2HRsp},
	{flit.M2SBIRsp, flit.S2MBISnp},
}

var (
	fieldOf   [flit.Classes]int
	fieldMask [4]uint16 // classes of a field, a bit each
)

func init() {
	for i, cs := range fields {
		for _, c := range cs {
			fieldOf[c] = i
			fieldMask[i] |= 1 << c
		}
	}
}

// packIO fills a flit of CXL.io.
func (l *Link) packIO(h *half, s *stored, t int64) {
	s.Reset()
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

// send occupies the direction for one flit and lets it fly.
func (l *Link) send(d flit.Direction, t int64, f flying) {
	h := &l.half[d]
	if h.wrongAt < 0 { // else it is part of N
		if h.blocked >= 0 {
			l.Count[d].Extra += float64(t-h.blocked) * float64(l.den) / float64(l.num)
		}
		if f.kind != numbered {
			l.Count[d].Extra++
		}
	}
	h.blocked = -1
	if t > h.ready() {
		h.free, h.at = t, 0
	}
	h.free += l.whole
	if h.at += l.rest; h.at >= l.den {
		h.at -= l.den
		h.free++
	}
	l.Count[d].Busy += uint64(l.whole)
	f.start = t
	f.at = h.ready() + l.cfg.Latency
	f.wrong = h.errors.next()
	f.plain = f.kind == numbered && !f.wrong
	if !f.quiet && h.loud == Never {
		h.loud = f.at
	}
	h.flight.Push(f)
}
