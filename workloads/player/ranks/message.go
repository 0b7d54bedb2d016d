package ranks

import (
	"strconv"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/workloads/player/ranks/match"
)

// A Message is a message between ranks over a network or a link. TrafficBytes is its size. Its
// node owns and reuses it.
type Message struct {
	sim.MsgMeta
	From, To int32 // ranks
	Tag      int64
	Group    int32
	Bytes    uint64 // of the program; TrafficBytes differs for control messages

	kind  messageKind
	of    messageKind // of an ack: what it is for
	seq   uint32      // among those of its pair that match in order
	pair  int32
	at    token  // the operation that sends it
	meet  int32  // rendezvous it belongs to
	since uint64 // cycle in which its operation started
	stamp network.Stamp
	cause task.ID // collective of the sender that it is a part of

	sum network.Sum // what the network adds it up with

	whole  *Message // of a piece: what it is a piece of
	leave  int32    // pieces of this message that the link has not taken yet
	arrive int32    // and that have not come yet
	lane   int32    // of a send of a collective: its interface
}

// Meta implements sim.Msg.
func (m *Message) Meta() *sim.MsgMeta { return &m.MsgMeta }

// Cause implements network.Caused.
func (m *Message) Cause() task.ID { return m.cause }

func (m *Message) key() match.Key {
	return match.Key{To: m.To, From: m.From, Tag: m.Tag, Group: m.Group}
}

// NetworkSum implements network.Summand.
func (m *Message) NetworkSum() network.Sum { return m.sum }

// NetworkStamp implements network.Stamped.
func (m *Message) NetworkStamp() *network.Stamp { return &m.stamp }

type messageKind uint8

const (
	eager   messageKind = iota // all of a short message
	request                    // announces a long one
	grant                      // the receiver is ready for it
	data                       // the long one itself
	part                       // of a collective
	ack                        // the receiver's interface has all of a message
	joint                      // of a sum of the network, there and back
	piece                      // a piece of a message that the interface feeds to the link
	segment                    // a piece of a message that an interface with a window sends
)

// pool keeps messages that are not under way.
type pool struct {
	name string
	free []*Message
	made int
}

func (p *pool) take() *Message {
	if n := len(p.free); n > 0 {
		m := p.free[n-1]
		p.free = p.free[:n-1]
		m.cause, m.whole, m.sum, m.stamp.Task = 0, nil, network.Sum{}, 0
		return m
	}
	m := &Message{}
	m.ID = p.name + "." + strconv.Itoa(p.made)
	p.made++
	return m
}

func (p *pool) give(m *Message) { p.free = append(p.free, m) }

// A rendezvous is a long message whose data wait until the receiver grants its request.
type rendezvous struct {
	send, recv token
	msg        Message // what the data will be
	next       int32
}

// rendezvousList are those under way, by number; they are used again.
type rendezvousList struct {
	all  []rendezvous // 0 is never used
	free int32
}

// open makes a rendezvous for a long message, which becomes its request.
func (x *rendezvousList) open(m *Message, control uint64) {
	i := x.free
	if i == 0 {
		x.all = append(x.all, rendezvous{})
		i = int32(len(x.all) - 1)
	} else {
		x.free = x.all[i].next
	}
	x.all[i] = rendezvous{send: m.at, msg: Message{From: m.From, To: m.To, Tag: m.Tag, Group: m.Group, Bytes: m.Bytes, since: m.since}}
	m.kind, m.meet, m.TrafficBytes = request, i, int(control)
}

// close ends a rendezvous, and returns the receiving rank.
func (x *rendezvousList) close(i int32) token {
	at := x.all[i].recv
	x.all[i].next, x.free = x.free, i
	return at
}

// data makes a message that of a rendezvous's data.
func (x *rendezvousList) data(d *Message, i int32) {
	m := &x.all[i].msg
	d.kind, d.From, d.To, d.Tag, d.Group, d.Bytes, d.meet, d.since = data, m.From, m.To, m.Tag, m.Group, m.Bytes, i, m.since
	d.TrafficBytes = int(m.Bytes)
}
