package graph

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A residual block: the input of the block lives until the addition, a view keeps its
// operand alive, the output until the end.
func TestLifetimesOfAResidualBlock(t *testing.T) {
	b := NewBuilder("block")
	x := b.Input("input", 1, 4, 8, 8)               // 256 bytes
	a := b.Conv("conv1", x, SquareConv(4, 1, 1, 0)) // 256
	r := b.Elementwise("relu1", "relu", a)          // 256
	c := b.Conv("conv2", r, SquareConv(4, 1, 1, 0)) // 256
	s := b.Add("add", c, r)                         // 256
	f := b.Reshape("flatten", s, 1, 256)            // a view
	y := b.Linear("fc", f, 10)                      // 10
	b.Output(y)
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(Uniform(Int8))

	l, err := g.Lifetimes(nil)
	require.NoError(t, err)
	require.Equal(t, Lifetime{Storage: x, Bytes: 256, Born: -1, First: 0, Last: 0, Before: true}, l.Of[x])
	require.Equal(t, Lifetime{Storage: r, Bytes: 256, Born: 1, First: 2, Last: 3}, l.Of[r])
	require.Equal(t, Lifetime{Storage: s, Bytes: 256, Born: 3, First: 5, Last: 5}, l.Of[f], "a view is its operand")
	require.Equal(t, Lifetime{Storage: y, Bytes: 10, Born: 5, First: 5, Last: 5, After: true}, l.Of[y])
	activations := func(id TensorID) bool { return g.Tensor(id).Role != Weight }
	require.Equal(t, []int64{512, 512, 512, 768, 256, 266}, l.Live(activations))
	bytes, step := l.Peak(activations)
	require.Equal(t, []int64{768, 3}, []int64{bytes, int64(step)})
	bytes, _ = l.Peak(func(id TensorID) bool { return g.Tensor(id).Role == Weight })
	require.Equal(t, int64(2560), bytes)

	// With relu1 applied on conv1's way out, its operand never exists; the view has no
	// step.
	l, err = g.Lifetimes([][]int{{0, 1}, {2}, {3}, {5}})
	require.NoError(t, err)
	require.True(t, l.Of[a].Inside)
	require.Equal(t, []int64{512, 512, 768, 266}, l.Live(activations))

	// A core that only does conv2 gets its operand from another and hands its result on.
	l, err = g.Lifetimes([][]int{{2}})
	require.NoError(t, err)
	require.Equal(t, Lifetime{Storage: r, Bytes: 256, Born: -1, Before: true, After: false}, l.Of[r])
	require.Equal(t, Lifetime{Storage: c, Bytes: 256, After: true}, l.Of[c])

	for text, order := range map[string][][]int{
		"step 0 is operator 9 of 6":                       {{9}},
		"conv1 is in steps 0 and 1":                       {{0}, {0}},
		"conv2 reads relu1 in step 0, which step 1 makes": {{2}, {0, 1}},
	} {
		_, err := g.Lifetimes(order)
		require.EqualError(t, err, text)
	}
}

// A cache is there before and afterwards; writing to it is a use.
func TestLifetimesOfACache(t *testing.T) {
	b := NewBuilder("decode")
	cache := b.Cache("k", 4, 8)
	x := b.Input("x", 1, 8)
	b.Into("append", Move{Func: "append", Elements: 8}, []TensorID{x}, cache)
	b.Output(b.MatMul("scores", x, cache, MatMul{Batch: 1, M: 1, N: 4, K: 8}, 1, 4))
	g, err := b.Graph()
	require.NoError(t, err)
	l, err := g.Lifetimes(nil)
	require.NoError(t, err)
	require.Equal(t, Lifetime{Storage: cache, Bytes: g.Tensor(cache).Bytes(), Born: -1, First: 0, Last: 1, Before: true, After: true}, l.Of[cache])
}

// Against a search over all steps, on random graphs in random legal orders.
func TestLifetimesTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBuilder("random")
		ids := []TensorID{b.Input("in", 7)}
		n := rapid.IntRange(1, 12).Draw(t, "ops")
		for i := range n {
			pick := func(what string) TensorID { return rapid.SampledFrom(ids).Draw(t, fmt.Sprint(what, i)) }
			name := fmt.Sprint("op", i)
			switch rapid.IntRange(0, 3).Draw(t, fmt.Sprint("kind", i)) {
			case 0:
				ids = append(ids, b.Reshape(name, pick("a"), 7))
			case 1:
				ids = append(ids, b.Op(name, Move{Func: "pad", Elements: 7}, []TensorID{pick("a")}, 7))
			default:
				ids = append(ids, b.Op(name, Elementwise{Func: "add", Elements: 7, Inputs: 2, OpsPer: 1}, []TensorID{pick("a"), pick("b")}, 7))
			}
		}
		b.Output(ids[len(ids)-1])
		g, err := b.Graph()
		require.NoError(t, err)
		// Cut the order of the graph into steps; leave a head and a tail out.
		order := [][]int{}
		from := rapid.IntRange(0, n-1).Draw(t, "from")
		to := rapid.IntRange(from, n).Draw(t, "to")
		for i := from; i < to; i++ {
			if len(order) == 0 || rapid.Bool().Draw(t, fmt.Sprint("cut", i)) {
				order = append(order, nil)
			}
			order[len(order)-1] = append(order[len(order)-1], i)
		}
		l, err := g.Lifetimes(order)
		require.NoError(t, err)

		root := func(id TensorID) TensorID {
			for i := len(g.Ops) - 1; i >= 0; i-- {
				if op := &g.Ops[i]; op.IsView() && op.Out[0] == id {
					id = op.In[0]
				}
			}
			return id
		}
		touch := map[TensorID][][3]bool{} // by step: made, read; the third: read outside
		for i := range g.Tensors {
			touch[TensorID(i)] = make([][3]bool, len(order)+1)
		}
		stepOf := func(op int) int {
			for s, ops := range order {
				for _, o := range ops {
					if o == op {
						return s
					}
				}
			}
			return len(order)
		}
		for i := range g.Ops {
			op := &g.Ops[i]
			if op.IsView() {
				if g.Tensor(op.Out[0]).Role == Output {
					touch[root(op.In[0])][len(order)][1] = true
				}
				continue
			}
			for _, id := range op.In {
				touch[root(id)][stepOf(i)][1] = true
			}
			touch[op.Out[0]][stepOf(i)][0] = true
			if g.Tensor(op.Out[0]).Role == Output {
				touch[op.Out[0]][len(order)][1] = true
			}
		}
		want := make([]int64, len(order))
		for i := range g.Tensors {
			steps := touch[TensorID(i)]
			first, last, made, reads := -1, -1, -1, 0
			for s := range order {
				if steps[s][0] || steps[s][1] {
					if first < 0 {
						first = s
					}
					last = s
				}
				if steps[s][0] {
					made = s
				}
				if steps[s][1] {
					reads++
				}
			}
			after := made >= 0 && steps[len(order)][1]
			if first < 0 || made >= 0 && made == last && reads == 1 && !after {
				continue
			}
			if after {
				last = len(order) - 1
			}
			for s := first; s <= last; s++ {
				want[s] += g.Tensor(TensorID(i)).Bytes()
			}
		}
		require.Equal(t, want, l.Live(nil))
	})
}
