// Package outstanding holds the messages that a port of a CXL node has sent to a memory and that have
// no answer: those of a root to its host's memory, and of a device to the memory inside. A message is made
// once and used again. An answer finds its slot by the number after the last dot of the message's ID. Times are
// picoseconds; an answer to a message that is not outstanding is an error. Left out: the order of
// messages, and memories that a device carries itself.
package outstanding

import (
	"fmt"
	"strconv"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
)

// A Reason is the purpose of a message to a memory.
type Reason struct {
	Hint *memory.Hint // nil: there is none
	Task task.ID      // in place of the hint's
}

// A Slot is one message of a line to a memory.
type Slot struct {
	Line  int32 // as Message was given it
	busy  bool
	hint  memory.Hint
	id    string
	read  mem.ReadReq
	write mem.WriteReq
}

// Slots are the messages that one port sends.
type Slots struct {
	Src  sim.Port
	all  []*Slot
	free []int32
}

// take takes a slot for a line.
func (s *Slots) take(i int32, why Reason) (k int32) {
	if n := len(s.free); n > 0 {
		k = s.free[n-1]
		s.free = s.free[:n-1]
	} else {
		k = int32(len(s.all))
		x := &Slot{id: s.Src.Name() + "." + strconv.Itoa(int(k))}
		x.read.ID, x.write.ID = x.id, x.id
		x.read.Src, x.write.Src = s.Src, s.Src
		x.read.Info, x.write.Info = &x.hint, &x.hint
		s.all = append(s.all, x)
	}
	x := s.all[k]
	x.Line, x.busy, x.hint = i, true, memory.Hint{}
	if why.Hint != nil {
		x.hint = *why.Hint
		x.hint.Accepted, x.hint.AcceptedIn = 0, 0
	}
	x.hint.Task = why.Task
	return k
}

// over frees a slot.
func (s *Slots) over(k int32) *Slot {
	s.all[k].busy = false
	s.free = append(s.free, k)
	return s.all[k]
}

// Message makes the message of line i, 64 B at an address; line -1-k is job k of a coherence machine.
func (s *Slots) Message(i int32, write bool, addr uint64, dst sim.Port, why Reason, now sim.VTimeInSec) sim.Msg {
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

// Answered frees the slot of the message called id; the number after the last dot
// is its index.
func (s *Slots) Answered(id string) (*Slot, error) {
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

// Accepted is the time at which the memory took the message into its queues, in ps; 0 if unknown.
func (s *Slot) Accepted() int64 {
	if s.hint.Accepted > 0 {
		return int64(instant.AtOrBefore(setting.Fine, s.hint.Accepted))
	}
	return 0
}
