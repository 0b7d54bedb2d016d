package graph

// Layer, group and instance normalisation: sum, subtract the mean, square and accumulate,
// multiply by the reciprocal deviation, scale. Per vector: scale two sums, add epsilon,
// reciprocal root (4).
//
// The gradient of a layer norm, assumption: dx = r (g - mean(g) - xn mean(g xn)) with
// g = w dy, xn = (x - mean) r: two for xn, multiply by w, two sums and a product, three to
// put together, scale by r.
func init() {
	const source = "Ba et al., arXiv 1607.06450, eq. 3"
	addNorm(NormRule{Name: "layer", Scope: OverRow, Element: 6, Row: 7, Statistics: 3, Backward: 10, Source: source})
	addNorm(NormRule{Name: "group", Scope: OverGroup, Element: 6, Row: 7, Source: source})
	addNorm(NormRule{Name: BatchTraining, Scope: OverBatch, Element: 6, Row: 7, Source: source})
}

// BatchTraining is the Func of batch normalisation in training: its vectors are channels, each
// with its statistics.
const BatchTraining = "batch_training"
