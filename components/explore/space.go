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
