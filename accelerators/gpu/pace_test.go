package gpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Under a load that repeats (steady) all kernels of a workload have one clock, at which their mean power is the limit.
// Those at the limit are faster than with a clock of their own each (continuous), and some take more than the limit.
func TestSteadyLoadKeepsTheMeanPower(t *testing.T) {
	g, err := zoo.Build("llama3_8b", zoo.Params{Batch: 1, Sequence: 2048})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	g = g.FuseAttention(g.Chains())
	s := priced()
	s.Architecture, s.PowerLimit = "sm90", 330
	s.Tensor = map[string]float64{"fp16": 2048, "bf16": 2048}
	of := func(load string) (c *Comp, mean float64, shares map[float64]bool) {
		s.Load = load
		c = run(t, s, work.Share{Graph: g})
		pj, ns := 0.0, 0.0
		shares = map[float64]bool{}
		for _, l := range c.Rows() {
			if l.cycles > 0 {
				pj, ns, shares[l.share] = pj+l.energy.Total(), ns+c.clock.Nanoseconds(l.cycles), true
			}
		}
		return c, pj / ns / 1e3, shares
	}
	free, _, _ := of(burst)
	each, low, own := of(continuous)
	paced, mean, one := of(steady)
	require.Greater(t, len(own), 2, "each kernel has a clock of its own")
	require.Len(t, one, 1, "one clock")
	require.InEpsilon(t, 0.98*330, mean, 5e-3)
	require.Less(t, low, mean, "clocks of their own leave power unused")
	require.Less(t, *paced.End(), *each.End())
	require.Greater(t, *paced.End(), *free.End())
	require.Greater(t, metric(t, paced, "power_peak"), 330.0)
	require.LessOrEqual(t, metric(t, each, "power_peak"), 330.0)
	s.PowerLimit = 1e6
	above, _, _ := of(steady)
	require.Equal(t, *free.End(), *above.End(), "below the limit nothing changes")
}
