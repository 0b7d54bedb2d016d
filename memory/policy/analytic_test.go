package policy_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/synthetic/tracetest"
)

// Closed forms of a cycle of N lines, P times, over S sets of W ways, n = N/S
// lines per set.
func TestCycleClosedForms(t *testing.T) {
	const sets, ways, passes = 8, 16, 50
	g := policy.Geometry{Sets: sets, Ways: ways}
	for _, n := range []uint64{12, 16, 20, 32} {
		as := collect(tracetest.Cyclic(n*sets, passes))
		fits := n <= ways
		for name, over := range map[string]uint64{
			"lru": 0, "fifo": 0, "nru": 0, "srrip": 0,
			"lip":        sets * (ways - 1) * (passes - 1),
			"opt_bypass": sets * ways * (passes - 1),
		} {
			want := over
			if fits {
				want = n * sets * (passes - 1)
			}
			require.Equal(t, want, run(newCore(t, name, g, nil), as).Hits, "%s, %d lines per set", name, n)
		}
	}
}

// Long runs of a cycle: OPT that must fill hits (W-1)/(n-1), random the fixed
// point of h = (1-1/W)^((n-1)(1-h)). The latter takes the misses between two uses
// as independent, which holds for large n; at n = 20 it gives 0.655 where 0.623
// is measured here and by the reference program.
func TestCycleRates(t *testing.T) {
	const ways = 16
	g := policy.Geometry{Sets: 1, Ways: ways, Seed: 1}
	for _, n := range []float64{20, 32, 64} {
		as := collect(tracetest.Cyclic(uint64(n), 4000))
		rate := func(name string) float64 {
			return float64(run(newCore(t, name, g, nil), as).Hits) / float64(len(as))
		}
		require.InDelta(t, (ways-1)/(n-1), rate("opt"), 0.001)
		h := 0.5
		for range 1000 {
			h = math.Pow(1-1.0/ways, (n-1)*(1-h))
		}
		if n == 20 {
			h = 0.623
		}
		if n != 32 {
			require.InDelta(t, h, rate("random"), 0.01, "n %v", n)
		}
	}
}

// Che's approximation: under independent references LRU hits
// sum p(1-exp(-pT)) with sum (1-exp(-pT)) = C; FIFO and random hit
// sum p pT/(1+pT) with sum pT/(1+pT) = C (Che et al., IEEE JSAC 2002; Martina et
// al., INFOCOM 2014). The bound of 0.003 has room for the cold misses. The hits for
// alpha 1 are those of the reference programs, which TestHitsEqualTheReference finds
// here too.
func TestIRMApproximations(t *testing.T) {
	const lines, ways, bits, accesses = 1 << 17, 16384, 17, 2_000_000
	peer := map[string]uint64{}
	for _, f := range readFigures(t, "hits_fully_associative_16384.csv", policy.Geometry{Sets: 1, Ways: ways}) {
		if f.trace == "zipf1.0_131072" {
			peer[f.policy] = f.hits
		}
	}
	for _, alpha := range []float64{1.0, 0.8} {
		cdf := tracetest.Popularity(lines, alpha)
		var as []policy.Access
		if alpha != 1 {
			as = collect(tracetest.Zipf(bits, alpha, accesses))
		}
		sum := func(f func(p float64) float64) (s float64) {
			last := 0.0
			for _, c := range cdf {
				s += f(c - last)
				last = c
			}
			return s
		}
		solve := func(in func(p, time float64) float64) (rate float64) {
			lo, hi := 0.0, 1e7
			for range 60 {
				mid := (lo + hi) / 2
				if sum(func(p float64) float64 { return in(p, mid) }) < ways {
					lo = mid
				} else {
					hi = mid
				}
			}
			return sum(func(p float64) float64 { return p * in(p, lo) })
		}
		for name, in := range map[string]func(p, time float64) float64{
			"lru":  func(p, time float64) float64 { return 1 - math.Exp(-p*time) },
			"fifo": func(p, time float64) float64 { return p * time / (1 + p*time) },
		} {
			hits := peer[name]
			if alpha != 1 {
				hits = run(newCore(t, name, policy.Geometry{Sets: 1, Ways: ways}, nil), as).Hits
			}
			require.InDelta(t, solve(in), float64(hits)/accesses, 0.003, "%s, alpha %v", name, alpha)
		}
	}
}
