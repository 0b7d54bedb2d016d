package graph

// RMS normalisation: square and accumulate, multiply, scale. Per vector: scale the sum, add
// epsilon, reciprocal root (4).
//
// assumption: the gradient is that of a layer norm without the mean of g and of x.
func init() {
	addNorm(NormRule{Name: "rms", Scope: OverRow, Element: 4, Row: 6, Statistics: 2, Backward: 7, Source: "Zhang and Sennrich, arXiv 1910.07467, eq. 4"})
}
