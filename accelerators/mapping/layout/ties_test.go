package layout

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Views of other shapes and copies: what keeps a tensor from a layout.
func TestViewsKeepTensorsFromALayout(t *testing.T) {
	image := []int{2, 3, 4, 5}
	for _, c := range []struct {
		in, out []int
		copy    bool
		last    bool // channels last is possible
		tiled   bool
	}{
		{in: image, out: image, last: true, tiled: true},
		{in: image, out: image, copy: true, last: true, tiled: true},
		{in: image, out: []int{2, 5, 4, 3}},
		{in: image, out: []int{3, 2, 4, 5}, tiled: true},
		{in: image, out: []int{6, 20}, last: true},
		{in: image, out: []int{6, 4, 5}, tiled: true},
		{in: image, out: []int{3, 4, 5}},
	} {
		g := &graph.Graph{}
		a, b := g.Add(graph.Tensor{Name: "a", Shape: c.in}), g.Add(graph.Tensor{Name: "b", Shape: c.out})
		move := graph.Move{Func: "reshape"}
		if c.copy {
			move.Elements = g.Tensor(b).Elements()
		}
		g.Ops = []graph.Op{{Name: "view", Kind: move, In: []graph.TensorID{a}, Out: []graph.TensorID{b}}}
		_, _, errs := Layouts{"a": ChannelsLast}.Arrange(g, 4)
		require.Equal(t, c.last, errs == nil, "%v as %v, last: %v", c.in, c.out, errs)
		_, _, errs = Layouts{"a": Tiled}.Arrange(g, 4)
		require.Equal(t, c.tiled, errs == nil, "%v as %v, tiled: %v", c.in, c.out, errs)
	}
}

// What each kind of operator keeps its tensors from, in words; "" is nothing.
func TestKindsKeepTensorsFromALayout(t *testing.T) {
	const (
		images = "convolutions and pooling read images"
		other  = "operators see rows of other lengths in them"
		none   = "they are no images (of a convolution)"
		lines  = "norms and softmax read rows"
	)
	for _, c := range []struct {
		name        string
		kind        graph.Kind
		shapes      [][]int // of operands, then of the result
		tensor      int     // the one that is asked about
		tiled, last string
		role        graph.Role
		dtype       graph.DType
	}{
		{name: "conv in", kind: graph.Conv{N: 1, C: 2, H: 4, W: 4, K: 3, R: 1, S: 1}, shapes: [][]int{{1, 2, 4, 4}, {3, 2, 1, 1}, {1, 3, 4, 4}}, tiled: images},
		{name: "conv out", kind: graph.Conv{N: 1, C: 2, H: 4, W: 4, K: 3, R: 1, S: 1}, shapes: [][]int{{1, 2, 4, 4}, {3, 2, 1, 1}, {1, 3, 4, 4}}, tensor: 2, tiled: images},
		{name: "pool", kind: graph.Pool{N: 1, C: 2, H: 4, W: 4, R: 2, S: 2, StrideH: 2, StrideW: 2}, shapes: [][]int{{1, 2, 4, 4}, {1, 2, 2, 2}}, tiled: images},
		{name: "product in", kind: graph.MatMul{Batch: 1, M: 4, N: 3, K: 2}, shapes: [][]int{{4, 2}, {2, 3}, {4, 3}}, last: none},
		{name: "product out", kind: graph.MatMul{Batch: 1, M: 4, N: 3, K: 2}, shapes: [][]int{{4, 2}, {2, 3}, {4, 3}}, tensor: 2, last: none},
		{name: "product of other rows", kind: graph.MatMul{Batch: 1, M: 4, N: 3, K: 2}, shapes: [][]int{{2, 4}, {2, 3}, {4, 3}}, tiled: other, last: none},
		{name: "second operand", kind: graph.MatMul{Batch: 1, M: 4, N: 3, K: 2}, shapes: [][]int{{4, 2}, {2, 3}, {4, 3}}, tensor: 1, tiled: "they are the second operand of a product", last: "they are the second operand of a product"},
		{name: "softmax", kind: graph.Softmax{Rows: 4, Cols: 2}, shapes: [][]int{{4, 2}, {4, 2}}, last: lines},
		{name: "softmax of other rows", kind: graph.Softmax{Rows: 2, Cols: 4}, shapes: [][]int{{4, 2}, {4, 2}}, tensor: 1, tiled: other, last: lines},
		{name: "layer norm", kind: graph.Norm{Func: "layer", Rows: 4, Cols: 2}, shapes: [][]int{{4, 2}, {4, 2}}, last: lines},
		{name: "batch norm", kind: graph.Norm{Func: "batch", Rows: 8, Cols: 4}, shapes: [][]int{{1, 2, 4, 4}, {1, 2, 4, 4}}, tiled: images},
		{name: "group norm", kind: graph.Norm{Func: "group", Rows: 8, Cols: 4}, shapes: [][]int{{1, 2, 4, 4}, {1, 2, 4, 4}}, tiled: images, last: "norms of groups read channels one after the other"},
		{name: "table", kind: graph.Gather{Rows: 4, Cols: 2, Table: 9}, shapes: [][]int{{9, 2}, {4, 2}}, tiled: "tables are read by rows", last: "tables are read by rows"},
		{name: "rows of a table", kind: graph.Gather{Rows: 4, Cols: 2, Table: 9}, shapes: [][]int{{9, 2}, {4, 2}}, tensor: 1, last: none},
		{name: "smaller", kind: graph.Elementwise{Func: "add", Elements: 8, Inputs: 2, OpsPer: 1}, shapes: [][]int{{4, 2}, {1, 2}, {4, 2}}, tensor: 1, tiled: "they are smaller than what they are combined with", last: "they are smaller than what they are combined with"},
		{name: "as large", kind: graph.Elementwise{Func: "add", Elements: 32, Inputs: 2, OpsPer: 1}, shapes: [][]int{{1, 2, 4, 4}, {1, 2, 4, 4}, {1, 2, 4, 4}}, tensor: 1},
		{name: "sum", kind: graph.Reduce{Func: "sum", Elements: 8, Out: 4}, shapes: [][]int{{4, 2}, {4}}, tiled: "sums go along rows", last: "sums go along rows"},
		{name: "transfer", kind: graph.Transfer{Func: "send", Bytes: 8}, shapes: [][]int{{4, 2}, {4, 2}}, tiled: "they go over the network", last: "they go over the network"},
		{name: "cache", kind: graph.Elementwise{Func: "relu", Elements: 8, Inputs: 1, OpsPer: 1}, shapes: [][]int{{4, 2}, {4, 2}}, role: graph.KV, tiled: "keys and values lie as attention reads them", last: "keys and values lie as attention reads them"},
		{name: "four bits", kind: graph.Elementwise{Func: "relu", Elements: 8, Inputs: 1, OpsPer: 1}, shapes: [][]int{{4, 2}, {4, 2}}, dtype: graph.Int4, tiled: "elements of int4 are no whole bytes", last: "elements of int4 are no whole bytes"},
	} {
		g := &graph.Graph{}
		op := graph.Op{Name: "op", Kind: c.kind}
		for i, shape := range c.shapes {
			x := graph.Tensor{Name: string(rune('a' + i)), Shape: shape, Role: graph.Activation, DType: c.dtype}
			if i == 0 && c.role != 0 {
				x.Role = c.role
			}
			if id := g.Add(x); i < len(c.shapes)-1 {
				op.In = append(op.In, id)
			} else {
				op.Out = append(op.Out, id)
			}
		}
		g.Ops = []graph.Op{op}
		name := string(rune('a' + c.tensor))
		for l, why := range map[Layout]string{Tiled: c.tiled, ChannelsLast: c.last} {
			out, _, errs := Layouts{name: l}.Arrange(g, 4)
			if why == "" {
				require.Empty(t, errs, "%s %s", c.name, l)
				require.Equal(t, Arrangement{Last: l == ChannelsLast, Block: map[Layout]int64{Tiled: 4}[l]}, out[c.tensor], "%s %s", c.name, l)
				continue
			}
			require.ErrorContains(t, errors.Join(errs...), "mapping.layout: "+name+" cannot be "+string(l)+": "+why, c.name)
			// The pattern * leaves it in rows and says so.
			out, left, errs := Layouts{"*": l}.Arrange(g, 4)
			require.Empty(t, errs)
			require.Zero(t, out[c.tensor], c.name)
			require.NotEmpty(t, left, c.name)
		}
	}
}

// A mapping without any pattern is a mistake, not the default.
func TestLayoutsWithoutAPattern(t *testing.T) {
	for text, want := range map[string]string{
		"layout: {}":  "an empty mapping: want one layout, or patterns of names with a layout each",
		"layout: []":  "a list: want one layout",
		"layout: row": "",
	} {
		v, err := configs.ParseValue("a.yaml", []byte(text))
		require.NoError(t, err)
		var l Layouts
		if err = v.Get("layout").Decode(&l); want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
	}
}

// Of several patterns the longest holds, a name itself before all; those of tensors that are tied
// must agree, and what no operator ties may differ.
func TestTheLongestPatternHolds(t *testing.T) {
	l := Layouts{"*": Rows, "L0.*": Tiled, "L0.up*": ChannelsLast, "L0.up.in": Rows, "L?.up.*": Tiled}
	for name, want := range map[string]string{"x": "*", "L0.q": "L0.*", "L0.up": "L0.up*", "L0.up.out": "L?.up.*", "L0.up.in": "L0.up.in", "L1.up.a": "L?.up.*"} {
		require.Equal(t, want, l.of(name), name)
	}
	require.Empty(t, Layouts{"a*": Tiled}.of("b"))
	g := &graph.Graph{}
	image := []int{1, 2, 4, 4}
	a, b := g.Add(graph.Tensor{Name: "a", Shape: image}), g.Add(graph.Tensor{Name: "b", Shape: image})
	w, c := g.Add(graph.Tensor{Name: "w", Shape: image, Role: graph.Weight}), g.Add(graph.Tensor{Name: "c", Shape: image})
	d := g.Add(graph.Tensor{Name: "d", Shape: image})
	g.Ops = []graph.Op{{Name: "mul", Kind: graph.Elementwise{Func: "mul", Elements: 32, Inputs: 2, OpsPer: 1}, In: []graph.TensorID{a, w}, Out: []graph.TensorID{b}},
		{Name: "copy", Kind: graph.Move{Func: "copy", Elements: 32}, In: []graph.TensorID{b}, Out: []graph.TensorID{c}},
		{Name: "relu", Kind: graph.Elementwise{Func: "relu", Elements: 32, Inputs: 1, OpsPer: 1}, In: []graph.TensorID{c}, Out: []graph.TensorID{d}}}
	last, tiled := Arrangement{Last: true}, Arrangement{Block: 4}
	out, left, errs := Layouts{"a": ChannelsLast, "d": Tiled}.Arrange(g, 4)
	require.Empty(t, errs)
	require.Empty(t, left)
	require.Equal(t, []Arrangement{last, last, {}, tiled, tiled}, out, "a copy goes from one to the other, a weight lies as it does")
	out, _, errs = Layouts{"*": Tiled, "b": ChannelsLast}.Arrange(g, 4)
	require.Empty(t, errs)
	require.Equal(t, []Arrangement{last, last, {}, tiled, tiled}, out, "* gives way to what is named")
	_, _, errs = Layouts{"a": ChannelsLast, "b": Tiled}.Arrange(g, 4)
	require.ErrorContains(t, errors.Join(errs...), "mapping.layout: b is tiled, and a tensor that an operator reads or writes beside it, element by element, is channels_last")
	_, _, errs = Layouts{"w": Tiled}.Arrange(g, 4)
	require.ErrorContains(t, errors.Join(errs...), "mapping.layout: w is a weight")
	_, _, errs = Layouts{"e": Tiled}.Arrange(g, 4)
	require.ErrorContains(t, errors.Join(errs...), `mapping.layout: no activation is called "e" (such as `)
	out, left, errs = Layouts(nil).Arrange(g, 4)
	require.Equal(t, []int{0, 0, 0}, []int{len(out), len(left), len(errs)})
}
