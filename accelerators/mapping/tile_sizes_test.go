package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// A mapper that has mapped an operator onto other cores finds for one what a fresh mapper
// finds: what it remembers of the axes depends on nothing else.
func TestWhatIsRememberedChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, op := one(drawKind(t), drawTypes(t), rapid.Bool().Draw(t, "bias"))
		old := NewMapper()
		for range 4 {
			core := drawCore(t, 600)
			objective := rapid.SampledFrom(Objectives()).Draw(t, "objective")
			want, err := Map(op, g, core, objective)
			if tooSmall(t, err) {
				continue
			}
			got, err := old.Map(op, g, core, objective, Rule{})
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	})
}

// Another height of the array asks for no new cuts of the axis along its width.
func TestCutsOfOneSideAreFoundOnce(t *testing.T) {
	x := NewMapper()
	g := model(t, "alexnet", zoo.Params{})
	core := tpu("ws") // k along the rows, n along the columns
	for i, rows := range []int{16, 32, 64} {
		core.Array = dataflow.Array{Rows: rows, Cols: 16}
		for i := range g.Ops {
			_, err := x.Map(&g.Ops[i], g, core, "time", Rule{})
			require.NoError(t, err)
		}
		shapes := len(x.memo) / (i + 1)
		require.Len(t, x.cuts.NK, shapes*(i+1)+shapes, "of k for each height, of n once")
	}
}
