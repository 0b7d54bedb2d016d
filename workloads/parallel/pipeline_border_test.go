package parallel

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// chainOf is one linear layer after another whose works are as given.
func chainOf(t require.TestingT, widths []int) (*graph.Graph, []int64) {
	b := graph.NewBuilder("chain")
	x := b.Input("x", 1, 8)
	for i, w := range widths {
		x = b.Linear(fmt.Sprintf("l%d", i), x, w)
	}
	b.Output(x)
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	var work []int64
	for i := range g.Ops {
		work = append(work, g.Ops[i].MACs())
	}
	return g, work
}

// Each border lies at the place nearest to its share of the work: the work before it
// misses the share by half an operator at most, as long as no stage would be left empty.
func TestBordersLieNearestToTheirShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, work := chainOf(t, rapid.SliceOfN(rapid.IntRange(1, 64), 8, 40).Draw(t, "widths"))
		n := rapid.IntRange(2, 4).Draw(t, "stages")
		of, err := stagesOf(g, n)
		require.NoError(t, err)
		var total, most int64
		for _, w := range work {
			total, most = total+w, max(most, w)
		}
		if most > total/int64(n) {
			t.Skip("an operator is more than a stage")
		}
		var done int64
		for i := range work {
			if i > 0 && of[i] != of[i-1] {
				require.Equal(t, of[i-1]+1, of[i])
				miss := math.Abs(float64(done) - float64(total)*float64(of[i])/float64(n))
				require.LessOrEqual(t, miss, float64(max(work[i], work[i-1]))/2, "border %d before operator %d", of[i], i)
			}
			done += work[i]
		}
		require.Equal(t, n-1, of[len(of)-1])
	})
}

// Equal operators are dealt out equally.
func TestEqualOperatorsGiveEqualStages(t *testing.T) {
	for n := 1; n <= 8; n++ {
		widths := make([]int, 3*n)
		for i := range widths {
			widths[i] = 8
		}
		g, _ := chainOf(t, widths)
		of, err := stagesOf(g, n)
		require.NoError(t, err)
		for i, s := range of {
			require.Equal(t, i/3, s, "%d stages, operator %d", n, i)
		}
	}
}
