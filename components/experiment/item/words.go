package item

import (
	"github.com/causeway-sim/causeway/components/chain"
	"github.com/causeway-sim/causeway/components/task"
)

// kinds maps a task.Kind to its chain.Kind. Kinds of other modules have no rules.
var kinds = func() []chain.Kind {
	out := make([]chain.Kind, 1<<8)
	for i := range out {
		out[i].Own = "itself"
	}
	for k, r := range map[task.Kind]chain.Kind{
		task.Layer:      {Own: "carries it out", Queue: true},
		task.Tile:       {Hidden: true},
		task.Compute:    {Own: "computes", Queue: true},
		task.Burst:      {Own: "on the way to memory and back", Queue: true},
		task.Request:    {Own: "until it is looked at", Seated: true},
		task.Access:     {Own: "in the cache"},
		task.Memory:     {Own: "in the memory"},
		task.Message:    {Own: "in the network", Sent: true},
		task.Flit:       {Own: "in the network"},
		task.CXL:        {Own: "in the CXL fabric"},
		task.Collective: {Own: "between its messages", Queue: true},
		task.Link:       {Own: "on the memory link"},
		task.Tiered:     {Own: "in the tiered memory"},
		task.Move:       {Own: "moves pages"},
		task.Kernel:     {Own: "on the host", Queue: true},
		task.Iteration:  {Own: "between its requests", Queue: true},
		task.Batch:      {Own: "between its operators", Queue: true, Seated: true},
	} {
		out[k] = r
	}
	return out
}()
