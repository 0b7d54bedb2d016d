package parallel

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// decoding is a decoder of one layer that computes the last tokens of each request, with
// attention as one operator.
func decoding(t *testing.T, batch, heads, kv, keys, tokens int) *graph.Graph {
	d := zoo.Decoder{Name: "small", Layers: 1, Hidden: heads * 6, Heads: heads, KVHeads: kv, FF: 24, Words: 40, MaxContext: 64, Positions: 64}
	p := zoo.Params{Batch: batch, Sequence: tokens, Context: keys}
	if tokens == 1 {
		p.Phase = zoo.Decode
	}
	g, err := d.Graph(p)
	require.NoError(t, err)
	return g.FuseAttention(g.Chains())
}

// drawn are numbers for all that is there before a graph runs.
func drawn(g *graph.Graph, r *rand.Rand) map[graph.TensorID][]float64 {
	out := map[graph.TensorID][]float64{}
	for i := range g.Tensors {
		x := &g.Tensors[i]
		if x.Role != graph.Weight && x.Role != graph.Input && x.Role != graph.KV {
			continue
		}
		v := make([]float64, x.Elements())
		for k := range v {
			if v[k] = 4 * (r.Float64() - 0.5); x.Role == graph.Input {
				v[k] = float64(r.IntN(40))
			}
		}
		out[graph.TensorID(i)] = v
	}
	return out
}

// shares are the parts of drawn numbers that a rank has.
func shares(s *Shard, of *graph.Graph, given map[graph.TensorID][]float64, rank, ranks int) [][]float64 {
	at := make([][]float64, len(s.Graph.Tensors))
	for i, c := range s.Cuts {
		x, ok := given[c.Of]
		if role := s.Graph.Tensors[i].Role; !ok || role != graph.Weight && role != graph.Input && role != graph.KV {
			continue
		}
		shape := of.Tensors[c.Of].Shape
		x = append([]float64(nil), piece(x, shape, c, rank, ranks)...)
		if c.Keys > 0 {
			size := shape[3]
			var own []float64
			for e := 0; e < len(x)/size; e++ {
				if e%shape[2]%c.Keys == rank%c.Keys {
					own = append(own, x[e*size:(e+1)*size]...)
				}
			}
			x = own
		}
		at[i] = x
	}
	return at
}

// Ranks that share keys by tokens come to what the model comes to, with real numbers, of one
// token of each request and of parts of prompts; each keeps its own new tokens, and entries that
// do not divide are one more on some. The first queries of a prompt see none on some ranks.
func TestHelixComputesTheModel(t *testing.T) {
	for _, c := range []struct{ batch, heads, kv, keys, tensor, by, overlap, tokens int }{{3, 8, 4, 24, 1, 4, 0, 1}, {2, 8, 4, 25, 2, 2, 0, 1}, {1, 8, 2, 7, 2, 4, 0, 1}, {2, 12, 4, 9, 4, 3, 0, 1}, {2, 8, 1, 8, 1, 8, 0, 1},
		{4, 8, 4, 25, 2, 2, 2, 1}, {8, 8, 4, 25, 2, 2, 4, 1}, {4, 8, 2, 9, 1, 4, 4, 1},
		{1, 8, 4, 24, 1, 4, 0, 24}, {2, 8, 4, 25, 2, 2, 0, 9}, {1, 8, 2, 7, 2, 4, 0, 7}, {3, 12, 4, 11, 4, 3, 0, 5}, {4, 8, 4, 9, 1, 4, 4, 6}} {
		g := decoding(t, c.batch, c.heads, c.kv, c.keys, c.tokens)
		given := drawn(g, rand.New(rand.NewPCG(1, 2)))
		whole := make([][]float64, len(g.Tensors))
		for id, x := range given {
			whole[id] = append([]float64(nil), x...)
		}
		one := cluster{ranks: []*machine{{g: g, ranks: 1}}}
		one.run(t, g, [][][]float64{whole})

		n := c.tensor * c.by
		var many cluster
		var at [][][]float64
		var shards []*Shard
		for r := range n {
			s, err := Tensor(g, Tensors{Ranks: n, Keys: c.by, At: r, Among: graph.Ranks{Stride: 1, Count: n}})
			require.NoError(t, err)
			shards = append(shards, s)
			m := &machine{g: s.Graph, cuts: s.Cuts, ranks: n}
			if c.overlap > 0 {
				done := 0
				if c.overlap == 4 {
					m.g, done, err = Hop(s.Graph, c.overlap)
					require.Equal(t, 1, done, "the exchange alone")
				} else {
					m.g, done, err = Overlapped(s.Graph, c.overlap)
					require.Equal(t, 1+3, done, "the exchange, the sums of the layer and of the words")
				}
				require.NoError(t, err)
				require.Equal(t, s.Graph.MACs(), m.g.MACs())
				for _, what := range []string{"all_to_all", "all_reduce"} {
					require.Equal(t, bytesOf2(s.Graph, what), bytesOf2(m.g, what))
				}
				for len(m.cuts) < len(m.g.Tensors) {
					m.cuts = append(m.cuts, Cut{Of: graph.None, Parts: 1})
				}
			}
			many.ranks = append(many.ranks, m)
			at = append(at, append(shares(s, g, given, r, n), make([][]float64, len(m.g.Tensors)-len(s.Graph.Tensors))...))
		}
		many.run(t, g, at)
		checked := 0
		for r, s := range shards {
			for i := range s.Graph.Tensors {
				if s.Graph.Tensors[i].Role == graph.Output {
					require.InDeltaSlice(t, one.ranks[0].at[0][s.Cuts[i].Of], many.ranks[r].at[r][i], 1e-12, "%+v", c)
					checked++
				}
			}
		}
		require.Equal(t, n, checked)
	}
}

// What ranks have adds up: products with weights that all share, entries of caches, and the
// work on scores; queries, keys and values of new tokens are made by each of the ranks that
// share keys. An all_to_all takes the sums of the rank's query heads and four bytes for each.
func TestHelixConservesModels(t *testing.T) {
	const batch, keys = 3, 1000
	for _, c := range []struct {
		name       string
		tensor, by int
	}{{"llama3_8b", 1, 8}, {"llama3_8b", 4, 2}, {"llama3_70b", 8, 8}, {"llama3_8b", 2, 7}} {
		g, err := zoo.Build(c.name, zoo.Params{Batch: batch, Phase: zoo.Decode, Context: keys})
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.FP16))
		g = g.FuseAttention(g.Chains())
		n := c.tensor * c.by
		if 32%n != 0 && 64%n != 0 {
			_, err := Tensor(g, Tensors{Ranks: n, Keys: c.by})
			require.ErrorContains(t, err, "heads of queries do not divide by 14 chips")
			continue
		}
		var macs, before, entries, written, weights int64
		var layers, heads int64
		for r := range n {
			s, err := Tensor(g, Tensors{Ranks: n, Keys: c.by, At: r, Among: graph.Ranks{First: 100, Stride: 1, Count: n}})
			require.NoError(t, err)
			require.Empty(t, s.Full)
			macs += s.Graph.MACs()
			weights += s.Graph.Params()
			for i := range s.Graph.Tensors {
				if x := &s.Graph.Tensors[i]; x.Role == graph.KV {
					entries += x.Elements()
				}
			}
			var sent int64
			for i := range s.Graph.Ops {
				switch k := s.Graph.Ops[i].Kind.(type) {
				case graph.Move:
					if k.Func == "append" {
						written += k.Elements
					}
				case graph.Attention:
					layers++
					heads += int64(k.Batch * k.Group)
				case graph.Transfer:
					if k.Func == "all_to_all" {
						sent += k.Bytes
						require.Equal(t, graph.Ranks{First: 100 + r/c.by*c.by, Stride: 1, Count: c.by}, k.Among)
					}
				}
			}
			require.Equal(t, layers/int64(r+1)*batch*int64(qHeads(g)/c.tensor)*(128*2+4), sent)
		}
		require.Equal(t, layers*batch*int64(qHeads(g)/c.tensor), heads)
		var kv, tokens int64
		for i := range g.Tensors {
			if x := &g.Tensors[i]; x.Role == graph.KV {
				kv += x.Elements()
				tokens += x.Elements() / keys
			}
		}
		require.Equal(t, []int64{kv, tokens}, []int64{entries, written})
		for i := range g.Ops { // q, k and v
			if m, ok := g.Ops[i].Kind.(graph.MatMul); ok && isQKV(g.Ops[i].Name) {
				before += int64(m.N) * int64(m.K)
			}
		}
		require.Equal(t, g.MACs()+int64(c.by-1)*batch*before, macs)
		small := int64(n-1) * smallWeights(g)
		require.Equal(t, g.Params()+int64(c.by-1)*before+small, weights)
	}
}

// Latent attention has one head of keys and values, of which all ranks make the queries; the
// products of each head after it, and all later ones, they share.
func TestHelixOfLatents(t *testing.T) {
	const n, batch, keys, heads, rank, turn, plain, value, hidden = 4, 2, 40, 8, 16, 4, 8, 12, 48
	d := zoo.Decoder{Name: "small", Layers: 1, Hidden: hidden, Heads: heads, HeadSize: 12, FF: 64, Words: 40, MaxContext: 64,
		Latent: &zoo.Latent{QueryRank: 20, Rank: rank, Plain: plain, Rotary: turn, Value: value}}
	g, err := d.Graph(zoo.Params{Batch: batch, Phase: zoo.Decode, Context: keys})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.FP16))
	g = g.FuseAttention(g.Chains())
	s, err := Tensor(g, Tensors{Ranks: n, Keys: n, Among: graph.Ranks{Stride: 1, Count: n}})
	require.NoError(t, err)
	require.Empty(t, s.Full)
	require.Empty(t, s.Graph.Notes)
	macs := map[string]int64{}
	for i := range s.Graph.Ops {
		macs[s.Graph.Ops[i].Name] = s.Graph.Ops[i].MACs()
	}
	require.EqualValues(t, batch*heads*plain*rank, macs["L0.q.absorb"], "on each")
	require.EqualValues(t, batch*heads*keys/n*(rank+turn+rank), macs["L0.attention"])
	require.EqualValues(t, batch*heads/n*rank*value, macs["L0.o.absorb"])
	require.EqualValues(t, batch*heads/n*value*hidden, macs["L0.o"])
	bytes, ops := bytesOf(s.Graph, "all_to_all")
	require.Equal(t, []int64{batch * heads * (rank*2 + 4), 1}, []int64{bytes, ops})
}

func isQKV(name string) bool {
	_, rest, _ := cutName(name)
	return rest == "q" || rest == "k" || rest == "v"
}

func cutName(name string) (string, string, bool) {
	for i := range name {
		if name[i] == '.' {
			return name[:i], name[i+1:], true
		}
	}
	return name, "", false
}

// qHeads is the query heads of a layer.
func qHeads(g *graph.Graph) int {
	for i := range g.Ops {
		if _, ok := g.Ops[i].Kind.(graph.Attention); ok {
			return g.Tensor(g.Ops[i].In[0]).Shape[1]
		}
	}
	return 0
}

// smallWeights are those that all ranks have: of norms.
func smallWeights(g *graph.Graph) (n int64) {
	for i := range g.Tensors {
		if x := &g.Tensors[i]; x.Role == graph.Weight && len(x.Shape) == 1 {
			n += x.Elements()
		}
	}
	return n
}

func TestHelixRefuses(t *testing.T) {
	build := func(name string, p zoo.Params) *graph.Graph {
		g, err := zoo.Build(name, p)
		require.NoError(t, err)
		return g.FuseAttention(g.Chains())
	}
	decode := zoo.Params{Phase: zoo.Decode, Context: 64}
	for _, c := range []struct {
		g        *graph.Graph
		ranks, n int
		key, err string
	}{
		{build("llama3_8b", decode), 16, 1, "", ""}, // no keys are shared
		{build("llama3_8b", decode), 32, 2, "tensor", "16 chips have heads of their own of 8 of keys and values (want one of: 1, 2, 4, 8; more chips share keys by kv)"},
		{build("llama3_8b", decode), 12, 3, "tensor", "4 chips"}, // 4 divides 8, 12 does not divide 32
		{build("llama3_8b", zoo.Params{Phase: zoo.Decode, Context: 3}), 8, 4, "kv", "4 chips share 3 tokens (want at least one each)"},
		{build("bert_base", zoo.Params{Sequence: 64}), 4, 4, "kv", "has no attention as one operator over a cache"},
	} {
		_, err := Tensor(c.g, Tensors{Ranks: c.ranks, Keys: c.n})
		if c.key == "" {
			require.NoError(t, err)
			continue
		}
		if c.ranks == 12 {
			c.key, c.err = "kv", "32 heads of queries do not divide by 12 chips, each of which merges some"
		}
		var key *KeyError
		require.ErrorAs(t, err, &key)
		require.Equal(t, c.key, key.Key)
		require.ErrorContains(t, err, c.err)
	}
}
