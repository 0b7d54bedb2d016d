package communicator

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/graph"
)

type totals struct {
	transfers, bytes, end uint64
	busy                  [resources]uint64
	spent                 [activities]uint64 // cycles
	kind                  kinds
}

// kinds are the bytes of transfers by their kind.
type kinds struct{ AllReduce, AllGather, ReduceScatter, AllToAll, Send uint64 }

func (k *kinds) of(f string) *uint64 {
	switch f {
	case "all_reduce":
		return &k.AllReduce
	case "all_gather":
		return &k.AllGather
	case "reduce_scatter":
		return &k.ReduceScatter
	case "all_to_all":
		return &k.AllToAll
	case "send":
		return &k.Send
	}
	return nil
}

func (s *totals) add(t *graph.Transfer) {
	s.transfers++
	s.bytes += uint64(t.Bytes)
	if n := s.kind.of(t.Func); n != nil {
		*n += uint64(t.Bytes)
	}
}

func (c *Comp) newStats() *stats.Group {
	g := stats.NewGroup(c.Name())
	g.Count("transfers", stats.One, "Transfers carried out.", &c.sum.transfers)
	g.Count("transfer_bytes", stats.Byte, "Bytes of transfers, as the operators count them.", &c.sum.bytes)
	for _, f := range []string{"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send"} {
		n := c.sum.kind.of(f)
		g.Value(f+"_bytes", stats.Byte, "Of transfer_bytes, those of this collective.", func() (float64, bool) { return float64(*n), *n > 0 })
	}
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
