package hosts

import (
	"fmt"
	"math"
	"strconv"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
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
	slots   slots
	begun   atomic.Int64

	pc    int    // request
	off   uint32 // of it that is sent
	left  uint32 // of the packet that is not
	open  bool   // its computation has begun
	over  bool   // what is behind the last request is counted
	paid  bool   // the overhead of the next packet is over
	at    int64  // nothing happens before
	waits int64  // since when a read waits for a signal; never: none does
	key   uint64 // of that signal

	cur     int32 // packet being sent, -1: none
	packets []packet
	idle    []int32
	under   int // packets that take a place
	reads   int // packets of reads under way
	all     int // packets under way
	busy    int64

	count count
}

// A packet is under way.
type packet struct {
	key   uint64
	start int64
	parts int32 // not answered
	whole bool  // all parts are sent
	write bool
	place bool // it takes a place among the outstanding
}

// begin makes a packet of n bytes the one being sent.
func (h *host) begin(q *Request, key uint64, n uint32, place bool, t int64) {
	if k := len(h.idle); k > 0 {
		h.cur = h.idle[k-1]
		h.idle = h.idle[:k-1]
	} else {
		h.cur = int32(len(h.packets))
		h.packets = append(h.packets, packet{})
	}
	h.left = n
	h.packets[h.cur] = packet{key: key, start: t, write: q.Write, place: place}
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
	h.idle = append(h.idle, i)
}

// A slot is one message in flight; it is made once and used again.
type slot struct {
	read   mem.ReadReq
	write  mem.WriteReq
	hint   memory.Hint
	id     string
	packet int32
	to     sim.Port
	busy   bool
}

// slots are the messages of one host.
type slots struct {
	src  sim.Port
	all  []*slot
	free []int32
}

func (s *slots) take() *slot {
	if n := len(s.free); n > 0 {
		i := s.free[n-1]
		s.free = s.free[:n-1]
		s.all[i].busy = true
		return s.all[i]
	}
	x := &slot{busy: true}
	x.id = s.src.Name() + "." + strconv.Itoa(len(s.all))
	x.read.ID, x.write.ID = x.id, x.id
	x.read.Src, x.write.Src = s.src, s.src
	x.read.Info, x.write.Info = &x.hint, &x.hint
	s.all = append(s.all, x)
	return x
}

func (x *slot) message(write bool, addr, size uint64, dst sim.Port, now sim.VTimeInSec) sim.Msg {
	x.to = dst
	if write {
		x.write.Address, x.write.Data = addr, memory.Zeros(size)
		x.write.Dst, x.write.SendTime, x.write.TrafficBytes = dst, now, int(size)
		return &x.write
	}
	x.read.Address, x.read.AccessByteSize = addr, size
	x.read.Dst, x.read.SendTime, x.read.TrafficBytes = dst, now, 0
	return &x.read
}

// answered frees the slot of the message called id; the number behind the last dot
// is its index.
func (s *slots) answered(id string) (*slot, error) {
	n, unit := 0, 1
	for i := len(id) - 1; i >= 0 && '0' <= id[i] && id[i] <= '9' && unit < 1e9; i-- {
		n += int(id[i]-'0') * unit
		unit *= 10
	}
	if n >= len(s.all) || !s.all[n].busy || s.all[n].id != id {
		return nil, fmt.Errorf("an answer to %q, which is not outstanding", id)
	}
	s.all[n].busy = false
	s.free = append(s.free, int32(n))
	return s.all[n], nil
}

func (s *slots) inFlight() int { return len(s.all) - len(s.free) }

// to is where a message in flight went.
func (s *slots) to() string {
	for _, x := range s.all {
		if x.busy {
			return x.to.Name()
		}
	}
	return s.src.Name()
}
