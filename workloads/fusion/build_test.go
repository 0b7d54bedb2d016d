package fusion

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A view is of the tensor that its chain begins with, also where another one of the same
// size is made in the same piece.
func TestViewOfEqualSizes(t *testing.T) {
	b := graph.NewBuilder("g")
	x := b.Tensor("x", graph.Input, 4, 6)
	one, two := b.Tensor("one", graph.Activation, 4, 6), b.Tensor("two", graph.Activation, 4, 6)
	first, second := b.Tensor("first", graph.Activation, 24), b.Tensor("second", graph.Activation, 2, 12)
	b.Into("relu", graph.Elementwise{Func: "relu", Elements: 24, Inputs: 1, OpsPer: 1}, []graph.TensorID{x}, one)
	b.Into("square", graph.Elementwise{Func: "square", Elements: 24, Inputs: 1, OpsPer: 1}, []graph.TensorID{one}, two)
	b.Into("flat", graph.Move{Func: "reshape"}, []graph.TensorID{one}, first)
	b.Into("again", graph.Move{Func: "reshape"}, []graph.TensorID{first}, second)
	y := b.Tensor("y", graph.Activation, 2, 12)
	b.Into("add", graph.Elementwise{Func: "relu", Elements: 24, Inputs: 1, OpsPer: 1}, []graph.TensorID{second}, y)
	b.Output(two, y)
	g, err := b.Graph()
	require.NoError(t, err)
	for id, want := range map[graph.TensorID]graph.TensorID{x: x, one: one, two: two, first: one, second: one} {
		require.Equal(t, want, viewOf(g, id))
	}
	made := map[graph.TensorID]graph.TensorID{one: 71, two: 72}
	for range 20 {
		require.EqualValues(t, 71, (&builder{d: &draft{p: &planner{g: g}}}).viewed(0, second, made))
	}
}
