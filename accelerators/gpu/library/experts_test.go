package library

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/graph"
)

func drawExperts(t *rapid.T) Experts {
	p := Experts{Hidden: 64 * scaled(t, "hidden", 1, 128), Inter: 16 * scaled(t, "inter", 1, 512), Gated: rapid.Bool().Draw(t, "gated"),
		Type: Type(rapid.IntRange(0, len(types)-1).Draw(t, "type"))}
	for range rapid.IntRange(1, 8).Draw(t, "loads") {
		l := graph.Load{Tokens: scaled(t, "tokens", 1, 8192), Experts: scaled(t, "experts", 1, 64)}
		p.Loads = append(p.Loads, l)
		p.Tokens = max(p.Tokens, l.Tokens)
	}
	return p
}

// Fused experts beat neither the matrix units nor the memory, which brings the weights of each
// expert that has tokens, and more of a chip makes them no slower.
func TestExpertsKeepToTheirChip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, p := drawChip(t), drawExperts(t)
		l, _ := Get("trtllm", rapid.SampledFrom(Generations("trtllm")).Draw(t, "generation"))
		now, ok := l.Experts(&c, p)
		if !ok {
			return
		}
		picks, experts, each := 0, 0, 2*p.Hidden*p.Inter
		for _, x := range p.Loads {
			picks, experts = picks+x.Tokens*x.Experts, experts+x.Experts
		}
		if p.Gated {
			each += p.Hidden * p.Inter
		}
		require.GreaterOrEqual(t, now.Total, float64(picks)*float64(each)/(float64(c.SMs)*c.Tensor*c.Clock))
		require.GreaterOrEqual(t, now.Total, float64(experts)*float64(each)*p.Type.weight()/c.Memory)
		c.SMs += 1 + c.SMs/3
		c.Memory *= 1.5
		c.Clock *= 1.2
		c.L2Bandwidth *= 2
		more, _ := l.Experts(&c, p)
		require.LessOrEqual(t, more.Total, now.Total*(1+1e-9))
	})
}

// Few tokens pay for the weights of the experts that they touch, not for themselves; one expert
// with all tokens is faster than many with few; unequal loads fill tiles less.
func TestExpertsByTheirLoads(t *testing.T) {
	l, _ := Get("trtllm", "sm90")
	time := func(loads ...graph.Load) float64 {
		p := Experts{Tokens: 256, Hidden: 4096, Inter: 1536, Gated: true, Loads: loads}
		c, ok := l.Experts(h100(), p)
		require.True(t, ok)
		return c.Total
	}
	one := time(graph.Load{Tokens: 1, Experts: 64})
	require.InEpsilon(t, one, time(graph.Load{Tokens: 8, Experts: 64}), 0.02)
	weights := 64 * 3 * 4096 * 1536 * 2 / 3352e9
	require.InEpsilon(t, weights/0.8091, one, 0.1, "the measured share of the bandwidth")
	require.InEpsilon(t, 0.5*weights/0.8091, one-time(graph.Load{Tokens: 1, Experts: 32}), 0.1)
	require.Less(t, time(graph.Load{Tokens: 2048, Experts: 1}), 0.5*time(graph.Load{Tokens: 32, Experts: 64}))
	require.Greater(t, time(graph.Load{Tokens: 1900, Experts: 1}, graph.Load{Tokens: 260, Experts: 8}), 1.02*time(graph.Load{Tokens: 1900, Experts: 1}, graph.Load{Tokens: 256, Experts: 8}))
	require.True(t, math.Abs(time()-21.55e-6) < 1e-9, "no tokens: the kernels that find their places")
}

func BenchmarkExperts(b *testing.B) {
	l, _ := Get("trtllm", "sm90")
	p := Experts{Tokens: 512, Hidden: 4096, Inter: 1536, Gated: true, Loads: []graph.Load{{Tokens: 100, Experts: 8}, {Tokens: 50, Experts: 30}, {Tokens: 3, Experts: 60}}}
	b.ReportAllocs()
	for b.Loop() {
		l.Experts(h100(), p)
	}
}

// vLLM's experts of mxfp4 by tokens of 16 bits are Marlin's on Hopper: they multiply as Triton's do, and
// their tokens are sorted as those of weights of 16 bits. All else is TensorRT-LLM's.
func TestMarlinSortsTokensSooner(t *testing.T) {
	ours, _ := Get("vllm", "sm90")
	theirs, _ := Get("trtllm", "sm90")
	p := Experts{Tokens: 4, Hidden: 2880, Inter: 2880, Gated: true, Loads: []graph.Load{{Tokens: 1, Experts: 16}}, Type: WeightMX4}
	a, ok := ours.Experts(h100(), p)
	require.True(t, ok)
	b, _ := theirs.Experts(h100(), p)
	require.InDelta(t, (68.09-21.55)*us, b.Total-a.Total, 5*us)
	require.Equal(t, b.Bytes, a.Bytes)
	p.Type = BF16
	a, _ = ours.Experts(h100(), p)
	b, _ = theirs.Experts(h100(), p)
	require.Equal(t, b, a)
	p.Type = WeightInt4
	_, ok = theirs.Experts(h100(), p)
	require.True(t, ok)
}
