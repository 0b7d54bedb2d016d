package mapping

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// An operator goes with the product whose results it reads if it reads and writes as many elements, and its other
// operands are there before: as large as the results and as wide, or smaller ones of a single product. Operands in a
// cache are others' to write. A view goes with it, and an append of all results.
func TestWhatAppliesOnTheWayOut(t *testing.T) {
	const n = 2 * 4 * 6 // results
	matmul := func(batch int) graph.MatMul { return graph.MatMul{M: 8 / batch, N: 6, K: 3, Batch: batch, SharedB: 1} }
	conv := graph.Conv{N: 1, C: 3, H: 4, W: 6, K: 2, R: 1, S: 1, StrideH: 1, StrideW: 1, DilationH: 1, DilationW: 1, Groups: 1}
	across := conv
	across.Transposed = true
	add := func(elements int64) graph.Kind {
		return graph.Elementwise{Func: "add", Elements: elements, Inputs: 2, OpsPer: 1}
	}
	operand := func(elements int, role graph.Role, d graph.DType) graph.Tensor {
		return graph.Tensor{Name: "x", Shape: []int{elements}, Role: role, DType: d}
	}
	same := operand(n, graph.Activation, graph.Int8)
	for _, c := range []struct {
		what    string
		product graph.Kind
		op      graph.Kind
		operand *graph.Tensor
		out     int // elements
		later   bool
		want    bool
	}{
		{"a sum", matmul(1), add(n), &same, n, false, true},
		{"fewer elements computed", matmul(1), add(n / 2), &same, n, false, false},
		{"fewer elements written", matmul(1), add(n), &same, n / 2, false, false},
		{"an operand that is made later", matmul(1), add(n), &same, n, true, false},
		{"an operand of a cache", matmul(1), add(n), ptr(operand(n, graph.KV, graph.Int8)), n, false, false},
		{"a wider operand", matmul(1), add(n), ptr(operand(n, graph.Activation, graph.FP32)), n, false, false},
		{"a smaller operand", matmul(1), add(n), ptr(operand(6, graph.Activation, graph.Int8)), n, false, true},
		{"a smaller operand of several products", matmul(2), add(n), ptr(operand(6, graph.Activation, graph.Int8)), n, false, false},
		{"a sum of several products", matmul(2), add(n), &same, n, false, true},
		{"a sum of a convolution", conv, add(n), &same, n, false, true},
		{"a smaller operand of a convolution", conv, add(n), ptr(operand(2, graph.Activation, graph.Int8)), n, false, false},
		{"a sum of a transposed convolution", across, add(n), &same, n, false, false},
		{"a view", matmul(1), graph.Move{Func: "reshape"}, nil, n, false, true},
		{"a part", matmul(1), graph.Move{Func: "slice"}, nil, n / 2, false, false},
		{"an append", matmul(1), graph.Move{Func: "append", Elements: n}, nil, 10 * n, false, true},
		{"an append of a part", matmul(1), graph.Move{Func: "append", Elements: n / 2}, nil, 10 * n, false, false},
		{"a transposition", matmul(1), graph.Move{Func: "transpose", Elements: n}, nil, n, false, false},
		{"a concat", matmul(1), graph.Move{Func: "concat"}, &same, n, false, false},
	} {
		g, _ := one(c.product, graph.Uniform(graph.Int8), false)
		result := g.Ops[0].Out[0]
		op := graph.Op{Name: "next", Kind: c.op, In: []graph.TensorID{result}}
		if c.operand != nil {
			op.In = append(op.In, g.Add(*c.operand))
		}
		op.Out = []graph.TensorID{g.Add(graph.Tensor{Name: "out", Shape: []int{c.out}, DType: graph.Int8})}
		if c.later {
			g.Append(graph.Op{Name: "maker", Kind: add(n), In: []graph.TensorID{result}, Out: []graph.TensorID{op.In[1]}})
		}
		g.Append(op)
		by := make([]int, len(g.Ops))
		for i := range by {
			by[i] = -1
		}
		require.Equal(t, c.want, newFinisher(g, by).takes(0, result, &g.Ops[len(g.Ops)-1]), c.what)
	}
}

func ptr(x graph.Tensor) *graph.Tensor { return &x }

// An attention of so many heads is tried on all cores, on halves of them, and on as many as there are heads, with doubles
// and halves of that.
func TestNumbersOfCoresOfAnAttention(t *testing.T) {
	for _, c := range []struct {
		heads, cores int
		want         []int
	}{
		{12, 8, []int{8, 6, 4, 3, 2, 1}}, {1, 4, []int{4, 2, 1}}, {3, 16, []int{16, 12, 8, 6, 4, 3, 2, 1}}, {32, 1, []int{1}}, {8, 8, []int{8, 4, 2, 1}},
	} {
		require.Equal(t, c.want, attentionNumbers(graph.Attention{Batch: c.heads, Group: 1}, c.cores), "%d heads on %d cores", c.heads, c.cores)
	}
}

// Cores that share an attention do all of it, and are no slower than one, whatever the number of its heads and queries.
func TestCoresShareAnAttention(t *testing.T) {
	for _, k := range []graph.Attention{
		{Batch: 8, Group: 1, Queries: 64, Keys: 64, Size: 32, Value: 32},
		{Batch: 2, Group: 4, Queries: 1, Keys: 1000, Size: 32, Value: 32},
		{Batch: 3, Group: 1, Queries: 10, Keys: 10, Size: 16, Value: 16},
	} {
		g, _ := one(k, graph.Uniform(graph.Int8), false)
		one, took := int64(0), int64(0)
		for _, n := range []int{1, 4, 16} {
			cores := equalCores(n)
			programs, err := Split(g, cores, Spec{Split: "auto", Objective: "time"})
			require.NoError(t, err)
			macs, longest, jobs := int64(0), int64(0), 0
			for _, p := range programs {
				for _, j := range p.Jobs {
					macs, longest, jobs = macs+j.Plan.MACs, max(longest, j.Plan.Time), jobs+1
				}
			}
			if n == 1 {
				one, took = macs, longest
			}
			require.Equal(t, one, macs, "%+v on %d cores", k, n)
			require.LessOrEqual(t, longest, took, "%+v on %d cores", k, n)
			require.LessOrEqual(t, jobs, n)
			took = longest
		}
	}
}

// Divisions that cut the sum of a product are for results that fill no array of all cores. None has more parts than
// cores, and a part of the sum is no shorter than the longer side of the array, in whole parts.
func TestDivisionsOfASum(t *testing.T) {
	for _, c := range []struct {
		m, n, k    int
		rows, cols int
		parts      []int // of the sum, on eight cores
	}{
		{4, 16, 512, 16, 32, []int{2, 4, 8}},
		{4, 16, 128, 16, 32, []int{2, 4}}, // eight would be 16 long, with an array of 32
		{4, 16, 128, 32, 16, []int{2, 4}},
		{4, 16, 32, 16, 32, nil},
		{64, 64, 512, 16, 32, []int{2, 4, 8}}, // 4,096 results: as many as elements
		{65, 64, 512, 16, 32, nil},
	} {
		g, op := one(graph.MatMul{M: c.m, N: c.n, K: c.k, Batch: 1, SharedB: 1}, graph.Uniform(graph.Int8), false)
		m, _ := op.Matrix()
		all := product.Whole(product.Collapse(m))
		cores := equalCores(8)
		for i := range cores {
			cores[i].Array.Rows, cores[i].Array.Cols = c.rows, c.cols
		}
		s := grids{x: NewMapper(), g: g, op: op, all: &all, cores: cores, together: len(cores), spec: &Spec{Split: "auto", Objective: "time"}}
		s.begin()
		var parts []int
		for _, d := range s.sums(8, false) {
			require.LessOrEqual(t, d.cores(), 8, "%+v", d)
			if !slices.Contains(parts, d.k) {
				parts = append(parts, d.k)
			}
		}
		require.Equal(t, c.parts, parts, "%+v", c)
	}
}
