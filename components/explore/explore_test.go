package explore

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func maker(t *testing.T, name string) Maker {
	e, ok := All.Entry(name)
	require.True(t, ok)
	return e.New
}

// with makes a method with so many points and a seed.
func with(t *testing.T, name string, s *Space, points int, seed uint64) Method {
	m, err := maker(t, name)(s, func(spec any) error {
		switch x := spec.(type) {
		case *SampleSpec:
			x.Points, x.Seed = points, seed
		case *NSGA2Spec:
			x.Points, x.Seed = points, seed
		case *DescentSpec:
			x.Points, x.Seed = points, seed
		}
		return nil
	})
	require.NoError(t, err)
	return m
}

// run carries a search out and lists what it asked for.
func run(m Method, f func(int) Outcome) (all []int) {
	for {
		next := m.Next(f)
		if len(next) == 0 {
			return all
		}
		all = append(all, next...)
	}
}

func TestEveryMethod(t *testing.T) {
	odd := func(p int) bool { return p%2 == 1 }
	for _, e := range All.Entries() {
		s := &Space{Sizes: []int{7, 5, 4}, Allowed: odd}
		f := func(p int) Outcome { return Outcome{Values: []float64{float64(p % 7), float64(p / 7)}} }
		all := run(with(t, e.Name, s, 40, 3), f)
		want := 40
		if e.Name == "grid" {
			want = 70
		}
		require.Len(t, all, want, e.Name)
		seen := map[int]bool{}
		for _, p := range all {
			require.True(t, odd(p) && p < s.Len() && !seen[p], "%s: point %d is not allowed, or twice", e.Name, p)
			seen[p] = true
		}
		require.Equal(t, all, run(with(t, e.Name, s, 40, 3), f), "%s is not deterministic", e.Name)
		if e.Name != "grid" {
			require.NotEqual(t, all, run(with(t, e.Name, s, 40, 4), f), "%s does not look at its seed", e.Name)
			require.Len(t, run(with(t, e.Name, s, 1000, 3), f), 70, "%s: more designs than there are", e.Name)
		}
	}
}

// A Latin hypercube of as many designs as an axis has positions has each position once;
// a Halton sequence comes within one of that.
func TestSamplesAreSpread(t *testing.T) {
	s := &Space{Sizes: []int{32, 32, 32}}
	for name, most := range map[string]int{"lhs": 1, "halton": 3} {
		at := make([]int, 3)
		for k := range at {
			count := make([]int, 32)
			for _, p := range run(with(t, name, s, 32, 1), nil) {
				s.At(p, at)
				count[at[k]]++
			}
			require.LessOrEqual(t, slices.Max(count), most, "%s axis %d", name, k)
		}
	}
	// A longer Halton sequence begins with the shorter one.
	require.Equal(t, run(with(t, "halton", s, 20, 1), nil), run(with(t, "halton", s, 50, 1), nil)[:20])
}

func TestFrontAgainstEveryPair(t *testing.T) {
	s := &Space{Sizes: []int{9, 9, 9}}
	of := func(p int) Outcome {
		at := make([]int, 3)
		s.At(p, at)
		o := Outcome{Values: []float64{float64((at[0]*at[1] + 3) % 7), float64(at[1] + at[2]), float64((at[0] - at[2]) * (at[0] - at[2]))}}
		if at[0]+at[1] < 3 {
			o.Miss = 1
			o.Values[0] -= 10 // it would be on the front
		}
		return o
	}
	var points, want []int
	for p := range s.Len() {
		points = append(points, p)
	}
	for _, p := range points {
		if of(p).Miss == 0 && !slices.ContainsFunc(points, func(q int) bool { return of(q).Dominates(of(p)) }) {
			want = append(want, p)
		}
	}
	require.NotEmpty(t, want)
	require.Equal(t, want, Front(points, of))
}

func TestHypervolume(t *testing.T) {
	require.InDelta(t, 6.0, Hypervolume([][]float64{{1, 3}, {2, 2}, {3, 1}}, []float64{4, 4}), 1e-12)
	require.InDelta(t, 6.0, Hypervolume([][]float64{{3, 1}, {2, 2}, {1, 3}, {3, 3}, {5, 0}}, []float64{4, 4}), 1e-12)
	// 2*2*2 of the second, and the first's 1*1*3 without the 1*1*2 that both have.
	require.InDelta(t, 9.0, Hypervolume([][]float64{{1, 1, 1}, {0, 0, 2}, {0, 0, 3}}, []float64{2, 2, 4}), 1e-12)
}

// Two objectives of a made-up accelerator over a grid of 3,000, time against cost as
// logarithms, so that the fast and dear end does not count alone; with ridges from rounding, a choice without order, and a bound from memory.
func accelerator(s *Space) func(int) Outcome {
	return func(p int) Outcome {
		at := make([]int, len(s.Sizes))
		s.At(p, at)
		rows, cols := 8*float64(at[0]+1), 8*float64(at[1]+1)
		sram, bandwidth := math.Exp2(float64(at[2])), 10*float64(at[3]+1)
		work := 3e6 * (1 + 0.3*float64((at[4]+1)%3))
		compute := math.Ceil(1000/rows) * math.Ceil(700/cols) * work / 1000
		memory := 4e7 / bandwidth * (1 + 4/sram)
		cost := rows*cols*0.9 + 60*sram + 25*bandwidth + 100*float64(at[4])
		return Outcome{Values: []float64{math.Log(max(compute, memory) + 0.1*min(compute, memory)), math.Log(cost)}}
	}
}

// quality is the part of the grid's hypervolume that a search finds, the median over five seeds.
func quality(t *testing.T, name string, s *Space, points int, of func(int) Outcome) float64 {
	var all []int
	for p := range s.Len() {
		if s.allowed(p) && of(p).Miss == 0 {
			all = append(all, p)
		}
	}
	worst := []float64{0, 0}
	values := func(points []int) (out [][]float64) {
		for _, p := range Front(points, of) {
			out = append(out, of(p).Values)
		}
		return out
	}
	for _, v := range values(all) {
		worst = []float64{max(worst[0], 1.1*v[0]), max(worst[1], 1.1*v[1])}
	}
	var found []float64
	for seed := range uint64(5) {
		got := run(with(t, name, s, points, seed+1), of)
		require.LessOrEqual(t, len(got), points)
		found = append(found, Hypervolume(values(got), worst)/Hypervolume(values(all), worst))
	}
	slices.Sort(found)
	t.Logf("%s: %v", name, found)
	return found[2]
}

// NSGA-II comes within 2% of the front of 3,000 designs with a tenth of the evaluations;
// drawing at random does not.
func TestNSGA2FindsTheFront(t *testing.T) {
	s := &Space{Sizes: []int{10, 10, 5, 2 * 3, 1}, Ordered: []bool{true, true, true, true, false}}
	require.Equal(t, 3000, s.Len())
	of := accelerator(s)
	require.GreaterOrEqual(t, quality(t, "nsga2", s, 300, of), 0.98)
	require.Less(t, quality(t, "random", s, 300, of), 0.98)

	choices := &Space{Sizes: []int{10, 10, 5, 2, 3}, Ordered: []bool{true, true, true, true, false}}
	require.GreaterOrEqual(t, quality(t, "nsga2", choices, 300, accelerator(choices)), 0.98)

	// With a constraint that most designs miss.
	tight := func(p int) Outcome {
		o := accelerator(s)(p)
		o.Miss = max(0, math.Exp(o.Values[1])/900-1)
		return o
	}
	require.GreaterOrEqual(t, quality(t, "nsga2", s, 300, tight), 0.98)
}

func TestEffects(t *testing.T) {
	s := &Space{Sizes: []int{4, 3, 2}}
	var points []int
	var y []float64
	at := make([]int, 3)
	for p := range s.Len() {
		s.At(p, at)
		points = append(points, p)
		y = append(y, 3*float64(at[0])+float64(at[1]*at[1]))
	}
	e := s.Effects(points, y, true)
	// Variances: 9 * 1.25 = 11.25 of the first, that of 0, 1, 4 of the second.
	second := (0+1+16)/3.0 - (5/3.0)*(5/3.0)
	require.InDelta(t, 11.25/(11.25+second), e[0].FirstOrder, 1e-12)
	require.InDelta(t, second/(11.25+second), e[1].FirstOrder, 1e-12)
	require.InDelta(t, 0, e[2].FirstOrder, 1e-12)
	require.InDeltaSlice(t, []float64{5 / 3.0, 3 + 5/3.0, 6 + 5/3.0, 9 + 5/3.0}, e[0].Means, 1e-12)
	require.Nil(t, s.Effects(points, make([]float64, len(points)), true))
	// A product of centred axes has no first order at all.
	for i, p := range points {
		s.At(p, at)
		y[i] = (float64(at[0]) - 1.5) * (float64(at[1]) - 1)
	}
	for _, x := range s.Effects(points, y, true) {
		require.InDelta(t, 0, x.FirstOrder, 1e-12)
	}
}

// Where points are missing, the means of one axis show others as well: of a sum of two axes on a
// grid without a corner they explain a quarter of the variance each. Shares of the fit sum to 1.
func TestEffectsOfAGridWithHoles(t *testing.T) {
	s := &Space{Sizes: []int{4, 4, 3}}
	var points []int
	var y []float64
	at := make([]int, 3)
	for p := range s.Len() {
		if s.At(p, at); at[0]+at[1] < 4 {
			points, y = append(points, p), append(y, float64(10*at[0]+10*at[1]))
		}
	}
	e := s.Effects(points, y, false)
	require.InDelta(t, 1, e[0].FirstOrder+e[1].FirstOrder+e[2].FirstOrder, 1e-9)
	require.InDelta(t, e[0].FirstOrder, e[1].FirstOrder, 1e-9)
	require.InDelta(t, 0, e[2].FirstOrder, 1e-9)
	// Over a whole grid the fit is the variance of the means, less chance.
	points, y = nil, nil
	for p := range s.Len() {
		s.At(p, at)
		points, y = append(points, p), append(y, float64(at[0]*at[0]+3*at[1]))
	}
	exact, fit := s.Effects(points, y, true), s.Effects(points, y, false)
	for k := range exact {
		require.InDelta(t, exact[k].FirstOrder, fit[k].FirstOrder, 1e-9)
	}
	// Noise alone explains about nothing.
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range y {
		y[i] = rnd.Float64()
	}
	sum := 0.0
	for _, x := range s.Effects(points, y, false) {
		sum += x.FirstOrder
	}
	require.Less(t, sum, 0.25)
}

// A product of centred axes is all interaction, a sum is none, and two of two values say by
// how much one matters at either value of the other.
func TestPairs(t *testing.T) {
	s := &Space{Sizes: []int{2, 3, 2}}
	var points []int
	var sum, product, mixed []float64
	at := make([]int, 3)
	for p := range s.Len() {
		s.At(p, at)
		x, y, z := float64(at[0]), float64(at[1]), float64(at[2])
		points, sum = append(points, p), append(sum, 3*x+y*y-z)
		product, mixed = append(product, (x-0.5)*(y-1)), append(mixed, 10*x+4*z+6*x*z)
	}
	for _, p := range s.Pairs(points, sum) {
		require.InDelta(t, 0, p.SecondOrder, 1e-12)
		require.InDelta(t, p.At[0], p.At[1], 1e-12)
	}
	for _, p := range s.Pairs(points, product) {
		want := 0.0
		if p.A == 0 && p.B == 1 {
			want = 1
		}
		require.InDelta(t, want, p.SecondOrder, 1e-12)
	}
	all := s.Pairs(points, mixed)
	require.Len(t, all, 3)
	require.Equal(t, [2]float64{10, 16}, all[1].At, "of axis 0 at either value of axis 2")
	require.Positive(t, all[1].SecondOrder)
	require.Nil(t, s.Pairs(points[1:], sum[1:]), "not the whole grid")
}

func TestAgreement(t *testing.T) {
	require.Equal(t, 1.0, Agreement([]float64{1, 2, 3}, []float64{10, 20, 21}))
	require.Equal(t, -1.0, Agreement([]float64{1, 2, 3}, []float64{3, 2, 1}))
	require.InDelta(t, 1/3.0, Agreement([]float64{1, 2, 3}, []float64{1, 3, 2}), 1e-12)
	require.True(t, math.IsNaN(Agreement([]float64{1, 1}, []float64{1, 2})))
}

// Hypervolume is the volume that outcomes dominate below the reference point.
func Hypervolume(of [][]float64, reference []float64) float64 {
	var in [][]float64
	for _, v := range of {
		if !slices.ContainsFunc(indices(v), func(i int) bool { return v[i] >= reference[i] }) {
			in = append(in, v)
		}
	}
	return volume(in, reference)
}

func indices(v []float64) []int {
	out := make([]int, len(v))
	for i := range out {
		out[i] = i
	}
	return out
}

// volume cuts the dominated body into slabs along the last objective.
func volume(of [][]float64, reference []float64) float64 {
	last := len(reference) - 1
	if len(of) == 0 {
		return 0
	}
	if last == 0 {
		best := reference[0]
		for _, v := range of {
			best = min(best, v[0])
		}
		return reference[0] - best
	}
	order := slices.Clone(of)
	slices.SortStableFunc(order, func(a, b []float64) int { return cmp.Compare(a[last], b[last]) })
	sum := 0.0
	for i := range order {
		top := reference[last]
		if i+1 < len(order) {
			top = order[i+1][last]
		}
		if depth := top - order[i][last]; depth > 0 {
			sum += depth * volume(order[:i+1], reference[:last])
		}
	}
	return sum
}

// A coordinate search finds the top of a hill that no axis hides in a tenth of its designs, and goes round designs
// that cannot be evaluated.
func TestCoordinateFindsTheTop(t *testing.T) {
	s := &Space{Sizes: []int{12, 9, 5, 3}, Ordered: []bool{true, true, true, false}}
	at := make([]int, 4)
	f := func(p int) Outcome {
		s.At(p, at)
		if at[1] == 0 {
			return Failed
		}
		x, y, z := float64(at[0]-9), float64(at[1]-2), float64(at[2]-3)
		return Outcome{Values: []float64{x*x + y*y + z*z + x*y + 20*float64((at[3]+1)%3)}}
	}
	best := s.Point([]int{9, 2, 3, 2})
	for seed := range uint64(5) {
		all := run(with(t, "coordinate", s, s.Len()/10, seed), f)
		require.Len(t, all, s.Len()/10)
		require.Contains(t, all, best, "seed %d", seed)
	}
}

// Under a bound on the cost a gradient search exchanges one axis for another: it comes within 2 % of the best of
// 18,000 designs with 150 of them. Along one axis at a time there is no way.
func TestGradientUnderABound(t *testing.T) {
	s := &Space{Sizes: []int{10, 10, 5, 12, 3}, Ordered: []bool{true, true, true, true, false}}
	both := accelerator(s)
	for _, most := range []float64{700, 900, 1500, 3000, 1e9} {
		of := func(p int) Outcome {
			o := both(p)
			return Outcome{Values: o.Values[:1], Miss: max(0, math.Exp(o.Values[1])/most-1)}
		}
		least := func(points []int) float64 {
			best := math.Inf(1)
			for _, p := range points {
				if o := of(p); o.Miss == 0 {
					best = min(best, o.Values[0])
				}
			}
			return best
		}
		all := make([]int, s.Len())
		for p := range all {
			all[p] = p
		}
		best := least(all)
		for seed := range uint64(3) {
			require.LessOrEqual(t, least(run(with(t, "gradient", s, 150, seed), of)), best+math.Log(1.02), "cost %g, seed %d", most, seed)
		}
		if most < 1e9 {
			require.Greater(t, least(run(with(t, "coordinate", s, 150, 1), of)), best+math.Log(1.02), "cost %g", most)
		}
		// As a condition on the settings: designs beyond it are not run.
		inside := *s
		inside.Allowed = func(p int) bool { return of(p).Miss == 0 }
		require.LessOrEqual(t, least(run(with(t, "gradient", &inside, 150, 2), of)), best+math.Log(1.02), "cost %g as a condition", most)
	}
}
