package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// Tasks implements task.Reporter: a task per request, from the host's port to the answer, which
// causes the requests to memories of the root and the devices.
func (r *Root) Tasks() *task.Source { return &r.tasks }

// beginTask reports a request that was taken from the host's port at t.
func (r *Root) beginTask(q *request, m *memory.Request, t int64) {
	q.told = true
	if r.tasks.Wants(task.CXL) {
		q.task = r.tasks.Begin(instant.Of(setting.Fine, uint64(t)), task.CXL, task.ReadWrite(m.Write), m.Hint.Cause(), m.Bytes)
	}
}

// stayWords are what a line does in the parts of its latency.
var stayWords = [transit.Parts]string{
	transit.Host: "in the host, and waiting for a place among the outstanding lines", transit.Port: "in bridge and root port, towards the device",
	transit.LinkQueue: "waits for credits and slots", transit.Serial: "is sent", transit.Retry: "replays", transit.Wire: "on the wire",
	transit.Switching: "in a switch", transit.Device: "in the device",
	transit.DeviceQueue: "waits for a place at the memory of the device",
	transit.DRAMQueue:   "waits for the queues of the memory", transit.DRAM: "in the memory", transit.Return: "in root port and bridge, towards the host",
}

// explain reports the parts of the latency of a request's last line. The memory reports its part
// as a task that the request has caused.
func (r *Root) explain(q *request, stays []transit.Stay) {
	at := func(t int64) sim.VTimeInSec { return instant.Of(setting.Fine, uint64(t)) }
	for _, s := range stays {
		if s.Part == transit.DRAM {
			continue
		}
		what := stayWords[s.Part]
		if s.Link >= 0 {
			what = fmt.Sprintf("%s: %s", r.fabric.Hops[s.Link].Title(), what)
		}
		r.tasks.Explain(q.task, r.tasks.What(what), at(s.From), at(s.To), 0)
	}
}

// A watch is a line whose answer is waited for.
type watch struct {
	at   int64 // when no longer
	line int32
	turn uint32 // of the line's place, which others use later
}

// watches is a queue; all wait equally long, so that the first is due first.
type watches struct {
	list []watch
	head int
}

func (w *watches) push(x watch) {
	if w.head > 64 && 2*w.head > len(w.list) {
		w.list, w.head = w.list[:copy(w.list, w.list[w.head:])], 0
	}
	w.list = append(w.list, x)
}

// next is when the first is due that still waits.
func (w *watches) next(lines *transit.Lines) int64 {
	for w.head < len(w.list) {
		x := w.list[w.head]
		if l := lines.At(x.line); l.Turn == x.turn && !l.Done {
			return x.at
		}
		w.head++
	}
	return link.Never
}
