package communicator

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/graph"
)

type totals struct {
	transfers, bytes, end uint64
	busy                  [resources]uint64
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
	columns := []stats.Column{
		{Name: "layer", Text: "Name of the operator."},
		{Name: "workload", Text: "Name of the workload."},
		{Name: "type", Text: "Kind of the operator."},
		{Name: "start", Unit: stats.Cycle, Text: "Cycle at which the transfer was issued."},
		{Name: "cycles", Unit: stats.Cycle, Text: "Cycles until it ended."},
		{Name: "transfer_bytes", Unit: stats.Byte, Text: "Bytes of the transfer."},
	}
	return stats.View(columns, len(c.rows), func(i int, row []any) {
		r := &c.rows[i]
		op := &r.share.Graph.Ops[r.share.Program.Jobs[r.job].Op]
		row[0], row[1], row[2] = op.Name, r.share.Name, op.Kind.Type()
		row[3], row[4], row[5] = r.start, r.end-r.start, uint64(op.Kind.(graph.Transfer).Bytes)
	})
}
