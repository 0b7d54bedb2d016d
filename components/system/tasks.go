package system

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
)

// Tasks makes one stream of the tasks of all nodes that report tasks, in their order. It is called
// after Build and before the first event; the caller closes the stream after the last event.
func Tasks(time sim.TimeTeller, nodes []Node, listeners ...task.Listener) *task.Stream {
	var list []task.Reporter
	for _, n := range nodes {
		if r, ok := n.(task.Reporter); ok {
			list = append(list, r)
		}
	}
	return task.NewStream(time, list, listeners...)
}
