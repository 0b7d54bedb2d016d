package cache

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
)

// A Flush is an operation on all lines that the cache begins by itself.
type Flush struct {
	// Op is what is done.
	Op string `yaml:"op" jsonschema:"enum=none,enum=clean,enum=flush,enum=invalidate" doc:"None; dirty lines are written back; and all lines dropped; or dropped without being written back"`
	// At is when.
	At units.Latency `yaml:"at" doc:"Time of the simulation at which it begins; 0s is the end of the run, when nothing else is left to do"`
}

var flushOps = map[string]memory.ControlOp{"clean": memory.Clean, "flush": memory.Flush, "invalidate": memory.Invalidate}

func (f *Flush) check(at configs.Value) error {
	if f.Op == "none" && !f.At.IsZero() {
		return at.Errorf(nil, "at has no effect without op (want one of: clean, flush, invalidate)")
	}
	return nil
}

// startFlush says when the flush is due, where that is known before the run.
func (b *base) startFlush() {
	b.flush.op, b.flush.at = flushOps[b.spec.Flush.Op], never
	if b.flush.op != 0 && !b.spec.Flush.At.IsZero() {
		b.flush.at = b.spec.Flush.At.In(b.clock)
		b.ticker.WakeAt(b.flush.at)
	}
}

// Finish implements system.Finisher: the flush at the end of the run. It is called
// again when caches above have written theirs back.
func (b *base) Finish(now sim.VTimeInSec) bool {
	f := &b.flush
	again := f.op != memory.Invalidate && b.core.Dirty() > 0
	if f.op == 0 || !b.spec.Flush.At.IsZero() || b.flushing() || f.done && !again {
		return false
	}
	f.at, f.done = 0, false
	b.ticker.WakeAfter(now)
	return true
}

// flushDue reports whether the flush is to begin.
func (b *base) flushDue(cycle uint64) bool {
	return b.flushing() && b.flush.at <= cycle
}

// own is the request of a flush that begins.
func (b *base) own(cycle uint64) *memory.ControlReq {
	f := &b.flush
	if f.begun == 0 {
		f.begun = cycle
	}
	f.done, f.ended, f.req.Op = true, cycle, f.op
	if f.op != memory.Invalidate {
		f.written += b.core.Dirty() << b.sector
	}
	return &f.req
}
