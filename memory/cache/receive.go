package cache

import (
	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/below"
)

// A receiver is what a fidelity does with what comes from below.
type receiver interface {
	// receive takes the answer of a request below.
	receive(call *below.Call, cycle uint64)
	// askedBy returns the hint of the request that waits first for an answer; nil if none waits or has one.
	askedBy(call *below.Call) *memory.Hint
	// writeBack writes a line below that is no longer here.
	writeBack(line uint64, as memory.Victim)
}

// receiveBelow takes the responses and the recalls that have come from below.
func (b *base) receiveBelow(to receiver, now sim.VTimeInSec, cycle uint64) error {
	for m := b.below.Port.Retrieve(now); m != nil; m = b.below.Port.Retrieve(now) {
		if q, ok := m.(*memory.Recall); ok {
			if line := b.layout.Of(q.Addr); b.incl.Drop(line) {
				to.writeBack(line, memory.RecalledDirty)
			}
			continue
		}
		s, err := b.below.Take(m)
		if err != nil {
			return err
		}
		if d, ok := m.(*mem.DataReadyRsp); ok && b.bytes != nil {
			if err := b.fillBytes(d, s); err != nil {
				return err
			}
		}
		if s.Note.Extra {
			continue
		}
		if s.Hint.Dirty {
			from, _ := s.Span()
			if line := b.layout.Of(from); !b.incl.CameDirty(line, to.askedBy(s)) {
				to.writeBack(line, memory.DirtyVictim)
			}
		}
		to.receive(s, cycle)
	}
	return nil
}
