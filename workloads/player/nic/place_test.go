package nic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Tensors of a transfer lie one after the other, each where the share says: a bucket of gradients
// is read from all of them, and keys and values in tiers from where each piece lies.
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
	w.Spread = func(id graph.TensorID) *memory.Spread { // b is 5 entries of 10 bytes: 3 in one tier, 2 in another
		if id == ids[0] {
			return nil
		}
		return &memory.Spread{Entry: 10, Base: []uint64{5000, 7000}, Pieces: []memory.Piece{{From: 0, N: 3, At: 4, Tier: 1}, {From: 3, N: 2, At: 9, Tier: 0}}}
	}
	p = placeOf(w, ids)
	require.EqualValues(t, 150, p.size)
	for n, want := range map[uint64][2]uint64{0: {1000, 100}, 100: {7040, 30}, 129: {7069, 1}, 130: {5090, 20}, 149: {5109, 1}, 250: {7040, 30}} {
		addr, run, hint := p.at(n)
		require.Equal(t, want, [2]uint64{addr, run}, "byte %d", n)
		require.EqualValues(t, 1+n%150/100, hint.Tensor)
	}
	addr, run, _ := new(place).at(7)
	require.EqualValues(t, 7, addr)
	require.EqualValues(t, uint64(1)<<62, run)
}
