package search

import (
	"context"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// hills are the points 0..n-1 of which odd ones are illegal; the cost has many local
// minima and the least at the given place.
type hills struct{ n, least int }

func (h hills) Walker() Walker[int] { return h }
func (h hills) New() *int           { return new(int) }
func (h hills) Copy(to, from *int)  { *to = *from }
func (h hills) Cost(p *int) float64 {
	d := *p - h.least
	if d < 0 {
		d = -d
	}
	return float64(1 + d + 37*(*p%14))
}
func (h hills) Random(r *rand.Rand, p *int) bool { *p = r.IntN(h.n); return *p%2 == 0 }
func (h hills) Near(r *rand.Rand, p *int) bool {
	d := r.IntN(h.n) >> r.IntN(30)
	*p += d - 2*d*r.IntN(2)
	return *p >= 0 && *p < h.n && *p%2 == 0
}
func (h hills) All(part, parts int, p *int, yield func(*int) bool) {
	for *p = 2 * part; *p < h.n; *p += 2 * parts {
		if !yield(p) {
			return
		}
	}
}

// slopes are hills with a Proposer: a start is a point and leads downhill in steps of 14, on which
// the hills do not show, and which it counts.
type slopes struct{ hills }

func (s slopes) Walker() Walker[int] { return s }
func (s slopes) Propose(r *rand.Rand, start int, p *int, yield func(*int) (float64, bool)) (n Passes) {
	*p = 2 * r.IntN(s.n/2)
	far := 14 + 2*r.IntN(5_000)
	for ; *p > s.least+far; n.Gradients++ {
		*p -= 14
	}
	for ; *p < s.least-far; n.Gradients++ {
		*p += 14
	}
	n.Values = int64(start)
	if start%5 == 2 {
		return n // nothing legal is near
	}
	if _, more := yield(p); more && *p+14 < s.n {
		*p += 14
		yield(p)
	}
	return n
}

// Along derivatives all evaluations are spent in parts of twelve or more, starts that lead to
// nothing are pruned, and passes add up. A space without derivatives refuses.
func TestGradient(t *testing.T) {
	o := Options{Algorithm: Gradient, Evaluations: 40, Seed: 3}
	best, r, err := Run(context.Background(), slopes{hills{1_000_000, 700_000}}, o)
	require.NoError(t, err)
	require.InDelta(t, 700_000, *best, 2_000)
	require.EqualValues(t, 40, r.Evaluated)
	require.Positive(t, r.Passes.Gradients)
	require.Positive(t, r.Pruned)
	_, _, err = Run(context.Background(), hills{1_000_000, 700_000}, o)
	require.ErrorIs(t, err, ErrNoGradient)
	require.ErrorContains(t, err, "want one of: random, local, exhaustive")
}

func TestExhaustiveSeesEveryPoint(t *testing.T) {
	best, r, err := Run(context.Background(), hills{10_000, 700}, Options{Algorithm: Exhaustive})
	require.NoError(t, err)
	require.Equal(t, 700, *best)
	require.True(t, r.Complete)
	require.EqualValues(t, 5000, r.Evaluated)
	_, r, err = Run(context.Background(), hills{10_000, 700}, Options{Algorithm: Exhaustive, Evaluations: 100})
	require.NoError(t, err)
	require.False(t, r.Complete)
	require.EqualValues(t, 100, r.Evaluated)
}

// The result is the same for any number of workers, and another seed goes elsewhere.
func TestWorkersChangeNothing(t *testing.T) {
	for _, a := range Algorithms {
		o := Options{Algorithm: a, Evaluations: 500, Seed: 3, Workers: 1}
		one, r1, err := Run(context.Background(), slopes{hills{1_000_000, 123_400}}, o)
		require.NoError(t, err)
		o.Workers = 5
		five, r5, err := Run(context.Background(), slopes{hills{1_000_000, 123_400}}, o)
		require.NoError(t, err)
		require.Equal(t, *one, *five, a)
		require.Equal(t, r1, r5, a)
		require.LessOrEqual(t, r1.Evaluated, int64(500))
		if a == Exhaustive {
			continue
		}
		o.Seed++
		other, _, err := Run(context.Background(), slopes{hills{1_000_000, 123_400}}, o)
		require.NoError(t, err)
		require.NotEqual(t, *one, *other, a)
	}
}

// A walk gets further than as many draws.
func TestLocalBeatsRandom(t *testing.T) {
	_, walk, err := Run(context.Background(), hills{1_000_000_000, 700_000_000}, Options{Algorithm: Local, Evaluations: 20_000, Seed: 1})
	require.NoError(t, err)
	_, draw, err := Run(context.Background(), hills{1_000_000_000, 700_000_000}, Options{Algorithm: Random, Evaluations: 20_000, Seed: 1})
	require.NoError(t, err)
	require.Less(t, walk.Cost, draw.Cost)
}

type nothing struct{ hills }

func (nothing) Walker() Walker[int]                 { return nothing{} }
func (nothing) Random(*rand.Rand, *int) bool        { return false }
func (nothing) All(int, int, *int, func(*int) bool) {}
func (nothing) Propose(*rand.Rand, int, *int, func(*int) (float64, bool)) Passes {
	return Passes{}
}

func TestNothingIsLegal(t *testing.T) {
	for _, a := range Algorithms {
		_, _, err := Run(context.Background(), nothing{}, Options{Algorithm: a, Evaluations: 10})
		require.ErrorIs(t, err, ErrNothing, a)
	}
	_, _, err := Run(context.Background(), nothing{}, Options{Algorithm: "genetic", Evaluations: 10})
	require.EqualError(t, err, `algorithm is "genetic" (want one of: random, local, exhaustive, gradient)`)
}

// Descend goes to the cheapest of the neighbours until none is cheaper, passes by those that are
// not legal, and ends after so many rounds.
func TestDescend(t *testing.T) {
	near := func(at int) iter.Seq[int] {
		return func(yield func(int) bool) {
			_ = yield(at-1) && yield(at+1) && yield(at+3)
		}
	}
	cost := func(p *int) (int, bool) { return (*p - 10) * (*p - 10), *p != 9 }
	for _, c := range []struct{ from, rounds, want int }{
		{0, 20, 10}, // by 3, 6, 7 and 10: 9 is not legal
		{0, 2, 6},
		{10, 5, 10},
		{20, 20, 10},
	} {
		least, _ := cost(&c.from)
		require.Equal(t, c.want, Descend(c.from, least, near, cost, c.rounds), "%+v", c)
	}
}
