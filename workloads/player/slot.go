package player

import (
	"fmt"
	"strconv"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
)

// A slot is one message in flight; it is made once and used again.
type slot struct {
	read  mem.ReadReq
	write mem.WriteReq
	hint  memory.Hint
	id    string
	job   int32
	first bool // part of its job
	to    sim.Port
	busy  bool
}

// slots are the messages of one driver.
type slots struct {
	src  sim.Port
	all  []*slot
	free []int32
}

func (s *slots) take() *slot {
	if n := len(s.free); n > 0 {
		i := s.free[n-1]
		s.free = s.free[:n-1]
		return s.all[i]
	}
	l := &slot{}
	l.id = s.src.Name() + "." + strconv.Itoa(len(s.all))
	l.read.ID, l.write.ID = l.id, l.id
	l.read.Src, l.write.Src = s.src, s.src
	l.read.Info, l.write.Info = &l.hint, &l.hint
	s.all = append(s.all, l)
	return l
}

// message fills the slot's request.
func (l *slot) message(write bool, addr, size uint64, dst sim.Port, now sim.VTimeInSec) sim.Msg {
	l.to = dst
	if write {
		l.write.Address, l.write.Data = addr, memory.Zeros(size)
		l.write.Dst, l.write.SendTime, l.write.TrafficBytes = dst, now, int(size)
		return &l.write
	}
	l.read.Address, l.read.AccessByteSize = addr, size
	l.read.Dst, l.read.SendTime, l.read.TrafficBytes = dst, now, 0
	return &l.read
}

// answered frees the slot of the message called id and returns it, to be read
// before the next take. The number behind the last dot is the slot.
func (s *slots) answered(id string) (*slot, error) {
	n, unit := 0, 1
	i := len(id) - 1
	for ; i >= 0 && '0' <= id[i] && id[i] <= '9' && unit < 1e9; i-- {
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

// inFlight is the number of messages without an answer.
func (s *slots) inFlight() int { return len(s.all) - len(s.free) }
