package work

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Two cores load all of the weights twice each, and half of the input each; the
// result is written and not read.
func TestTensorsAddUpOverCores(t *testing.T) {
	g, err := zoo.Build("alexnet", zoo.Params{})
	require.NoError(t, err)
	d := Describe(g)
	in, w := g.Ops[0].In[0], g.Ops[0].In[1]
	size := g.Tensor(w).Bytes()
	for range 2 {
		d.Expect(w, 4096, 2*size)
		d.Expect(in, 0, g.Tensor(in).Bytes()/2)
	}
	require.Equal(t, memory.Tensor{Name: g.Tensor(w).Name, Base: 4096, Bytes: uint64(size), Accesses: 4, Sharers: 2, Kind: graph.Weight}, *d.Of(w))
	require.Equal(t, memory.Tensor{Name: g.Tensor(in).Name, Bytes: uint64(g.Tensor(in).Bytes()), Sharers: 1, Kind: graph.Input}, *d.Of(in))
	once := 0
	for i := range g.Tensors {
		if x := d.Of(graph.TensorID(i)); x.WriteOnce {
			require.Equal(t, graph.Output, x.Kind)
			once++
		}
	}
	require.Equal(t, 1, once)
	require.Nil(t, (*Tensors)(nil).Of(3))
}
