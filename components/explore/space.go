package explore

import "math/rand/v2"

// A Space is a grid of designs. The number of a design counts with the last axis fastest.
type Space struct {
	Sizes   []int                // values on each axis
	Ordered []bool               // the order of the values has a meaning, as of numbers
	Allowed func(point int) bool // nil: all are
}

// Len is the number of designs, including those that are not allowed.
func (s *Space) Len() int {
	n := 1
	for _, k := range s.Sizes {
		n *= k
	}
	return n
}

// At writes the position of a design on each axis into at.
func (s *Space) At(point int, at []int) {
	for k := len(s.Sizes) - 1; k >= 0; k-- {
		at[k] = point % s.Sizes[k]
		point /= s.Sizes[k]
	}
}

// Point returns the number of the design at these positions.
func (s *Space) Point(at []int) int {
	n := 0
	for k, x := range at {
		n = n*s.Sizes[k] + x
	}
	return n
}

func (s *Space) allowed(point int) bool { return s.Allowed == nil || s.Allowed(point) }

// fill adds allowed designs that are not in seen, drawn at random, until there are n or no
// more are found.
func (s *Space) fill(out []int, seen map[int]bool, n int, rng *rand.Rand) []int {
	total := s.Len()
	for tries := 0; len(out) < n && tries < 20*n+1000; tries++ {
		if p := rng.IntN(total); !seen[p] && s.allowed(p) {
			seen[p] = true
			out = append(out, p)
		}
	}
	// What is left is rare: look at all from a random one on, as far as that is possible.
	const most = 10_000_000
	start := rng.IntN(total)
	for i := 0; len(out) < n && i < min(total, most); i++ {
		if p := (start + i) % total; !seen[p] && s.allowed(p) {
			seen[p] = true
			out = append(out, p)
		}
	}
	return out
}

// begin is the design at which a search begins, which it adds to seen: at first the middle of the grid, then or where
// that is not allowed a drawn one that is new; ok is false if there is none.
func (s *Space) begin(seen map[int]bool, rng *rand.Rand) (point int, ok bool) {
	at := make([]int, len(s.Sizes))
	for k, n := range s.Sizes {
		at[k] = n / 2
	}
	if point = s.Point(at); len(seen) == 0 && s.allowed(point) {
		seen[point] = true
		return point, true
	}
	next := s.fill(nil, seen, 1, rng)
	if len(next) == 0 {
		return point, false
	}
	return next[0], true
}
