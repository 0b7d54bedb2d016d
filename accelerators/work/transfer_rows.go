package work

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A TransferRow is a transfer that has ended: a job of a share, and the cycles from which and until
// which it went on.
type TransferRow struct {
	Share      *Share
	Job        int32
	Start, End uint64
}

// Transfers is the table of layers of an executor of transfers. start and cycles describe its columns
// of those names.
func Transfers(rows []TransferRow, start, cycles string) *stats.Table {
	columns := []stats.Column{
		{Name: "layer", Text: "Name of the operator."},
		{Name: "workload", Text: "Name of the workload."},
		{Name: "type", Text: "Kind of the operator."},
		{Name: "start", Unit: stats.Cycle, Text: start},
		{Name: "cycles", Unit: stats.Cycle, Text: cycles},
		{Name: "transfer_bytes", Unit: stats.Byte, Text: "Bytes of the transfer."},
	}
	return stats.View(columns, len(rows), func(i int, row []any) {
		r := &rows[i]
		op := &r.Share.Graph.Ops[r.Share.Program.Jobs[r.Job].Op]
		row[0], row[1], row[2] = op.Name, r.Share.Name, op.Kind.Type()
		row[3], row[4], row[5] = r.Start, r.End-r.Start, uint64(op.Kind.(graph.Transfer).Bytes)
	})
}

// Columns are the first columns of a table of operators: name, workload and kind of an operator, when
// it began, and its cycles.
func Columns() []stats.Column {
	return []stats.Column{
		{Name: "layer", Text: "Name of the operator."},
		{Name: "workload", Text: "Name of the workload."},
		{Name: "type", Text: "Kind of the operator."},
		{Name: "start", Unit: stats.Cycle, Text: "Cycle at which the operator began."},
		{Name: "cycles", Unit: stats.Cycle, Text: "Cycles it took."},
	}
}
