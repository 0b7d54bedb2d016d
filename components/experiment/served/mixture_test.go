package served

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/gpu"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// All experts are one kernel; a replica that has half of them takes half of the time that their
// weights take. A GPU without such a kernel has none.
func TestMixtureOfReplicas(t *testing.T) {
	g, err := zoo.Build("mixtral_8x7b", zoo.Params{Batch: 8, Sequence: 1, Context: 64, Phase: "decode"})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	s := gpu.DefaultSpec()
	s.Architecture = "sm90"
	c := gpu.New("Chip", engine.New(), s)
	first := g.Mixtures()[0]
	all, half := mixed(c, g, 1), mixed(c, g, 2)
	require.Len(t, all, 32*len(first.Ops))
	require.Positive(t, all[first.First].Time)
	require.InEpsilon(t, 0.5, float64(half[first.First].Time)/float64(all[first.First].Time), 0.03)
	for _, i := range first.Ops {
		if i != first.First {
			require.Zero(t, all[i])
		}
	}
	require.Len(t, g.Mixtures()[0].Ops, len(first.Ops), "the graph stays")
	s.Kernels.Library = "cutlass"
	require.Empty(t, mixed(gpu.New("Chip", engine.New(), s), g, 1))
}
