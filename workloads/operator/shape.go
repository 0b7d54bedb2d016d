package operator

import (
	"maps"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A size is one column of an operator's shape.
type size struct {
	name     string
	optional bool
	absent   int // value where it is left out
}

func need(names ...string) (out []size) {
	for _, n := range names {
		out = append(out, size{name: n})
	}
	return out
}

func may(name string, absent int) size { return size{name, true, absent} }

// A form is how operators of a name are written and built.
type form struct {
	doc   string
	sizes []size
	// build adds the operator; get gives its sizes by name.
	build func(b *graph.Builder, name string, get func(string) int)
}

// forms holds the operators with special rules. Every elementwise function (graph.FuncNames) is
// also an operator over rows x cols.
var forms = map[string]form{
	"gemm":     {"batch products of an m x k by a k x n matrix; each has a second matrix of its own", append(need("m", "n", "k"), may("batch", 1)), buildGEMM},
	"gemm_sum": {"product of an m x k by a k x n matrix whose results all ranks of workload.parallel.tensor add up, each for its rows (reduce_scatter)", need("m", "n", "k", "ranks"), buildSummed},
	"conv": {"convolution of batch images of channels x height x width with filters of kernel x kernel",
		append(need("channels", "height", "width", "filters", "kernel"), may("batch", 1), may("stride", 1), may("padding", 0), may("groups", 1), may("convert", 0)), buildConv},
	"conv_by_output": {"convolution given by its output: batch images of rows x stride by cols x stride and channels, with zeros of half a kernel on each side (an even kernel makes one row and column more)",
		append(need("channels", "rows", "cols", "filters", "kernel_rows", "kernel_cols"), may("batch", 1), may("stride", 1)), buildConvByOutput},
	"prefill":     {"fused attention of sequence tokens to themselves and to context tokens before them, causal or (0) not; partial: the keys are a part of all, and so many statistics of each row are left", attentionSizes(), buildPrefill},
	"decode":      {"fused attention of one token per request to context tokens (sequence where context is 0); partial as for prefill", decodeSizes(), buildDecode},
	"mla_prefill": {"latent attention of a prompt: sequence tokens to themselves and to context tokens before them; a head has keys of head_dim + rope and values of head_dim", append(need("heads", "sequence"), latentSizes()...), buildLatentPrefill},
	"mla_decode": {"latent attention of one token per request, projections absorbed: all heads read latent + rope numbers of each of context tokens (sequence where context is 0)",
		append(need("heads"), may("batch", 1), may("context", 0), may("sequence", 0), may("latent", 512), may("rope", 64)), buildLatentDecode},
	"moe": {"experts of one of expert_parallel x tensor_parallel ranks: tokens of the whole batch of hidden elements pick top_k of experts of inter elements each; with a distribution (balanced, power_law_X of exponent X) the rank with most picks; gated: three products of an expert, else two",
		moeSizes(), buildMoE},
	"merge": {"rows of attention over parts of the keys made one, by so many statistics of each (1: log-sum-exp, 2: maximum and sum)", append(need("rows", "cols", "parts"), may("statistics", 1)), buildMerge},
	"conv_transposed": {"transposed convolution of batch images of channels x height x width with filters of kernel x kernel; as many outputs per input as the stride says (padding SAME)",
		append(need("channels", "height", "width", "filters", "kernel"), may("batch", 1), may("stride", 1)), buildTransposed},
	"gemm_backward": {"backward pass of a product of an m x k by a k x n matrix: gradients of both", need("m", "n", "k"), buildGEMMBackward},
	"conv_backward": {"backward pass of a convolution of the same sizes: gradients of its input and of its weights",
		append(need("channels", "height", "width", "filters", "kernel"), may("batch", 1), may("stride", 1), may("padding", 0), may("convert", 0)), buildConvBackward},
	"conv_weights": {"gradient of the weights alone of a convolution of the same sizes",
		append(need("channels", "height", "width", "filters", "kernel"), may("batch", 1), may("stride", 1), may("padding", 0), may("convert", 0)), buildConvWeights},
	"batch_norm":          {"batch normalisation in training of rows channels of cols elements", need("rows", "cols"), buildBatchNorm},
	"batch_norm_backward": {"backward pass of a batch normalisation of rows channels of cols elements", need("rows", "cols"), buildBatchNormBackward},
	"resnet_block":        {"block of a diffusion network: group norm, silu, 3 x 3 convolution, twice, and the sum with its input", append(need("channels", "height", "width"), may("batch", 1)), buildResidualBlock},
	"self_attention":      {"self-attention with its projections: heads x head_dim wide", append(need("heads", "head_dim", "sequence"), may("batch", 1), may("causal", 0)), buildSelfAttention},
	"softmax":             {"softmax over each of rows vectors of cols elements", need("rows", "cols"), buildSoftmax},
	"layernorm":           {"layer normalisation of rows vectors of cols elements", need("rows", "cols"), buildNorm("layer")},
	"rmsnorm":             {"root mean square normalisation of rows vectors of cols elements", need("rows", "cols"), buildNorm("rms")},
	"residual_rms":        {"sum of two inputs, written back, and the root mean square normalisation of it: two of rows x cols in, two out", need("rows", "cols"), buildResidual},
	"swiglu":              {"silu of one half of the columns times the other: rows x 2 cols in, rows x cols out", need("rows", "cols"), buildGated("silu")},
	"geglu":               {"gelu of one half of the columns times the other: rows x 2 cols in, rows x cols out", need("rows", "cols"), buildGated("gelu")},
	"triad":               {"a + s b of two inputs of rows x cols", need("rows", "cols"), buildTriad},
	"copy":                {"copy of rows x cols", need("rows", "cols"), buildCopy},
	"reduce":              {"sum over each of rows vectors of cols elements", need("rows", "cols"), buildReduce},
	"embedding":           {"rows vectors of cols elements from a table of vocabulary vectors", append(need("rows", "cols"), may("vocabulary", 1<<16)), buildEmbedding},
}

// Names lists the operators, sorted.
func Names() []string {
	names := slices.Concat(slices.Collect(maps.Keys(forms)), graph.FuncNames())
	slices.Sort(names)
	return slices.Compact(names)
}

// formOf finds the form of an operator.
func formOf(name string) (form, bool) {
	if f, ok := forms[name]; ok {
		return f, true
	}
	if _, ok := graph.OpsPerElement(name); ok {
		return form{name + " of every element of rows x cols", need("rows", "cols"), buildFunc(name)}, true
	}
	return form{}, false
}

// sizeNames lists the columns that some operator has as a size.
func sizeNames() []string {
	seen := map[string]bool{"rows": true, "cols": true}
	for _, f := range forms {
		for _, s := range f.sizes {
			seen[s.name] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// has reports whether the operator has a size of that name.
func (f form) has(name string) bool {
	return slices.ContainsFunc(f.sizes, func(s size) bool { return s.name == name })
}

func (f form) names() (out []string) {
	for _, s := range f.sizes {
		out = append(out, s.name)
	}
	return out
}

// two are the elementwise functions with two operands.
var two = []string{"add", "sub", "mul", "div", "max", "min", "pow", "equal", "less", "greater", "and", "or", "where", "prelu"}

func buildFunc(fn string) func(*graph.Builder, string, func(string) int) {
	return func(b *graph.Builder, name string, get func(string) int) {
		x, second := b.Input(name+".x", get("rows"), get("cols")), graph.None
		if slices.Contains(two, fn) {
			second = b.Input(name+".y", get("rows"), get("cols"))
			b.Output(b.Elementwise(name, fn, x, second))
			return
		}
		b.Output(b.Elementwise(name, fn, x))
	}
}

func buildGEMM(b *graph.Builder, name string, get func(string) int) {
	batch, m, n, k := get("batch"), get("m"), get("n"), get("k")
	a, w, out := []int{m, k}, []int{k, n}, []int{m, n}
	if batch > 1 {
		a, w, out = append([]int{batch}, a...), append([]int{batch}, w...), append([]int{batch}, out...)
	}
	b.Output(b.MatMul(name, b.Input(name+".a", a...), b.Weight(name+".b", w...), graph.MatMul{Batch: batch, M: m, N: n, K: k}, out...))
}

// buildSummed is a row-parallel product with its collective: a sub-layer of a model that
// ranks share.
func buildSummed(b *graph.Builder, name string, get func(string) int) {
	m, n, k, ranks := get("m"), get("n"), get("k"), get("ranks")
	y := b.MatMul(name+Part+"gemm", b.Input(name+".a", m, k), b.Weight(name+".b", k, n), graph.MatMul{Batch: 1, M: m, N: n, K: k}, m, n)
	z := b.Op(name+Part+"reduce_scatter", graph.Transfer{Func: "reduce_scatter"}, []graph.TensorID{y}, (m+ranks-1)/ranks, n)
	b.Output(z)
}

func buildConv(b *graph.Builder, name string, get func(string) int) {
	x := b.Input(name+".x", get("batch"), get("channels"), get("height"), get("width"))
	c := graph.SquareConv(get("filters"), get("kernel"), get("stride"), get("padding"))
	c.Groups = get("groups")
	if get("convert") > 0 {
		y := b.Conv(name+Part+"conv", relaid(b, name+Part+"x", x), c)
		b.Output(relaid(b, name+Part+"y", y))
		return
	}
	b.Output(b.Conv(name, x, c))
}

func buildConvByOutput(b *graph.Builder, name string, get func(string) int) {
	stride, r, s := get("stride"), get("kernel_rows"), get("kernel_cols")
	x := b.Input(name+".x", get("batch"), get("channels"), get("rows")*stride, get("cols")*stride)
	c := graph.SquareConv(get("filters"), r, stride, 0)
	c.S = s
	c.PadTop, c.PadBottom, c.PadLeft, c.PadRight = r/2, r/2, s/2, s/2
	b.Output(b.Conv(name, x, c))
}

func buildTransposed(b *graph.Builder, name string, get func(string) int) {
	x := b.Input(name+".x", get("batch"), get("channels"), get("height"), get("width"))
	c := graph.SquareConv(get("filters"), get("kernel"), get("stride"), 0)
	c.Transposed = true
	b.Output(b.Conv(name, x, graph.Same(c)))
}

func buildSoftmax(b *graph.Builder, name string, get func(string) int) {
	b.Output(b.Softmax(name, b.Input(name+".x", get("rows"), get("cols"))))
}

func buildNorm(fn string) func(*graph.Builder, string, func(string) int) {
	return func(b *graph.Builder, name string, get func(string) int) {
		x := b.Input(name+".x", get("rows"), get("cols"))
		if fn == "layer" {
			b.Output(b.Norm(name, fn, x, graph.WithBias))
			return
		}
		b.Output(b.Norm(name, fn, x))
	}
}

func buildResidual(b *graph.Builder, name string, get func(string) int) {
	rows, cols := get("rows"), get("cols")
	x, r := b.Input(name+".x", rows, cols), b.Input(name+".residual", rows, cols)
	w := b.Weight(name+".weight", cols)
	out, sum := b.Tensor(name, graph.Output, rows, cols), b.Tensor(name+".sum", graph.Output, rows, cols)
	b.Into(name, graph.Norm{Func: "rms", Rows: int64(rows), Cols: int64(cols)}, []graph.TensorID{x, w, r}, out, sum)
}

func buildGated(fn string) func(*graph.Builder, string, func(string) int) {
	return func(b *graph.Builder, name string, get func(string) int) {
		x, gate := b.Input(name+".x", get("rows"), get("cols")), b.Input(name+".gate", get("rows"), get("cols"))
		b.Output(b.Elementwise(name, fn, x, gate))
	}
}

func buildTriad(b *graph.Builder, name string, get func(string) int) {
	x, y := b.Input(name+".a", get("rows"), get("cols")), b.Input(name+".b", get("rows"), get("cols"))
	k := graph.Elementwise{Func: "triad", Elements: int64(get("rows")) * int64(get("cols")), Inputs: 2, OpsPer: 2} // multiply, add
	b.Output(b.Op(name, k, []graph.TensorID{x, y}, get("rows"), get("cols")))
}

func buildCopy(b *graph.Builder, name string, get func(string) int) {
	b.Output(b.Move(name, "copy", b.Input(name+".x", get("rows"), get("cols")), get("rows"), get("cols")))
}

func buildReduce(b *graph.Builder, name string, get func(string) int) {
	b.Output(b.Reduce(name, "sum", b.Input(name+".x", get("rows"), get("cols")), get("rows")))
}

func buildEmbedding(b *graph.Builder, name string, get func(string) int) {
	b.Output(b.Gather(name, b.Weight(name+".table", get("vocabulary"), get("cols")), b.Input(name+".indices", get("rows"))))
}
