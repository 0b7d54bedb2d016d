package graph

// A Conv is a two-dimensional convolution, grouped and dilated as given, or a
// transposed one. In: activation N,C,H,W; weight K,C/groups,R,S (transposed:
// C,K/groups,R,S); optional bias K. Out: N,K,OH,OW.
type Conv struct {
	N, C, H, W int // input: batch, channels, height, width
	K, R, S    int // filters, kernel height and width
	StrideH    int
	StrideW    int
	PadTop     int
	PadLeft    int
	PadBottom  int
	PadRight   int
	DilationH  int
	DilationW  int
	Groups     int
	Transposed bool
	OutPadH    int // transposed: extra rows and columns of the output
	OutPadW    int
}

// A MatMul is Batch independent products of an M x K by a K x N matrix.
// In: A (activation), B (weight, KV or activation); optional bias N.
type MatMul struct {
	Batch, M, N, K int
	// SharedB is how many consecutive products of the batch use the same B:
	// Batch where one weight serves all, heads/kv_heads for grouped-query
	// attention, 1 for independent matrices. 0 means 1.
	SharedB int
	// Stage is which of Stages of one kernel the product is, by rows; the stages follow each
	// other and have the same shape. Stages 0: a product of its own.
	Stage, Stages int
}

// A Pool is a window reduction. In: N,C,H,W. Out: N,C,OH,OW.
type Pool struct {
	N, C, H, W       int
	R, S             int
	StrideH, StrideW int
	PadTop, PadLeft  int
	PadBottom        int
	PadRight         int
	CeilMode         bool
	Average          bool // else maximum
	Global           bool
}

// An Elementwise applies Func to every element, with one or more inputs that
// broadcast to the output.
type Elementwise struct {
	Func     string // add, mul, relu, gelu, silu, sigmoid, tanh, clip, ...
	Elements int64  // of the output
	Inputs   int    // operands read per output element
	// OpsPer is the vector-unit operations per output element: 1 for add, more
	// for transcendental functions.
	OpsPer int
}

// A Softmax normalises Rows vectors of Cols elements. What a Mask hides is worked on
// all the same; Attention leaves it out.
type Softmax struct {
	Rows, Cols int64
	Mask       Mask
}

// A Norm is a normalisation of Rows vectors of Cols elements with learned scale
// and, where Bias, shift: layer, rms, batch, group, lrn (local response); batch_training
// is batch normalisation with the sums that training needs, a vector per channel.
type Norm struct {
	Func       string
	Rows, Cols int64
	Bias       bool
}

// BatchTraining is the Func of a Norm whose vectors are channels, each with sums of its own.
const BatchTraining = "batch_training"

// A Reduce folds Elements inputs into Out outputs by Func (sum, mean, max).
type Reduce struct {
	Func          string
	Elements, Out int64
}

// A Gather reads Rows rows of Cols elements from a table (embedding).
type Gather struct{ Rows, Cols, Table int64 }

// A Move rearranges data without arithmetic: concat, transpose, slice, pad,
// resize, append (to a cache), reshape (which moves nothing: Elements 0). A slice that
// moves nothing begins with element From of its operand; a concat that moves nothing has
// operands that were written where they lie in the result, one after the other.
type Move struct {
	Func     string
	Elements int64 // elements written
	From     int64
}

// Type implements Kind.
func (Conv) Type() string { return "conv" }

// Type implements Kind.
func (MatMul) Type() string { return "gemm" }

// Type implements Kind.
func (Pool) Type() string { return "pool" }

// Type implements Kind.
func (Elementwise) Type() string { return "elementwise" }

// Type implements Kind.
func (Softmax) Type() string { return "softmax" }

// Type implements Kind.
func (Norm) Type() string { return "norm" }

// Type implements Kind.
func (Reduce) Type() string { return "reduce" }

// Type implements Kind.
func (Gather) Type() string { return "gather" }

// Type implements Kind.
func (Move) Type() string { return "move" }

func outSize(in, k, stride, dilation, padA, padB int) int {
	return (in+padA+padB-dilation*(k-1)-1)/stride + 1
}

// OutH is the output height.
func (c Conv) OutH() int {
	if c.Transposed {
		return (c.H-1)*c.StrideH - c.PadTop - c.PadBottom + c.DilationH*(c.R-1) + c.OutPadH + 1
	}
	return outSize(c.H, c.R, c.StrideH, c.DilationH, c.PadTop, c.PadBottom)
}

// OutW is the output width.
func (c Conv) OutW() int {
	if c.Transposed {
		return (c.W-1)*c.StrideW - c.PadLeft - c.PadRight + c.DilationW*(c.S-1) + c.OutPadW + 1
	}
	return outSize(c.W, c.S, c.StrideW, c.DilationW, c.PadLeft, c.PadRight)
}

// MACs is the number of multiply-accumulates, padding included and, for a
// transposed convolution, cropped products included.
func (c Conv) MACs() int64 {
	if c.Transposed {
		return int64(c.N) * int64(c.C) * int64(c.H) * int64(c.W) * int64(c.K/c.Groups) * int64(c.R*c.S)
	}
	return int64(c.N) * int64(c.K) * int64(c.OutH()) * int64(c.OutW()) * int64(c.C/c.Groups) * int64(c.R*c.S)
}

// MACs is the number of multiply-accumulates.
func (m MatMul) MACs() int64 { return int64(m.Batch) * int64(m.M) * int64(m.N) * int64(m.K) }

// MACs is the number of multiply-accumulates of the operator; 0 for what is not
// matrix work.
func (op *Op) MACs() int64 {
	switch k := op.Kind.(type) {
	case Conv:
		return k.MACs()
	case MatMul:
		return k.MACs()
	case Attention:
		return k.MACs()
	}
	return 0
}

// MACs is the total over all operators.
func (g *Graph) MACs() int64 {
	var n int64
	for i := range g.Ops {
		n += g.Ops[i].MACs()
	}
	return n
}

// Params is the number of weight elements.
func (g *Graph) Params() int64 {
	var n int64
	for i := range g.Tensors {
		if g.Tensors[i].Role == Weight {
			n += g.Tensors[i].Elements()
		}
	}
	return n
}
