package hosts

import (
	"math"
	"sync/atomic"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// never is a time that does not come.
const never = math.MaxInt64

// A host is one thread of requests.
type host struct {
	index   int
	program Program
	port    *engine.Port
	homes   *memory.Map
	calls   memory.Calls[int32] // of packets
	begun   atomic.Int64

	pc    int    // request
	off   uint32 // of it that is sent
	left  uint32 // of the packet that is not
	open  bool   // its computation has begun
	over  bool   // what is after the last request is counted
	paid  bool   // the overhead of the next packet is over
	at    int64  // nothing happens before
	waits int64  // since when a read waits for a signal; never: none does
	key   uint64 // of that signal

	cur     int32 // packet being sent, -1: none
	packets pool.Of[packet, int32]
	under   int // packets that take a place
	reads   int // packets of reads under way
	all     int // packets under way
	busy    int64

	count count
	turns cause.Turns
}

// A packet is under way.
type packet struct {
	key   uint64
	start int64
	parts int32 // not answered
	whole bool  // all parts are sent
	write bool
	place bool // it takes a place among the outstanding
	task  task.ID
}

// begin makes a packet of n bytes the one being sent.
func (h *host) begin(q *Request, key uint64, n uint32, place bool, t int64) {
	h.cur = h.packets.Take()
	h.left = n
	*h.packets.At(h.cur) = packet{key: key, start: t, write: q.Write, place: place}
	if place {
		h.under++
	}
	if h.all == 0 {
		h.busy = t
	}
	h.all++
	if !q.Write {
		h.reads++
	}
}

// end is the answer of a packet.
func (h *host) end(p *packet, i int32, t int64) {
	h.all--
	if p.place {
		h.under--
	}
	if !p.write {
		h.reads--
	}
	if h.all == 0 {
		h.count.active += t - h.busy
	}
	h.count.packet(p.write, t-p.start)
	h.count.finish = max(h.count.finish, t)
	h.packets.Give(i)
}
