package layout

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// ties are the tensors that lie alike since an operator goes through them side by side, or
// since they are views of each other, and what keeps them from a layout.
type ties struct {
	g       *graph.Graph
	up      []graph.TensorID          // towards the root
	untiled map[graph.TensorID]string // by root: why not tiled
	unlast  map[graph.TensorID]string // why not channels last
}

func newTies(g *graph.Graph) *ties {
	t := &ties{g: g, up: make([]graph.TensorID, len(g.Tensors)), untiled: map[graph.TensorID]string{}, unlast: map[graph.TensorID]string{}}
	for i := range t.up {
		t.up[i] = graph.TensorID(i)
	}
	for i := range g.Ops {
		t.tieAll(&g.Ops[i])
	}
	for i := range g.Ops {
		t.look(&g.Ops[i])
	}
	for i := range g.Tensors {
		id, x := graph.TensorID(i), &g.Tensors[i]
		if x.Role == graph.KV {
			t.neither(id, "keys and values lie as attention reads them")
		}
		if w := x.Unit(); w.Partial() {
			t.neither(id, fmt.Sprintf("elements of %s are no whole bytes", x.DType))
		}
		if len(x.Shape) != 4 && t.unlast[t.root(id)] == "" && !t.image(t.root(id)) {
			t.unlast[t.root(id)] = "they are no images (of a convolution)"
		}
	}
	return t
}

func (t *ties) root(id graph.TensorID) graph.TensorID {
	for t.up[id] != id {
		id = t.up[id]
	}
	return id
}

func (t *ties) tie(a, b graph.TensorID) {
	if a, b = t.root(a), t.root(b); a != b {
		t.up[max(a, b)] = min(a, b)
	}
}

// image reports whether one of the tensors tied to a root has the four axes of images.
func (t *ties) image(root graph.TensorID) bool {
	for i := range t.up {
		if len(t.g.Tensors[i].Shape) == 4 && t.root(graph.TensorID(i)) == root {
			return true
		}
	}
	return false
}

// tieAll ties what an operator goes through element by element.
func (t *ties) tieAll(op *graph.Op) {
	switch k := op.Kind.(type) {
	case graph.Move:
		if k.Elements > 0 {
			return // a copy reads one layout and writes the other
		}
	case graph.Elementwise, graph.Pool, graph.Norm, graph.Reduce:
	default:
		return
	}
	if n, ok := op.Kind.(graph.Norm); ok && t.byRow(n) {
		return
	}
	for _, id := range op.In {
		if id == graph.None || t.g.Tensor(id).Role == graph.Weight {
			continue
		}
		_, pool := op.Kind.(graph.Pool)
		_, view := op.Kind.(graph.Move)
		if pool || view || t.g.Tensor(id).Elements() == t.g.Tensor(op.Out[0]).Elements() {
			t.tie(id, op.Out[0])
		}
	}
}

// byRow reports whether a norm goes through whole rows, each of which has a sum of its own.
func (t *ties) byRow(k graph.Norm) bool { return k.Rule().Scope == graph.OverRow }

func (t *ties) not(why map[graph.TensorID]string, id graph.TensorID, text string) {
	if root := t.root(id); id != graph.None && why[root] == "" {
		why[root] = text
	}
}

func (t *ties) neither(id graph.TensorID, text string) {
	t.not(t.untiled, id, text)
	t.not(t.unlast, id, text)
}

// matrix reports whether a tensor is so many rows of so many elements, as its last axis has.
func (t *ties) matrix(id graph.TensorID, rows, cols int64) bool {
	x := t.g.Tensor(id)
	return len(x.Shape) > 0 && int64(x.Shape[len(x.Shape)-1]) == cols && x.Elements() == rows*cols
}

const (
	otherRows = "operators see rows of other lengths in them"
	ofImages  = "convolutions and pooling read images"
)

// look notes what an operator keeps its tensors from.
func (t *ties) look(op *graph.Op) {
	rows := func(id graph.TensorID, n, cols int64) {
		if !t.matrix(id, n, cols) {
			t.not(t.untiled, id, otherRows)
		}
	}
	switch k := op.Kind.(type) {
	case graph.Conv:
		t.not(t.untiled, op.In[0], ofImages)
		t.not(t.untiled, op.Out[0], ofImages)
	case graph.Pool:
		t.not(t.untiled, op.In[0], ofImages)
	case graph.MatMul:
		m, _ := op.Matrix()
		rows(op.In[0], int64(m.Batch)*m.M, m.K)
		rows(op.Out[0], int64(m.Batch)*m.M, m.N)
		if b := t.g.Tensor(op.In[1]); b.Role != graph.Weight {
			t.neither(op.In[1], "they are the second operand of a product")
		}
	case graph.Attention, graph.Merge:
		for _, id := range append(append([]graph.TensorID(nil), op.In...), op.Out...) {
			if id != graph.None {
				t.neither(id, "attention reads and writes rows")
			}
		}
	case graph.Softmax:
		t.lines(op, k.Rows, k.Cols, rows)
	case graph.Norm:
		if t.byRow(k) {
			t.lines(op, k.Rows, k.Cols, rows)
			break
		}
		t.not(t.untiled, op.In[0], ofImages)
		t.not(t.untiled, op.Out[0], ofImages)
		if k.Rule().Scope == graph.OverGroup {
			t.not(t.unlast, op.In[0], "norms of groups read channels one after the other")
			t.not(t.unlast, op.Out[0], "norms of groups read channels one after the other")
		}
	case graph.Gather:
		rows(op.Out[0], k.Rows, k.Cols)
		t.neither(op.In[0], "tables are read by rows")
		t.not(t.unlast, op.Out[0], "they are no images (of a convolution)")
	case graph.Elementwise:
		t.broadcast(op)
	case graph.Move:
		t.moved(op, k)
	case graph.Reduce:
		t.neither(op.In[0], "sums go along rows")
	case graph.Transfer:
		for _, id := range append(append([]graph.TensorID(nil), op.In...), op.Out...) {
			if id != graph.None {
				t.neither(id, "they go over the network")
			}
		}
	default:
		for _, id := range append(append([]graph.TensorID(nil), op.In...), op.Out...) {
			if id != graph.None {
				t.neither(id, fmt.Sprintf("operators of type %s read rows", op.Kind.Type()))
			}
		}
	}
}

// lines is for what goes through rows of the last axis.
func (t *ties) lines(op *graph.Op, n, cols int64, rows func(graph.TensorID, int64, int64)) {
	for _, id := range []graph.TensorID{op.In[0], op.Out[0]} {
		rows(id, n, cols)
		t.not(t.unlast, id, "norms and softmax read rows")
	}
}

// broadcast notes operands that are smaller than the result.
func (t *ties) broadcast(op *graph.Op) {
	n := t.g.Tensor(op.Out[0]).Elements()
	for _, id := range op.In {
		if id != graph.None && t.g.Tensor(id).Role != graph.Weight && t.g.Tensor(id).Elements() != n {
			t.neither(id, "they are smaller than what they are combined with")
		}
	}
}

// moved notes what copies and views keep their tensors from.
func (t *ties) moved(op *graph.Op, k graph.Move) {
	out := t.g.Tensor(op.Out[0])
	for _, id := range op.In {
		if id == graph.None {
			continue
		}
		x := t.g.Tensor(id)
		if k.Elements > 0 {
			continue
		}
		same := x.Elements() == out.Elements()
		if !same || len(x.Shape) == 0 || len(out.Shape) == 0 || x.Shape[len(x.Shape)-1] != out.Shape[len(out.Shape)-1] {
			t.not(t.untiled, id, otherRows)
		}
		if !same || len(out.Shape) == 4 && len(x.Shape) == 4 && out.Shape[1] != x.Shape[1] || len(out.Shape) != 4 && len(x.Shape) == 4 && len(out.Shape) > 2 {
			t.not(t.unlast, id, "other operators see parts of them, or other axes")
		}
	}
}
