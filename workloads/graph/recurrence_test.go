package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// The vector work of a recurrence by hand, and sizes that do not agree.
func TestRecurrences(t *testing.T) {
	build := func(k graph.Recurrence, states int) error {
		b := graph.NewBuilder("g")
		y := b.Tensor("y", graph.Output, 2, 5, 3, 4)
		b.Into("r", k, []graph.TensorID{b.Input("x", 2, 5, 3, 4), b.Cache("s", states)}, y)
		_, err := b.Graph()
		return err
	}
	k := graph.Recurrence{Func: "delta_rule", Batch: 2, Sequence: 5, Heads: 3, Size: 4, State: 6}
	require.NoError(t, build(k, 2*3*4*6))
	require.EqualValues(t, 7*2*5*3*4*6, k.VectorOps())
	require.ErrorContains(t, build(k, 100), "has 100 elements (want 144")
	k.Func = "lstm"
	require.ErrorContains(t, build(k, 144), `unknown recurrence "lstm" (want one of: causal_conv1d, delta_rule, state_space)`)
	k.Func, k.Sequence = "state_space", 0
	require.ErrorContains(t, build(k, 144), "2 sequences of 0 tokens")
}
