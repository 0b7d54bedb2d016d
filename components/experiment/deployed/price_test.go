package deployed

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// counter is a chip whose operators take a time for each multiply-accumulate and nothing else.
type counter struct {
	work.Pricer
	kernels int // with multiply-accumulates
}

func (c *counter) Price(g *graph.Graph, i int) work.Cost {
	n := g.Ops[i].MACs()
	if n > 0 {
		c.kernels++
	}
	return work.Cost{Time: units.Time(n)}
}

var small = zoo.Decoder{Name: "small", Layers: 3, Hidden: 64, Heads: 4, KVHeads: 2, FF: 128, Words: 1000}

var bf16 = Types{Weight: graph.BF16, Attention: graph.BF16, Experts: graph.BF16, Shared: graph.BF16, Token: graph.BF16, KV: graph.BF16}

func batchOf(decodes, context, prompts, tokens int) (b work.Batch) {
	if decodes > 0 {
		b.Groups = append(b.Groups, zoo.Group{Requests: decodes, Tokens: 1, Context: context, Sample: true})
	}
	if prompts > 0 {
		b.Groups = append(b.Groups, zoo.Group{Requests: prompts, Tokens: tokens, Context: tokens, Sample: true})
	}
	return b
}

// All multiply-accumulates of a step are priced, those of a layer of each kind for all that are like
// it, and products of one input are one kernel: queries, keys and values; attention; the output; gate
// and up; down; the head.
func TestStepHasAllProducts(t *testing.T) {
	c := &counter{}
	p, err := New(small, Layout{}, bf16, "balanced", c)
	require.NoError(t, err)
	got, err := p.Step(batchOf(8, 128, 0, 0))
	require.NoError(t, err)
	g, err := small.Graph(zoo.Params{Batch: 8, Phase: zoo.Decode, Context: 128})
	require.NoError(t, err)
	require.EqualValues(t, g.MACs(), got)
	require.Equal(t, 6, c.kernels)
	kernels := c.kernels
	again, err := p.Step(batchOf(8, 128, 0, 0))
	require.NoError(t, err)
	require.Equal(t, got, again)
	require.Equal(t, kernels, c.kernels, "equal steps are priced once")
}

// Ranks divide the work: two ranks have half of it, but for what all have.
func TestRanksDivideWork(t *testing.T) {
	whole, err := New(small, Layout{}, bf16, "balanced", &counter{})
	require.NoError(t, err)
	half, err := New(small, Layout{Tensor: 2}, bf16, "balanced", &counter{})
	require.NoError(t, err)
	data, err := New(small, Layout{Data: 2}, bf16, "balanced", &counter{})
	require.NoError(t, err)
	b := batchOf(8, 128, 2, 64)
	one, err := whole.Step(b)
	require.NoError(t, err)
	two, err := half.Step(b)
	require.NoError(t, err)
	require.EqualValues(t, one, 2*two)
	two, err = data.Step(b)
	require.NoError(t, err)
	require.EqualValues(t, one, 2*two)
}

// A layout whose attention and experts have unlike ranks, or a machine with too few chips, is cut
// down or refused.
func TestLayouts(t *testing.T) {
	require.Equal(t, Layout{Tensor: 8, Pipeline: 1, Data: 1, Expert: 8, ExpertTensor: 1, Machine: 8}, Layout{Tensor: 64, ExpertTensor: 8, Expert: 8, Machine: 8}.Normal())
	require.Equal(t, Layout{Tensor: 4, Pipeline: 1, Data: 1, Expert: 4, ExpertTensor: 1, Machine: 8}, Layout{Tensor: 16, ExpertTensor: 4, Expert: 4, Machine: 8}.Normal(), "4 x 4 ranks are those of 4 chips")
	require.Equal(t, Layout{Tensor: 4, Pipeline: 1, Data: 1, Expert: 4, ExpertTensor: 1, Machine: 8}, Layout{Tensor: 4, Data: 4, Expert: 16, Machine: 8}.Normal())
	require.Equal(t, Layout{Tensor: 1, Pipeline: 1, Data: 8, Expert: 8, ExpertTensor: 1, Machine: 8}, Layout{Data: 64, ExpertTensor: 8, Expert: 8, Machine: 8}.Normal())
	require.Equal(t, Layout{Tensor: 8, Pipeline: 1, Data: 1, Expert: 8, ExpertTensor: 1, Machine: 8}, Layout{Tensor: 32, Expert: 32, Machine: 8}.Normal())
	require.Equal(t, Layout{Tensor: 1, Pipeline: 1, Data: 8, Expert: 8, ExpertTensor: 1}, Layout{Tensor: 1, Data: 8, Expert: 8}.Normal())
	require.Equal(t, 8, Layout{Tensor: 9, Machine: 8}.Chips(), "9 ranks that share no experts are no 3 x 3")
	mixture := small
	mixture.Experts, mixture.ActiveExperts = 6, 2
	_, err := New(mixture, Layout{Tensor: 4, Expert: 4}, bf16, "balanced", &counter{})
	require.ErrorContains(t, err, "6 experts are not shared evenly by 4 ranks")
	_, err = New(mixture, Layout{}, bf16, "frob", &counter{})
	require.NoError(t, err)
}

// stages is a chip as counter, whose transfers take a nanosecond for each element besides.
type stages struct{ counter }

func (c *stages) Price(g *graph.Graph, i int) work.Cost {
	x := c.counter.Price(g, i)
	if _, ok := g.Ops[i].Kind.(graph.Exchange); ok {
		x.Time += units.Time(g.Tensor(g.Ops[i].In[0]).Elements())
	}
	return x
}

// Four stages: a step takes what a micro-batch of a fourth of the requests takes in all layers, and
// three transfers of its activations.
func TestPipelineDividesRequests(t *testing.T) {
	whole, err := New(small, Layout{}, bf16, "balanced", &stages{})
	require.NoError(t, err)
	four, err := New(small, Layout{Pipeline: 4}, bf16, "balanced", &stages{})
	require.NoError(t, err)
	micro, err := whole.Step(batchOf(2, 128, 0, 0))
	require.NoError(t, err)
	got, err := four.Step(batchOf(8, 128, 0, 0))
	require.NoError(t, err)
	require.EqualValues(t, micro+3*four.transfer("all_gather", 2*2*64, 2), got)
	require.Positive(t, four.transfer("all_gather", 2*2*64, 2))
}

// Two groups of requests step together: a step takes as long as the group with the most to do, and the
// experts compute the tokens of both. A prompt of one group is not a prompt of each.
func TestGroupsStepTogether(t *testing.T) {
	mixture := small
	mixture.Experts, mixture.ActiveExperts = 8, 2
	p, err := New(mixture, Layout{Data: 2, Expert: 2}, bf16, "balanced", &counter{})
	require.NoError(t, err)
	step := func(all ...work.Batch) float64 {
		n, err := p.Step(all...)
		require.NoError(t, err)
		return float64(n)
	}
	none, one, decodes := work.Batch{}, batchOf(0, 0, 1, 128), batchOf(8, 128, 0, 0)
	experts := func(tokens int) float64 {
		n, err := p.shared(tokens)
		require.NoError(t, err)
		return float64(n)
	}
	require.Greater(t, experts(256), 1.9*experts(128))
	require.InDelta(t, step(one, one)-step(one, none), experts(256)-experts(128), 1)
	require.InDelta(t, step(one, decodes)-step(one, none), experts(136)-experts(128), 1, "tokens beside a prompt wait for it")
	require.Equal(t, step(one, none), step(batchOf(0, 0, 1, 128)), "shared evenly, as far as prompts go")
	require.Equal(t, step(one, one), step(batchOf(0, 0, 2, 128)))
	require.Equal(t, step(decodes, decodes), step(batchOf(16, 128, 0, 0)))
	require.Zero(t, step(none, none))
}

// vector is a chip whose operators without multiply-accumulates take 1 ns, as does a product whose input is
// quantised by the kernel before it. Other products take 10.
type vector struct{ work.Pricer }

func (vector) Price(g *graph.Graph, i int) work.Cost {
	switch g.Ops[i].Kind.(type) {
	case graph.MatMul:
		return work.Cost{Time: 10}
	case graph.Attention, graph.Gather, graph.Exchange:
		return work.Cost{}
	}
	return work.Cost{Time: 1}
}

func (vector) PriceQuantised(*graph.Graph, int) (units.Time, bool) { return 1, true }

// Where all is fused, a layer on two ranks has six kernels: products of queries, keys and values, of the output, of gates, and
// down, the activation, and nothing else. Norms take in sums, but rotary embeddings, the write of keys and values,
// and both sums are kernels of their own; so is the quantisation of what attention leaves, and by blocks of
// each product's input.
func TestFusion(t *testing.T) {
	step := func(f Fusion, weight graph.DType) units.Time {
		types := bf16
		types.Weight, types.Attention = weight, weight
		p, err := New(small, Layout{Tensor: 2}, types, "balanced", vector{})
		require.NoError(t, err)
		p.Fuse(f)
		got, err := p.Step(batchOf(8, 128, 0, 0))
		require.NoError(t, err)
		return got
	}
	const head = 1 // of the language model
	require.EqualValues(t, 3*(4+1)+head, step("", graph.FP8))
	require.Equal(t, step("", graph.FP8), step(FuseAll, graph.FP8))
	require.EqualValues(t, 3*(4+1+2+2+9)+head, step(FuseNorms, graph.FP8), "only the output's input is quantised apart")
	require.EqualValues(t, 3*(4+1+2+2+4*9)+head, step(FuseNorms, graph.FP8Block))
	require.EqualValues(t, 3*(4+1+2+2)+head, step(FuseNorms, graph.BF16))
	require.ErrorContains(t, Fusion("some").Check(), `unknown value "some" (want one of: all, norms)`)
}
