package system

import "github.com/causeway-sim/causeway/components/stats"

// A Detailed node can note more than it counts, for the figures of a report: outcomes by
// bank, hits by tensor, who waited for whom. What it notes changes no metric.
type Detailed interface {
	// RecordDetail is called before the run; without it nothing is noted.
	RecordDetail()
	// Detail is what was noted, under a name that says what a row is: "banks"; nil where
	// there is nothing.
	Detail() (name string, t *stats.Table)
}
