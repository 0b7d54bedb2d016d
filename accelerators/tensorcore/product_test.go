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
// out; a stripe of eight columns is 128 bytes.
func TestProductByHand(t *testing.T) {
	g, op := product(t, graph.Int8, 64, 24, 16)
	m := unit()
	c := m.Time(g, op)
	require.Equal(t, tensorcore.Cost{Array: 6 * (64 + 8), Copy: 128, Memory: 1536, Bytes: 2944}, c)
	require.Equal(t, 128+1536.0, c.Time())

	m.Preload = true
	require.Equal(t, 6*64.0, m.Time(g, op).Array, "weights come while the array works")
	m.Preload, m.Accumulators = false, 16
	require.Equal(t, 6*(64+4*8.0), m.Time(g, op).Array, "four runs, each with its weights")
	m.Arrays = 2
	require.Equal(t, 3*(64+4*8.0), m.Time(g, op).Array)
	m.Sustained = 0.5
	require.Equal(t, 6*(64+4*8.0), m.Time(g, op).Array)

	m = unit()
	m.Added = true
	require.Equal(t, tensorcore.Cost{Array: 6 * 64, Copy: 2944, Bytes: 2944}, m.Time(g, op), "resident: one after the other")
	m.Cores, m.Arrays = 2, 2
	require.Equal(t, tensorcore.Cost{Array: 3 * 64, Copy: 2944 + 384, Bytes: 2944 + 384}, m.Time(g, op), "the smaller operand goes to both cores")
	m = unit()
	m.Added, m.VMEM = true, 2943
	require.Equal(t, tensorcore.Cost{Array: 6 * 72, Copy: 128 + 1536, Memory: 1408, Bytes: 2944}, m.Time(g, op), "does not fit")
}

// A type that the array does not take is copied in and converted first.
func TestConvertedTypes(t *testing.T) {
	m := unit()
	m.Converted = []graph.DType{graph.FP16}
	m.Launch = map[string]float64{"gemm": 5, "all": 7, tensorcore.Convert: 100}
	g, op := product(t, graph.FP16, 64, 24, 16)
	require.Equal(t, tensorcore.Cost{Launch: 105, Array: 6 * 64, Copy: 2 * 2944, Bytes: 2 * 2944, Convert: true}, m.Time(g, op))
	g, op = product(t, graph.BF16, 64, 24, 16)
	require.Equal(t, 5.0, m.Time(g, op).Launch)
	require.False(t, m.Time(g, op).Convert)
}

// Columns that do not fill the last stripe come at a lower rate.
func TestRaggedColumns(t *testing.T) {
	m := unit()
	m.Ragged = 0.5
	g, op := product(t, graph.Int8, 8, 24, 16)
	require.Equal(t, 512.0, m.Time(g, op).Memory)
	g, op = product(t, graph.Int8, 8, 25, 16)
	require.Equal(t, 2*(128.0+400), m.Time(g, op).Memory)
}

// A product of fp32 goes through the array three times; a small operator has its own launch.
func TestPassesAndSmallOperators(t *testing.T) {
	m := unit()
	m.Preload, m.Added = true, true
	m.Passes[graph.FP32] = 3
	m.Launch = map[string]float64{"gemm": 50, tensorcore.Small: 2}
	g, op := product(t, graph.FP32, 64, 24, 16)
	require.Equal(t, 3*6*64.0, m.Time(g, op).Array)
	require.Equal(t, 50.0, m.Time(g, op).Launch)
	m.Small = 4 * 2944
	require.Equal(t, 50.0, m.Time(g, op).Launch)
	m.Small++
	require.Equal(t, 2.0, m.Time(g, op).Launch)
	g, op = product(t, graph.BF16, 4, 24, 16)
	require.Equal(t, 6*8.0, m.Time(g, op).Array, "four rows take as long as the next weights need")
}

// By hand, bytes of two cores: half of 64 x 16 and 16 x 24 twice, half of 64 x 24 in one
// byte twice and in four. Halves of the columns would be more.
func TestTiledResidents(t *testing.T) {
	m := unit()
	m.Cores, m.Added = 2, true
	m.Launch = map[string]float64{"gemm": 5, tensorcore.Tiled: 9}
	g, op := product(t, graph.Int8, 64, 24, 16)
	const one = 2*(512+384) + 1536 + 4*768
	for tile, want := range map[int64]float64{0: 5, one: 5, one - 1: 14} {
		m.Tile = tile
		require.Equal(t, want, m.Time(g, op).Launch, tile)
	}
	m.VMEM = 0
	require.Equal(t, 5.0, m.Time(g, op).Launch, "a stream has tiles anyway")
}

// Shapes at which measured times of a TPU v4 jump: the last that fits takes 4 MiB to the
// byte for three of them, and the next does not.
func TestTilesOfTPUv4(t *testing.T) {
	m := tensorcore.Machine{Rows: 128, Cols: 128, Arrays: 8, Cores: 2, Clock: 1, VMEM: 16 << 20, Memory: 1, Added: true, Tile: 4 << 20}
	for _, c := range []struct{ m, n, last, next int }{
		{512, 640, 768, 896}, {512, 768, 640, 768}, {512, 896, 512, 640}, {640, 768, 512, 640}, {640, 896, 384, 512}, {384, 896, 640, 768}, {384, 768, 896, 1024},
	} {
		g, op := product(t, graph.FP16, c.m, c.n, c.last)
		require.False(t, m.Time(g, op).Tiled, c)
		g, op = product(t, graph.FP16, c.m, c.n, c.next)
		require.True(t, m.Time(g, op).Tiled, c)
	}
}
