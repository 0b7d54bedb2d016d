package system

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
)

// Tasks joins the tasks of nodes into one stream for listeners. It is called after
// Build and before the first event, and the stream is closed after the last. Nodes
// that report none are left out; the others keep their order.
func Tasks(time sim.TimeTeller, nodes []Node, listeners ...task.Listener) *task.Stream {
	var list []task.Reporter
	for _, n := range nodes {
		if r, ok := n.(task.Reporter); ok {
			list = append(list, r)
		}
	}
	return task.NewStream(time, list, listeners...)
}
