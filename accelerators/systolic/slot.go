package systolic

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// A slot is one request that may be in flight: its two messages and its hint
// are made once and used again when the answer is here.
type slot struct {
	read  *mem.ReadReq
	write *mem.WriteReq
	hint  memory.Hint
	task  task.ID
	step  int  // i%stages of the step a read loads for
	buf   int8 // buffer it loads
	busy  bool
	store bool
	begun uint64 // cycle
	home  int32  // range of the address
}

// bytes is what the request under way moves.
func (s *slot) bytes() uint64 {
	if s.store {
		return uint64(len(s.write.Data))
	}
	return s.read.AccessByteSize
}

// slots are the requests of one core.
type slots struct {
	all  []*slot
	free []int32
	byID map[string]int32
}

// newSlots makes n slots. Identifiers are unique among requests in flight, as
// long as port names are.
func newSlots(n int, src sim.Port, element uint16) *slots {
	s := &slots{byID: make(map[string]int32, n)}
	for i := range n {
		id := fmt.Sprintf("%s.%d", src.Name(), i)
		l := &slot{read: &mem.ReadReq{}, write: &mem.WriteReq{}}
		l.hint.Core = element
		l.read.ID, l.write.ID = id, id
		l.read.Src, l.write.Src = src, src
		l.read.Info, l.write.Info = &l.hint, &l.hint
		s.all = append(s.all, l)
		s.byID[id] = int32(i)
		s.free = append(s.free, int32(n-1-i))
	}
	return s
}

// inFlight is the number of requests without an answer.
func (s *slots) inFlight() int { return len(s.all) - len(s.free) }

// next is a free slot that stays free until take.
func (s *slots) next() *slot { return s.all[s.free[len(s.free)-1]] }

func (s *slots) take() {
	s.next().busy = true
	s.free = s.free[:len(s.free)-1]
}

// answered frees the slot of the request called id.
func (s *slots) answered(id string) (*slot, error) {
	i, ok := s.byID[id]
	if !ok || !s.all[i].busy {
		return nil, fmt.Errorf("an answer to %q, which is not outstanding", id)
	}
	s.all[i].busy = false
	s.free = append(s.free, i)
	return s.all[i], nil
}
