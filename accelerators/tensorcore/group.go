package tensorcore

import (
	"slices"

	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Packed returns products without groups that compute a convolution of several groups: groups are
// side by side in one tile of weights, which is zero except for its diagonal blocks, as XLA's
// convolution_group_converter has it. One product packs all positions of the kernel, the other
// has one position at a time; each is left out if two groups do not fit into a tile.
func (m *Machine) Packed(x graph.Matrix) []graph.Matrix {
	return Packed(x, int64(m.Rows), int64(m.Cols))
}

// Packed is like Machine.Packed, for an array of rows x cols.
func Packed(x graph.Matrix, rows, cols int64) (out []graph.Matrix) {
	if x.Conv == nil || x.Batch < 2 || x.Conv.Transposed {
		return nil
	}
	groups, window := int64(x.Batch), int64(x.Conv.R)*int64(x.Conv.S)
	for _, positions := range []int64{1, window} {
		k := x.K / positions
		n := min(cols/x.N, rows/k, groups)
		if n < 2 || positions == window && window == 1 {
			continue
		}
		out = append(out, graph.Matrix{Batch: int(positions * integer.Ceil(groups, n)), M: x.M, N: n * x.N, K: n * k, SharedB: 1})
	}
	return out
}

// work is a way to do the products of an operator: seconds of array and vector unit.
type work struct{ array, vector float64 }

// ways are those of product x of op, as it is, with its groups packed, or, where each group has
// one channel (depthwise), on the vector unit: a multiplication and an addition for each
// multiply-accumulate.
func (m *Machine) ways(g *graph.Graph, op *graph.Op, x graph.Matrix, names []string, exposed bool) []work {
	passes := m.passes(g, op)
	out := []work{{array: passes * m.Array(x, exposed)}}
	for _, p := range m.Packed(x) {
		out = append(out, work{array: passes * m.Array(p, exposed)})
	}
	if c := x.Conv; c != nil && !c.Transposed && c.Groups == c.C && c.Groups > 1 {
		f := g.Footprint(op)
		n := max(f.InputElements, f.OutputElements) * x.M / max(1, whole(op).M)
		out = append(out, work{vector: m.work(append(slices.Clone(names), "elementwise"), n, 2*x.MACs())})
	}
	return out
}

// whole is the product that an operator is seen as.
func whole(op *graph.Op) graph.Matrix {
	x, _ := op.Matrix()
	return x
}

// passes is the passes of the array that the products of an operator take.
func (m *Machine) passes(g *graph.Graph, op *graph.Op) float64 {
	d, _ := g.Multiplied(op)
	passes := or1(m.Passes[d])
	if g.Sparsity(op).On() {
		passes *= or1(m.Sparse)
	}
	return passes
}
