package ranks

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// send gives a message to the interface of its sender, which takes one after the
// other.
func (c *Comp) send(m *Message) {
	if m.From == m.To && m.kind != joint { // it stays in the rank's memory
		c.timers.Add(c.now+1, timer{what: arrived, msg: m})
		c.gone(m)
		return
	}
	c.inject(m.From, uint64(m.TrafficBytes))
	n := &c.ranks[m.From].nic
	if c.byWindow(m) {
		at := n.send(c.now, 0)
		c.windowed(m, at+n.Cost.In(c.Clock(), m.Bytes))
		return
	}
	at := n.send(c.now, uint64(m.TrafficBytes))
	if m.kind == eager || m.kind == part || m.kind == data || m.kind == joint {
		at += n.Cost.In(c.Clock(), m.Bytes)
		if len(n.Feed) > 0 && m.kind != joint {
			c.feed(m, at)
			return
		}
	}
	c.leaveAt(m, at)
}

// sendData is send of a message with bytes of the program, which are read first.
func (c *Comp) sendData(m *Message) {
	p := seat.Piece{Op: m.at.op, Bytes: uint64(m.TrafficBytes), Read: true}
	if p.Bytes > 0 && c.move(m.From, p, timer{what: loaded, msg: m}) {
		return
	}
	c.send(m)
}

// gotData ends a receive of the program, whose bytes are written first.
func (c *Comp) gotData(at token, bytes uint64) {
	if bytes > 0 && c.move(at.rank, seat.Piece{Op: at.op, Bytes: bytes, Write: true}, timer{what: stored, at: at}) {
		return
	}
	c.complete(at)
}

// leaveBy gives a message to the link, or lines it up for it.
func (c *Comp) leaveBy(m *Message) {
	n := &c.ranks[m.From].nic
	p := c.ports[c.port[m.From]]
	if n.out.Len() > 0 || !p.CanSend() {
		n.out.Push(m)
		return
	}
	c.put(m)
}

// put sends a message for which the link has room.
func (c *Comp) put(m *Message) {
	p := c.ports[c.port[m.From]]
	m.Src, m.Dst, m.SendTime = p, c.list[c.port[m.To]], c.time
	if p.Send(m) != nil && c.failure == nil {
		c.failure = fmt.Errorf("ranks: %s: the link of %s refused a message after it had room", c.Name(), p.Name())
	}
	n := &c.ranks[m.From].nic
	n.messages++
	n.bytes += uint64(m.TrafficBytes)
	c.gone(m)
}

// flush sends what had found no room.
func (c *Comp) flush(port int32) {
	i := c.rankAt[port]
	if i < 0 {
		return
	}
	n := &c.ranks[i].nic
	for n.out.Len() > 0 && c.ports[port].CanSend() {
		c.put(n.out.Pop())
	}
}

// gone ends sends whose bytes have left.
func (c *Comp) gone(m *Message) {
	c.count.sent(m)
	if c.acknowledged(m) {
		return
	}
	switch m.kind {
	case eager:
		c.complete(m.at)
	case data:
		c.complete(c.meets.all[m.meet].send)
	case part:
		c.endSend(m.at)
	case piece:
		c.wholeGone(m)
	}
}

// acknowledged reports whether a send ends with an answer of the receiver's interface.
func (c *Comp) acknowledged(m *Message) bool {
	n := &c.ranks[m.From].nic
	return n.Inject > 0 && m.Bytes > uint64(n.Inject) && m.From != m.To && (m.kind == eager || m.kind == data || m.kind == part)
}

// acknowledge answers at once; the answer passes the sender's interface like a message.
func (c *Comp) acknowledge(m *Message) {
	a := c.pool.take()
	a.kind, a.From, a.To, a.at, a.of, a.Bytes = ack, m.To, m.From, m.at, m.kind, 0
	if m.kind == data {
		a.at = c.meets.all[m.meet].send
	}
	a.TrafficBytes = int(c.ranks[a.From].nic.Control)
	c.leaveBy(a)
}
