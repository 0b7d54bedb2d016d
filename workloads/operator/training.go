package operator

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// buildConvBackward is the backward pass of the convolution that conv builds with the same
// sizes: the gradients of its input and of its weights.
func buildConvBackward(b *graph.Builder, name string, get func(string) int) {
	v, ok := forward(b, name, get)
	if !ok {
		return
	}
	dy := b.Input(name+".dy", v.OutShape()...)
	if get("convert") > 0 {
		dy = relaid(b, name+Part+"dy", dy)
		b.Output(relaid(b, name+Part+"x", b.Input(name+".x", v.N, v.C, v.H, v.W)))
	}
	c := graph.SquareConv(v.C, v.R, 1, v.R-1-v.PadTop)
	if v.StrideH > 1 {
		c = graph.SquareConv(v.C, v.R, v.StrideH, 0)
		c.Transposed = true
		c = graph.Same(c)
	}
	dx := b.Conv(name+Part+"data", dy, c)
	if s := b.Shape(dx); s[2] != v.H || s[3] != v.W {
		b.Errorf("%s: gradients of %d x %d inputs are not %d x %d (want sizes that the stride divides and that the padding keeps)", name, v.H, v.W, s[2], s[3])
	}
	if get("convert") > 0 {
		dx = relaid(b, name+Part+"dx", dx)
	}
	b.Output(dx)
	weightGradient(b, name+Part+"weights", v)
}

// relaid is a tensor with its channels last in place of first, or back: kernels of
// convolutions for the matrix units want one order, a framework may keep the other one.
func relaid(b *graph.Builder, name string, x graph.TensorID) graph.TensorID {
	return b.Move(name, "transpose", x, b.Shape(x)...)
}

// buildGEMMBackward is the backward pass of the product that gemm builds with the same sizes:
// the gradients of both operands.
func buildGEMMBackward(b *graph.Builder, name string, get func(string) int) {
	m, n, k := get("m"), get("n"), get("k")
	dy, a, w := b.Input(name+".dy", m, n), b.Input(name+".a", m, k), b.Weight(name+".b", k, n)
	b.Output(b.MatMul(name+Part+"data", dy, w, graph.MatMul{Batch: 1, M: m, N: k, K: n}, m, k),
		b.MatMul(name+Part+"weights", a, dy, graph.MatMul{Batch: 1, M: k, N: n, K: m}, k, n))
}

// buildConvWeights is the gradient of the weights alone: a network's first layer passes
// nothing on.
func buildConvWeights(b *graph.Builder, name string, get func(string) int) {
	v, ok := forward(b, name, get)
	if !ok {
		return
	}
	if get("convert") > 0 {
		b.Output(relaid(b, name+Part+"dy", b.Input(name+".out", v.OutShape()...)),
			relaid(b, name+Part+"x", b.Input(name+".in", v.N, v.C, v.H, v.W)))
		name += Part + "weights"
	}
	weightGradient(b, name, v)
}

// forward is the convolution whose gradients are computed.
func forward(b *graph.Builder, name string, get func(string) int) (graph.Conv, bool) {
	v := graph.SquareConv(get("filters"), get("kernel"), get("stride"), get("padding"))
	v.N, v.C, v.H, v.W = get("batch"), get("channels"), get("height"), get("width")
	err := v.Check()
	if err == nil && v.PadTop >= v.R {
		err = fmt.Errorf("padding is %d (want less than the kernel, %d)", v.PadTop, v.R)
	}
	if err != nil {
		b.Errorf("%s: %v", name, err)
	}
	return v, err == nil
}

// weightGradient is a convolution too: of channels as images with the output's gradients as
// filters, in which images are the channels and the stride is the dilation.
func weightGradient(b *graph.Builder, name string, v graph.Conv) {
	out := v.OutShape()
	span := func(n, in int) (read, pad int) { // inputs under windows, and what the windows have after them
		end := (n-1)*v.StrideH + v.R - v.PadTop
		return min(in, end), max(end-in, 0)
	}
	h, bottom := span(out[2], v.H)
	w, right := span(out[3], v.W)
	c := graph.Conv{N: v.C, C: v.N, H: h, W: w, K: v.K, R: out[2], S: out[3], DilationH: v.StrideH, DilationW: v.StrideW,
		PadTop: v.PadTop, PadLeft: v.PadLeft, PadBottom: bottom, PadRight: right}.Normal()
	x, dy := b.Input(name+".x", c.N, c.C, h, w), b.Input(name+".dy", c.WeightShape()...)
	if err := c.Check(); err != nil {
		b.Errorf("%s: %v", name, err)
		return
	}
	b.Output(b.Op(name, c, []graph.TensorID{x, dy}, c.OutShape()...))
}

// buildBatchNorm is a batch normalisation in training, rows channels of cols elements each:
// mean and variance of each channel, then the result.
func buildBatchNorm(b *graph.Builder, name string, get func(string) int) {
	rows, cols := get("rows"), get("cols")
	k := graph.Norm{Func: graph.BatchTraining, Rows: int64(rows), Cols: int64(cols)}
	in := []graph.TensorID{b.Input(name+".x", rows, cols), b.Weight(name+".weight", rows), b.Weight(name+".bias", rows)}
	b.Output(b.Op(name, k, in, rows, cols))
}

// buildBatchNormBackward is its backward pass: two sums of each channel over the gradient
// of the output and the input, then the gradient of the input.
func buildBatchNormBackward(b *graph.Builder, name string, get func(string) int) {
	rows, cols := get("rows"), get("cols")
	k := graph.Norm{Func: graph.BatchTraining, Rows: int64(rows), Cols: int64(cols)}
	in := []graph.TensorID{b.Input(name+".x", rows, cols), b.Weight(name+".weight", rows), b.Input(name+".dy", rows, cols)}
	b.Output(b.Op(name, k, in, rows, cols))
}
