package machine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func TestRatesAreRead(t *testing.T) {
	for text, want := range map[string]string{"2": "2", "0.25": "1/4", "1/3": "1/3", "1.5": "3/2"} {
		var r Rate
		require.NoError(t, r.UnmarshalText([]byte(text)))
		require.Equal(t, want, r.String())
	}
	for _, text := range []string{"0", "-1", "two", "1001", "1/3/4", "", "0.00001"} {
		require.Error(t, new(Rate).UnmarshalText([]byte(text)), text)
	}
}

// A machine at rates of 1, 2 and 1/3: the words of k, and the elements that fill its side.
func TestWordsOfARate(t *testing.T) {
	for _, c := range []struct {
		rate                     Rate
		words, along, whole, odd int64 // of 16 elements of k; that fill 8 rows; least of whole folds; words of 5 elements
	}{{Rate{1, 1}, 16, 8, 8, 5}, {Rate{2, 1}, 8, 16, 16, 3}, {Rate{1, 3}, 48, 2, 8, 15}, {Rate{3, 2}, 11, 12, 12, 4}} {
		h, err := newArray(Core{Array: dataflow.Array{Rows: 8, Cols: 4}, Dataflow: "ws"}, c.rate)
		require.NoError(t, err)
		require.Equal(t, c.words, h.Words(dataflow.K, 16), c.rate)
		require.Equal(t, c.odd, h.Words(dataflow.K, 5), c.rate)
		require.EqualValues(t, 16, h.Words(dataflow.N, 16))
		require.Equal(t, c.along, h.Along(dataflow.K), c.rate)
		require.EqualValues(t, 4, h.Along(dataflow.N))
		require.Zero(t, h.Along(dataflow.M), "time")
		require.Equal(t, c.whole, h.Whole(dataflow.K), c.rate)
		require.Zero(t, h.Words(dataflow.K, h.Whole(dataflow.K))%8, "whole folds")
		outer, inner := h.Nest()
		require.Equal(t, [2]dataflow.Axis{dataflow.N, dataflow.K}, [2]dataflow.Axis{outer, inner}, "the sum goes down the rows")
	}
	h, err := newArray(Core{Array: dataflow.Array{Rows: 8, Cols: 4}, Dataflow: "os"}, Rate{1, 1})
	require.NoError(t, err)
	outer, inner := h.Nest()
	require.Equal(t, [2]dataflow.Axis{dataflow.M, dataflow.N}, [2]dataflow.Axis{outer, inner})
	require.EqualValues(t, 0, h.Side(dataflow.K))
}

// Cores that no operator can run on are refused, with what they have.
func TestNewRefuses(t *testing.T) {
	g := &graph.Graph{}
	add := func(name string, role graph.Role, shape ...int) graph.TensorID {
		return g.Add(graph.Tensor{Name: name, Shape: shape, Role: role, DType: graph.BF16})
	}
	for _, name := range []string{"first", "second"} {
		g.Ops = append(g.Ops, graph.Op{Name: name, Kind: graph.MatMul{Batch: 1, M: 2, N: 2, K: 2},
			In: []graph.TensorID{add("a", graph.Activation, 2, 2), add("b", graph.Weight, 2, 2)}, Out: []graph.TensorID{add("c", graph.Activation, 2, 2)}})
	}
	good := Core{Array: dataflow.Array{Rows: 8, Cols: 4}, Dataflow: "ws", SRAM: SRAM{Ifmap: 64, Filter: 32, Ofmap: 16}}
	h, err := New(good, g, &g.Ops[0])
	require.NoError(t, err)
	require.Equal(t, []int64{8, 4, 32, 16, 8}, []int64{h.Rows, h.Cols, h.Ifmap, h.Filter, h.Ofmap}, "half of each buffer")
	one := good
	one.Array = dataflow.Array{Rows: 1, Cols: 1}
	_, err = New(one, g, &g.Ops[0])
	require.NoError(t, err)
	for want, change := range map[string]func(*Core){
		"first: the array has no rate for products of bf16 (key pe has: int8)": func(c *Core) { c.Rates = Rates{"int8": {1, 1}}.Table() },
		"array of 0 x 4 (want at least 1 x 1)":                                 func(c *Core) { c.Array.Rows = 0 },
		"array of 8 x 0 (want at least 1 x 1)":                                 func(c *Core) { c.Array.Cols = 0 },
	} {
		c := good
		change(&c)
		_, err := New(c, g, &g.Ops[0])
		require.EqualError(t, err, want)
	}
	c := good
	c.Dataflow = "sw"
	_, err = New(c, g, &g.Ops[0])
	require.ErrorContains(t, err, `unknown dataflow "sw" (want one of: `)
	c.Dataflow = "dip"
	_, err = New(c, g, &g.Ops[0])
	require.ErrorContains(t, err, "dataflow dip: ")
	require.NoError(t, Rates{}.Lacks(g))
	require.EqualError(t, Rates{"int8": {1, 1}}.Lacks(g), "first: the array has no rate for products of bf16, the first of 2 (key pe has: int8)")
	require.Equal(t, []string{"int88"}, Rates{"int8": {1, 1}, "int88": {1, 1}}.Unknown())
	rate, ok := Rates{"int8": {2, 1}}.Of(graph.Int8)
	require.True(t, ok)
	require.InDelta(t, 2, rate.Float(), 0)
	_, ok = Rates{"int8": {2, 1}}.Of(graph.FP32)
	require.False(t, ok)
}

// By hand: an array of the second way loads as many rows of weights a cycle as its part of the
// array has columns for.
func TestRowsOfTheGemvPath(t *testing.T) {
	for _, c := range []struct {
		gemv, rows, cols, load int
		own                    bool
	}{{4, 16, 16, 4, false}, {4, 16, 8, 8, false}, {4, 2, 4, 2, false}, {1, 16, 16, 1, true}, {2, 16, 16, 2, false}} {
		core := Core{Array: dataflow.Array{Rows: 16, Cols: 16, OverlapPreload: true, OverlapDrain: true}, Dataflow: "ws", Gemv: c.gemv}
		h, err := newArray(core, Rate{1, 1})
		require.NoError(t, err)
		ways := Ways(&core, &h, c.rows, c.cols)
		require.Len(t, ways, map[bool]int{true: 1, false: 2}[c.own], "%+v", c)
		x := core.Array
		x.Rows, x.Cols, x.LoadRows = c.rows, c.cols, c.load
		want, err := newArray(Core{Array: x, Dataflow: "ws"}, Rate{1, 1})
		require.NoError(t, err)
		if !c.own {
			require.Equal(t, want.Timing, ways[1].Timing, "%+v", c)
		}
	}
	core := Core{Array: dataflow.Array{Rows: 16, Cols: 16, OverlapPreload: true, OverlapDrain: true, LoadRows: 8}, Dataflow: "ws", Gemv: 8}
	h, err := newArray(core, Rate{1, 1})
	require.NoError(t, err)
	require.Len(t, Ways(&core, &h, 16, 16), 1, "its own weights come as fast")
	require.Len(t, Ways(&core, &h, 16, 8), 2, "not those of a part")
}
