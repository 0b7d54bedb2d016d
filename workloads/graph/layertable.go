package graph

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
)

// LayerTable returns a table of the operators in order, with their kind, sizes,
// multiply-accumulates, parameters, vector-unit operations and the bytes of their Footprint. A
// weight that several operators use counts at the first. Views have no row. Sizes that a kind
// lacks are undefined, as are the sizes of a convolution as a product (Matrix).
func LayerTable(g *Graph) *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "op", Text: "Kind of the operator."},
		{Name: "name", Text: "Name of the operator."},
		{Name: "H", Unit: stats.One, Text: "Input height."},
		{Name: "W", Unit: stats.One, Text: "Input width."},
		{Name: "C", Unit: stats.One, Text: "Input channels."},
		{Name: "K", Unit: stats.One, Text: "Filters."},
		{Name: "R", Unit: stats.One, Text: "Window height."},
		{Name: "S", Unit: stats.One, Text: "Window width."},
		{Name: "stride", Text: "Stride; height x width where they differ."},
		{Name: "pad", Text: "Padding; top,left,bottom,right where they differ."},
		{Name: "groups", Unit: stats.One, Text: "Groups of channels."},
		{Name: "OH", Unit: stats.One, Text: "Output height."},
		{Name: "OW", Unit: stats.One, Text: "Output width."},
		{Name: "M", Unit: stats.One, Text: "Rows of a product."},
		{Name: "N", Unit: stats.One, Text: "Columns of a product."},
		{Name: "Kdim", Unit: stats.One, Text: "Inner dimension of a product."},
		{Name: "count", Unit: stats.One, Text: "Independent products: images x heads."},
		{Name: "MACs", Unit: stats.One, Text: "Multiply-accumulates."},
		{Name: "params", Unit: stats.One, Text: "Weight elements first used here."},
		{Name: "vector_ops", Unit: stats.One, Text: "Vector-unit operations."},
		{Name: "input_bytes", Unit: stats.Byte, Text: "Activations read."},
		{Name: "weight_bytes", Unit: stats.Byte, Text: "Weights read."},
		{Name: "kv_bytes", Unit: stats.Byte, Text: "Key and value cache read."},
		{Name: "output_bytes", Unit: stats.Byte, Text: "Results written, to the cache too."},
	}}
	used := make([]bool, len(g.Tensors))
	for i := range g.Ops {
		op := &g.Ops[i]
		var params int64
		for _, id := range op.In {
			if id != None && g.Tensors[id].Role == Weight && !used[id] {
				used[id] = true
				params += g.Tensors[id].Elements()
			}
		}
		if m, ok := op.Kind.(Move); ok && m.Elements == 0 {
			continue
		}
		row := make([]any, 0, len(t.Columns))
		row = append(row, op.Kind.Type(), op.Name)
		row = append(row, sizes(op.Kind)...)
		f := g.Footprint(op)
		row = append(row, op.MACs(), params, op.VectorOps(), f.InputBytes, f.WeightBytes, f.KVBytes, f.OutputBytes)
		t.Append(row...)
	}
	return t
}

// sizes fills the columns H to count.
func sizes(k Kind) []any {
	row := make([]any, 15)
	set := func(at int, v ...int) {
		for i, n := range v {
			row[at+i] = int64(n)
		}
	}
	switch k := k.(type) {
	case Conv:
		set(0, k.H, k.W, k.C, k.K, k.R, k.S)
		row[6] = pair(k.StrideH, k.StrideW)
		row[7] = sides(k.PadTop, k.PadLeft, k.PadBottom, k.PadRight)
		set(8, k.Groups, k.OutH(), k.OutW())
		set(14, 1)
	case Pool:
		set(0, k.H, k.W, k.C)
		set(4, k.R, k.S)
		row[6] = pair(k.StrideH, k.StrideW)
		row[7] = sides(k.PadTop, k.PadLeft, k.PadBottom, k.PadRight)
		set(9, k.OutH(), k.OutW())
	case MatMul:
		set(11, k.M, k.N, k.K, k.Batch)
	}
	return row
}

func pair(a, b int) any {
	if a == b {
		return int64(a)
	}
	return fmt.Sprintf("%dx%d", a, b)
}

func sides(a, b, c, d int) any {
	if a == b && b == c && c == d {
		return int64(a)
	}
	return fmt.Sprintf("%d,%d,%d,%d", a, b, c, d)
}
