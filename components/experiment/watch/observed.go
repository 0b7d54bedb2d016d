package watch

import (
	"encoding/json"
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
)

// Observed is the record of a run for the figures of its report: tasks, counters over time, tables
// of nodes. It is not part of the result, which is the same without it.
type Observed struct {
	Tasks   *Tasks     `json:"tasks,omitempty"`
	Series  *JSONTable `json:"series,omitempty"` // growth of counters in each interval; the first column is its end in ns
	Details []Detail   `json:"details,omitempty"`
	// Peaks are the peak rates per ns of those columns of Series that have one, by name.
	Peaks map[string]float64 `json:"peaks,omitempty"`
	// Above lists columns above their peak, which is an error of a model.
	Above  []string   `json:"above,omitempty"`
	log    *seriesLog // while the run goes
	arrays []*arraySeries
}

// A Detail is a table of a node.
type Detail struct {
	Where string `json:"where"`
	Name  string `json:"name"`
	JSONTable
}

// Find returns the details called name.
func (o *Observed) Find(name string) (out []Detail) {
	if o == nil {
		return nil
	}
	for _, d := range o.Details {
		if d.Name == name {
			out = append(out, d)
		}
	}
	return out
}

// JSON is the content of observed.json.
func (o *Observed) JSON() ([]byte, error) {
	b, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("observed: %w", err)
	}
	return append(b, '\n'), nil
}

// Quota is the number of tasks of a kind that are kept for each node.
func Quota(k task.Kind) int {
	switch k {
	case task.Layer, task.Collective:
		return 3000
	case task.Message, task.CXL, task.Request:
		return 600
	case task.Flit:
		return 0
	}
	return 400
}

// Observe prepares the record of a run of nodes. Set stops if the run can be stopped and continued
// at [Observed.Next]; counters over time are recorded only then.
func Observe(nodes []system.Node, stops bool) *Observed {
	o := &Observed{Tasks: &Tasks{}, arrays: watch(nodes)}
	if stops {
		var groups []*stats.Group
		for _, n := range nodes {
			groups = append(groups, n.Stats())
		}
		o.log = newSeriesLog(groups)
	}
	for _, n := range nodes {
		if d, ok := n.(system.Detailed); ok {
			d.RecordDetail()
		}
	}
	return o
}

// Stride sets the least length of the first intervals. It is called before the run.
func (o *Observed) Stride(t sim.VTimeInSec) {
	if o != nil {
		o.log.stride(t)
	}
}

// Next returns the end of the present interval; ok is false if no counters are recorded.
func (o *Observed) Next() (t sim.VTimeInSec, ok bool) {
	if o == nil || o.log == nil {
		return 0, false
	}
	return o.log.next(), true
}

// Note records the interval that ends at Next, at which the run is stopped.
func (o *Observed) Note() { o.log.note() }

// A Worker is a node that executes operators and has a clock.
type Worker interface {
	system.Node
	Clock() clock.Clock
}

// End completes the record after the run; workers are the nodes that execute operators.
func (o *Observed) End(nodes []system.Node, workers []Worker) {
	if o.log != nil {
		o.arrays = append(o.arrays, ofLayers(workers, o.arrays)...)
		o.Series = o.log.jsonTable(o.arrays)
		o.Peaks = peaks(o.arrays, o.Series)
	}
	o.Tasks.cut(nodes)
	if len(o.Tasks.Node) == 0 {
		o.Tasks = nil
	}
	for _, n := range nodes {
		if d, ok := n.(system.Detailed); ok {
			if name, t := d.Detail(); t != nil && len(t.Rows) > 0 {
				o.Details = append(o.Details, Detail{n.Name(), name, jsonTableOf(t)})
			}
		}
		if c, ok := n.(channeled); ok {
			if t := c.Channels(); t != nil && len(t.Rows) > 0 && len(t.Rows) <= maxTasks {
				o.Details = append(o.Details, Detail{n.Name(), "channels", jsonTableOf(t)})
			}
		}
	}
	o.Above = o.AboveRoof()
}
