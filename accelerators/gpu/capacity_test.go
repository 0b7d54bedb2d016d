package gpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// productOf is one M x K by K x N product, and an activation after it.
func productOf(d graph.DType, m, n, k int, then bool) *graph.Graph {
	g := &graph.Graph{Name: "test"}
	a := g.Add(graph.Tensor{Name: "a", Shape: []int{m, k}, Role: graph.Input, DType: d})
	b := g.Add(graph.Tensor{Name: "b", Shape: []int{k, n}, Role: graph.Weight, DType: d})
	c := g.Add(graph.Tensor{Name: "c", Shape: []int{m, n}, Role: graph.Output, DType: d})
	g.Append(graph.Op{Name: "fc", In: []graph.TensorID{a, b}, Out: []graph.TensorID{c}, Kind: graph.MatMul{Batch: 1, M: m, N: n, K: k}})
	if then {
		e := g.Add(graph.Tensor{Name: "e", Shape: []int{m, n}, Role: graph.Output, DType: d})
		g.Append(graph.Op{Name: "act", In: []graph.TensorID{c}, Out: []graph.TensorID{e}, Kind: graph.Elementwise{Func: "relu", Elements: int64(m * n), Inputs: 1, OpsPer: 1}})
	}
	return g
}

// Weights of 1 MiB fit a memory of 1 MiB once, and not twice.
func TestWeightsMustFit(t *testing.T) {
	s := DefaultSpec()
	s.Capacity = 1 << 20
	c := New("Chip", engine.New(), s)
	w := work.Share{Name: "net", Graph: productOf(graph.Int8, 8, 1024, 1024, true)}
	require.NoError(t, work.IssueAll(c, w))
	require.ErrorContains(t, work.IssueAll(c, w), "Chip: weights and key/value entries up to net take 0.002097 GB, the memory has 0.001049 GB (key capacity)")
	list := work.Share{Name: "list", Graph: productOf(graph.Int8, 8, 1024, 1024, false)}
	c = New("Chip", engine.New(), s)
	require.NoError(t, work.IssueAll(c, list))
	list.ID = 1
	require.NoError(t, work.IssueAll(c, list), "rows of a list take turns")
	s.Capacity = 0
	c = New("Chip", engine.New(), s)
	require.NoError(t, work.IssueAll(c, w))
	require.NoError(t, c.Prepare(w))
}

// In training gradients and states take place besides: of gradients that ranks share out the share.
func TestGradientsMustFit(t *testing.T) {
	load := func(capacity units.Bytes, ranks int) error {
		g := productOf(graph.Int8, 8, 1024, 1024, true)
		d := g.Add(graph.Tensor{Name: "d", Shape: []int{1024, 1024}, Role: graph.Gradient, DType: graph.FP32})
		g.Add(graph.Tensor{Name: "s", Shape: []int{1024, 1024}, Role: graph.Optimizer, DType: graph.FP32})
		if ranks > 1 {
			part := g.Add(graph.Tensor{Name: "part", Shape: []int{1024 * 1024 / ranks}, DType: graph.FP32})
			g.Append(graph.Op{Name: "share", In: []graph.TensorID{d}, Out: []graph.TensorID{part}, Kind: graph.Transfer{Func: "reduce_scatter", Bytes: 4 << 20, Among: graph.Ranks{Stride: 1, Count: ranks}}})
		}
		s := DefaultSpec()
		s.Capacity = capacity
		return work.IssueAll(New("Chip", engine.New(), s), work.Share{Name: "net", Graph: g})
	}
	require.NoError(t, load(9<<20, 1))
	require.ErrorContains(t, load(9<<20-1, 1), "weights, gradients and states of the optimiser up to net take 0.009437 GB")
	require.NoError(t, load(6<<20, 4))
	require.Error(t, load(6<<20-1, 4))
}

// So do activations that passes forward keep for those back.
func TestActivationsMustFit(t *testing.T) {
	load := func(capacity units.Bytes) error {
		s := DefaultSpec()
		s.Capacity = capacity
		return New("Chip", engine.New(), s).Prepare(work.Share{Name: "net", Graph: productOf(graph.Int8, 8, 1024, 1024, true), Activations: 3 << 20})
	}
	require.NoError(t, load(4<<20))
	require.EqualError(t, load(4<<20-1), "Chip: weights, gradients, states of the optimiser and activations kept for backward passes up to net take 0.004194 GB (activations 0.003146 GB), the memory has 0.004194 GB (key capacity)")
}

// Products of a type without a rate of the matrix units are slower, and that is said.
func TestTypesWithoutARateAreNamed(t *testing.T) {
	run := func(d graph.DType) (uint64, []string) {
		e := engine.New()
		c := New("Chip", e, DefaultSpec())
		require.NoError(t, work.IssueAll(c, work.Share{Graph: productOf(d, 1024, 1024, 1024, false)}))
		said := c.Warnings() // before the run
		require.NoError(t, c.Start())
		require.NoError(t, e.Run())
		return *c.End(), said
	}
	fast, nothing := run(graph.FP16)
	require.Empty(t, nothing)
	slow, said := run(graph.FP32)
	require.Greater(t, slow, 2*fast)
	require.Equal(t, []string{"Chip: products of fp32 take the vector units: the matrix units have no rate for them (key tensor, which has: bf16, fp16, int8)"}, said)
}
