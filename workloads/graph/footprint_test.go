package graph

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// sample has one operator of every kind, with sizes that differ.
func sample(t require.TestingT) *Graph {
	b := NewBuilder("sample")
	ids := b.Input("ids", 5)
	x := b.Gather("embed", b.Weight("table", 100, 6), ids) // 5x6
	y := b.Linear("fc", x, 8, WithBias)                    // 5x8
	n := b.Norm("rms", "rms", y)                           // 5x8
	c := b.Cache("k_cache", 7, 8)                          // 7 entries, 5 of them new
	b.Into("append", Move{Func: "append", Elements: 40}, []TensorID{n}, c)
	s := b.MatMul("scores", y, c, MatMul{M: 5, N: 7, K: 8}, 5, 7)
	s = b.Softmax("softmax", s)
	sq := b.Mul("square", s, s)
	cat := b.Concat("concat", 1, s, sq) // 5x14
	b.Output(b.Reduce("mean", "mean", cat, 5, 1))
	v := b.Reshape("view", y, 1, 2, 4, 5)
	v = b.Pool("pool", v, SquarePool(2, 2, 0)) // 1,2,2,2
	v = b.Conv("up", v, Conv{K: 3, R: 3, S: 3, StrideH: 2, StrideW: 2, PadTop: 1, PadLeft: 1, PadBottom: 1, PadRight: 1, Transposed: true})
	b.Output(b.Elementwise("relu", "relu", v))
	g, err := b.Graph()
	require.NoError(t, err)
	return g
}

func TestFootprint(t *testing.T) {
	g := sample(t)
	g.SetDTypes(DTypes{Weight: Int8, Activation: BF16, Accumulator: FP32, KV: Int4})
	want := map[string]Footprint{
		"embed":   {5, 30, 0, 30, 20, 30, 0, 60}, // indices stay int32; 5 rows of the table
		"fc":      {30, 56, 0, 40, 60, 56, 0, 80},
		"rms":     {40, 8, 0, 40, 80, 8, 0, 80},
		"append":  {40, 0, 0, 40, 80, 0, 0, 20}, // 5 of 7 entries, in int4
		"scores":  {40, 0, 56, 35, 80, 0, 28, 70},
		"softmax": {35, 0, 0, 35, 70, 0, 0, 70},
		"square":  {35, 0, 0, 35, 70, 0, 0, 70}, // one tensor, twice an operand
		"concat":  {70, 0, 0, 70, 140, 0, 0, 140},
		"mean":    {70, 0, 0, 5, 140, 0, 0, 10},
		"view":    {},
		"pool":    {40, 0, 0, 8, 80, 0, 0, 16},
		"up":      {8, 54, 0, 27, 16, 54, 0, 54},
		"relu":    {27, 0, 0, 27, 54, 0, 0, 54},
	}
	require.Len(t, g.Ops, len(want))
	for i := range g.Ops {
		op := &g.Ops[i]
		require.Equal(t, want[op.Name], g.Footprint(op), op.Name)
	}
	f := g.Footprint(&g.Ops[4])
	require.Equal(t, int64(80+28+70), f.Bytes())
	require.Equal(t, int64(28), g.Bytes(KV))
	require.Equal(t, int64(600+48+8+8+54), g.Bytes(Weight))
}

// TestVectorOps counts by hand: elements x operations, rows x operations.
func TestVectorOps(t *testing.T) {
	g := sample(t)
	want := map[string]int64{
		"rms":     40*4 + 5*6,
		"softmax": 35*8 + 5*4,
		"square":  35,
		"mean":    70,
		"pool":    8 * 3,        // three compares of four elements
		"up":      3 * (16 - 9), // per line 2 inputs x 3 taps less 2 cropped, on 3 outputs
		"relu":    27,
	}
	var total int64
	for i := range g.Ops {
		op := &g.Ops[i]
		require.Equal(t, want[op.Name], op.VectorOps(), op.Name)
		total += want[op.Name]
	}
	require.Equal(t, total, g.VectorOps())
	for _, c := range []struct {
		kind Kind
		want int64
	}{
		{Norm{Func: "layer", Rows: 2, Cols: 10, Bias: true}, 2 * (10*7 + 7)},
		{Norm{Func: "group", Rows: 2, Cols: 10}, 2 * (10*6 + 7)},
		{Norm{Func: "batch", Rows: 2, Cols: 10, Bias: true}, 2 * 10 * 2},
		{Norm{Func: "lrn", Rows: 2, Cols: 10}, 2 * 10 * 15},
		{Reduce{Func: "sum", Elements: 12, Out: 3}, 9},
		{Pool{N: 1, C: 2, H: 3, W: 5, Global: true, Average: true}.Normal(), 2 * 15},
		{Elementwise{Func: "gelu", Elements: 3, OpsPer: 8}, 24},
		{MatMul{Batch: 1, M: 2, N: 2, K: 2}, 0},
	} {
		require.Equal(t, c.want, (&Op{Kind: c.kind}).VectorOps(), "%+v", c.kind)
	}
	n, ok := OpsPerElement("silu")
	require.True(t, ok)
	require.Equal(t, 11, n)
	_, ok = OpsPerElement("frob")
	require.False(t, ok)
	require.Contains(t, FuncNames(), "gelu_tanh")
}

func TestLayerTable(t *testing.T) {
	g := sample(t)
	table := LayerTable(g)
	require.Len(t, table.Rows, len(g.Ops)-1, "the view has no row")
	var macs, params, vector, bytes int64
	for _, row := range table.Rows {
		macs += row[table.Index("MACs")].(int64)
		params += row[table.Index("params")].(int64)
		vector += row[table.Index("vector_ops")].(int64)
		for _, c := range []string{"input_bytes", "weight_bytes", "kv_bytes", "output_bytes"} {
			bytes += row[table.Index(c)].(int64)
		}
	}
	require.Equal(t, []int64{g.MACs(), g.Params(), g.VectorOps()}, []int64{macs, params, vector})
	var want int64
	for i := range g.Ops {
		f := g.Footprint(&g.Ops[i])
		want += f.Bytes()
	}
	require.Equal(t, want, bytes)

	up := table.Rows[10]
	require.Equal(t, []any{"conv", "up", int64(2), int64(2), int64(2), int64(3), int64(3), int64(3), int64(2), int64(1), int64(1),
		int64(3), int64(3), nil, nil, nil, int64(1), int64(8 * 3 * 9), int64(54), int64(21)}, up[:20])
	require.Equal(t, []any{nil, nil, int64(5), int64(7), int64(8), int64(1)}, table.Rows[4][11:17])

	b := NewBuilder("odd")
	x := b.Input("input", 1, 1, 9, 9)
	b.Output(b.Conv("conv", x, Conv{K: 1, R: 3, S: 3, StrideH: 2, PadTop: 1}))
	g, err := b.Graph()
	require.NoError(t, err)
	require.Equal(t, []any{"2x1", "1,0,0,0"}, LayerTable(g).Rows[0][8:10])
}

// TestSharedWeight: a weight that two operators use has its parameters in the
// first row only, and its bytes in both.
func TestSharedWeight(t *testing.T) {
	b := NewBuilder("tied")
	w := b.Weight("table", 10, 4)
	x := b.Gather("embed", w, b.Input("ids", 3))
	b.Output(b.MatMul("head", x, w, MatMul{M: 3, N: 10, K: 4}, 3, 10))
	g, err := b.Graph()
	require.NoError(t, err)
	table := LayerTable(g)
	p, w8 := table.Index("params"), table.Index("weight_bytes")
	require.Equal(t, []any{int64(40), int64(0)}, []any{table.Rows[0][p], table.Rows[1][p]})
	require.Equal(t, []any{int64(12), int64(40)}, []any{table.Rows[0][w8], table.Rows[1][w8]})
	require.Equal(t, int64(40), g.Params())
}

func TestDTypes(t *testing.T) {
	for _, n := range DTypeNames() {
		var d DType
		require.NoError(t, d.UnmarshalText([]byte(n)))
		b, err := d.MarshalText()
		require.NoError(t, err)
		require.Equal(t, n, string(b))
	}
	_, err := ParseDType("fp12")
	require.ErrorContains(t, err, `unknown data type "fp12" (want one of: [int8`)
	require.Equal(t, int64(3), Int4.Bytes(5), "half bytes round up")
	require.Equal(t, Int32, Uniform(Int8).Accumulator)
	require.Equal(t, FP32, Uniform(FP8).Accumulator)
}

func BenchmarkFootprint(b *testing.B) {
	g := sample(b)
	b.ReportAllocs()
	for b.Loop() {
		for i := range g.Ops {
			g.Footprint(&g.Ops[i])
		}
	}
}
