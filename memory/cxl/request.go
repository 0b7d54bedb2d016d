package cxl

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// A request is a message at a root's host port that is not answered.
type request struct {
	msg    sim.Msg      // nil at a desk
	tag    uint32       // of the request there
	hint   *memory.Hint // of the request
	left   int32        // lines
	at     int64        // ps
	write  bool
	failed bool // a line had no answer in time
	task   task.ID
	below  *memory.Hint // the request's hint with its task as the cause; nil: nobody listens
}

// requests are those of all roots.
type requests struct {
	pool.Of[request, int32]
}

func (x *requests) remove(i int32) {
	*x.At(i) = request{}
	x.Give(i)
}

// hint is what the host knows about a line, as long as its request lasts.
func (x *requests) hint(l *transit.Line) *memory.Hint {
	if l.Done {
		return nil
	}
	q := x.At(l.Request)
	if q.below != nil {
		return q.below
	}
	return q.hint
}
