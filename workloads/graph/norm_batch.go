package graph

// Batch normalisation at inference: mean and deviation are folded into scale and shift.
func init() {
	addNorm(NormRule{Name: "batch", Scope: Folded, Element: 1, Source: "Ioffe and Szegedy, arXiv 1502.03167, section 3.1"})
}
