package cxl

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/outstanding"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// A request is a message at a root's host port that is not answered.
type request struct {
	msg    sim.Msg      // nil from a guest port
	tag    uint32       // of the request there
	hint   *memory.Hint // of the request
	left   int32        // lines
	at     int64        // ps
	write  bool
	failed bool // a line had no answer in time
	told   bool // an observer wants tasks: its lines belong to task, which may be none
	task   task.ID
}

// requests are those of all roots.
type requests struct {
	pool.Of[request, int32]
}

func (x *requests) remove(i int32) {
	*x.At(i) = request{}
	x.Give(i)
}

// reason is what the host knows about a line, as long as its request lasts.
func (x *requests) reason(l *transit.Line) outstanding.Reason {
	if l.Done {
		return outstanding.Reason{}
	}
	q := x.At(l.Request)
	if q.told {
		return outstanding.Reason{Hint: q.hint, Task: q.task}
	}
	return outstanding.Reason{Hint: q.hint, Task: q.hint.Cause()}
}
