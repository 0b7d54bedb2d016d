package fusion

import "github.com/causeway-sim/causeway/workloads/graph"

// divisible reports whether an operator can be cut by rows of its result.
func divisible(g *graph.Graph, op *graph.Op) bool {
	n := rowsOf(g.Tensor(op.Out[0]))
	switch k := op.Kind.(type) {
	case graph.Conv:
		return !k.Transposed
	case graph.Pool:
		return !k.Global && !k.CeilMode
	case graph.MatMul:
		return int64(k.M) == n && rowsOf(g.Tensor(op.In[0])) == n
	case graph.Attention:
		return k.Partial == 0 && !k.Mask.Causal && int64(k.Queries) == n && rowsOf(g.Tensor(op.In[0])) == n
	case graph.Elementwise:
		return k.Elements%n == 0
	case graph.Softmax:
		return k.Rows%n == 0 && !k.Mask.Causal && rowsOf(g.Tensor(op.In[0])) == n
	case graph.Norm:
		s := k.Rule().Scope
		return (s == graph.Folded || s == graph.OverRow) && k.Rows%n == 0 && rowsOf(g.Tensor(op.In[0])) == n
	case graph.Move:
		return moves(g, op, k)
	}
	return false
}

// moves reports whether a move keeps rows apart: channels that follow each other, or
// pictures made larger.
func moves(g *graph.Graph, op *graph.Op, k graph.Move) bool {
	n := rowsOf(g.Tensor(op.Out[0]))
	if len(op.Out) != 1 || k.Elements != g.Tensor(op.Out[0]).Elements() || k.Elements%n != 0 {
		return false
	}
	switch k.Func {
	case "concat":
		for _, id := range op.In {
			if t := g.Tensor(id); len(t.Shape) != len(g.Tensor(op.Out[0]).Shape) || rowsOf(t) != n {
				return false
			}
		}
		return true
	case "resize", "upsample":
		return len(op.In) == 1 && n%rowsOf(g.Tensor(op.In[0])) == 0
	}
	return false
}

// window is the rows of operand in that rows [p0, p1) of an operator's result need; all:
// every row needs all of it.
func window(g *graph.Graph, op *graph.Op, in int, p0, p1 int64) (a, b int64, all bool) {
	t := g.Tensor(op.In[in])
	h, n := rowsOf(t), rowsOf(g.Tensor(op.Out[0]))
	if p0 == 0 && p1 == n { // also those that a stride leaves out at the end
		return 0, h, false
	}
	slide := func(stride, kernel, dilation, pad int) (int64, int64, bool) {
		a := p0*int64(stride) - int64(pad)
		b := (p1-1)*int64(stride) - int64(pad) + int64(dilation*(kernel-1)) + 1
		return min(max(a, 0), h-1), max(min(b, h), 1), false
	}
	switch k := op.Kind.(type) {
	case graph.Conv:
		if in == 0 {
			return slide(k.StrideH, k.R, k.DilationH, k.PadTop)
		}
		return 0, h, true
	case graph.Pool:
		return slide(k.StrideH, k.R, 1, k.PadTop)
	case graph.MatMul, graph.Attention, graph.RowWise:
		return p0, p1, in > 0
	case graph.Move:
		return p0 * h / n, (p1*h + n - 1) / n, false
	}
	return p0, p1, h != n || t.Role == graph.Weight && len(t.Shape) < 2
}

// part is the kind of rows [p0, p1) of an operator's result.
func part(g *graph.Graph, op *graph.Op, p0, p1 int64) graph.Kind {
	n := rowsOf(g.Tensor(op.Out[0]))
	if p0 == 0 && p1 == n {
		return op.Kind
	}
	of := func(total int64) int64 { return total / n * (p1 - p0) }
	switch k := op.Kind.(type) {
	case graph.Conv:
		a, b, _ := window(g, op, 0, p0, p1)
		k.PadTop, k.PadBottom = pads(p0, p1, a, b, k.StrideH, k.DilationH*(k.R-1)+1, k.PadTop)
		k.H = int(b - a)
		return k
	case graph.Pool:
		a, b, _ := window(g, op, 0, p0, p1)
		k.PadTop, k.PadBottom = pads(p0, p1, a, b, k.StrideH, k.R, k.PadTop)
		k.H = int(b - a)
		return k
	case graph.MatMul:
		k.M = int(p1 - p0)
		return k
	case graph.Attention:
		k.Queries = int(p1 - p0)
		return k
	case graph.Elementwise:
		k.Elements = of(k.Elements)
		return k
	case graph.RowWise:
		return k.WithRows(of(k.RowCount()))
	case graph.Move:
		k.Elements = of(k.Elements)
		return k
	}
	return op.Kind
}

// pads is the padding that remains above and below rows [a, b) of the input.
func pads(p0, p1, a, b int64, stride, reach, pad int) (top, bottom int) {
	first := p0*int64(stride) - int64(pad)
	last := (p1-1)*int64(stride) - int64(pad) + int64(reach)
	return int(a - first), int(max(last-b, 0))
}
