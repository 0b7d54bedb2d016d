package parallel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// What a rank keeps for its backward passes, in bytes: Korthikanti et al., arXiv 2205.05198,
// equations 1 to 6, without dropout. That leaves two masks of a byte out of 34 s b h, and of
// 5 a s^2 b the mask and the scores after it.
func TestActivationsByHand(t *testing.T) {
	const s, b, h, a, words = 16, 2, 32, 4, 128
	const sbh, scores = s * b * h, 2 * a * s * s * b
	const head = 2*sbh + 2*sbh + 2*s*b*words // inputs of the last norm and of the head, probabilities
	held := func(layers int, grid Grid, c Training) (all []int64) {
		c.Chunks, c.Optimizer, c.Gradients = max(c.Chunks, 1), "adam", graph.FP32
		g, err := zoo.GPT{Name: "small", Layers: layers, Heads: a, HeadSize: h / a, Words: words, Positions: s}.Graph(zoo.Params{Batch: b, Sequence: s, Context: s})
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.FP16))
		step, err := Train(g, grid, c)
		require.NoError(t, err)
		for r := range grid.Ranks() {
			all = append(all, step.Held(r))
		}
		return all
	}
	layer := map[string]int64{RecomputeNone: 32*sbh + scores, RecomputeSelective: 32 * sbh, RecomputeFull: 2 * sbh}
	split := map[string]int64{RecomputeNone: (8+24/4)*sbh + scores/4, RecomputeSelective: (8 + 24/4) * sbh, RecomputeFull: 2 * sbh}
	// The publication keeps parts of what goes into products and gathers them again; here the
	// whole is kept, which is 2 s b h for attention and for the MLP.
	tokens := map[string]int64{RecomputeNone: (4+28/4)*sbh + scores/4, RecomputeSelective: (4 + 28/4) * sbh, RecomputeFull: 2 * sbh / 4}
	// Products in fp8 keep their operands in one byte: of the results of both norms, of attention
	// and of the activation, of which 7 of 32 bytes go.
	for how, saved := range map[string]int64{RecomputeNone: 7 * sbh, RecomputeSelective: 7 * sbh, RecomputeFull: 0} {
		c := Training{Microbatches: 1, Recompute: how, Schedule: OneFOneB, Cast: true, Products: graph.FP8}
		require.Equal(t, layer[how]-saved, held(3, Grid{1, 1, 1}, c)[0]-held(2, Grid{1, 1, 1}, c)[0], how)
	}
	for _, how := range Recomputes {
		c := Training{Microbatches: 1, Recompute: how, Schedule: OneFOneB}
		require.Equal(t, []int64{3*layer[how] + head}, held(3, Grid{1, 1, 1}, c), how)
		require.Equal(t, split[how], held(3, Grid{4, 1, 1}, c)[0]-held(2, Grid{4, 1, 1}, c)[0], how)
		c.Sequence = true
		require.Equal(t, tokens[how], held(3, Grid{4, 1, 1}, c)[0]-held(2, Grid{4, 1, 1}, c)[0], how)
		// With 1f1b as many microbatches are under way as there are stages after, and one; with
		// GPipe all.
		c = Training{Microbatches: 8, Recompute: how, Schedule: OneFOneB}
		l := layer[how]
		require.Equal(t, []int64{4 * l, 3 * l, 2 * l, l + head}, held(4, Grid{1, 1, 4}, c), how)
		c.Schedule = GPipe
		require.Equal(t, []int64{8 * l, 8 * l, 8 * l, 8 * (l + head)}, held(4, Grid{1, 1, 4}, c), how)
		// Interleaved: (1 + (p - 1) / (p chunks)) times the layers of the model.
		c = Training{Microbatches: 4, Recompute: how, Schedule: Interleaved, Chunks: 2}
		require.Equal(t, 8*l+8*l/4, held(8, Grid{1, 1, 2}, c)[0], how)
	}
}
