package stablehlo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/format/formattest"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

func read(text string) (*graph.Graph, error) {
	g, name, err := format.Read(format.Bytes("m.mlir", []byte(text)), format.Options{DTypes: graph.Uniform(graph.BF16)})
	if err == nil && name != "stablehlo" {
		err = fmt.Errorf("the format is %s", name)
	}
	return g, err
}

// main is a program with these arguments, result and lines.
func mainFunc(args, result string, lines ...string) string {
	return "module @jit_f {\n  func.func public @main(" + args + ") -> (" + result + ") {\n    " + strings.Join(lines, "\n    ") + "\n  }\n}\n"
}

// kinds lists the operators that are no views.
func kinds(g *graph.Graph) (out []graph.Kind) {
	for i := range g.Ops {
		if m, ok := g.Ops[i].Kind.(graph.Move); !ok || m.Elements > 0 {
			out = append(out, g.Ops[i].Kind)
		}
	}
	return out
}

// The programs of write_test.go are those of the zoo: the same products, parameters and attentions,
// and the same bytes within 1%. They are written in the form that JAX prints; JAX did not print them.
func TestModelsEqualZoo(t *testing.T) {
	for _, c := range []struct {
		model, text string
		p           zoo.Params
		extra       int64 // parameters: LLaMA's frequencies of positions
	}{
		{"resnet50", resnet50(2), zoo.Params{Batch: 2}, 0},
		{"bert_base", bert(2, 128, 12), zoo.Params{Batch: 2}, 0},
		{"llama3_8b", llama(1, 512, 0, 32), zoo.Params{Sequence: 512}, 64},
		{"llama3_8b", llama(4, 1, 2047, 32), zoo.Params{Batch: 4, Phase: zoo.Decode, Context: 2048}, 64},
	} {
		g, err := read(c.text)
		require.NoError(t, err)
		z, err := zoo.Build(c.model, c.p)
		require.NoError(t, err)
		z.SetDTypes(graph.Uniform(graph.BF16))
		require.Equal(t, z.MACs(), g.MACs(), c.model)
		require.Equal(t, z.Params()+c.extra, g.Params(), c.model)
		require.InEpsilon(t, moved(z), moved(g), 0.01, c.model)
		require.InEpsilon(t, z.VectorOps(), g.VectorOps(), 0.001, c.model)
		require.Equal(t, attentions(z), attentions(g), c.model)
	}
}

func moved(g *graph.Graph) (n int64) {
	for i := range g.Ops {
		n += g.Footprint(&g.Ops[i]).Bytes()
	}
	return n
}

func attentions(g *graph.Graph) (out []graph.Kind) {
	for _, c := range g.Chains() {
		a := c.Fused.Kind.(graph.Attention)
		if a.Queries == 1 { // one query sees all entries, with a causal mask or without
			a.Mask = masking.Mask{}
		}
		out = append(out, a)
	}
	return out
}

// Each operation becomes the operator that it is.
func TestOperations(t *testing.T) {
	const f = "tensor<4x8xf32>"
	unary := func(line string) string { return mainFunc("%arg0: "+f, f, line, "return %0 : "+f) }
	for _, c := range []struct {
		text string
		want []graph.Kind
	}{
		{unary("%0 = stablehlo.tanh %arg0 : " + f), []graph.Kind{graph.Elementwise{Func: "tanh", Elements: 32, Inputs: 1, OpsPer: 12}}},
		{unary("%0 = \"stablehlo.tanh\"(%arg0) : (" + f + ") -> " + f), []graph.Kind{graph.Elementwise{Func: "tanh", Elements: 32, Inputs: 1, OpsPer: 12}}},
		{unary("%0 = stablehlo.custom_call @my_softmax(%arg0) {api_version = 2 : i32} : (" + f + ") -> " + f), []graph.Kind{graph.Softmax{Rows: 4, Cols: 8}}},
		{mainFunc("%arg0: tensor<2x3x8x8xf32>, %arg1: tensor<6x1x3x3xf32>", "tensor<2x6x4x4xf32>",
			`%0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [2, 2]], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<2x3x8x8xf32>, tensor<6x1x3x3xf32>) -> tensor<2x6x4x4xf32>`, "return %0 : tensor<2x6x4x4xf32>"),
			[]graph.Kind{graph.Conv{N: 2, C: 3, H: 8, W: 8, K: 6, R: 3, S: 3, StrideH: 2, StrideW: 2, PadTop: 1, PadBottom: 1, PadLeft: 2, PadRight: 2, DilationH: 1, DilationW: 2, Groups: 3}}},
		{mainFunc("%arg0: tensor<1x5x5x2xf32>, %arg1: tensor<3x3x2x4xf32>", "tensor<1x11x11x4xf32>", // the generic form, a transposed convolution
			`%0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<2> : tensor<2x2xi64>, window_strides = array<i64: 1, 1>}> : (tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x11x11x4xf32>`, "return %0 : tensor<1x11x11x4xf32>"),
			[]graph.Kind{graph.Conv{N: 1, C: 2, H: 5, W: 5, K: 4, R: 3, S: 3, StrideH: 2, StrideW: 2, DilationH: 1, DilationW: 1, Groups: 1, Transposed: true}}},
		{mainFunc("%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x4x5xf32>", "tensor<2x3x5xf32>",
			`%0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>`, "return %0 : tensor<2x3x5xf32>"),
			[]graph.Kind{graph.MatMul{Batch: 2, M: 3, N: 5, K: 4, SharedB: 1}}},
		{mainFunc("%arg0: tensor<3x9xf32>", "tensor<3xf32>, tensor<3xi32>", // an argmax: a reduction of two arrays
			`%0 = stablehlo.iota dim = 1 : tensor<3x9xi32>`, `%c = stablehlo.constant dense<0> : tensor<i32>`, `%cst = stablehlo.constant dense<0xFF800000> : tensor<f32>`,
			`%1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<3x9xf32>, tensor<3x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)`,
			` reducer(%arg1: tensor<f32>, %arg2: tensor<f32>) (%arg3: tensor<i32>, %arg4: tensor<i32>)  {`,
			`  %2 = stablehlo.compare  GT, %arg1, %arg2,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>`,
			`  %3 = stablehlo.select %2, %arg1, %arg2 : tensor<i1>, tensor<f32>`, `  %4 = stablehlo.select %2, %arg3, %arg4 : tensor<i1>, tensor<i32>`,
			`  stablehlo.return %3, %4 : tensor<f32>, tensor<i32>`, `}`, `return %1#0, %1#1 : tensor<3xf32>, tensor<3xi32>`),
			[]graph.Kind{graph.Reduce{Func: "fold", Elements: 27, Out: 3}, graph.Reduce{Func: "fold", Elements: 27, Out: 3}}},
		{mainFunc("%arg0: tensor<1x8x8x2xf32>", "tensor<1x4x4x2xf32>", `%cst = stablehlo.constant dense<0.0> : tensor<f32>`,
			`%0 = "stablehlo.reduce_window"(%arg0, %cst) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({`, `^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):`,
			`  %2 = stablehlo.add %arg1, %arg2 : tensor<f32>`, `  stablehlo.return %2 : tensor<f32>`, `}) : (tensor<1x8x8x2xf32>, tensor<f32>) -> tensor<1x4x4x2xf32>`,
			`%cst_0 = stablehlo.constant dense<4.0> : tensor<f32>`, `%1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x4x4x2xf32>`,
			`%2 = stablehlo.divide %0, %1 : tensor<1x4x4x2xf32>`, `return %2 : tensor<1x4x4x2xf32>`),
			[]graph.Kind{graph.Pool{N: 1, C: 2, H: 8, W: 8, R: 2, S: 2, StrideH: 2, StrideW: 2, Average: true}}},
		{mainFunc("%arg0: tensor<7x16xf32>, %arg1: tensor<5x1xi32>", "tensor<5x16xf32>",
			`%0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}> : (tensor<7x16xf32>, tensor<5x1xi32>) -> tensor<5x16xf32>`, `return %0 : tensor<5x16xf32>`),
			[]graph.Kind{graph.Gather{Rows: 5, Cols: 16, Table: 7}}},
		{mainFunc("%arg0: tensor<4x8xf32>", "tensor<8x4xf32>", `%0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>`, `%1 = stablehlo.negate %0 : tensor<8x4xf32>`, `return %1 : tensor<8x4xf32>`),
			[]graph.Kind{graph.Elementwise{Func: "neg", Elements: 32, Inputs: 1, OpsPer: 1}, graph.Move{Func: "transpose", Elements: 32}}},
	} {
		g, err := read(c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, kinds(g), c.text)
	}
}

// A loop runs as often as its counter says, and takes a slice of stacked weights each time.
func TestLoops(t *testing.T) {
	const state = "tensor<i32>, tensor<4x8xf32>"
	loop := func(start, limit string) string {
		return mainFunc("%arg0: tensor<4x8xf32>, %arg1: tensor<3x8x8xf32>, %arg2: tensor<i32>", "tensor<4x8xf32>", start,
			`%0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : `+state, ` cond {`, `  `+limit,
			`  %1 = stablehlo.compare  LT, %iterArg, %c_1,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>`, `  stablehlo.return %1 : tensor<i1>`, `} do {`,
			`  %c_2 = stablehlo.constant dense<0> : tensor<i32>`,
			`  %1 = stablehlo.dynamic_slice %arg1, %iterArg, %c_2, %c_2, sizes = [1, 8, 8] : (tensor<3x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>`,
			`  %2 = stablehlo.reshape %1 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>`,
			`  %3 = stablehlo.dot_general %iterArg_0, %2, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>`,
			`  %c_3 = stablehlo.constant dense<1> : tensor<i32>`, `  %4 = stablehlo.add %iterArg, %c_3 : tensor<i32>`, `  stablehlo.return %4, %3 : `+state, `}`, `return %0#1 : tensor<4x8xf32>`)
	}
	g, err := read(loop(`%c = stablehlo.constant dense<0> : tensor<i32>`, `%c_1 = stablehlo.constant dense<3> : tensor<i32>`))
	require.NoError(t, err)
	require.Equal(t, int64(3*4*8*8), g.MACs())
	require.Equal(t, int64(3*8*8), g.Params(), "three weights of a layer")
	_, err = read(loop(`%c = stablehlo.constant dense<0> : tensor<i32>`, `%c_1 = stablehlo.add %arg2, %arg2 : tensor<i32>`))
	require.ErrorContains(t, err, "m.mlir:4:12: stablehlo.while: how often the loop runs depends on data")
	_, err = read(loop(`%c = stablehlo.constant dense<0> : tensor<i32>`, `%c_1 = stablehlo.constant dense<2000000000> : tensor<i32>`))
	require.ErrorContains(t, err, "the program expands to more than 262144 operations")
}

// The mask of positions is that of the softmax, whichever way it is written.
func TestMasks(t *testing.T) {
	for offset, want := range map[int]masking.Mask{0: {Causal: true}, 1: {}} {
		text := llama(1, 64, 0, 1)
		if offset > 0 { // rows see one entry more: no mask that has a name
			text = strings.Replace(text, "compare  GE, ", "compare  GT, ", 1)
		}
		g, err := read(text)
		require.NoError(t, err)
		for _, k := range kinds(g) {
			if s, ok := k.(graph.Softmax); ok {
				require.Equal(t, want, s.Mask)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	const f = "tensor<4x8xf32>"
	ret := "return %0 : " + f
	for _, c := range []struct{ text, want string }{
		{mainFunc("%arg0: tensor<?x8xf32>", f, ret), "m.mlir:2:40: a dimension that is not known before the run"},
		{mainFunc("%arg0: tensor<*xf32>", f, ret), "m.mlir:2:40: an array of unknown rank"},
		{mainFunc("%arg0: tensor<4x8xf31>", f, ret), "m.mlir:2:33: the element type f31 is not known"},
		{mainFunc("%arg0: tensor<4x8xcomplex<f32>>", f, ret), "m.mlir:2:33: complex numbers have no rule"},
		{mainFunc("%arg0: tensor<4x99999999999xf32>", f, ret), "m.mlir:2:42: the dimension 99999999999 (want 0 to 2147483647)"},
		{mainFunc("%arg0: "+f, f, "%0 = stablehlo.add %arg0 : "+f, ret), "m.mlir:3:10: stablehlo.add: 1 operands (want 2)"},
		{mainFunc("%arg0: "+f, f, "%0 = stablehlo.add %arg0, %1 : "+f, ret), "m.mlir:3:31: %1 is made by no operation before this one"},
		{mainFunc("%arg0: "+f, f, "%0 = stablehlo.frob %arg0 : "+f, "%1 = chlo.nudge %0 : "+f, ret), "m.mlir:3:10: unknown operation stablehlo.frob; of the file's operations these have no rule: chlo.nudge, stablehlo.frob (want one of: abs, "},
		{mainFunc("%arg0: "+f, f, "%0 = linalg.exp %arg0 : "+f, ret), "unknown operation linalg.exp; of the file's operations these have no rule: linalg.exp; operations of the dialects stablehlo"},
		{mainFunc("%arg0: "+f, f, "%0 = stablehlo.reshape %arg0 : ("+f+") -> tensor<33xf32>", ret), "m.mlir:3:10: stablehlo.reshape: shape [4 8] with 32 elements cannot become [33] with 33"},
		{mainFunc("%arg0: "+f, f, "%0 = stablehlo.transpose %arg0, dims = [0, 0] : ("+f+") -> "+f, ret), "stablehlo.transpose: dimension 0 is there twice"},
		{mainFunc("%arg0: "+f, f, "%0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0] : ("+f+", "+f+") -> "+f, ret), "dimension 1 of [4 8] and dimension 0 of [4 8] do not agree"},
		{mainFunc("%arg0: "+f, f, "%0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : ("+f+") -> "+f, ret), "1 dimensions for an operand of shape [4 8]"},
		{mainFunc("%arg0: "+f, f, "%0 = stablehlo.custom_call @frob(%arg0) : ("+f+") -> "+f, ret), `the custom call "frob" of 1 operands has no rule`},
		{mainFunc("%arg0: "+f, f, "%0 = call @frob(%arg0) : ("+f+") -> "+f, ret), "func.call: there is no function @frob"},
		{mainFunc("%arg0: "+f, f, "%0 = stablehlo.tanh %arg0 : tensor<5xf32>", ret), "operand 0 has shape [4 8], the result [5]"},
		{mainFunc("%arg0: "+f, f, "%0 = \"stablehlo.tanh\"(%arg0) : (tensor<4xf32>) -> "+f, ret), "%arg0 has shape [4 8], but is said to have [4]"},
		{mainFunc("%arg0: "+f, f, "%c = stablehlo.constant dense<[1, 2]> : tensor<3xi32>", ret), "2 elements for the shape [3], which has 3"},
		{mainFunc("%arg0: "+f, f, "%c = stablehlo.constant dense<[1, x2]> : tensor<2xi32>", ret), `"x2" is no number`},
		{mainFunc("%arg0: "+f, f, "return %arg0 : "+f), "the program does no work that depends on its inputs"},
		{mainFunc("%arg0: "+f, f, "%0 = stablehlo.tanh %arg0 : "+f), "the body returns nothing"},
		{"module @m {\n  func.func @a() {\n    return\n  }\n  func.func @b() {\n    return\n  }\n}\n", "no function @main among the 2 of the file (@a, @b)"},
		{"module @m {\n  func.func @main(%a: tensor<4xf32>) {\n", "m.mlir:3:1: the file ends inside a body"},
		{"module @m {\n" + strings.Repeat("{", 300), "(want an operation)"},
	} {
		_, err := read(c.text)
		require.ErrorContains(t, err, c.want)
		formattest.CheckErrors(t, err)
	}
	_, err := reader{}.Read(format.Bytes("m.mlir", []byte(mainFunc("", ""))), format.Options{Batch: 4})
	require.EqualError(t, err, "m.mlir:1:1: the shapes of this program are fixed, so that batch cannot be set; export it for that size")
}

// A program that says less than it carries out says so.
func TestNotes(t *testing.T) {
	g, err := read(mainFunc("%arg0: tensor<4x8xf32>", "tensor<4x8xf32>",
		`%0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>`,
		`%1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({`, `^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):`,
		`  %2 = stablehlo.add %arg1, %arg2 : tensor<f32>`, `  stablehlo.return %2 : tensor<f32>`, `}) : (tensor<4x8xf32>) -> tensor<4x8xf32>`, `return %1 : tensor<4x8xf32>`))
	require.NoError(t, err)
	require.Len(t, g.Notes, 2)
	require.Contains(t, g.Notes[0], "sharding annotations")
	require.Contains(t, g.Notes[1], "no network carries it")
}

// Weights in the file are passed over: their text takes no memory.
func TestWeightsAreSkipped(t *testing.T) {
	weights := func(n int) string {
		return mainFunc("%arg0: tensor<1x8xf32>", "tensor<1x8xf32>", `%cst = stablehlo.constant dense<"0x`+strings.Repeat("0011AAFF", n)+`"> : tensor<8x`+fmt.Sprint(n/8)+`xf32>`,
			`%0 = stablehlo.dot_general %arg0, %cst, contracting_dims = [1] x [0] : (tensor<1x8xf32>, tensor<8x`+fmt.Sprint(n/8)+`xf32>) -> tensor<1x`+fmt.Sprint(n/8)+`xf32>`, `return %0 : tensor<1x`+fmt.Sprint(n/8)+`xf32>`)
	}
	m, small := []byte(weights(1<<18)), []byte(weights(1<<14))
	few := testing.AllocsPerRun(1, func() { _, _ = parse("m.mlir", small) })
	require.Equal(t, few, testing.AllocsPerRun(1, func() { _, _ = parse("m.mlir", m) }))
	g, err := read(string(m))
	require.NoError(t, err)
	require.Equal(t, int64(1<<18), g.Params())
}

// Any damaged program is an error with a place, or another program.
func TestDamaged(t *testing.T) {
	text := llama(1, 4, 4, 2)
	for n := 0; n < len(text); n += 211 {
		if _, err := read(text[:n]); n > 200 {
			require.Error(t, err)
			formattest.CheckErrors(t, err)
		}
		if _, err := read(text[:n] + "%" + text[n+1:]); err != nil {
			formattest.CheckErrors(t, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(mainFunc("%arg0: tensor<4x8xf32>", "tensor<4x8xf32>", "%0 = stablehlo.tanh %arg0 : tensor<4x8xf32>", "return %0 : tensor<4x8xf32>"))
	f.Add(bert(1, 4, 1))
	f.Add(llama(1, 4, 4, 2))
	f.Fuzz(func(t *testing.T, text string) {
		g, err := reader{}.Read(format.Bytes("m.mlir", []byte(text)), format.Options{})
		if err != nil {
			formattest.CheckErrors(t, err)
			return
		}
		require.NoError(t, g.Validate())
	})
}

func BenchmarkParse(b *testing.B) {
	text := []byte(resnet50(1))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_, _ = parse("m.mlir", text)
	}
}

func BenchmarkRead(b *testing.B) {
	text := bert(1, 128, 12)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_, _ = read(text)
	}
}

func BenchmarkWeights(b *testing.B) {
	text := []byte(`module { func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { %c = stablehlo.constant dense<"0x` + strings.Repeat("0011AAFF", 1<<22) + `"> : tensor<4194304xf32>
 return %a : tensor<4xf32> } }`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_, _ = parse("m.mlir", text)
	}
}
