package ranks

import (
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/memory"
)

// A window holds the messages that an interface with nic.window has to send, in pieces of
// nic.piece, with a limit of bytes in flight.
type window struct {
	last    *Message          // the send that has not ended; nil: there is none
	queue   ring.Of[*Message] // whose pieces have not all entered the network
	pending int32             // pieces that have not
	inside  int32             // pieces on their way
	tx, rx  memory.Serializer // of pieces, each way
	passing bool              // a piece passes the interface
}

// pieces is how many pieces a message has.
func (n *nic) pieces(m *Message) int32 {
	return int32(max(1, (uint64(m.TrafficBytes)+uint64(n.Piece)-1)/uint64(n.Piece)))
}

// windowed gives a message to the window of its interface in a cycle.
func (c *Comp) windowed(m *Message, at uint64) {
	if at > c.now {
		c.timers.Add(at, timer{what: windowing, msg: m})
		return
	}
	n := &c.ranks[m.From].nic
	m.leave = n.pieces(m)
	m.arrive = m.leave
	w := &n.lanes[m.lane].window
	w.last = m
	w.queue.Push(m)
	w.pending += m.leave
	c.pump(m.From, m.lane)
}

// pump lets pieces into the network as far as the window allows. The send of the interface
// ends when no more bytes are left than nic.buffer holds.
func (c *Comp) pump(rank, by int32) {
	n := &c.ranks[rank].nic
	w := &n.lanes[by].window
	for !w.passing && w.queue.Len() > 0 && uint64(w.inside)*uint64(n.Piece) < uint64(n.Window) {
		m := *w.queue.At(0)
		entered := int(n.pieces(m) - m.leave)
		p := c.pool.take()
		p.kind, p.From, p.To, p.whole, p.cause, p.Bytes = segment, m.From, m.To, m, m.cause, 0
		p.TrafficBytes = min(int(n.Piece), m.TrafficBytes-entered*int(n.Piece))
		w.inside++
		if m.leave--; m.leave == 0 {
			w.queue.Pop()
		}
		if at := w.tx.Transfer(c.now, uint64(p.TrafficBytes)); at > c.now {
			w.passing = true
			c.timers.Add(at, timer{what: entering, msg: p})
			break
		}
		w.pending--
		c.leaveBy(p)
	}
	if w.last != nil && uint64(w.pending)*uint64(n.Piece) <= uint64(n.Buffer) {
		m := w.last
		w.last = nil
		c.gone(m)
	}
}

// byWindow reports whether a message has gone in pieces through a window.
func (c *Comp) byWindow(m *Message) bool {
	return m.kind == part && c.ranks[m.From].nic.Window > 0
}

// enterPiece gives a piece to the network that has passed its interface.
func (c *Comp) enterPiece(p *Message) {
	rank, by := p.From, p.whole.lane
	w := &c.ranks[rank].nic.lanes[by].window
	w.passing = false
	w.pending--
	c.leaveBy(p)
	c.pump(rank, by)
}

// segmentIn takes a piece through an interface of its receiver.
func (c *Comp) segmentIn(p *Message) {
	n := &c.ranks[p.To].nic
	rx := &n.rx
	if len(n.lanes) > 0 {
		rx = &n.lanes[int(p.whole.lane)%len(n.lanes)].rx
	}
	if at := rx.Transfer(c.now, uint64(p.TrafficBytes)); at > c.now {
		c.timers.Add(at, timer{what: passed, msg: p})
		return
	}
	c.segmentCame(p)
}

// segmentCame makes room in the window of a piece's sender; the last of a message brings
// the message.
func (c *Comp) segmentCame(p *Message) {
	m := p.whole
	c.count.received += c.count.times
	c.pool.give(p)
	c.ranks[m.From].nic.lanes[m.lane].inside--
	c.pump(m.From, m.lane)
	if m.arrive--; m.arrive == 0 {
		c.passIn(m)
	}
}
