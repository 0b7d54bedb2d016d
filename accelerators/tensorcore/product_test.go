package tensorcore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/tensorcore"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// unit is a machine of round numbers: a cycle is a second, a byte too.
func unit() tensorcore.Machine {
	return tensorcore.Machine{Rows: 8, Cols: 8, Arrays: 1, Cores: 1, Clock: 1, VMEM: 1 << 20, Memory: 1, Block: 8,
		Vector: tensorcore.Vector{Lanes: 4}}
}

// of makes a graph of one operator of int8 tensors.
func of(t *testing.T, d graph.DType, add func(b *graph.Builder)) (*graph.Graph, *graph.Op) {
	b := graph.NewBuilder("g")
	add(b)
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(d))
	return g, &g.Ops[0]
}

func product(t *testing.T, d graph.DType, m, n, k int) (*graph.Graph, *graph.Op) {
	return of(t, d, func(b *graph.Builder) {
		b.Output(b.MatMul("x", b.Input("a", m, k), b.Weight("w", k, n), graph.MatMul{Batch: 1, M: m, N: n, K: k}, m, n))
	})
}

// 64 x 16 by 16 x 24: six tiles of 8 x 8, 64 cycles each; 1,024 + 384 bytes in, 1,536
// out; a stripe of eight columns is 128 bytes. Reads and writes share the memory's rate.
func TestProductByHand(t *testing.T) {
	g, op := product(t, graph.Int8, 64, 24, 16)
	m := unit()
	c := m.Time(g, op, tensorcore.Passed{})
	require.Equal(t, tensorcore.Cost{Array: 6 * (64 + 8), Copy: 128, Memory: 2944, Read: 1408, Written: 1536}, c)
	require.Equal(t, 128+2944.0, c.Time())
	m.Hot = true
	require.Equal(t, tensorcore.Cost{Array: 6 * (64 + 8), Copy: 128, Memory: 384, Read: 384}, m.Time(g, op, tensorcore.Passed{}), "the rest lies on the chip")
	m.Hot = false
	require.Equal(t, int64(536), m.Time(g, op, tensorcore.Passed{Out: 1000}).Written, "the next operator reads it as it is made")

	m.Preload = true
	require.Equal(t, 6*64.0, m.Time(g, op, tensorcore.Passed{}).Array, "weights come while the array works")
	m.Preload, m.Accumulators = false, 16
	require.Equal(t, 6*(64+4*8.0), m.Time(g, op, tensorcore.Passed{}).Array, "four runs, each with its weights")
	m.Arrays = 2
	require.Equal(t, 3*(64+4*8.0), m.Time(g, op, tensorcore.Passed{}).Array)
	m.Sustained = 0.5
	require.Equal(t, 6*(64+4*8.0), m.Time(g, op, tensorcore.Passed{}).Array)

	m = unit()
	m.Added, m.Resident = true, 2944
	require.Equal(t, tensorcore.Cost{Array: 6 * 64, Copy: 2944, Read: 1408, Written: 1536}, m.Time(g, op, tensorcore.Passed{}), "resident: one after the other")
	m.Cores, m.Arrays = 2, 2
	require.Equal(t, tensorcore.Cost{Array: 3 * 64, Copy: 2944 + 384, Read: 1408 + 384, Written: 1536}, m.Time(g, op, tensorcore.Passed{}), "the smaller operand goes to both cores")
	m = unit()
	m.Added, m.Resident = true, 2943
	require.Equal(t, tensorcore.Cost{Array: 6 * 72, Copy: 128 + 1536, Memory: 1408, Read: 1408, Written: 1536}, m.Time(g, op, tensorcore.Passed{}), "too large to be copied in whole")
}

// A type that the array does not take is copied in and converted first.
func TestConvertedTypes(t *testing.T) {
	m := unit()
	m.Converted, m.Resident = []graph.DType{graph.FP16}, 1<<20
	m.Launch = map[string]float64{"gemm": 5, "all": 7, tensorcore.Convert: 100}
	g, op := product(t, graph.FP16, 64, 24, 16)
	require.Equal(t, tensorcore.Cost{Launch: 105, Array: 6 * 64, Copy: 2 * 2944, Read: 2 * 1408, Written: 2 * 1536, Convert: true}, m.Time(g, op, tensorcore.Passed{}))
	g, op = product(t, graph.BF16, 64, 24, 16)
	require.Equal(t, 5.0, m.Time(g, op, tensorcore.Passed{}).Launch)
	require.False(t, m.Time(g, op, tensorcore.Passed{}).Convert)
}

// Columns that do not fill the last stripe come at a lower rate.
func TestRaggedColumns(t *testing.T) {
	m := unit()
	m.Ragged = 0.5
	g, op := product(t, graph.Int8, 8, 24, 16)
	require.Equal(t, 512.0+192, m.Time(g, op, tensorcore.Passed{}).Memory)
	g, op = product(t, graph.Int8, 8, 25, 16)
	require.Equal(t, 2*(128.0+400+200), m.Time(g, op, tensorcore.Passed{}).Memory)
}

// A product of fp32 goes through the array three times, and hides its copies.
func TestPasses(t *testing.T) {
	g, op := product(t, graph.FP32, 64, 24, 16)
	m := unit()
	m.Preload, m.Added, m.Resident = true, true, 1<<20
	require.Positive(t, m.Time(g, op, tensorcore.Passed{}).Copy)
	m.Passes[graph.FP32] = 3
	c := m.Time(g, op, tensorcore.Passed{})
	require.Equal(t, 3*6*64.0, c.Array)
	require.Equal(t, 4*2944.0, c.Memory)
	require.Equal(t, 4*128.0, c.Copy, "the first stripe is waited for")
	g, op = product(t, graph.BF16, 4, 24, 16)
	require.Equal(t, 6*8.0, m.Time(g, op, tensorcore.Passed{}).Array, "four rows take as long as the next weights need")
}

// By hand, bytes of two cores: half of 64 x 16 and 16 x 24 twice, half of 64 x 24 in one
// byte twice and in four. Halves of the columns would be more.
func TestTiledResidents(t *testing.T) {
	m := unit()
	m.Cores, m.Added, m.Resident = 2, true, 1<<20
	m.Launch = map[string]float64{"gemm": 5, tensorcore.Tiled: 9}
	g, op := product(t, graph.Int8, 64, 24, 16)
	const one = 2*(512+384) + 1536 + 4*768
	for tile, want := range map[int64]float64{0: 5, one: 5, one - 1: 14} {
		m.Tile = tile
		require.Equal(t, want, m.Time(g, op, tensorcore.Passed{}).Launch, tile)
	}
	m.Resident = 0
	require.Equal(t, 5.0, m.Time(g, op, tensorcore.Passed{}).Launch, "a stream has tiles anyway")
}

// Shapes at which measured times of a TPU v4 jump: the last that fits takes 4 MiB to the
// byte for three of them, and the next does not.
func TestTilesOfTPUv4(t *testing.T) {
	m := tensorcore.Machine{Rows: 128, Cols: 128, Arrays: 8, Cores: 2, Clock: 1, VMEM: 16 << 20, Memory: 1, Added: true, Resident: 16 << 20, Tile: 4 << 20}
	for _, c := range []struct{ m, n, last, next int }{
		{512, 640, 768, 896}, {512, 768, 640, 768}, {512, 896, 512, 640}, {640, 768, 512, 640}, {640, 896, 384, 512}, {384, 896, 640, 768}, {384, 768, 896, 1024},
	} {
		g, op := product(t, graph.FP16, c.m, c.n, c.last)
		require.False(t, m.Time(g, op, tensorcore.Passed{}).Tiled, c)
		g, op = product(t, graph.FP16, c.m, c.n, c.next)
		require.True(t, m.Time(g, op, tensorcore.Passed{}).Tiled, c)
	}
}
