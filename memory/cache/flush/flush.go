// Package flush is the key flush of a cache: the cache cleans, flushes or invalidates all its lines by
// itself, at a given time or at the end of the run.
//
// A Spec has the keys. A State tells the cache when to begin; the cache then carries out the request of
// Begin like one from another node. Left out: how lines are written back, which the cache does.
package flush

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
)

// A Spec says which operation is carried out on all lines, and when.
type Spec struct {
	// Op is the operation: none, clean (write back dirty lines), flush (write back and drop all lines) or
	// invalidate (drop all lines without writing back).
	Op string `yaml:"op" jsonschema:"enum=none,enum=clean,enum=flush,enum=invalidate" doc:"None; dirty lines are written back; and all lines dropped; or dropped without being written back"`
	// At is the time at which it begins; 0 is the end of the run.
	At units.Latency `yaml:"at" doc:"Time of the simulation at which it begins; 0s is the end of the run, when nothing else is left to do"`
}

var ops = map[string]memory.ControlOp{"clean": memory.Clean, "flush": memory.Flush, "invalidate": memory.Invalidate}

// Check returns an error for a time without an operation.
func (s *Spec) Check(at configs.Value) error {
	if s.Op == "none" && !s.At.IsZero() {
		return at.Errorf(nil, "at has no effect without op (want one of: clean, flush, invalidate)")
	}
	return nil
}

const never = ^uint64(0)

// A State is the progress of the flush of one cache.
type State struct {
	Written uint64 // bytes that the flush wrote back
	Begun   uint64 // cycle in which the flush began for the first time
	Ended   uint64 // cycle of the last answer from below

	op    memory.ControlOp // 0: none
	atEnd bool             // of the run
	at    uint64           // cycle from which on it is due; never: not yet known
	done  bool
	req   memory.ControlReq // of the cache itself: no node has sent it
}

// Start makes the State. due is the cycle in which the flush begins. ok is false without a flush, or with
// one at the end of the run, whose cycle is not known yet.
func (s *Spec) Start(c clock.Clock) (f State, due uint64, ok bool) {
	f = State{op: ops[s.Op], atEnd: s.At.IsZero(), at: never}
	if f.op != 0 && !f.atEnd {
		f.at = s.At.In(c)
		return f, f.at, true
	}
	return f, 0, false
}

// Planned reports whether the Spec has an operation.
func (f *State) Planned() bool { return f.op != 0 }

// Pending reports whether the flush has not begun and its cycle is known.
func (f *State) Pending() bool { return f.op != 0 && !f.done && f.at != never }

// Due reports whether the flush should begin in a cycle.
func (f *State) Due(cycle uint64) bool { return f.Pending() && f.at <= cycle }

// Done reports whether the flush has begun and need not begin again.
func (f *State) Done() bool { return f.done }

// Own reports whether a message is the request that Begin returned. No node waits for its answer.
func (f *State) Own(m sim.Msg) bool { return m == sim.Msg(&f.req) }

// Finish is called at the end of the run, and again after caches above have written back their lines. It
// reports whether the flush should begin, or begin again. dirty returns the number of dirty sectors.
func (f *State) Finish(dirty func() uint64) bool {
	again := f.op != memory.Invalidate && f.op != 0 && dirty() > 0
	if f.op == 0 || !f.atEnd || f.Pending() || f.done && !again {
		return false
	}
	f.at, f.done = 0, false
	return true
}

// Begin returns the request that carries the flush out. The flush begins in cycle and will write back
// dirty bytes.
func (f *State) Begin(cycle uint64, dirty uint64) *memory.ControlReq {
	if f.Begun == 0 {
		f.Begun = cycle
	}
	f.done, f.Ended, f.req.Op = true, cycle, f.op
	if f.op != memory.Invalidate {
		f.Written += dirty
	}
	return &f.req
}
