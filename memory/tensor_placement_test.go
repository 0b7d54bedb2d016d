package memory

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/graph"
)

func tensor(name string, role graph.Role, bytes int) graph.Tensor {
	return graph.Tensor{Name: name, Role: role, Shape: []int{bytes}}
}

func TestPlaceByRules(t *testing.T) {
	g := &graph.Graph{Name: "g"}
	in := g.Add(tensor("in", graph.Input, 100))
	kv := g.Add(tensor("layer0/k", graph.KV, 5000))
	w := g.Add(tensor("layer0/w", graph.Weight, 4096))
	w1 := g.Add(tensor("layer1/w", graph.Weight, 1))
	mid := g.Add(tensor("mid", graph.Activation, 64))
	flat := g.Add(tensor("flat", graph.Activation, 64))
	g.Append(graph.Op{Name: "reshape", In: []graph.TensorID{mid}, Out: []graph.TensorID{flat}, Kind: graph.Move{Func: "reshape"}})
	p := Placer{
		Tiers:   []Tier{{"near", 0x100, 1 << 20}, {"far", 1 << 30, 1 << 20}},
		Default: "near",
		Rules:   []Rule{{"kv_cache", "far"}, {"layer?/w", "near"}, {"*1/w", "far"}},
	}
	out, err := p.Place(g)
	require.NoError(t, err)
	want := map[graph.TensorID]string{
		w: "near 0x1000", w1: "near 0x2000", in: "near 0x3000", mid: "near 0x4000", flat: "near 0x4000", kv: "far 0x40000000",
	}
	for id, s := range want {
		require.Equal(t, s, fmt.Sprintf("%s %#x", out.Tier(0, id), out.Base(0, id)), g.Tensor(id).Name)
	}
	require.Equal(t, uint64(0x4000+64-0x100), out.Used("near"))
	require.Equal(t, uint64(5000), out.Used("far"))
	require.Zero(t, out.Used("nowhere"))
}

func TestPlaceRefuses(t *testing.T) {
	g := &graph.Graph{Name: "g"}
	g.Add(tensor("w", graph.Weight, 4096))
	g.Add(tensor("k", graph.KV, 5000))
	tiers := []Tier{{"near", 0, 8192}, {"far", 8192, 1 << 20}}
	for want, p := range map[string]Placer{
		"tensor k (5000B) does not fit into tier near, which has 4KiB left; its tensors need 9096B, and it has 8KiB": {Tiers: tiers, Default: "near"},
		`rule "kv" matches no tensor and is no role`:                                                                 {Tiers: tiers, Default: "far", Rules: []Rule{{"kv", "near"}}},
		`memory: no tier "" to place tensor w in`:                                                                    {Tiers: tiers},
	} {
		_, err := p.Place(g)
		require.EqualError(t, err, want)
	}
	// nor does a tensor start in the gap after the last one
	_, err := Placer{Tiers: []Tier{{"near", 0x10, 0x1010}}, Default: "near"}.Place(g)
	require.ErrorContains(t, err, "does not fit into tier near, which has 4112B left")
	// a role that the model happens to lack is no mistake, nor a rule behind one that takes all
	_, err = Placer{Tiers: tiers, Default: "far", Rules: []Rule{{"output", "near"}, {"*", "far"}, {"w", "near"}}}.Place(g)
	require.NoError(t, err)
}

// Tensors lie within their tiers, aligned, and never share addresses.
func TestPlacementIsDisjoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var gs []*graph.Graph
		for range rapid.IntRange(1, 3).Draw(t, "graphs") {
			g := &graph.Graph{}
			for i := range rapid.IntRange(0, 10).Draw(t, "tensors") {
				g.Add(tensor(fmt.Sprint("t", i), graph.Role(rapid.IntRange(0, 4).Draw(t, "role")), rapid.IntRange(1, 20000).Draw(t, "bytes")))
			}
			gs = append(gs, g)
		}
		tiers := []Tier{{"a", rapid.Uint64Range(0, 9000).Draw(t, "base"), 150000}, {"b", 200000, 400000}}
		out, err := Placer{Tiers: tiers, Default: "b", Rules: []Rule{{"weight", "a"}, {"activation", "a"}}}.Place(gs...)
		if err != nil {
			require.ErrorContains(t, err, "does not fit")
			return
		}
		type span struct{ from, to uint64 }
		var all []span
		for i, g := range gs {
			for j := range g.Tensors {
				x := g.Tensor(graph.TensorID(j))
				s := span{out.Base(i, graph.TensorID(j)), out.Base(i, graph.TensorID(j)) + uint64(x.Bytes())}
				tier := tiers[0]
				if out.Tier(i, graph.TensorID(j)) == "b" {
					tier = tiers[1]
				}
				require.Zero(t, s.from%Align)
				require.True(t, s.from >= tier.Base && s.to <= tier.Base+tier.Size)
				require.Equal(t, x.Role == graph.Weight || x.Role == graph.Activation, tier.Name == "a")
				for _, o := range all {
					require.True(t, s.to <= o.from || o.to <= s.from, "%v and %v", s, o)
				}
				all = append(all, s)
			}
		}
	})
}
