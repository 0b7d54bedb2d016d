package traffic

import (
	"strconv"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/noc/network"
)

// A packet is a message between two terminals. It is used again once it has
// come.
type packet struct {
	sim.MsgMeta
	stamp    network.Stamp
	created  int64
	born     int64 // creation of the packet that this one answers
	src, dst int32 // terminals
	flits    int32
	reply    bool
	task     task.ID
}

// Meta implements sim.Msg.
func (p *packet) Meta() *sim.MsgMeta { return &p.MsgMeta }

// Cause implements network.Caused.
func (p *packet) Cause() task.ID { return p.task }

// NetworkStamp implements network.Stamped.
func (p *packet) NetworkStamp() *network.Stamp { return &p.stamp }

// NetworkAnswer implements network.Answer.
func (p *packet) NetworkAnswer() bool { return p.reply }

// pool holds the packets that are not under way.
type pool struct {
	name string
	made int
	free []*packet
}

func (p *pool) take() *packet {
	if n := len(p.free); n > 0 {
		x := p.free[n-1]
		p.free = p.free[:n-1]
		return x
	}
	x := &packet{}
	x.ID = p.name + "." + strconv.Itoa(p.made)
	p.made++
	return x
}

func (p *pool) give(x *packet) { p.free = append(p.free, x) }

// An answer is a packet that is to be sent back.
type answer struct {
	dst           int32
	created, born int64
}

// answers is a queue that reuses its memory.
type answers struct {
	buf  []answer
	head int
}

func (q *answers) push(a answer) {
	if q.head > 32 && 2*q.head >= len(q.buf) {
		q.buf = q.buf[:copy(q.buf, q.buf[q.head:])]
		q.head = 0
	}
	q.buf = append(q.buf, a)
}

func (q *answers) len() int { return len(q.buf) - q.head }

func (q *answers) pop() answer {
	a := q.buf[q.head]
	q.head++
	if q.head == len(q.buf) {
		q.buf, q.head = q.buf[:0], 0
	}
	return a
}
