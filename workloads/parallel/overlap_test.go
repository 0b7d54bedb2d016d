package parallel

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Parts do what the whole did: multiply-accumulates, weights and bytes of collectives are
// conserved, and every collective but those of one row goes in parts.
func TestOverlappedConserves(t *testing.T) {
	g, err := zoo.Build("gpt2", zoo.Params{Sequence: 64})
	require.NoError(t, err)
	for _, sequence := range []bool{false, true} {
		s, err := Tensor(g, Tensors{Ranks: 4, Sequence: sequence, Among: graph.Ranks{Stride: 1, Count: 4}})
		require.NoError(t, err)
		out, done, err := Overlapped(s.Graph, 2)
		require.NoError(t, err)
		require.Equal(t, s.Graph.MACs(), out.MACs())
		require.Equal(t, s.Graph.Bytes(graph.Weight), out.Bytes(graph.Weight))
		bytes, count := map[string]int64{}, 0
		for k, g := range []*graph.Graph{s.Graph, out} {
			for i := range g.Ops {
				if t, ok := g.Ops[i].Kind.(graph.Transfer); ok {
					bytes[t.Func] += t.Bytes * int64(1-2*k)
					count += 1 - 2*k
				}
			}
		}
		for name, left := range bytes {
			require.Zero(t, left, name)
		}
		require.Equal(t, -done, count, "each of them is two")
		require.Greater(t, done, 2*12-1)
		staged, _, err := Staged(out, 4)
		require.NoError(t, err, "T3 goes on top")
		require.Equal(t, g.MACs()/4, staged.MACs()-(s.Graph.MACs()-g.MACs()/4))
	}
	one, err := zoo.Build("gpt2", zoo.Params{Phase: "decode", Context: 64})
	require.NoError(t, err)
	s, err := Tensor(one, Tensors{Ranks: 4, Among: graph.Ranks{Stride: 1, Count: 4}})
	require.NoError(t, err)
	_, done, err := Overlapped(s.Graph, 2)
	require.EqualError(t, err, "gpt2: no collective goes in 2 parts by tokens")
	require.Zero(t, done)
}

// Ranks whose steps go in parts, and whose products go in stages, come to what the model
// comes to, with real numbers.
func TestOverlappedComputesTheModel(t *testing.T) {
	g := small(8, 4, 2, 41) // the vocabulary does not divide: nothing is gathered
	r := rand.New(rand.NewPCG(1, 2))
	given := map[graph.TensorID][]float64{}
	for i := range g.Tensors {
		x := &g.Tensors[i]
		v := make([]float64, x.Elements())
		for k := range v {
			if v[k] = r.Float64() - 0.5; x.Role == graph.Input {
				v[k] = float64(r.IntN(41))
			}
		}
		if x.Role == graph.Weight || x.Role == graph.Input {
			given[graph.TensorID(i)] = v
		}
	}
	one := machine{g: g, ranks: 1}
	one.run(t, g, given)
	for _, c := range []struct{ parts, stages int }{{2, 0}, {4, 0}, {0, 2}, {2, 4}} {
		s, err := Tensor(g, Tensors{Ranks: 2, Among: graph.Ranks{Stride: 1, Count: 2}})
		require.NoError(t, err)
		out := s.Graph
		if c.parts > 0 {
			out, _, err = Overlapped(out, c.parts)
			require.NoError(t, err)
		}
		if c.stages > 0 {
			out, _, err = Staged(out, c.stages)
			require.NoError(t, err)
		}
		cuts := s.Cuts
		for i := len(cuts); i < len(out.Tensors); i++ {
			cuts = append(cuts, Cut{Parts: 1})
		}
		many := machine{g: out, cuts: cuts, ranks: 2}
		many.run(t, g, given)
		checked := 0
		for i := range s.Graph.Tensors {
			if s.Graph.Tensors[i].Role == graph.Output {
				require.InDeltaSlice(t, one.at[0][s.Cuts[i].Of], many.at[1][i], 1e-9, "%+v", c)
				checked++
			}
		}
		require.Equal(t, 1, checked)
	}
}

// Parts and stages lie where the whole does, and who reads the whole finds it there.
func TestPartsLieInTheWhole(t *testing.T) {
	g, err := zoo.Build("gpt2", zoo.Params{Sequence: 64})
	require.NoError(t, err)
	s, err := Tensor(g, Tensors{Ranks: 4, Among: graph.Ranks{Stride: 1, Count: 4}})
	require.NoError(t, err)
	for name, cut := range map[string]func(*graph.Graph, int) (*graph.Graph, int, error){".parts": Overlapped, ".all_reduce": Staged} {
		out, _, err := cut(s.Graph, 2)
		require.NoError(t, err)
		at, joins := out.Storage(), 0
		for i := range out.Ops {
			op := &out.Ops[i]
			m, ok := op.Kind.(graph.Move)
			switch {
			case ok && m.Func == "concat" && m.Elements == 0 && strings.HasSuffix(op.Name, name):
				joins++
				half := out.Tensor(op.Out[0]).Bytes() / 2
				for k, id := range op.In {
					require.Equal(t, graph.Stored{In: op.Out[0], Offset: int64(k) * half, Part: true}, at[id], out.Tensor(id).Name)
				}
			case ok && m.Func == "slice" && m.From > 0:
				require.Equal(t, at[op.In[0]].Offset+out.Tensor(op.Out[0]).Bytes(), at[op.Out[0]].Offset, op.Name)
			}
		}
		require.Positive(t, joins, name)
	}
}
