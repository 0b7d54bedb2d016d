package assign

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// random is a problem of n operators on some executors; a chain, or each operator after
// some of those before it. Not every executor can carry out every operator.
func random(r *rand.Rand, n, executors int, chain bool) *Problem {
	p := &Problem{Executors: executors, Objective: []string{"", Time, Energy, EDP}[r.IntN(4)], Handover: units.Time(r.IntN(30))}
	for i := range n {
		op := Operator{Name: string(rune('a' + i)), Type: []string{"conv", "gemm"}[r.IntN(2)], Input: r.Int64N(6)}
		for a := range i {
			if chain && a == i-1 || !chain && r.IntN(i) < 2 {
				op.After = append(op.After, int32(a))
			}
		}
		for range executors {
			op.Cost = append(op.Cost, schedule.Cost{Can: r.IntN(8) > 0, Time: units.Time(1 + r.IntN(40)), Energy: float64(r.IntN(50))})
		}
		op.Cost[r.IntN(executors)].Can = true
		p.Ops = append(p.Ops, op)
	}
	return p
}

// least tries every assignment: the obvious way.
func least(p *Problem) (best Total) {
	found := false
	var try func(on []int)
	try = func(on []int) {
		if len(on) == len(p.Ops) {
			if t := p.Evaluate(on); !found || p.better(t, best) {
				best, found = t, true
			}
			return
		}
		for e, c := range p.Ops[len(on)].Cost {
			if c.Can {
				try(append(on[:len(on):len(on)], e))
			}
		}
	}
	try(nil)
	return best
}

func TestExhaustiveIsTheOptimum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		p := random(r, 1+r.IntN(8), 2+r.IntN(2), r.IntN(2) == 0)
		on, err := p.Exhaustive()
		require.NoError(t, err)
		require.Equal(t, p.value(least(p)), p.value(p.Evaluate(on)), "%+v", p)
	}
}

// On a chain the state is where the last operator is, so that the best way there is part
// of the best way on: exact for sums and for times.
func TestDynamicIsExactOnChains(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		p := random(r, 1+r.IntN(9), 2+r.IntN(2), true)
		if p.Objective == EDP {
			continue
		}
		require.Equal(t, p.value(least(p)), p.value(p.Evaluate(p.Dynamic())), "%+v", p)
	}
}

// Elsewhere it is a heuristic: never better than the optimum, on average within 3%.
func TestDynamicIsGoodOnGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var got, want float64
	for range 200 {
		p := random(r, 9, 2, false)
		p.Objective = Time
		d, l := p.value(p.Evaluate(p.Dynamic())), p.value(least(p))
		require.GreaterOrEqual(t, d, l)
		got, want = got+d, want+l
	}
	require.Less(t, got/want, 1.03)
}

// With as many operators as there are at once in a large model the states are bounded.
func TestDynamicOfManyLiveResults(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	p := random(r, 60, 2, false)
	p.Objective = Time
	require.LessOrEqual(t, p.value(p.Evaluate(p.Dynamic())), 1.2*p.value(p.Evaluate(p.Greedy())))
	_, err := p.Exhaustive()
	require.ErrorContains(t, err, "too many assignments")
}

// Two executors, one with a start-up cost: the limit separates at the crossing.
func TestFitFindsTheCrossing(t *testing.T) {
	var ops []Operator
	for _, in := range []int64{10, 20, 30, 40, 50} {
		ops = append(ops, Operator{Class: "conv", Input: in, Cost: []schedule.Cost{
			{Can: true, Time: units.Time(10 * in)}, {Can: true, Time: units.Time(200 + 4*in)}}})
	}
	p := &Problem{Ops: ops, Executors: 2}
	l := Fit([]*Problem{p})
	require.Equal(t, Limits{{Class: "conv", Bytes: 35, Below: 0, Above: 1}}, l)
	require.Equal(t, []int{0, 0, 0, 1, 1}, l.Apply(p))
	require.Equal(t, "conv below 35B of input to Cpu, others to Chip", l[0].Text([]string{"Cpu", "Chip"}))
	p.Ops[4].Cost[1].Can = false
	require.Equal(t, 0, Fit([]*Problem{p}).Apply(p)[4])
}

// The fit is the best of all limits and pairs, for whole assignments, where there is one class.
func TestFitIsTheBestLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 100 {
		p := random(r, 8, 3, true)
		for i := range p.Ops {
			p.Ops[i].Class = "conv"
		}
		sum := func(l Limit) float64 { return p.value(p.Evaluate((Limits{l}).Apply(p))) }
		best := -1.0
		for b := int64(0); b <= 7; b++ {
			for below := range 3 {
				for above := range 3 {
					if v := sum(Limit{"conv", b, below, above}); best < 0 || v < best {
						best = v
					}
				}
			}
		}
		require.InDelta(t, best, sum(Fit([]*Problem{p})[0]), 1e-9)
	}
}

func TestRuleMatches(t *testing.T) {
	op := &Operator{Name: "res2_conv1", Type: "conv", Input: 4096}
	for _, r := range []Rule{{}, {Match: "res2_*"}, {Match: "res2_conv1"}, {Type: "conv", From: 4096}, {Below: 4097}} {
		require.True(t, r.Matches(op), "%+v", r)
	}
	for _, r := range []Rule{{Match: "res3_*"}, {Type: "gemm"}, {From: 4097}, {Below: 4096}} {
		require.False(t, r.Matches(op), "%+v", r)
	}
}
