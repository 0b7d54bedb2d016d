package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Sizes of what a chip gives and gets agree with the transfer.
func TestExchanges(t *testing.T) {
	build := func(k graph.Exchange, in, out []int) error {
		b := graph.NewBuilder("g")
		b.Output(b.Op("x", k, []graph.TensorID{b.Input("a", in...)}, out...))
		_, err := b.Graph()
		return err
	}
	for _, x := range []struct {
		kind    graph.Exchange
		in, out []int
		want    string
	}{
		{graph.Exchange{Func: "all_reduce", Ranks: 8}, []int{100}, []int{100}, ""},
		{graph.Exchange{Func: "all_gather", Ranks: 8}, []int{13}, []int{100}, ""},
		{graph.Exchange{Func: "reduce_scatter", Ranks: 4}, []int{100}, []int{25}, ""},
		{graph.Exchange{Func: "dispatch", Ranks: 8, Experts: 16, Picks: 2}, []int{5, 8}, []int{5, 2, 8}, ""},
		{graph.Exchange{Func: "combine", Ranks: 8, Experts: 16, Picks: 2}, []int{5, 2, 8}, []int{5, 8}, ""},
		{graph.Exchange{Func: "all_reduce", Ranks: 1}, []int{100}, []int{100}, "among 1 chips (want 2 or more)"},
		{graph.Exchange{Func: "all_reduce", Ranks: 2}, []int{100}, []int{101}, "makes 101 elements of 100"},
		{graph.Exchange{Func: "all_gather", Ranks: 8}, []int{12}, []int{100}, "gathers 12 elements of each of 8 chips into 100"},
		{graph.Exchange{Func: "reduce_scatter", Ranks: 4}, []int{100}, []int{26}, "leaves 26 of 100 elements"},
		{graph.Exchange{Func: "dispatch", Ranks: 8, Experts: 1, Picks: 2}, []int{5, 8}, []int{5, 2, 8}, "2 picks of 1 experts"},
		{graph.Exchange{Func: "gossip", Ranks: 8}, []int{5}, []int{5}, `unknown exchange "gossip" (want one of: all_reduce`},
	} {
		err := build(x.kind, x.in, x.out)
		if x.want == "" {
			require.NoError(t, err, x.kind)
			continue
		}
		require.ErrorContains(t, err, x.want)
	}
}
