package traffic

import (
	"fmt"
	"math/rand/v2"
)

// StencilSpec configures stencil.
type StencilSpec struct {
	Dims     []int `yaml:"dims" doc:"Extent of the grid that terminals are laid out on, in their order; their product is at most the number of terminals"`
	Periodic bool  `yaml:"periodic" doc:"The grid wraps around"`
}

func init() {
	addSpec("stencil", "A random neighbour in a grid of processes, one per terminal in order, whatever the topology is; terminals beyond the grid are silent.",
		"Jain et al., Maximizing throughput on a dragonfly network, SC 2014, section III (stencil traffic)",
		StencilSpec{Dims: []int{4, 4}, Periodic: true}, newStencil)
	add("all_to_all", "Every other terminal once, in turn, beginning with the next one.",
		"Dally and Towles, 2004, section 3.2, as a sequence in place of a draw", func(a Args) (Pattern, error) {
			n := a.Topology.Terminals()
			if n < 2 {
				return nil, fmt.Errorf("there is no other terminal")
			}
			return &turns{n, make([]int32, n)}, nil
		})
}

// table of neighbours, flat: those of terminal t are at first[t]..first[t+1].
type stencil struct {
	first []int32
	near  []int32
}

func newStencil(a Args, s StencilSpec) (Pattern, error) {
	n, room := 1, a.Topology.Terminals()
	if len(s.Dims) == 0 {
		return nil, fmt.Errorf("a grid needs dims")
	}
	for _, d := range s.Dims {
		if d < 1 || d > room {
			return nil, fmt.Errorf("dims %v (want extents of 1 to %d)", s.Dims, room)
		}
		if n *= d; n > room {
			return nil, fmt.Errorf("dims %v are more than the %d terminals", s.Dims, room)
		}
	}
	out := &stencil{first: make([]int32, 1, room+1)}
	for t := range room {
		stride := 1
		for _, d := range s.Dims {
			if t >= n {
				break
			}
			at := t / stride % d
			for _, step := range []int{-1, 1} {
				to := at + step
				switch {
				case s.Periodic:
					to = (to + d) % d
				case to < 0 || to >= d:
					continue
				}
				if to != at {
					out.near = append(out.near, int32(t+(to-at)*stride))
				}
			}
			stride *= d
		}
		out.first = append(out.first, int32(len(out.near)))
	}
	if len(out.near) == 0 {
		return nil, fmt.Errorf("dims %v leave no terminal a neighbour", s.Dims)
	}
	return out, nil
}

func (s *stencil) Dst(src int, rng *rand.Rand) int {
	lo, hi := int(s.first[src]), int(s.first[src+1])
	if lo == hi {
		return Silent
	}
	return int(s.near[lo+rng.IntN(hi-lo)])
}

// turns holds the position of each terminal: the only pattern with state.
type turns struct {
	n    int
	last []int32 // distance of the last destination
}

func (t *turns) Dst(src int, _ *rand.Rand) int {
	t.last[src] = t.last[src]%int32(t.n-1) + 1
	return (src + int(t.last[src])) % t.n
}

// Permutation returns the pattern in which terminal i sends to to[i], or nothing if that is
// Silent. The error names the first wrong terminal.
func Permutation(to []int) (Pattern, error) {
	from := make([]int, len(to))
	for i := range from {
		from[i] = Silent
	}
	for i, d := range to {
		switch {
		case d == Silent:
		case d < 0 || d >= len(to):
			return nil, fmt.Errorf("terminal %d sends to %d (want 0 to %d, or %d for none)", i, d, len(to)-1, Silent)
		case from[d] != Silent:
			return nil, fmt.Errorf("terminals %d and %d both send to %d", from[d], i, d)
		default:
			from[d] = i
		}
	}
	return table(to), nil
}
