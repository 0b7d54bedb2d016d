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
	id    string // of its requests
	busy  bool
	store bool
	buf   int8   // buffer it loads
	home  int32  // range of the address
	step  int    // i%stages of the step a read loads for
	begun uint64 // cycle
	task  task.ID
	hint  memory.Hint
	read  mem.ReadReq
	write mem.WriteReq
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
	all    []slot // one after the other, since a thousand cores have more of them than caches hold
	free   []int32
	prefix int // bytes of an identifier before its number
}

// newSlots makes n slots. Identifiers are unique among requests in flight, as
// long as port names are.
func newSlots(n int, src sim.Port, element uint16) *slots {
	s := &slots{prefix: len(src.Name()) + 1, all: make([]slot, n)}
	for i := range n {
		id := fmt.Sprintf("%s.%d", src.Name(), i)
		l := &s.all[i]
		l.id, l.hint.Core = id, element
		l.read.ID, l.write.ID = id, id
		l.read.Src, l.write.Src = src, src
		l.read.Info, l.write.Info = &l.hint, &l.hint
		s.free = append(s.free, int32(n-1-i))
	}
	return s
}

// inFlight is the number of requests without an answer.
func (s *slots) inFlight() int { return len(s.all) - len(s.free) }

// next is a free slot that stays free until take.
func (s *slots) next() *slot { return &s.all[s.free[len(s.free)-1]] }

func (s *slots) take() {
	s.next().busy = true
	s.free = s.free[:len(s.free)-1]
}

// answered frees the slot of the request called id.
func (s *slots) answered(id string) (*slot, error) {
	i := s.number(id)
	if i >= len(s.all) || s.all[i].id != id || !s.all[i].busy {
		return nil, fmt.Errorf("an answer to %q, which is not outstanding", id)
	}
	s.all[i].busy = false
	s.free = append(s.free, int32(i))
	return &s.all[i], nil
}

// number is that of the slot whose identifier id may be.
func (s *slots) number(id string) (n int) {
	for i := min(s.prefix, len(id)); i < len(id) && n < len(s.all); i++ {
		n = 10*n + int(id[i]-'0')
	}
	return n
}
