package explore

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// An Effect is the effect of one axis on one value over a set of designs.
type Effect struct {
	// FirstOrder is the share of the value's variance that the axis explains alone. On a whole grid
	// it is exact: the variance of the means at its positions, divided by the variance over all
	// designs. Shares of all axes sum to 1 at most. See Effects for other sets of designs.
	FirstOrder float64
	Means      []float64 // at each position; NaN for one without designs
}

// Effects returns the effect of each axis on a value; value[i] belongs to points[i]. whole is set
// if points is the whole grid. The result is nil if the value does not vary.
//
// In a sample, or in a grid with points that failed, values of one axis are not equally often beside
// those of another, so that the means of one axis also show the others. There the shares come from the sum
// of functions of single axes that fits best: FirstOrder is the covariance of an axis's function
// and the value over the variance (Li et al. 2010), less the share that chance gives, and 0 at least. A
// sample with fewer designs than positions of all axes has no such fit; its shares come from the
// means of each axis, and may sum to more than 1.
func (s *Space) Effects(points []int, value []float64, whole bool) []Effect {
	n := float64(len(points))
	mean, total := moments(value)
	if total <= 0 || math.IsNaN(total) || len(points) < 2 {
		return nil
	}
	out := make([]Effect, len(s.Sizes))
	at := make([]int, len(s.Sizes))
	count := make([][]float64, len(s.Sizes))
	for k, size := range s.Sizes {
		out[k].Means, count[k] = make([]float64, size), make([]float64, size)
	}
	for i, p := range points {
		s.At(p, at)
		for k, x := range at {
			out[k].Means[x] += value[i]
			count[k][x]++
		}
	}
	var fit []float64
	if !whole {
		fit = s.additive(points, value)
	}
	for k := range out {
		between, groups := 0.0, 0.0
		for x, c := range count[k] {
			if c == 0 {
				out[k].Means[x] = math.NaN()
				continue
			}
			out[k].Means[x] /= c
			between += c * (out[k].Means[x] - mean) * (out[k].Means[x] - mean)
			groups++
		}
		switch {
		case fit != nil:
			between = fit[k] * total
		case !whole && n > groups:
			between -= (groups - 1) * (total - between) / (n - groups)
		}
		if out[k].FirstOrder = min(between/total, 1); out[k].FirstOrder < 1e-12 {
			out[k].FirstOrder = 0 // rounding
		}
	}
	return out
}

// maxPositions bounds the normal equations of additive, whose solution takes time with the third power.
const maxPositions = 512

// additive returns the share of the value's variance that belongs to each axis in the least-squares
// fit of a sum of functions of single axes, less what chance gives: the axis's degrees of freedom
// times the mean square of the residual. It is nil if there are too few designs for a residual.
func (s *Space) additive(points []int, value []float64) []float64 {
	first, n := make([]int, len(s.Sizes)), 0 // of each axis's positions in the equations
	for k, size := range s.Sizes {
		first[k], n = n, n+size
	}
	if n > min(len(points), maxPositions) {
		return nil
	}
	mean, total := moments(value)
	at := make([]int, len(s.Sizes))
	together, sums := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i, p := range points {
		s.At(p, at)
		for k, x := range at {
			a := first[k] + x
			sums.SetVec(a, sums.AtVec(a)+value[i]-mean)
			for l, y := range at[k:] {
				b := first[k+l] + y
				together.SetSym(a, b, together.At(a, b)+1)
			}
		}
	}
	// Functions of axes are known up to constants, so the solution of least norm is taken.
	var eigen mat.EigenSym
	if !eigen.Factorize(together, true) {
		return nil
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil)
	solution := mat.NewVecDense(n, nil)
	rank := 0
	for i, l := range values {
		if l <= 1e-9*values[n-1] {
			continue
		}
		rank++
		v := vectors.ColView(i)
		solution.AddScaledVec(solution, mat.Dot(v, sums)/l, v)
	}
	free := len(points) - rank
	if free <= 0 {
		return nil
	}
	shares, freedom, residual := make([]float64, len(s.Sizes)), make([]float64, len(s.Sizes)), 1.0
	for k, size := range s.Sizes {
		for a := first[k]; a < first[k]+size; a++ {
			shares[k] += solution.AtVec(a) * sums.AtVec(a) / total
			if together.At(a, a) > 0 {
				freedom[k]++
			}
		}
		residual -= shares[k]
	}
	left := 0.0
	for k := range shares {
		shares[k] = max(shares[k]-(freedom[k]-1)*max(residual, 0)/float64(free), 0)
		left += shares[k]
	}
	if left > 1 { // some share was below 0
		for k := range shares {
			shares[k] /= left
		}
	}
	return shares
}

// A Pair is the interaction of two axes: their joint effect on a value beyond the effect of each
// alone.
type Pair struct {
	A, B int
	// SecondOrder is the share of the value's variance that the two axes explain only together:
	// that of the means over pairs of positions, less that of each axis.
	SecondOrder float64
	// At is the growth of the mean from the first to the second position of A, at each position of
	// B. It is set only if both axes have two positions.
	At [2]float64
}

// Pairs returns the interactions of every two axes over a whole grid. The result is nil if the
// value does not vary or a point has no value.
func (s *Space) Pairs(points []int, value []float64) (out []Pair) {
	if _, total := moments(value); total <= 0 || math.IsNaN(total) || len(points) != s.Len() {
		return nil
	}
	mean, total := moments(value)
	alone := s.Effects(points, value, true)
	at := make([]int, len(s.Sizes))
	for b := range s.Sizes {
		for a := range b {
			cells := make([]float64, s.Sizes[a]*s.Sizes[b])
			each := float64(len(points)) / float64(len(cells))
			for i, p := range points {
				s.At(p, at)
				cells[at[a]*s.Sizes[b]+at[b]] += value[i] / each
			}
			between := 0.0
			for _, c := range cells {
				between += each * (c - mean) * (c - mean)
			}
			x := Pair{A: a, B: b, SecondOrder: between/total - alone[a].FirstOrder - alone[b].FirstOrder}
			if x.SecondOrder < 1e-12 {
				x.SecondOrder = 0 // rounding
			}
			if s.Sizes[a] == 2 && s.Sizes[b] == 2 {
				x.At = [2]float64{cells[2] - cells[0], cells[3] - cells[1]}
			}
			out = append(out, x)
		}
	}
	return out
}

// moments are the mean and the sum of squared deviations.
func moments(values []float64) (mean, squares float64) {
	if !slices.ContainsFunc(values, func(x float64) bool { return x != values[0] }) {
		return 0, 0
	}
	for _, x := range values {
		mean += x / float64(len(values))
	}
	for _, x := range values {
		squares += (x - mean) * (x - mean)
	}
	return mean, squares
}

// Agreement is Kendall's tau-b of two rankings of the same designs: 1 for equal order, -1 for
// reverse order, NaN if all values of one ranking are equal.
func Agreement(a, b []float64) float64 {
	var same, opposite, tiesA, tiesB float64
	for i := range a {
		for j := range i {
			x, y := sign(a[i]-a[j]), sign(b[i]-b[j])
			switch {
			case x == 0 && y == 0:
			case x == 0:
				tiesA++
			case y == 0:
				tiesB++
			case x == y:
				same++
			default:
				opposite++
			}
		}
	}
	n := same + opposite
	return (same - opposite) / math.Sqrt((n+tiesA)*(n+tiesB))
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
