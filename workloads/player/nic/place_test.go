package nic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Tensors of a transfer lie one after the other, each where the share says: a bucket of gradients
// is read from all of them.
func TestPlaceOfSeveralTensors(t *testing.T) {
	g := &graph.Graph{}
	ids := []graph.TensorID{g.Add(graph.Tensor{Name: "a", Shape: []int{100}, DType: graph.Int8}), graph.None, g.Add(graph.Tensor{Name: "b", Shape: []int{50}, DType: graph.Int8})}
	w := &known{Share: work.Share{Graph: g, Base: func(id graph.TensorID) uint64 { return 1000 * uint64(id+1) }}}
	p := placeOf(w, ids)
	for _, c := range []struct {
		n, addr, run uint64
		tensor       uint32
	}{{0, 1000, 100, 1}, {99, 1099, 1, 1}, {100, 2000, 50, 2}, {149, 2049, 1, 2}, {150, 1000, 100, 1}, {260, 2010, 40, 2}} {
		addr, run, hint := p.at(c.n)
		require.Equal(t, []any{c.addr, c.run, c.tensor}, []any{addr, run, hint.Tensor}, "byte %d", c.n)
	}
	addr, run, _ := new(place).at(7)
	require.EqualValues(t, 7, addr)
	require.EqualValues(t, uint64(1)<<62, run)
}
