package parallel

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Buckets of gradients, against their rules: those that a step has made from an operator on, in the order in which they were
// done, experts after the others and apart; a bucket is closed when it has so many bytes, and each gradient is in one.
func TestBucketsOfGradients(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s stage
		s.Gradients, s.Bucket = graph.FP32, int64(rapid.SampledFrom([]int{0, 1, 100, 1000}).Draw(t, "bucket"))
		from := rapid.IntRange(0, 5).Draw(t, "from")
		for i := range rapid.IntRange(0, 12).Draw(t, "weights") {
			s.weights = append(s.weights, &weight{name: fmt.Sprint(i), elements: rapid.Int64Range(1, 80).Draw(t, "elements"), expert: rapid.Bool().Draw(t, "expert"),
				begun: rapid.IntRange(0, 3).Draw(t, "begun") > 0, done: rapid.IntRange(0, 20).Draw(t, "done")})
		}
		var want []*weight
		for _, w := range s.weights {
			if w.begun && w.done >= from {
				want = append(want, w)
			}
		}
		slices.SortStableFunc(want, func(a, b *weight) int {
			if a.expert != b.expert {
				return map[bool]int{false: -1, true: 1}[a.expert]
			}
			return a.done - b.done
		})
		var got []*weight
		all := s.buckets(from)
		for k, b := range all {
			elements := int64(0)
			for i, w := range b.weights {
				require.Equal(t, b.expert, w.expert)
				if s.Bucket > 0 && i > 0 {
					require.Less(t, 4*elements, s.Bucket, "it was full")
				}
				elements += w.elements
			}
			require.Equal(t, elements, b.elements)
			if k+1 < len(all) && all[k+1].expert == b.expert {
				require.True(t, s.Bucket > 0 && 4*elements >= s.Bucket, "it was not full")
			}
			got = append(got, b.weights...)
		}
		require.Equal(t, want, got)
	})
}

// Stages begin with layers, in order, none without one; each border lies where the middle of a layer passes the share of
// the work before it. Operators before the first layer go with it.
func TestStagesBeginWithLayers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := graph.NewBuilder("m")
		x := b.Input("x", 4, 8)
		x = b.Elementwise("before", "relu", x)
		layers := rapid.IntRange(1, 9).Draw(t, "layers")
		work := make([]float64, layers)
		last := 8
		for l := range layers {
			for k := range rapid.IntRange(1, 3).Draw(t, "products") {
				n := rapid.IntRange(1, 60).Draw(t, "columns")
				x = b.Linear(fmt.Sprintf("L%d.fc%d", l, k), x, n)
				work[l] += float64(4 * last * n)
				last = n
			}
			x = b.Elementwise(fmt.Sprintf("L%d.act", l), "relu", x)
		}
		x = b.Linear("after", x, 3)
		work[layers-1] += float64(4 * last * 3)
		b.Output(x)
		g, err := b.Graph()
		require.NoError(t, err)
		n := rapid.IntRange(1, layers).Draw(t, "stages")
		of, err := stagesOfLayers(g, n)
		require.NoError(t, err)
		stage := make([]int, layers)
		for i := range g.Ops {
			l, ok := graph.LayerOf(g.Ops[i].Name)
			switch {
			case !ok && g.Ops[i].Name == "after":
				l = layers - 1
			case !ok:
				l = 0
			}
			if g.Ops[i].Name == fmt.Sprintf("L%d.act", l) {
				stage[l] = of[i]
			}
			require.True(t, i == 0 || of[i] == of[i-1] || of[i] == of[i-1]+1, "stages are in order")
			require.True(t, i == 0 || of[i] == of[i-1] || g.Ops[i].Name == fmt.Sprintf("L%d.fc0", l), "a stage begins with a layer")
		}
		require.Equal(t, n-1, of[len(of)-1])
		total, done := 0.0, 0.0
		for _, w := range work {
			total += w
		}
		for l, w := range work {
			if l > 0 {
				passes, few := done+w/2 >= total*float64(stage[l-1]+1)/float64(n), layers-l <= n-1-stage[l-1]
				require.Equal(t, stage[l-1] < n-1 && (passes || few), stage[l] > stage[l-1], "layer %d", l)
			}
			done += w
		}
		_, err = stagesOfLayers(g, layers+1)
		require.ErrorContains(t, err, fmt.Sprintf("m: %d stages of %d layers", layers+1, layers))
	})
}

// Weights with gradients that go late are in the last bucket of their chunk; without such buckets, and of experts, each goes
// where it is done.
func TestLastBuckets(t *testing.T) {
	var s stage
	s.Last, s.Gathered, s.Products, s.Gradients, s.Bucket = true, true, graph.FP8, graph.FP32, 100
	product := func(name string, chunk, done int) *weight {
		return &weight{name: name, elements: 30, shape: []int{5, 6}, dtype: graph.BF16, chunk: chunk, done: done, begun: true}
	}
	norm := func(name string, chunk, done int) *weight {
		return &weight{name: name, elements: 5, shape: []int{5}, dtype: graph.BF16, chunk: chunk, done: done, begun: true}
	}
	expert := product("L0.E0.up", 0, 2)
	expert.expert = true
	s.weights = []*weight{norm("L0.norm", 0, 0), product("L0.a", 0, 1), expert, product("L0.b", 0, 3), norm("L1.norm", 1, 4), norm("L0.last", 0, 5)}
	names := func() (out [][]string) {
		for _, b := range s.buckets(0) {
			var n []string
			for _, w := range b.weights {
				n = append(n, w.name)
			}
			out = append(out, n)
		}
		return out
	}
	require.Equal(t, [][]string{{"L0.a"}, {"L0.b", "L0.norm", "L0.last"}, {"L1.norm"}, {"L0.E0.up"}}, names(), "chunk 1 has no bucket of its own")
	s.Last = false
	require.Equal(t, [][]string{{"L0.norm", "L0.a"}, {"L0.b"}, {"L1.norm", "L0.last"}, {"L0.E0.up"}}, names())
	require.True(t, s.wide(s.weights[0]))
	require.False(t, s.wide(s.weights[1]))
	s.Gathered = false
	require.True(t, s.wide(s.weights[1]))
}
