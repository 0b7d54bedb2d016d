package tensorcore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/tensorcore"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

func attention(t *testing.T, a graph.Attention) (*graph.Graph, *graph.Op) {
	return of(t, graph.Int8, func(b *graph.Builder) {
		in := []graph.TensorID{b.Input("q", a.Batch, a.Group, a.Queries, a.Size), b.Cache("k", a.Batch, a.Keys, a.Size), b.Cache("v", a.Batch, a.Keys, a.Value)}
		b.Output(b.Op("a", a, in, a.Batch, a.Group, a.Queries, a.Value))
	})
}

// 32 tokens, causal, blocks of 8: ten of sixteen are seen. Each is two products of one
// tile with 8 rows and 64 scores at two elements per cycle, in series.
func TestPrefillByHand(t *testing.T) {
	m := unit()
	m.Vector.Rates = map[string]float64{"attention": 2}
	m.Vector.Lanes = 1000
	a := graph.Attention{Batch: 3, Group: 2, Queries: 32, Keys: 32, Size: 8, Value: 8, Mask: masking.Mask{Causal: true}}
	g, op := attention(t, a)
	heads := 6.0
	m.Hot = true
	require.Equal(t, tensorcore.Cost{Array: heads * 10 * 16, Vector: heads * 10 * 32}, m.Time(g, op, tensorcore.Passed{}))

	// From memory: keys and values are read by every block that sees them, 80 of 32 rows,
	// by each of two heads, during the work; or before it where copies are added.
	m.VMEM = 100
	c := m.Time(g, op, tensorcore.Passed{})
	require.Equal(t, int64(2*1536+2*1536*80/32), c.Bytes())
	require.Equal(t, float64(c.Bytes()), c.Memory)
	m.VMEM, m.Hot = 1<<20, false
	require.Equal(t, c, m.Time(g, op, tensorcore.Passed{}))
	m.Added = true
	require.Equal(t, float64(c.Bytes()), m.Time(g, op, tensorcore.Passed{}).Copy)

	a.Mask = masking.Mask{}
	g, op = attention(t, a)
	require.Equal(t, heads*16*16, m.Time(g, op, tensorcore.Passed{}).Array, "all blocks")
}

// One query per head: memory at the share that pages reach.
func TestDecodeIsBoundByMemory(t *testing.T) {
	m := unit()
	m.Efficiency = map[string]float64{tensorcore.Decode: 0.125, "all": 1}
	g, op := attention(t, graph.Attention{Batch: 2, Group: 4, Queries: 1, Keys: 64, Size: 8, Value: 8, Mask: masking.Mask{Causal: true}})
	c := m.Time(g, op, tensorcore.Passed{})
	require.Equal(t, int64(2*(2*64*8+2*4*8)), c.Bytes())
	require.Equal(t, 8*float64(c.Bytes()), c.Time())
	m.Apart = true
	require.Equal(t, int64(2*(4*2*64*8+2*4*8)), m.Time(g, op, tensorcore.Passed{}).Bytes(), "each of four heads reads keys and values")
}
