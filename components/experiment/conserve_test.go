package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// A namedWorker has nothing but a name.
type namedWorker struct {
	work.Executor
	name string
}

func (w namedWorker) Name() string { return w.name }

// Work that was not done, or done twice, is no complete run.
func TestWorkIsConserved(t *testing.T) {
	g, err := zoo.Build("alexnet", zoo.Params{})
	require.NoError(t, err)
	a := &assembly{Assignment: &plan.Assignment{Loads: []*plan.Workload{{Workload: demand.Workload{Graph: g}}}, Workers: []work.Executor{namedWorker{name: "Core[0]"}, namedWorker{name: "Core[1]"}}}}
	macs := func(where string, v float64) stats.Metric {
		return stats.Metric{Phase: "all", Where: where, Name: "macs", Unit: stats.One, Value: v}
	}
	all := float64(g.MACs())
	require.Empty(t, a.conserved([]stats.Metric{macs("Core[0]", all-7), macs("Core[1]", 7), macs("", all)}))
	require.Len(t, a.conserved(nil), 1)
	require.Len(t, a.conserved([]stats.Metric{macs("Core[0]", all), macs("Core[1]", all)}), 1)
	require.Empty(t, a.conserved([]stats.Metric{macs("Core[0]", all), macs("Nest", 5)}), "a node with work of its own")
}
