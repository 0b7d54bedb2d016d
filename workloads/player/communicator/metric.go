package communicator

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

type totals struct {
	transfers, bytes, end uint64
	busy                  [resources]uint64
	spent                 [activities]uint64 // cycles
	kind                  seat.KindBytes
}

func (s *totals) add(t *graph.Transfer) {
	s.transfers++
	s.bytes += uint64(t.Bytes)
	s.kind.Add(t.Func, uint64(t.Bytes))
}

func (c *Comp) newStats() *stats.Group {
	g := stats.NewGroup(c.Name())
	g.Count("transfers", stats.One, "Transfers carried out.", &c.sum.transfers)
	g.Count("transfer_bytes", stats.Byte, "Bytes of transfers, as the operators count them.", &c.sum.bytes)
	c.sum.kind.Declare(g, "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send")
	g.Count("link_cycles", stats.Cycle, "Cycles in which bytes move over links of the domain.", &c.sum.busy[links])
	g.Count("interface_cycles", stats.Cycle, "Cycles in which bytes move between domains.", &c.sum.busy[interfaces])
	g.Count("total_cycles", stats.Cycle, "Cycles from the start of the run to the end of its last transfer.", &c.sum.end)
	g.Check("every transfer that began has ended", func() error {
		if n := len(c.flows) + len(c.waits); n > 0 {
			return fmt.Errorf("%d have not", n)
		}
		return nil
	})
	return g
}

// Layers implements work.Executor: a row per transfer, in the order of their ends.
func (c *Comp) Layers() *stats.Table {
	return work.Transfers(c.rows, "Cycle at which the transfer was issued.", "Cycles until it ended.")
}
