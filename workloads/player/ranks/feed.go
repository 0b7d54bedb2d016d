package ranks

import (
	"github.com/causeway-sim/causeway/components/clock"
)

// maxPieces bounds the pieces of a message.
const maxPieces = 64

// feed gives a message that may leave at a cycle to the link, in pieces at equal times of
// nic.feed: the last leaves when that time is over.
func (c *Comp) feed(m *Message, at uint64) {
	n := &c.ranks[m.From].nic
	over := n.Feed.In(c.Clock(), m.Bytes)
	bytes := uint64(m.TrafficBytes)
	pieces := max(1, min(maxPieces, (bytes+uint64(n.Piece)-1)/uint64(n.Piece)))
	m.leave, m.arrive = int32(pieces), int32(pieces)
	from, to := n.stream.take(n, c.Clock(), at, bytes)
	for i := range pieces {
		p := c.pool.take()
		p.kind, p.From, p.To, p.whole, p.cause, p.Bytes = piece, m.From, m.To, m, m.cause, 0
		p.TrafficBytes = int(bytes*(i+1)/pieces - bytes*i/pieces)
		if i == 0 {
			p.TrafficBytes += int(n.Header)
		}
		c.leaveAt(p, max(at+over*(i+1)/pieces, from+(to-from)*(i+1)/pieces))
	}
}

// leaveAt gives a message to the link in a cycle.
func (c *Comp) leaveAt(m *Message, at uint64) {
	if at <= c.now {
		c.leaveBy(m)
		return
	}
	c.timers.Add(at, timer{what: left, msg: m})
}

// wholeGone ends the send of a message whose last piece the link has taken.
func (c *Comp) wholeGone(p *Message) {
	m := p.whole
	if m.leave--; m.leave == 0 {
		c.gone(m)
	}
}

// wholeCame passes a message on whose last piece has come.
func (c *Comp) wholeCame(p *Message) {
	m := p.whole
	c.count.received += c.count.times
	c.pool.give(p)
	if m.arrive--; m.arrive == 0 {
		c.passIn(m)
	}
}

// A stream is the messages of a rank that follow each other while the former are being
// fed. All of them together take the time of nic.stream by their bytes, so that a message
// that follows finds the stream where the former have brought it.
type stream struct {
	start uint64 // cycle in which the first message began
	bytes uint64 // of all messages so far
	end   uint64 // cycle in which all of them are fed
}

// take adds a message that may leave at a cycle to the stream, or begins a new one, and
// returns the cycles between which the stream feeds it.
func (s *stream) take(n *nic, c clock.Clock, at, bytes uint64) (from, to uint64) {
	if len(n.Stream) == 0 {
		return at, at
	}
	if at >= s.end {
		*s = stream{start: at, end: at}
	}
	from = s.end
	s.bytes += bytes
	s.end = max(from, s.start+n.Stream.In(c, s.bytes))
	return from, s.end
}
