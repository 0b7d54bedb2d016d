package player

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/memory"
)

// A future has the next use of each line of a trace. It is computed in a pass over the trace
// before the run, if a cache below the link needs it (memory.NextUseReader).
type future struct {
	line uint64   // bytes; 0: no cache wants next uses
	next []uint64 // by access to a line: the index of the next one to it, 0: never
	at   uint64   // of the next access to be sent
}

// maxFuture is the greatest number of accesses of a trace with a future: 2 GiB of memory.
const maxFuture = 1 << 28

// look reads the trace as it will be played. A fault in it ends the future; the
// run will find it again.
func (f *future) look(s *Spec, tensors *feed, pace clock.Clock, homes *memory.Map) error {
	ahead := feed{spec: s, core: tensors.core, tensors: tensors.tensors, index: tensors.index, told: tensors.told}
	if err := ahead.start(pace); err != nil {
		return err
	}
	defer ahead.close()
	last := map[uint64]uint64{} // access to each line
	for ahead.ok {
		addr, left := ahead.rec.Addr, ahead.size
		for left > 0 { // cut as the driver cuts
			_, _, run, ok := homes.Find(addr)
			if !ok {
				return nil
			}
			n := min(left, run, memory.MaxBurst)
			for l := addr / f.line; l <= (addr+n-1)/f.line; l++ {
				i := uint64(len(f.next))
				if before, ok := last[l]; ok {
					f.next[before] = i
				}
				last[l] = i
				f.next = append(f.next, 0)
			}
			addr += n
			left -= n
		}
		if len(f.next) > maxFuture {
			return ahead.fail("more than %d accesses: too many to know the next use of each in advance", maxFuture)
		}
		ahead.next()
	}
	return nil
}

// take returns the next uses of the lines of the next request; nil if no cache needs them.
func (f *future) take(addr, size uint64) []uint64 {
	if f.line == 0 {
		return nil
	}
	n := (addr+size-1)/f.line - addr/f.line + 1
	if f.at+n > uint64(len(f.next)) {
		panic(fmt.Sprintf("player: access %d of %d was not foreseen", f.at+n, len(f.next)))
	}
	f.at += n
	return f.next[f.at-n : f.at]
}
