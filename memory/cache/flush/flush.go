// Package flush is the operation on all lines that a cache begins by itself: at a time, or when the run
// has come to its end.
package flush

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
)

// A Spec says what is done with the lines, and when.
type Spec struct {
	// Op is what is done.
	Op string `yaml:"op" jsonschema:"enum=none,enum=clean,enum=flush,enum=invalidate" doc:"None; dirty lines are written back; and all lines dropped; or dropped without being written back"`
	// At is when.
	At units.Latency `yaml:"at" doc:"Time of the simulation at which it begins; 0s is the end of the run, when nothing else is left to do"`
}

var ops = map[string]memory.ControlOp{"clean": memory.Clean, "flush": memory.Flush, "invalidate": memory.Invalidate}

// Check reports values that make no sense.
func (s *Spec) Check(at configs.Value) error {
	if s.Op == "none" && !s.At.IsZero() {
		return at.Errorf(nil, "at has no effect without op (want one of: clean, flush, invalidate)")
	}
	return nil
}

const never = ^uint64(0)

// A State is how far the flush of one cache is.
type State struct {
	Written uint64 // bytes that it wrote back
	Begun   uint64 // cycle in which it began first
	Ended   uint64 // cycle of the last answer from below

	op    memory.ControlOp // 0: none
	atEnd bool             // of the run
	at    uint64           // cycle from which on it is due; never: not yet known
	done  bool
	req   memory.ControlReq // of the cache itself: no node has sent it
}

// Start makes the state. due is the cycle in which the flush is to begin; ok is false if that is not known
// before the end of the run, or if there is no flush.
func (s *Spec) Start(c clock.Clock) (f State, due uint64, ok bool) {
	f = State{op: ops[s.Op], atEnd: s.At.IsZero(), at: never}
	if f.op != 0 && !f.atEnd {
		f.at = s.At.In(c)
		return f, f.at, true
	}
	return f, 0, false
}

// Planned reports whether there is a flush at all.
func (f *State) Planned() bool { return f.op != 0 }

// Pending reports whether a flush is to come whose time is known.
func (f *State) Pending() bool { return f.op != 0 && !f.done && f.at != never }

// Due reports whether the flush is to begin.
func (f *State) Due(cycle uint64) bool { return f.Pending() && f.at <= cycle }

// Done reports whether it has begun, and is not to begin again.
func (f *State) Done() bool { return f.done }

// Own reports whether a message is the request of the flush, which no node waits for.
func (f *State) Own(m sim.Msg) bool { return m == sim.Msg(&f.req) }

// Finish asks for the flush at the end of the run, and reports whether it is to begin. It is called again
// when caches above have written theirs back. dirty is the number of sectors to be written back.
func (f *State) Finish(dirty func() uint64) bool {
	again := f.op != memory.Invalidate && f.op != 0 && dirty() > 0
	if f.op == 0 || !f.atEnd || f.Pending() || f.done && !again {
		return false
	}
	f.at, f.done = 0, false
	return true
}

// Begin returns the request of the flush, which begins in a cycle and writes so many bytes back.
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
