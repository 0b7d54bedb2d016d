package graph

// Local response normalisation: square, slide the window sum (add one, drop one), scale, add
// k, power (9), multiply.
func init() {
	addNorm(NormRule{Name: "lrn", Scope: OverWindow, Element: 15, Source: "Krizhevsky et al. 2012, section 3.3"})
}
