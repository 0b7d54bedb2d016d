package parallel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// All of every model stays: operators, multiply-accumulates, parameters; each send has its
// recv of equal bytes at a later stage; and the stages are of about equal work.
func TestPipelineConservesEveryModel(t *testing.T) {
	for _, name := range zoo.All.Names() {
		if name == "gpt3" || name == "llama2_70b" || name == "llama3_70b" {
			continue // as their smaller sisters
		}
		for _, n := range []int{1, 2, 5} {
			g, err := zoo.Build(name, zoo.Params{})
			require.NoError(t, err)
			stages, err := Pipeline(g, n)
			require.NoError(t, err)
			require.Len(t, stages, n)
			seen := map[string]int{}
			type end struct{ from, to, tag int }
			sent := map[end]int64{}
			var macs, most int64
			for s, x := range stages {
				macs += x.MACs()
				most = max(most, x.MACs())
				for i := range x.Ops {
					op := &x.Ops[i]
					k, ok := op.Kind.(graph.Transfer)
					switch {
					case !ok:
						if !isView(op) {
							seen[op.Name]++
						}
					case k.Func == "send":
						require.Greater(t, k.Peer, s)
						require.Equal(t, x.Tensor(op.In[0]).Bytes(), k.Bytes)
						sent[end{s, k.Peer, k.Tag}] = k.Bytes
					default:
						e := end{k.Peer, s, k.Tag}
						require.Equal(t, sent[e], k.Bytes, "%s: %s", name, op.Name)
						delete(sent, e)
					}
				}
			}
			require.Empty(t, sent)
			require.Equal(t, g.MACs(), macs)
			ops := 0
			var biggest int64
			for i := range g.Ops {
				biggest = max(biggest, g.Ops[i].MACs())
				if !isView(&g.Ops[i]) {
					ops++
					require.Equal(t, 1, seen[g.Ops[i].Name], "%s: %s", name, g.Ops[i].Name)
				}
			}
			require.Len(t, seen, ops)
			require.LessOrEqual(t, most, macs/int64(n)+biggest, "%s in %d stages", name, n)
		}
	}
}

// A skip connection over a stage border is sent once, and past a stage that does not read it.
func TestPipelineByHand(t *testing.T) {
	b := graph.NewBuilder("skip")
	x := b.Input("x", 1, 8)
	y := b.Linear("a", x, 8)
	z := b.Linear("b", y, 8)
	v := b.Reshape("view", z, 8, 1)
	z = b.Linear("c", b.Reshape("back", v, 1, 8), 8)
	b.Output(b.Add("add", z, y))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	stages, err := Pipeline(g, 3)
	require.NoError(t, err)
	names := func(g *graph.Graph) (out []string) {
		for i := range g.Ops {
			out = append(out, g.Ops[i].Name)
		}
		return out
	}
	require.Equal(t, []string{"a", "send a to 1", "send a to 2"}, names(stages[0]))
	require.Equal(t, []string{"recv a from 0", "b", "send b to 2"}, names(stages[1]))
	require.Equal(t, []string{"recv a from 0", "recv b from 1", "view", "back", "c", "add"}, names(stages[2]))
	_, err = Pipeline(g, 5)
	require.EqualError(t, err, "skip: 5 stages of 4 operators")
}
