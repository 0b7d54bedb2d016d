package explore

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"

	"github.com/causeway-sim/causeway/components/registry"
)

type gridSpec struct{}

func init() {
	All.Add(registry.Entry[Maker]{
		Name: "grid", Doc: "Every design, in the order of the axes.", Source: "full factorial design", Spec: gridSpec{},
		New: func(s *Space, decode func(any) error) (Method, error) {
			if err := decode(&gridSpec{}); err != nil {
				return nil, err
			}
			b := &batch{}
			for p := range s.Len() {
				if s.allowed(p) {
					b.points = append(b.points, p)
				}
			}
			return b, nil
		},
	})
	drawn("random", "Designs drawn without replacement.", "simple random sampling",
		func(s *Space, n int, rng *rand.Rand, src rand.Source) []int {
			return s.fill(nil, map[int]bool{}, n, rng)
		})
	drawn("lhs", "Latin hypercube: every part of every axis is drawn equally often.", "McKay et al., Technometrics 1979; gonum samplemv.LatinHypercube",
		func(s *Space, n int, rng *rand.Rand, src rand.Source) []int {
			return s.latin(n, map[int]bool{}, rng, src)
		})
	drawn("halton", "Halton sequence, scrambled: any number of designs is spread evenly.", "Owen, arXiv:1706.02808; gonum samplemv.Halton",
		func(s *Space, n int, rng *rand.Rand, _ rand.Source) []int {
			var out []int
			seen := map[int]bool{}
			seed := rng.Uint64()
			for m := n; len(out) < n && m < 64*n; m *= 2 { // a longer sequence begins with the shorter one
				out, seen = nil, map[int]bool{}
				cube := mat.NewDense(m, len(s.Sizes), nil)
				samplemv.Halton{Kind: samplemv.Owen, Q: distmv.NewUnitUniform(len(s.Sizes), nil), Src: rand.NewPCG(seed, 0)}.Sample(cube)
				out = s.snap(out, seen, cube, n)
			}
			return s.fill(out, seen, n, rng)
		})
}

// drawn registers a method that draws all its designs at the start.
func drawn(name, doc, source string, draw func(*Space, int, *rand.Rand, rand.Source) []int) {
	All.Add(registry.Entry[Maker]{
		Name: name, Doc: doc, Source: source, Spec: defaultSample(),
		New: func(s *Space, decode func(any) error) (Method, error) {
			spec := defaultSample()
			if err := decode(&spec); err != nil {
				return nil, err
			}
			src := rand.NewPCG(spec.Seed, 0x6578706c6f7265)
			return &batch{points: draw(s, min(spec.Points, s.Len()), rand.New(src), src)}, nil
		},
	})
}

// latin is a Latin hypercube of n designs that are not in seen.
func (s *Space) latin(n int, seen map[int]bool, rng *rand.Rand, src rand.Source) (out []int) {
	for tries := 0; len(out) < n && tries < 20; tries++ {
		cube := mat.NewDense(n, len(s.Sizes), nil)
		samplemv.LatinHypercube{Q: distmv.NewUnitUniform(len(s.Sizes), nil), Src: src}.Sample(cube)
		out = s.snap(out, seen, cube, n)
	}
	return s.fill(out, seen, n, rng)
}

// snap adds the designs nearest to points of the unit cube, each once, until there are n.
func (s *Space) snap(out []int, seen map[int]bool, cube *mat.Dense, n int) []int {
	rows, cols := cube.Dims()
	at := make([]int, cols)
	for i := 0; i < rows && len(out) < n; i++ {
		for k := range at {
			at[k] = min(int(cube.At(i, k)*float64(s.Sizes[k])), s.Sizes[k]-1)
		}
		if p := s.Point(at); !seen[p] && s.allowed(p) {
			seen[p] = true
			out = append(out, p)
		}
	}
	return out
}
