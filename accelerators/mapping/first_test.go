package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// A mapper that has seen other memories finds what a new one does, and searches for the
// least traffic, which is where the search for the least time begins, once.
func TestMemoriesShareTheFirstSearch(t *testing.T) {
	g := model(t, "resnet18", zoo.Params{})
	core := tpu("ws")
	core.SRAM.Ifmap, core.SRAM.Filter, core.SRAM.Ofmap = 128<<10, 128<<10, 128<<10
	known, searches := NewMapper(), 0
	for _, bandwidth := range []int64{6, 50, 400, 50} {
		core.Memory = machine.Memory{Bandwidth: bandwidth, Cycles: 1, Latency: 100, Burst: 4096, Outstanding: 64}
		fresh := NewMapper()
		for i := range g.Ops {
			want, err := fresh.Map(&g.Ops[i], g, core, "time", Rule{})
			require.NoError(t, err)
			got, err := known.Map(&g.Ops[i], g, core, "time", Rule{})
			require.NoError(t, err)
			require.Equal(t, want, got, "%s at %d B a cycle", g.Ops[i].Name, bandwidth)
		}
		if searches == 0 {
			searches = len(known.cuts.First)
		}
		require.NotZero(t, searches)
		require.Len(t, known.cuts.First, searches, "%d B a cycle", bandwidth)
	}
	// What fits nowhere is said again.
	core.SRAM.Filter = 1
	for range 2 {
		core.Memory.Bandwidth++
		_, err := known.Map(&g.Ops[0], g, core, "time", Rule{})
		require.ErrorContains(t, err, "filter needs")
	}
}
