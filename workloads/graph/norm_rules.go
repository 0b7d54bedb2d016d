package graph

// The rules of the normalisations. Another one may stand here, or in a file of its own.
func init() {
	// Layer, group and instance normalisation: sum, subtract the mean, square and accumulate,
	// multiply by the reciprocal deviation, scale. Per vector: scale two sums, add epsilon,
	// reciprocal root (4).
	//
	// The gradient of a layer norm, assumption: dx = r (g - mean(g) - xn mean(g xn)) with
	// g = w dy, xn = (x - mean) r: two for xn, multiply by w, two sums and a product, three to
	// put together, scale by r.
	const source = "Ba et al., arXiv 1607.06450, eq. 3"
	addNorm(NormRule{Name: "layer", Scope: OverRow, Element: 6, Row: 7, Statistics: 3, Backward: 10, Source: source})
	addNorm(NormRule{Name: "group", Scope: OverGroup, Element: 6, Row: 7, Source: source})
	addNorm(NormRule{Name: BatchTraining, Scope: OverBatch, Element: 6, Row: 7, Source: source})

	// RMS normalisation: square and accumulate, multiply, scale. Per vector: scale the sum, add
	// epsilon, reciprocal root (4).
	//
	// assumption: the gradient is that of a layer norm without the mean of g and of x.
	addNorm(NormRule{Name: "rms", Scope: OverRow, Element: 4, Row: 6, Statistics: 2, Backward: 7, Source: "Zhang and Sennrich, arXiv 1910.07467, eq. 4"})

	// Batch normalisation at inference: mean and deviation are folded into scale and shift.
	addNorm(NormRule{Name: "batch", Scope: Folded, Element: 1, Source: "Ioffe and Szegedy, arXiv 1502.03167, section 3.1"})

	// Local response normalisation: square, slide the window sum (add one, drop one), scale, add
	// k, power (9), multiply.
	addNorm(NormRule{Name: "lrn", Scope: OverWindow, Element: 15, Source: "Krizhevsky et al. 2012, section 3.3"})
}

// BatchTraining is the Func of batch normalisation in training: its vectors are channels, each
// with its statistics.
const BatchTraining = "batch_training"
