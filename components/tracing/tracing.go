// Package tracing passes the tasks of nodes (components/task) to Akita's tracers. Nodes do not
// import Akita's package tracing, which links database drivers. A Replay listens to the task
// stream and calls the tracers in their place:
//
//	replay := &tracing.Replay{}
//	busy := akita.NewBusyTimeTracer(replay, filter) // the replay is the source of time
//	akita.CollectTrace(core, busy)
//	stream := task.NewStream(engine, []task.Reporter{core, llc, mem}, replay)
//	engine.Run()
//	stream.Close()
//
// A tracer is attached to a node as to any component of Akita. Its filter sees the
// task's kind ("layer", "burst", "access", ...) as Kind, its text ("read", the name of
// a layer) as What, the node as Where, and the task.Event as Detail.
//
// Left out: Akita's names req_in and req_out. A request has one task at its sender
// (burst, request) and one at its receiver (access, memory), whose parent it is.
package tracing

import (
	"strconv"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/sarchlab/akita/v3/tracing"

	"github.com/causeway-sim/causeway/components/task"
)

// A Replay is a task.Listener. It is also the tracers' source of time, because events reach it
// after the engine has left their instant. The zero value is ready.
type Replay struct{ now sim.VTimeInSec }

// CurrentTime implements sim.TimeTeller.
func (r *Replay) CurrentTime() sim.VTimeInSec { return r.now }

// Task implements task.Listener.
func (r *Replay) Task(s *task.Stream, e task.Event) {
	domain, ok := s.Nodes()[e.ID.Node()].(tracing.NamedHookable)
	if !ok || domain.NumHooks() == 0 {
		return
	}
	r.now = e.At
	id, what := number(e.ID), s.Text(e.ID, e.What)
	switch e.Phase {
	case task.Begin:
		if what == "" {
			what = e.Kind.String() // Akita wants a text
		}
		tracing.StartTask(id, number(e.Parent), domain, e.Kind.String(), what, e)
	case task.Step:
		tracing.AddTaskStep(id, domain, what)
	case task.End:
		tracing.EndTask(id, domain)
	}
}

// number is an ID as Akita has them; of no task it is "".
func number(id task.ID) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(id), 10)
}
