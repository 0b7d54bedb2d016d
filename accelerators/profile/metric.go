package profile

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
)

func (c *Comp) newStats() *stats.Group {
	g, end, idle := stats.NewGroup(c.Name()), c.End(), c.Idle()
	g.Sum(&c.energy)
	g.Count("total_cycles", stats.Cycle, "Cycles of the node's clock from the start of the run to the end of its last layer.", end)
	g.Count("idle_cycles", stats.Cycle, "Cycles in which there was nothing to do.", idle)
	work.DeclareAwaited(g, c.Awaited())
	g.Count("compute_cycles", stats.Cycle, "Cycles of the layers, by the table.", &c.busy)
	g.Count("macs", stats.One, "Multiply-accumulates of the layers.", &c.macs)
	g.Value("energy", stats.PJ, "Energy of the layers, by the table.", func() (float64, bool) { return c.energy, c.energy > 0 })
	g.Check("layers and idle cycles add up to total_cycles", func() error {
		if n := c.busy + *idle + *c.Awaited(); n != *end {
			return fmt.Errorf("%d of %d cycles", n, *end)
		}
		return nil
	})
	return g
}

// Layers implements work.Executor.
func (c *Comp) Layers() *stats.Table {
	return c.Table([]stats.Column{
		{Name: "layer", Text: "Name of the operator."},
		{Name: "workload", Text: "Name of the workload."},
		{Name: "start", Unit: stats.Cycle, Text: "Cycle at which the operator began."},
		{Name: "cycles", Unit: stats.Cycle, Text: "Cycles it took, by the table."},
		{Name: "macs", Unit: stats.One, Text: "Multiply-accumulates."},
		{Name: "energy", Unit: stats.PJ, Text: "Energy, by the table."},
	}, func(l *layer) []any { return []any{l.name, l.workload, l.start, l.cycles, l.macs, l.pj} })
}
