package dataflow

// Parts divides the cycles of an array, as means over its processing elements. One element of two
// that idles for four cycles adds two cycles to a part. The parts add up to the cycles.
//
//   - Useful: multiply-accumulates.
//   - Mapping: operands stream, but the element has none, since the stationary tile leaves its
//     row or column empty.
//   - Fill: a tile loads, or the wavefront has not reached the element.
//   - Drain: the last operand has passed the element, and the next tile may not follow yet.
type Parts struct{ Useful, Mapping, Fill, Drain float64 }

// Total returns the sum of the parts, in cycles.
func (p Parts) Total() float64 { return p.Useful + p.Mapping + p.Fill + p.Drain }

// Parts divides the cycles of folds that stream that many operands in all, with useful busy
// cycles per element on average. Start and Lead are fill. Tail and End are the skew of the
// wavefront: element (i, j) of A x B gets its first operand i+j cycles after the first element,
// and is done A+B-2-i-j cycles before the last one, so that on average half of the skew is fill
// and half is drain. What folds shorter than Min wait is fill, or drain where the timing says
// that results leave meanwhile.
func (x Timing) Parts(cycles, folds, stream int64, useful float64) Parts {
	skew := float64(folds*x.Tail+x.End) / 2
	p := Parts{
		Useful: useful,
		Fill:   float64(x.Start+folds*x.Lead) + skew,
		Drain:  skew,
	}
	p.Mapping = float64(stream) - p.Useful
	waited := float64(cycles - (x.Start + folds*(x.Lead+x.Tail) + stream + x.End))
	if x.Clears {
		p.Drain += waited
	} else {
		p.Fill += waited
	}
	return p
}
