package gpu

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// With load: auto a short list is a burst, and a long one is held: its mean power is at most the limit, over its length,
// but for what a chip that was at rest has saved. Between the two, time and power are continuous in the length and in the
// limit: a watt less costs less than a hundredth, at the chip's own limit as at others.
func TestAutoKeepsTheLimitInTheMean(t *testing.T) {
	all, long := chips(t), 0
	for _, name := range []string{"a100", "gb200", "l40s", "rtx_4090"} {
		s := all[name]
		for _, g := range []*graph.Graph{list(t, bound), chained2(t)} {
			own, held := under(t, s, burst, s.PowerLimit, g), under(t, s, continuous, s.PowerLimit, g)
			require.Equal(t, own, under(t, s, auto, s.PowerLimit, g), "%s: one pass is a burst", name)
			was, saved := own, (power.Held*float64(s.PowerLimit)-float64(s.Power.Idle))*power.Window
			for n := 4; n <= 4096; n *= 4 {
				x := repeated(t, s, s.PowerLimit, g, n)
				require.LessOrEqual(t, x.all/1e12*float64(n), power.Held*float64(s.PowerLimit)*x.seconds*float64(n)*(1+exact)+saved, "%s: %d passes", name, n)
				require.GreaterOrEqual(t, x.seconds, was.seconds*(1-exact), "%s: %d passes", name, n)
				was = x
			}
			require.LessOrEqual(t, was.seconds, held.seconds*(1+exact), "%s: what memory leaves goes to products", name)
			if mean := was.all / was.seconds / 1e12; was.seconds > 1.01*own.seconds {
				long++
				require.InEpsilon(t, power.Held*float64(s.PowerLimit), mean, 0.01, "%s: it takes the limit", name)
			}
			for _, n := range []int{1, 16, 4096} {
				for _, limit := range limitsIn(&s) {
					less, more := repeated(t, s, limit, g, n), repeated(t, s, limit+1, g, n)
					require.LessOrEqual(t, more.seconds, less.seconds*(1+mixes), "%s at %s, %d passes", name, limit, n)
					require.LessOrEqual(t, less.seconds, more.seconds*1.01, "%s at %s, %d passes", name, limit, n)
				}
			}
		}
	}
	require.GreaterOrEqual(t, long, 2, "the limit slows some down")
}

// limitsIn are limits around a chip's own.
func limitsIn(s *Spec) (out []units.Power) {
	for k := range 9 {
		out = append(out, units.Power(math.Round(float64(s.PowerLimit)*(0.8+0.05*float64(k)))))
	}
	return append(out, s.PowerLimit-1)
}

// repeated is one of so many passes over a graph.
func repeated(t require.TestingT, s Spec, limit units.Power, g *graph.Graph, n int) state {
	s.Load, s.PowerLimit = auto, limit
	return stateOf(&s, run(t, s, work.Share{Graph: g, Requests: n}))
}

// A row that was repeated for a known time has the mean power of that time: that of a burst for a short one, and the limit
// for a long one.
func TestLoopTime(t *testing.T) {
	s, g := chips(t)["l40s"], list(t, bound)
	quick, held := under(t, s, burst, s.PowerLimit, g), under(t, s, continuous, s.PowerLimit, g)
	require.Greater(t, held.seconds, 1.05*quick.seconds)
	last := quick.seconds
	for _, time := range []units.Time{units.Millisecond, 30 * units.Millisecond, 100 * units.Millisecond, units.Second, 100 * units.Second} {
		s.LoopTime = units.InTime(time)
		x := under(t, s, auto, s.PowerLimit, g)
		require.GreaterOrEqual(t, x.seconds, last*(1-exact))
		if last = x.seconds; time == units.Millisecond {
			require.Equal(t, quick, x)
		}
	}
	require.InEpsilon(t, held.seconds, last, 0.005)
}

// Lists run in loops whatever ran before them, and other graphs do not.
func TestLoopsAreOfTheirGraph(t *testing.T) {
	c := newRecord(chips(t)["gb200"], true)
	rows, chain := list(t, bound), chained2(t)
	for range 2 {
		require.True(t, c.looped(rows))
		require.False(t, c.looped(chain))
	}
}

// chained2 is two products, of which the second reads what the first one made.
func chained2(t require.TestingT) *graph.Graph {
	g := list(t, "name,op,m,n,k\nup,gemm,8192,4096,4096\ndown,gemm,8192,4096,4096\n")
	g.Ops[1].In[0] = g.Ops[0].Out[0]
	require.True(t, chained(g))
	return g
}

// A run says what the limit slowed down, and how many operators of a burst are over theirs.
func TestLoadIsSaid(t *testing.T) {
	s := chips(t)["gb200"]
	say := func(load string, limit units.Power, requests int) string {
		s.Load, s.PowerLimit = load, limit
		return strings.Join(run(t, s, work.Share{Graph: list(t, bound), Requests: requests}).Assumptions(), "\n")
	}
	require.Contains(t, say(auto, 800, 1000), "power_limit (800W) slows down kernels of a graph: the mean of power over 25 ms is at most 0.98 of it (load: auto)")
	require.Contains(t, say(auto, 1200, 1), "Chip: operators over power_limit (1.2kW): 1, at most 1.2")
	require.NotContains(t, say(auto, 1200, 1), "slows down")
	require.NotContains(t, say(continuous, 1200, 1), "operators over")
	require.NotContains(t, say(continuous, 800, 1), "load: auto")
}
