package fusion

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A unit is a list of operators that run as one, in order: each but the first reads the result of
// the one before.
type unit struct {
	ops     []int // of the graph
	out     graph.TensorID
	rows    int64 // of out
	whole   bool  // one piece: it cannot be cut by rows
	last    bool  // its result goes to memory whatever happens: outputs, caches
	reads   []operand
	readers []int // units that read its result
}

// An operand is a tensor that a unit reads and does not compute.
type operand struct {
	op, in int            // operand in of operator ops[op]
	tensor graph.TensorID // as it is read
	root   graph.TensorID // whose bytes these are: views have none
	unit   int            // that makes it; -1: it is there
	full   bool           // every piece reads all of it
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
	t := newTracing(g, out)
	for i := range g.Ops {
		if view(&g.Ops[i]) {
			t.view(&g.Ops[i])
		} else {
			t.join(i, of[i])
		}
	}
	for u := range out {
		x := &out[u]
		x.last = x.last || t.outputs[x.out]
		x.cut(g)
	}
	return out
}

// A tracing follows bytes through a graph, operator by operator.
type tracing struct {
	g       *graph.Graph
	units   []unit
	root    []graph.TensorID        // by tensor: whose bytes it has
	maker   []int                   // by root: the unit that makes it; -1: it is there
	outputs map[graph.TensorID]bool // roots that an output is a view of
}

func newTracing(g *graph.Graph, units []unit) *tracing {
	t := &tracing{g: g, units: units, root: make([]graph.TensorID, len(g.Tensors)), maker: make([]int, len(g.Tensors)), outputs: map[graph.TensorID]bool{}}
	for i := range t.root {
		t.root[i], t.maker[i] = graph.TensorID(i), -1
	}
	return t
}

// view gives the results of a view the bytes of what it looks at.
func (t *tracing) view(op *graph.Op) {
	for _, id := range op.Out {
		t.root[id] = t.root[op.In[0]]
		if t.g.Tensors[id].Role == graph.Output {
			t.outputs[t.root[id]] = true
		}
	}
}

// join adds the operands and results of operator i to its unit u.
func (t *tracing) join(i, u int) {
	g, x, op := t.g, &t.units[u], &t.g.Ops[i]
	at := slices.Index(x.ops, i)
	for k, id := range op.In {
		if id == graph.None || t.maker[t.root[id]] == u {
			continue
		}
		root := t.root[id]
		v := t.maker[root]
		x.reads = append(x.reads, operand{op: at, in: k, tensor: id, root: root, unit: v})
		if v >= 0 && !slices.Contains(t.units[v].readers, u) {
			t.units[v].readers = append(t.units[v].readers, u)
		}
	}
	for _, id := range op.Out {
		t.maker[id] = u
		x.last = x.last || g.Tensors[id].Role != graph.Activation
	}
	x.whole = x.whole || len(op.Out) != 1 || !divisible(g, op)
	x.out = op.Out[0]
}

// cut finds the rows of a unit's result, whether it can be cut by them, and which operands
// every piece reads all of.
func (x *unit) cut(g *graph.Graph) {
	x.rows = rowsOf(g.Tensor(x.out))
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
