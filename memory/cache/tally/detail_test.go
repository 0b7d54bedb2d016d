package tally

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// Tensors are counted by name where they have one: those of one name together,
// whichever core describes them; names that no metric can have stay apart.
func TestTensorsAreCountedByName(t *testing.T) {
	d := NewDetail([]string{"tensor"}, 1)
	g := stats.NewGroup("LLC")
	d.Declare(g)
	a, twin := memory.Tensor{Name: "conv1.weight", Bytes: 64}, memory.Tensor{Name: "conv1.weight", Bytes: 64}
	b, c, n := memory.Tensor{Name: "a b"}, memory.Tensor{Name: "a,b"}, memory.Tensor{Name: "3"}
	for _, h := range []*memory.Hint{{Tensor: 1, About: &a}, {Tensor: 7, About: &twin}, {Tensor: 2, About: &b}, {Tensor: 3, About: &c}, {Tensor: 4, About: &n}, {Tensor: 4}, {}, nil} {
		d.Note(h, 0, &tagstore.Result{Hit: true})
	}
	got := map[string]float64{}
	for _, m := range g.Metrics() {
		got[m.Name] = m.Value
	}
	require.Equal(t, 2.0, got["tensor_conv1.weight_hits"])
	require.Equal(t, 1.0, got["tensor_3_hits"], "the number of one without a name")
	require.Equal(t, 2.0, got["tensor_none_accesses"])
	require.Len(t, got, 3*6)
	require.NotContains(t, got, "tensor_a_b_hits")
	require.Zero(t, testing.AllocsPerRun(10, func() { d.Note(&memory.Hint{About: &twin}, 0, &tagstore.Result{}) }))
}
