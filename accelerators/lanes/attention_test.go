package lanes

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// 6 heads of 129 queries and keys of 64: on 64 lanes of 16 a row of scores takes 3 x 4 turns,
// a row of sums 1 x 9. A softmax of its own does not hold them up, one with more work than the
// products does. Scores never lie in memory, and products count as work of the lanes.
func TestAttentionStreams(t *testing.T) {
	g := func(ops int) *graph.Graph {
		b := graph.NewBuilder("test")
		x := func(name string) graph.TensorID { return b.Input(name, 1, 6, 129, 64) }
		b.Output(b.Op("attend", graph.Attention{Batch: 6, Group: 1, Queries: 129, Keys: 129, Size: 64, Value: 64, ScoreOps: ops},
			[]graph.TensorID{x("q"), x("k"), x("v")}, 1, 6, 129, 64))
		g, err := b.Graph()
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.Int8))
		return g
	}
	s := DefaultSpec()
	s.Lanes, s.Memory = 64, 1e15
	c := run(t, s, work.Share{Graph: g(0)})
	require.EqualValues(t, 6*129*(12+9), *c.End())
	require.EqualValues(t, 4*6*129*64, c.sum.bytes)
	require.EqualValues(t, 2*6*129*129*64, c.sum.useful)
	c = run(t, s, work.Share{Graph: g(100)})
	require.EqualValues(t, (6*129*129*107+6*129*(4+64)+63)/64, *c.End())
}
