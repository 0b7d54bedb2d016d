package operator_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
	"github.com/causeway-sim/causeway/workloads/operator"
)

func TestRowsBecomeOperators(t *testing.T) {
	rows, err := operator.Read("l.csv", []byte(`# measured
op,name,m,n,k,rows,cols,dtype,measured_ns,tags
gemm,up,64,256,128,,,fp16,1200,tp1 up
softmax,,,,,32,100,,,
softmax,,,,,1e2,100,fp32,,
swiglu,act,,,,64,11,bf16,,
exp,e,,,,8,8,,,
`))
	require.NoError(t, err)
	g, err := operator.Graph("l", rows, graph.Uniform(graph.Int8))
	require.NoError(t, err)
	var names []string
	for _, op := range g.Ops {
		names = append(names, op.Name)
	}
	require.Equal(t, []string{"up", "softmax_1", "softmax_2", "act", "e"}, names)
	require.Equal(t, graph.MatMul{Batch: 1, M: 64, N: 256, K: 128, SharedB: 1}, g.Ops[0].Kind)
	for i, want := range []int64{2 * (64*128 + 128*256 + 64*256), 2 * 3200, 4 * 2 * 10000, 2 * 3 * 64 * 11, 2 * 64} {
		require.Equal(t, want, g.Footprint(&g.Ops[i]).Bytes(), names[i])
	}
}

// Weights and cached keys and values may have types of their own, where the operator has such.
func TestTypesOfWeightsAndCaches(t *testing.T) {
	rows, err := operator.Read("l.csv", []byte(`op,m,n,k,heads,head_dim,context,dtype,weight_dtype,kv_dtype
gemm,64,256,128,,,,bf16,int8,
decode,,,,8,64,100,bf16,,fp8
decode,,,,8,64,100,,,fp8
`))
	require.NoError(t, err)
	g, err := operator.Graph("l", rows, graph.Uniform(graph.FP16))
	require.NoError(t, err)
	for i, want := range []int64{2*(64*128+64*256) + 128*256, 2*2*8*64 + 2*8*100*64, 2*2*8*64 + 2*8*100*64} {
		require.Equal(t, want, g.Footprint(&g.Ops[i]).Bytes(), i)
	}
	_, err = operator.Read("l.csv", []byte("op,m,n,k,kv_dtype\ngemm,64,256,128,fp8\n"))
	require.EqualError(t, err, "l.csv:2:17: kv_dtype has no effect: gemm has no cached keys and values")
	_, err = operator.Read("l.csv", []byte("op,rows,cols,weight_dtype\nsoftmax,64,256,fp8\n"))
	require.EqualError(t, err, "l.csv:2:16: weight_dtype has no effect: softmax has no weights")
}

// Every operator builds from the least that it needs.
func TestEveryOperatorBuilds(t *testing.T) {
	for _, name := range operator.Names() {
		sizes := map[string]int{"rows": 4, "cols": 8}
		switch name {
		case "gemm":
			sizes = map[string]int{"m": 2, "n": 3, "k": 4, "batch": 5}
		case "gemm_backward":
			sizes = map[string]int{"m": 2, "n": 3, "k": 4}
		case "conv_backward", "conv_weights":
			sizes = map[string]int{"channels": 4, "height": 8, "width": 8, "filters": 8, "kernel": 3, "padding": 1, "stride": 2, "convert": 1}
		case "gemm_sum":
			sizes = map[string]int{"m": 4, "n": 3, "k": 4, "ranks": 2}
		case "prefill", "decode":
			sizes = map[string]int{"heads": 8, "kv_heads": 2, "head_dim": 16, "sequence": 32}
		case "all_reduce", "custom_all_reduce", "all_gather", "reduce_scatter", "all_to_all":
			sizes = map[string]int{"elements": 16}
		case "causal_conv1d":
			sizes = map[string]int{"channels": 16, "sequence": 9}
		case "mamba2", "delta":
			sizes = map[string]int{"heads": 32, "sequence": 9}
		case "dispatch", "combine":
			sizes = map[string]int{"tokens": 5, "hidden": 16, "top_k": 2, "experts": 8}
		case "moe":
			sizes = map[string]int{"tokens": 5, "hidden": 16, "inter": 8, "top_k": 2, "experts": 4}
		case "mla_prefill", "mla_decode":
			sizes = map[string]int{"heads": 8, "sequence": 32}
		case "merge":
			sizes["parts"] = 3
		case "conv_transposed":
			sizes = map[string]int{"channels": 4, "height": 9, "width": 9, "filters": 8, "kernel": 3, "stride": 2}
		case "self_attention":
			sizes = map[string]int{"heads": 8, "head_dim": 16, "sequence": 32}
		case "resnet_block":
			sizes = map[string]int{"channels": 64, "height": 8, "width": 8}
		case "conv_by_output":
			sizes = map[string]int{"channels": 4, "rows": 5, "cols": 6, "filters": 8, "kernel_rows": 3, "kernel_cols": 2, "stride": 2}
		case "conv":
			sizes = map[string]int{"channels": 4, "height": 9, "width": 9, "filters": 8, "kernel": 3, "padding": 1, "stride": 2}
		}
		g, err := operator.Graph("x", []operator.Row{{Name: "r", Op: name, Sizes: sizes}}, graph.Uniform(graph.FP16))
		require.NoError(t, err, name)
		for _, op := range g.Ops {
			require.Equal(t, "r", operator.RowOf(op.Name), name)
		}
		require.Positive(t, g.Footprint(&g.Ops[len(g.Ops)-1]).Bytes(), name)
	}
}

// Attention over a part of the keys leaves statistics of four bytes each, whatever the row's
// element type, and a merge reads them; its vector work by hand.
func TestPartOfAttention(t *testing.T) {
	half := graph.FP16
	rows := []operator.Row{
		{Name: "part", Op: "decode", DType: &half, Sizes: map[string]int{"heads": 8, "head_dim": 64, "context": 100, "partial": 2}},
		{Name: "sum", Op: "merge", DType: &half, Sizes: map[string]int{"rows": 8, "cols": 64, "parts": 3, "statistics": 2}},
		{Name: "lse", Op: "merge", DType: &half, Sizes: map[string]int{"rows": 8, "cols": 64, "parts": 3}},
	}
	g, err := operator.Graph("x", rows, graph.Uniform(graph.Int8))
	require.NoError(t, err)
	for i, want := range []int64{8 * 64 * 2, 3 * 8 * 64 * 2, 3 * 8 * 64 * 2} {
		f := g.Footprint(&g.Ops[i])
		if i == 0 {
			require.Equal(t, want+8*2*4, f.OutputBytes)
			continue
		}
		require.Equal(t, want+int64(3*8*(3-i)*4), f.InputBytes)
	}
	// Compare and add between three parts, subtract, exponential and the reciprocal on each, the
	// sum of each scaled with MaxSum, the reciprocal; three products of 64 and two sums.
	require.EqualValues(t, 8*(2*2+3*6+4+5*64), g.Ops[2].VectorOps())
	require.EqualValues(t, 8*(2*2+3*7+4+5*64), g.Ops[1].VectorOps())
	require.EqualValues(t, 8*100*(7+1), g.Ops[0].VectorOps(), "nothing is divided")

	rows[0].Sizes["partial"] = 3
	_, err = operator.Graph("x", rows[:1], graph.Uniform(graph.Int8))
	require.ErrorContains(t, err, "3 statistics of a row (want 0 to 2)")
	k := graph.Merge{Rows: 4, Cols: 8, Pieces: 3, Statistics: graph.LogSumExp}
	b := graph.NewBuilder("x")
	b.Output(b.Op("m", k, []graph.TensorID{b.Input("a", 3, 8), b.Input("s", 3, 1)}, 4, 8))
	_, err = b.Graph()
	require.ErrorContains(t, err, "4 rows in 3 pieces of 8 elements with 1 statistics (want at least one of each, as many pieces as rows")
}

// A decode that says its context needs no sequence, which it would not read.
func TestDecodeByItsContext(t *testing.T) {
	for _, list := range []string{"context: 100", "sequence: 100", "sequence: 1, context: 100"} {
		v, err := configs.ParseValue("f", []byte("ops: [{op: decode, heads: 8, kv_heads: 2, head_dim: 64, batch: 3, "+list+"}]"))
		require.NoError(t, err)
		rows, err := operator.Decode(v.Get("ops"))
		require.NoError(t, err, list)
		g, err := operator.Graph("x", rows, graph.Uniform(graph.FP16))
		require.NoError(t, err)
		require.Equal(t, int64(3*8*100*64*2), g.Ops[0].MACs(), list)
	}
}

// Notes of a file may stand in a configuration too, and change as little.
func TestNotesOfAConfiguration(t *testing.T) {
	list := func(more string) []operator.Row {
		v, err := configs.ParseValue("f", []byte("ops: [{op: gemm, m: 4, n: 5, k: 6"+more+"}]"))
		require.NoError(t, err)
		rows, err := operator.Decode(v.Get("ops"))
		require.NoError(t, err)
		return rows
	}
	require.Equal(t, list(""), list(", measured_ns: 1234.5, tags: llama"))
	rows, err := operator.Read("f", []byte("op,m,n,k,measured_ns,tags\ngemm,4,5,6,1234.5,llama\n"))
	require.NoError(t, err)
	require.Equal(t, rows, list(""))
}

// What is wrong with a file is said where it stands, all at once.
func TestFaultsOfAFile(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "l.csv:1:1: the list is empty",
		"op,m,n,k\n":                            "l.csv:1:1: the list has no rows",
		"op,mm,n,k\ngemm,1,2,3\n":               `l.csv:1:4: unknown column "mm"`,
		"m,n,k\n1,2,3\n":                        "l.csv:1:1: there is no column op",
		"op,m,m\ngemm,1,2\n":                    `l.csv:1:6: column "m" is here twice`,
		"op,m,n,k\nsoftmin,1,2,3\n":             `l.csv:2:1: unknown operator "softmin" (want one of: abs, add,`,
		"op,m,n,k\ngemm,1,2.5,3\n":              `l.csv:2:8: n is "2.5" (want a whole number)`,
		"op,m,n,k\ngemm,010,2,3\n":              `l.csv:2:6: m is "010" (want a whole number without leading zeros)`,
		"op,m,n,k,measured_ns\ngemm,1,2,3,-3\n": `l.csv:2:12: measured_ns is "-3" (want a number of 0 or more)`,
		"op,m,n,k\ngemm,1,0,3\n":                `l.csv:2:8: n is 0 (want 1 to 2^31-1)`,
		"op,m,n,k\ngemm,1,2\n":                  "l.csv:2:1: gemm needs k",
		"op,m,n,k,rows\ngemm,1,2,3,4\n":         "l.csv:2:12: gemm has no rows (want one of: m, n, k, batch)",
		"op,m,n,k,dtype\ngemm,1,2,3,f16\n":      `l.csv:2:12: unknown data type "f16" (want one of: int8`,
		"op,heads,head_dim,sequence,causal\nprefill,8,64,4,maybe\n": `l.csv:2:16: causal is "maybe" (want true or false)`,
		"op,m,n,k\ngemm,1,2,3,4\n":                                  "l.csv:2:12: 5 cells under 4 columns",
		"op,name,m,n,k\ngemm,a,1,2,3\nexp,a,,,\n":                   `l.csv:3:5: a row is called "a" already, in line 2`,
		"op,rows,cols\nexp,2000000000,2000000000\n":                 "l.csv:2:1: exp of these sizes is too large",
	} {
		_, err := operator.Read("l.csv", []byte(text))
		require.ErrorContains(t, err, want, "%q", text)
	}
	_, err := operator.Read("l.csv", []byte("op,m,n,k\ngem,1,2,3\ngemm,x,2,3\n"))
	require.Len(t, err, 2)
	require.True(t, strings.HasSuffix(err.(configs.Errors)[0].Error(), `did you mean "gemm"?)`), err)
}

func TestFaultsOfAConfiguration(t *testing.T) {
	for text, want := range map[string]string{
		"ops: []":                                     "the list has no rows",
		"ops: [3]":                                    "a row is a mapping with op: and its sizes",
		"ops: [{op: gemm, m: 1, n: 2}]":               "f:1:7: ops[0]: gemm needs k",
		"ops: [{op: gemm, m: 1, n: 2, kk: 2}]":        "ops[0].kk: unknown key (want one of: name, op,",
		"ops: [{op: gemm, m: 1, n: 2, k: -2}]":        "ops[0].k: k is -2",
		"ops: [{op: gelu, rows: 1, m: 2}]":            "ops[0].m: gelu has no m (want one of: rows, cols)",
		"ops: [{m: 2}]":                               "ops[0]: the row names no operator",
		"ops: [{op: decode, heads: 8, head_dim: 64}]": "ops[0]: decode needs context (or sequence)",
		"ops: [{op: decode, heads: 8, head_dim: 64, context: 512, sequence: 4096}]":               "ops[0].sequence: sequence is 4096, and has no effect: decode reads the 512 tokens of context",
		"ops: [{op: decode, heads: 8, head_dim: 64, context: 512, causal: false}]":                "ops[0].causal: causal: false has no effect",
		"ops: [{op: gelu, rows: 1, cols: 2, measured_ns: abc}]":                                   `ops[0].measured_ns: measured_ns is "abc" (want a number of 0 or more)`,
		"ops: [{op: gelu, rows: 1, cols: 2, measured_ns: -3}]":                                    `ops[0].measured_ns: measured_ns is "-3" (want a number of 0 or more)`,
		"ops: [{op: prefill, heads: 8, head_dim: 64, sequence: 4, causal: 2}]":                    "ops[0].causal: causal is 2 (want true or false)",
		"ops: [{op: prefill, heads: 8, head_dim: 64, sequence: 4, causal: maybe}]":                `ops[0].causal: causal is "maybe" (want true or false)`,
		"ops: [{op: conv, channels: 1, height: 1, width: 1, filters: 1, kernel: 1, padding: -1}]": "ops[0].padding: padding is -1 (want 0 to 2^31-1)",
		"ops: [{op: conv, channels: 1, height: 2, width: 2, filters: 1, kernel: 3}]":              "ops[0].op: conv_1: window 3x3",
		"ops: [{op: gelu, rows: 1, cols: 2, name: a}, {op: exp, rows: 1, cols: 2, name: a}]":      `ops.a.name: a row is called "a" already`,
	} {
		v, err := configs.ParseValue("f", []byte(text))
		require.NoError(t, err)
		_, err = operator.Decode(v.Get("ops"))
		require.ErrorContains(t, err, want, text)
	}
}

// No file makes the reader panic, and what it accepts becomes a graph.
func FuzzRead(f *testing.F) {
	f.Add("op,m,n,k\ngemm,1,2,3\n")
	f.Add("op,channels,height,width,filters,kernel,groups\nconv,3,2,2,8,3,2\n")
	f.Add("name,op,rows,cols,vocabulary\na,embedding,1,2,3\n\"")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := operator.Read("f", []byte(text))
		if err == nil {
			_, err = operator.Graph("f", rows, graph.Uniform(graph.Int8))
			require.NoError(t, err)
		}
	})
}

// Both phases of attention: queries, keys, heads that share keys, and what a mask leaves.
func TestAttentionRows(t *testing.T) {
	rows, err := operator.Read("a.csv", []byte("op,batch,heads,kv_heads,head_dim,sequence,context,causal\n"+
		"prefill,2,8,2,16,32,32,true\nprefill,1,8,,16,32,,false\ndecode,3,8,2,16,1,64,\ndecode,3,8,2,16,100,0,1\n"))
	require.NoError(t, err)
	g, err := operator.Graph("a", rows, graph.Uniform(graph.BF16))
	require.NoError(t, err)
	causal := masking.Mask{Causal: true}
	for i, want := range []graph.Attention{
		{Batch: 4, Group: 4, Queries: 32, Keys: 64, Size: 16, Value: 16, Mask: causal, ScoreOps: 1},
		{Batch: 8, Group: 1, Queries: 32, Keys: 32, Size: 16, Value: 16, ScoreOps: 1},
		{Batch: 6, Group: 4, Queries: 1, Keys: 64, Size: 16, Value: 16, Mask: causal, ScoreOps: 1},
		{Batch: 6, Group: 4, Queries: 1, Keys: 100, Size: 16, Value: 16, Mask: causal, ScoreOps: 1},
	} {
		require.Equal(t, want, g.Ops[i].Kind)
	}
	_, err = operator.Read("a.csv", []byte("op,heads,kv_heads,head_dim,sequence\nprefill,8,3,16,32\n"))
	require.ErrorContains(t, err, "a.csv:2:1: ")
	require.ErrorContains(t, err, "8 heads over 3 kv_heads")
}

// A row of several operators: their parts, and the data type of the row in all of them.
func TestBlockRows(t *testing.T) {
	rows, err := operator.Read("b.csv", []byte("op,name,m,n,k,channels,height,width,heads,head_dim,sequence,dtype\n"+
		"resnet_block,res,,,,320,8,8,,,,bf16\nself_attention,att,,,,,,,8,80,64,fp32\ngemm,mm,2,3,4,,,,,,,int8\n"))
	require.NoError(t, err)
	g, err := operator.Graph("b", rows, graph.Uniform(graph.Int4))
	require.NoError(t, err)
	of := map[string]int64{}
	for i := range g.Ops {
		op := &g.Ops[i]
		row := operator.RowOf(op.Name)
		of[row] += op.MACs()
		want := map[string]graph.DType{"res": graph.BF16, "att": graph.FP32, "mm": graph.Int8}[row]
		for _, id := range op.In {
			require.Equal(t, want, g.Tensors[id].DType, "%s of %s", g.Tensors[id].Name, op.Name)
		}
	}
	require.Equal(t, map[string]int64{"res": 2 * 64 * 320 * 9 * 320, "att": 64*640*640*4 + 2*8*64*64*80, "mm": 24}, of)
	_, err = operator.Read("b.csv", []byte("op,name,m,n,k\ngemm,a::b,1,2,3\n"))
	require.ErrorContains(t, err, "b.csv:2:6: the name \"a::b\"")
}

// A convolution given by its output has that output; an even kernel has one row and column more.
func TestConvByOutput(t *testing.T) {
	for kernel, more := range map[int]int{1: 0, 2: 1, 3: 0} {
		for stride := 1; stride <= 2; stride++ {
			sizes := map[string]int{"channels": 4, "rows": 5, "cols": 6, "filters": 8, "kernel_rows": kernel, "kernel_cols": kernel, "stride": stride}
			g, err := operator.Graph("x", []operator.Row{{Name: "r", Op: "conv_by_output", Sizes: sizes}}, graph.Uniform(graph.FP16))
			require.NoError(t, err)
			c := g.Ops[0].Kind.(graph.Conv)
			require.Equal(t, []int{5 + more, 6 + more}, []int{c.OutH(), c.OutW()}, "kernel %d stride %d", kernel, stride)
		}
	}
}
