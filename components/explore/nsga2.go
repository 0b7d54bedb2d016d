package explore

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
)

// NSGA2Spec holds the keys of the method nsga2.
type NSGA2Spec struct {
	Points     int     `yaml:"points" jsonschema:"minimum=1,description=Designs to evaluate in all"`
	Seed       uint64  `yaml:"seed" jsonschema:"description=Seed of what is drawn"`
	Population int     `yaml:"population" jsonschema:"minimum=0,description=Designs of a generation; 0 is a fifteenth of points, from 8 to 100"`
	Crossover  float64 `yaml:"crossover" jsonschema:"minimum=0,maximum=1,description=Probability that a child has two parents"`
}

func init() {
	def := NSGA2Spec{Points: 200, Seed: 1, Crossover: 0.9}
	All.Add(registry.Entry[Maker]{
		Name: "nsga2", Doc: "Genetic search for the Pareto set of several objectives under constraints.",
		Source: "Deb et al., IEEE TEC 2002, sections III and VI", Spec: def,
		New: func(s *Space, decode func(any) error) (Method, error) {
			spec := def
			if err := decode(&spec); err != nil {
				return nil, err
			}
			if spec.Population == 0 {
				spec.Population = min(max(spec.Points/15, 8), 100)
			}
			src := rand.NewPCG(spec.Seed, 0x6e73676132)
			return &nsga2{space: s, spec: spec, rng: rand.New(src), src: src, seen: map[int]bool{}}, nil
		},
	})
}

// nsga2 is the search.
type nsga2 struct {
	space   *Space
	spec    NSGA2Spec
	rng     *rand.Rand
	src     rand.Source
	designs []int // the last survivors and the last generation
	asked   int
	seen    map[int]bool
}

// A parent is a design that may have children.
type parent struct {
	point int
	rank  int
	space float64 // crowding distance
}

// Most implements Method.
func (x *nsga2) Most() int { return x.spec.Points }

// Next implements Method.
func (x *nsga2) Next(known func(int) Outcome) []int {
	n := min(x.spec.Population, x.spec.Points-x.asked)
	var next []int
	switch {
	case n <= 0:
		return nil
	case x.asked == 0:
		next = x.space.latin(n, x.seen, x.rng, x.src)
	default:
		parents := x.survivors(known)
		next = x.children(parents, n)
		x.designs = x.designs[:0]
		for _, p := range parents {
			x.designs = append(x.designs, p.point)
		}
	}
	slices.Sort(next)
	x.designs = append(x.designs, next...)
	x.asked += len(next)
	return next
}

// survivors are the best designs, a population of them or the whole first front.
func (x *nsga2) survivors(known func(int) Outcome) []parent {
	of := make([]Outcome, len(x.designs))
	for i, p := range x.designs {
		of[i] = known(p)
	}
	rank := ranks(of, x.spec.Population)
	var out []parent
	for r := 0; len(out) < x.spec.Population && r < len(of); r++ {
		var front []int
		for i := range of {
			if rank[i] == r {
				front = append(front, i)
			}
		}
		feasible := slices.DeleteFunc(slices.Clone(front), func(i int) bool { return of[i].Values == nil })
		far := crowding(feasible, of)
		slices.SortStableFunc(front, func(i, j int) int { return cmp.Compare(far[j], far[i]) })
		for _, i := range front {
			if len(out) < x.spec.Population || r == 0 {
				out = append(out, parent{x.designs[i], r, far[i]})
			}
		}
	}
	return out
}

// children are n new designs.
func (x *nsga2) children(from []parent, n int) (out []int) {
	d := len(x.space.Sizes)
	a, b := make([]int, d), make([]int, d)
	for tries := 0; len(out) < n && tries < 50*n; tries++ {
		x.space.At(x.pick(from).point, a)
		if tries%3 > 0 {
			x.step(a)
		} else {
			x.space.At(x.pick(from).point, b)
			if x.rng.Float64() < x.spec.Crossover {
				x.cross(a, b)
			}
			x.mutate(a)
		}
		if p := x.space.Point(a); !x.seen[p] && x.space.allowed(p) {
			x.seen[p] = true
			out = append(out, p)
		}
	}
	return x.space.fill(out, x.seen, n, x.rng)
}

// pick is the better of two: of the lower rank, then the less crowded.
func (x *nsga2) pick(from []parent) parent {
	a, b := from[x.rng.IntN(len(from))], from[x.rng.IntN(len(from))]
	if b.rank < a.rank || b.rank == a.rank && b.space > a.space {
		return b
	}
	return a
}

// cross mixes b into a.
func (x *nsga2) cross(a, b []int) {
	for k := range a {
		switch r := x.rng.Float64(); {
		case r < 0.4:
		case r < 0.8 || !x.ordered(k):
			a[k] = b[k]
		default:
			lo, hi := min(a[k], b[k]), max(a[k], b[k])
			a[k] = lo + x.rng.IntN(hi-lo+1)
		}
	}
}

func (x *nsga2) ordered(k int) bool { return x.space.Ordered == nil || x.space.Ordered[k] }

// mutate changes one axis on average.
func (x *nsga2) mutate(a []int) {
	for k := range a {
		if x.rng.Float64()*float64(len(a)) >= 1 {
			continue
		}
		if !x.ordered(k) || x.rng.Float64() < 0.2 {
			a[k] = x.rng.IntN(x.space.Sizes[k])
			continue
		}
		x.move(a, k, 1+int(math.Floor(math.Log(1-x.rng.Float64())/math.Log(0.5))))
	}
}

// step moves to a neighbour on one axis.
func (x *nsga2) step(a []int) {
	k := x.rng.IntN(len(a))
	if !x.ordered(k) {
		a[k] = x.rng.IntN(x.space.Sizes[k])
		return
	}
	x.move(a, k, 1)
}

func (x *nsga2) move(a []int, k, by int) {
	if x.rng.IntN(2) == 0 {
		by = -by
	}
	a[k] = min(max(a[k]+by, 0), x.space.Sizes[k]-1)
}
