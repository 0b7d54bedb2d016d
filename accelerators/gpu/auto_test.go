package gpu

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// With load: auto a chip goes as in a burst at its own limit and above. Below it rows of a list that are apart have a
// clock each, and kernels of a graph one. So more power never takes more time.
func TestAutoLoadKeepsLowerLimits(t *testing.T) {
	rows := list(t, bound)
	chain := chained2(t)
	all := chips(t)
	for _, name := range []string{"a100", "gb200", "h20"} {
		s := all[name]
		for _, x := range []struct {
			g    *graph.Graph
			held string
		}{{rows, continuous}, {chain, steady}} {
			var was state
			for _, part := range []units.Power{0.6, 0.8, 1, 1.3} {
				limit, load := part*s.PowerLimit, burst
				if part < 1 && s.SustainedLimit > 0 {
					load = x.held
				}
				got, want := under(t, s, auto, limit, x.g), under(t, s, load, limit, x.g)
				require.Equal(t, want, got, "%s, %s at %s", name, load, limit)
				if was.limit > 0 {
					require.LessOrEqual(t, got.seconds, was.seconds*(1+mixes), "%s, %s at %s", name, load, limit)
				}
				was = got
			}
		}
	}
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

// A run says which clock keeps a lower limit, and how many operators of a burst are over theirs.
func TestLoadIsSaid(t *testing.T) {
	s := chips(t)["gb200"]
	say := func(load string, limit units.Power, g *graph.Graph) string {
		s.Load, s.PowerLimit = load, limit
		return strings.Join(run(t, s, work.Share{Graph: g}).Assumptions(), "\n")
	}
	rows, chain := list(t, bound), chained2(t)
	require.Contains(t, say(auto, 800, rows), "power_limit is 800W, where products were measured with 1.2kW: rows of a list run in loops of their own, each at the clock at which its power is at most 0.98 of it (load: auto takes continuous)")
	require.Contains(t, say(auto, 800, chain), "one clock, at which their mean power is at most 0.98 of it (load: auto takes steady)")
	require.Contains(t, say(auto, 1200, rows), "Chip: operators over power_limit (1.2kW): 1, at most 1.2")
	require.NotContains(t, say(continuous, 1200, rows), "operators over")
	require.NotContains(t, say(continuous, 800, rows), "load: auto")
}
