package cxl

import (
	"fmt"
	"strconv"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
)

// A slot is one message of a line to a memory; it is made once and used again.
type slot struct {
	line  int32
	busy  bool
	hint  memory.Hint
	id    string
	read  mem.ReadReq
	write mem.WriteReq
}

// slots are the messages that one port sends.
type slots struct {
	src  sim.Port
	all  []*slot
	free []int32
}

// take takes a slot for a line.
func (s *slots) take(i int32, why reason) (k int32) {
	if n := len(s.free); n > 0 {
		k = s.free[n-1]
		s.free = s.free[:n-1]
	} else {
		k = int32(len(s.all))
		x := &slot{id: s.src.Name() + "." + strconv.Itoa(int(k))}
		x.read.ID, x.write.ID = x.id, x.id
		x.read.Src, x.write.Src = s.src, s.src
		x.read.Info, x.write.Info = &x.hint, &x.hint
		s.all = append(s.all, x)
	}
	x := s.all[k]
	x.line, x.busy, x.hint = i, true, memory.Hint{}
	if why.hint != nil {
		x.hint = *why.hint
		x.hint.Accepted, x.hint.AcceptedIn = 0, 0
	}
	x.hint.Task = why.task
	return k
}

// over frees a slot.
func (s *slots) over(k int32) *slot {
	s.all[k].busy = false
	s.free = append(s.free, k)
	return s.all[k]
}

// message makes the message of a line; line -1-k is job k of a coherence machine.
func (s *slots) message(i int32, write bool, addr uint64, dst sim.Port, why reason, now sim.VTimeInSec) sim.Msg {
	x := s.all[s.take(i, why)]
	if write {
		x.write.Address, x.write.Data = addr, memory.Zeros(64)
		x.write.Dst, x.write.SendTime, x.write.TrafficBytes = dst, now, 64
		return &x.write
	}
	x.read.Address, x.read.AccessByteSize = addr, 64
	x.read.Dst, x.read.SendTime = dst, now
	return &x.read
}

// answered frees the slot of the message called id; the number after the last dot
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
	return s.over(int32(n)), nil
}

// accepted is the time at which the memory took the message into its queues, in ps; 0 if unknown.
func (s *slot) accepted() int64 {
	if s.hint.Accepted > 0 {
		return int64(instant.AtOrBefore(setting.Fine, s.hint.Accepted))
	}
	return 0
}
