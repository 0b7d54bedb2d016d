package dataflow

// Parts is where the cycles of an array went, averaged over its processing elements:
// an element that does nothing for four cycles of an array of two is two cycles of a
// part. The parts add up to the cycles.
//
//   - Useful: multiply-accumulates.
//   - Mapping: operands stream, and the element holds none of them: rows and columns
//     that the stationary tile leaves empty.
//   - Fill: until operands stream: the tile is loaded, then the wavefront arrives.
//   - Drain: after the last operand has passed, until the next tile may follow.
type Parts struct{ Useful, Mapping, Fill, Drain float64 }

// Total is the sum of the parts.
func (p Parts) Total() float64 { return p.Useful + p.Mapping + p.Fill + p.Drain }

// Parts divides the cycles of folds that stream so many operands in all and keep an
// element busy for so many useful cycles on average. Start and Lead are fill. Tail and
// End are the skew of the wavefront: element (i, j) of A x B gets its first operand i+j
// cycles after the first element, and is done A+B-2-i-j cycles before the last one, so
// that on average half of the skew is fill and half is drain. What folds shorter than
// Min wait is fill, or drain where the timing says that results leave meanwhile.
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
