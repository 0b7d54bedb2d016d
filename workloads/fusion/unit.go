package fusion

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A unit is operators that are carried out as one, in their order: each but the first
// reads the result of the one before.
type unit struct {
	ops     []int // of the graph
	out     graph.TensorID
	rows    int64 // of out
	whole   bool  // one piece: it cannot be cut by rows
	last    bool  // its result goes to memory whatever happens: outputs, caches
	reads   []operand
	readers []int // units that read its result
}

// An operand is what a unit reads and does not make itself.
type operand struct {
	op, in int            // operand in of operator ops[op]
	tensor graph.TensorID // as it is read
	root   graph.TensorID // whose bytes these are: views have none
	unit   int            // that makes it; -1: it is there
	full   bool           // every piece reads all of it
}

// Each is every operator by itself; views belong to nobody.
func Each(g *graph.Graph) (out [][]int) {
	for i := range g.Ops {
		if !view(&g.Ops[i]) {
			out = append(out, []int{i})
		}
	}
	return out
}

func view(op *graph.Op) bool {
	m, ok := op.Kind.(graph.Move)
	return ok && m.Elements == 0
}

// rowsOf is how many rows a tensor has: the last dimension but one. Pictures are N, C,
// H, W, matrices ..., rows, columns.
func rowsOf(t *graph.Tensor) int64 {
	if len(t.Shape) < 2 {
		return 1
	}
	return int64(t.Shape[len(t.Shape)-2])
}

// withRows is the shape of some rows of a tensor.
func withRows(shape []int, rows int64) []int {
	out := slices.Clone(shape)
	out[len(out)-2] = int(rows)
	return out
}

// analyse finds the units' operands and results.
func analyse(g *graph.Graph, units [][]int) []unit {
	root, maker := make([]graph.TensorID, len(g.Tensors)), make([]int, len(g.Tensors))
	for i := range root {
		root[i], maker[i] = graph.TensorID(i), -1
	}
	of := make([]int, len(g.Ops))
	for i := range of {
		of[i] = -1
	}
	out := make([]unit, len(units))
	for u, ops := range units {
		for _, op := range ops {
			of[op] = u
		}
		out[u].ops = ops
	}
	outputs := map[graph.TensorID]bool{}
	for i := range g.Ops {
		op := &g.Ops[i]
		if view(op) {
			for _, id := range op.Out {
				root[id] = root[op.In[0]]
				if g.Tensors[id].Role == graph.Output {
					outputs[root[id]] = true
				}
			}
			continue
		}
		u := of[i]
		x := &out[u]
		at := slices.Index(x.ops, i)
		for k, id := range op.In {
			if id == graph.None || maker[root[id]] == u {
				continue
			}
			x.reads = append(x.reads, operand{op: at, in: k, tensor: id, root: root[id], unit: maker[root[id]]})
			if v := maker[root[id]]; v >= 0 && !slices.Contains(out[v].readers, u) {
				out[v].readers = append(out[v].readers, u)
			}
		}
		for _, id := range op.Out {
			maker[id] = u
			x.last = x.last || g.Tensors[id].Role != graph.Activation
		}
		x.whole = x.whole || len(op.Out) != 1 || !divisible(g, op)
		x.out = op.Out[0]
	}
	for u := range out {
		x := &out[u]
		x.rows = rowsOf(g.Tensor(x.out))
		x.last = x.last || outputs[x.out]
		for _, op := range x.ops {
			x.whole = x.whole || rowsOf(g.Tensor(g.Ops[op].Out[0])) != x.rows
		}
		x.whole = x.whole || x.rows == 1
		for k := range x.reads {
			r := &x.reads[k]
			_, _, all := window(g, &g.Ops[x.ops[r.op]], r.in, 0, 0)
			a, b := rowsOf(g.Tensor(r.root)), rowsOf(g.Tensor(r.tensor))
			r.full = x.whole || all || a%b != 0 && b%a != 0
		}
	}
	return out
}

// need is the rows of an operand's root that rows [p0, p1) of the unit's result need.
func (x *unit) need(g *graph.Graph, r *operand, p0, p1 int64) (a, b int64) {
	n := rowsOf(g.Tensor(r.root))
	if r.full {
		return 0, n
	}
	a, b, _ = window(g, &g.Ops[x.ops[r.op]], r.in, p0, p1)
	m := rowsOf(g.Tensor(r.tensor)) // rows of the view
	return a * n / m, (b*n + m - 1) / m
}
