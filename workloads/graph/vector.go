package graph

// Operations per element and per row of what a vector unit does; an operation
// and the costs of transcendental functions are as in func.go.
const (
	// Softmax, the three-pass form (Milakov and Gimelshein, arXiv 1805.02867,
	// Algorithm 2): maximum, subtract, exp (4), sum, multiply by the reciprocal.
	softmaxElement = 8
	softmaxRow     = 4 // the reciprocal of the sum

	// Layer norm (Ba et al., arXiv 1607.06450, eq. 3), also group and instance
	// norm: sum, subtract the mean, square and accumulate, multiply by the
	// reciprocal deviation, scale; shift is one more.
	layerNormElement = 6
	layerNormRow     = 7 // scale two sums, add epsilon, reciprocal root (4)

	// RMS norm (Zhang and Sennrich, arXiv 1910.07467, eq. 4): square and
	// accumulate, multiply, scale.
	rmsNormElement = 4
	rmsNormRow     = 6 // scale the sum, add epsilon, reciprocal root (4)

	// Batch norm with folded statistics: scale; shift is one more.
	batchNormElement = 1

	// Local response norm (Krizhevsky et al. 2012, section 3.3): square, slide
	// the window sum (add one, drop one), scale, add k, power (9), multiply.
	lrnElement = 15
)

// VectorOps is the number of vector-unit operations of the operator. Gathers
// and moves cost bytes, not operations. Convolutions and products cost none
// here, their bias being preloaded into the accumulators (assumption: as in
// output-stationary arrays); a transposed convolution adds up overlapping
// products.
func (op *Op) VectorOps() int64 {
	switch k := op.Kind.(type) {
	case Conv:
		if k.Transposed {
			return k.overlapAdds()
		}
	case Pool:
		window := int64(k.R) * int64(k.S) // padding is not skipped
		if !k.Average {
			window-- // one compare less than elements; an average multiplies at the end
		}
		return int64(k.N) * int64(k.C) * int64(k.OutH()) * int64(k.OutW()) * window
	case Elementwise:
		return k.Elements * int64(k.OpsPer)
	case Attention:
		return k.VectorOps()
	case Merge:
		return k.VectorOps()
	case Softmax:
		return k.Rows * (k.Cols*softmaxElement + softmaxRow)
	case Norm:
		element, row := int64(layerNormElement), int64(layerNormRow)
		switch k.Func {
		case "rms":
			element, row = rmsNormElement, rmsNormRow
		case "batch":
			element, row = batchNormElement, 0
		case "lrn":
			element, row = lrnElement, 0
		}
		if k.Bias {
			element++
		}
		return k.Rows * (k.Cols*element + row)
	case Reduce:
		if k.Func == "mean" {
			return k.Elements // a multiply ends each sum
		}
		return k.Elements - k.Out
	}
	return 0
}

// Statistics is those of a layer or rms norm's operations that need nothing but each element
// once: sums of elements and of their squares, from which mean and deviation follow. The
// rest needs both. It is 0 for other norms.
func (k Norm) Statistics() int64 {
	switch k.Func {
	case "layer":
		return k.Rows * k.Cols * 3 // sum, square, accumulate
	case "rms":
		return k.Rows * k.Cols * 2
	}
	return 0
}

// VectorOps is the total over all operators.
func (g *Graph) VectorOps() int64 {
	var n int64
	for i := range g.Ops {
		n += g.Ops[i].VectorOps()
	}
	return n
}
