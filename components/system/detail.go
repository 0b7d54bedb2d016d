package system

import "github.com/causeway-sim/causeway/components/stats"

// A Detailed node can record a table for the figures of a report: outcomes by bank, hits by
// tensor, waits between ranks. Recording changes no metric.
type Detailed interface {
	// RecordDetail is called before the run; without it nothing is recorded.
	RecordDetail()
	// Detail returns the recorded table and the name of its rows: "banks". The table is nil if
	// there is nothing.
	Detail() (name string, t *stats.Table)
}
