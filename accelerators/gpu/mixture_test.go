package gpu

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

const expertsRow = "name,op,tokens,hidden,inter,top_k,experts,dtype\nx,moe,3,4096,14336,2,8,"

// The mixture of a model's layer takes the time of the same experts in a list: one kernel, whose
// time one operator has. Its work and bytes are those of all.
func TestMixtureIsOneKernel(t *testing.T) {
	s := DefaultSpec()
	s.Architecture = "sm90"
	g, err := zoo.Build("mixtral_8x7b", zoo.Params{Batch: 3, Sequence: 1, Context: 64, Phase: "decode"})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	c := run(t, s, work.Share{Graph: g})
	x := run(t, s, work.Share{Graph: list(t, expertsRow+"bf16\n")})
	of := func(c *Comp, name string) layer {
		for _, l := range c.Rows() {
			if l.name == name {
				return l
			}
		}
		require.Fail(t, name)
		return layer{}
	}
	model, row := of(c, "L5.E0.gate"), of(x, "x::E0.up")
	require.Equal(t, row.cycles, model.cycles)
	require.Equal(t, row.bytes, model.bytes)
	require.EqualValues(t, 6*3*4096*14336, model.macs)
	require.Equal(t, "trtllm", model.kernel)
	for _, part := range []string{"L5.dispatch", "L5.E3.down", "L5.combine"} {
		l := of(c, part)
		require.Equal(t, "experts", l.kernel, part)
		require.Zero(t, l.cycles+l.macs+l.bytes, part)
	}
	require.EqualValues(t, g.MACs(), c.sum.macs)
	require.EqualValues(t, 1, x.sum.operations)
	require.Greater(t, of(c, "L5.router").cycles, uint64(0))
}

// A type without a kernel for experts goes operator by operator, and the result says so; so do
// kernels of cutlass, and experts of which the chip has a part.
func TestMixturesWithoutAKernel(t *testing.T) {
	s := DefaultSpec()
	s.Architecture = "sm90"
	x := run(t, s, work.Share{Graph: list(t, expertsRow+"int8\n")})
	require.Greater(t, x.sum.operations, uint64(5))
	require.Contains(t, strings.Join(x.Assumptions(), "\n"), "without a measured kernel here: experts in int8, gemm in int8")
	s.Kernels.Library = cutlass
	require.Greater(t, run(t, s, work.Share{Graph: list(t, expertsRow+"bf16\n")}).sum.operations, uint64(5))

	s.Kernels.Library = auto
	c, g := New("Chip", engine.New(), s), list(t, expertsRow+"bf16\n")
	all := g.Mixtures()[0]
	require.True(t, c.Mixes(g, all.First))
	require.True(t, hasAll(operatorsOf(&work.Share{Graph: g}), all.Ops))
}

// A server makes a graph for each batch: the ones of before are forgotten.
func TestMixturesOfManyGraphs(t *testing.T) {
	s := DefaultSpec()
	s.Architecture = "sm90"
	c := New("Chip", engine.New(), s)
	for range 3 * mixedGraphs {
		g := list(t, expertsRow+"bf16\n")
		require.True(t, c.Mixes(g, 1))
		require.LessOrEqual(t, len(c.mixed), mixedGraphs)
	}
}

// Attentions of unlike requests of an issued step are one kernel, whose time and work the first
// operator has; the time is that of a planned step.
func TestAttentionsOfAStepAreOneKernel(t *testing.T) {
	for _, library := range []string{cutlass, "trtllm"} {
		s := DefaultSpec()
		s.Architecture, s.Kernels.Library = "sm90", library
		g, err := zoo.Build("llama3_8b", zoo.Params{Groups: []zoo.Group{{Requests: 1, Tokens: 100, Context: 300}, {Requests: 8, Tokens: 1, Context: 2000, Sample: true}, {Requests: 3, Tokens: 1, Context: 900, Sample: true}}})
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.BF16))
		g = g.FuseAttention(g.Chains())
		c := run(t, s, work.Share{Graph: g})
		var parts []work.Attention
		var first layer
		bytes := uint64(0)
		for i := range g.Ops {
			k, ok := g.Ops[i].Kind.(graph.Attention)
			if !ok || !strings.HasPrefix(g.Ops[i].Name, "L7.") {
				continue
			}
			parts = append(parts, work.Attention{Attention: k, Requests: g.Tensor(g.Ops[i].In[0]).Shape[0]})
			bytes += uint64(g.Footprint(&g.Ops[i]).Bytes())
			for _, l := range c.Rows() {
				if l.name == g.Ops[i].Name && len(parts) == 1 {
					first = l
				} else if l.name == g.Ops[i].Name {
					require.Zero(t, l.cycles+l.bytes+l.macs, l.name)
				}
			}
		}
		require.Len(t, parts, 3)
		require.Equal(t, []int{1, 8, 3}, []int{parts[0].Requests, parts[1].Requests, parts[2].Requests})
		require.Equal(t, bytes, first.bytes)
		planned := New("Chip", engine.New(), s).Attend(parts, graph.Uniform(graph.BF16)).Time
		require.InEpsilon(t, float64(planned)/float64(units.Second), s.Clock.Clock.Nanoseconds(first.cycles)*1e-9, 1e-3, library)
		require.EqualValues(t, g.MACs(), c.sum.macs)
	}
}
