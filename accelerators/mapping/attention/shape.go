package attention

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// An Shape is all that the tile loop of one core's share of a graph.Attention
// depends on. Equal ones get equal loops; it is part of the key of the memo.
//
// A share is key/value heads x query heads of each x positions. The query heads that
// share keys lie in the array one after the other: a block of positions is group times
// as many rows.
type Shape struct {
	Heads, Group int64
	parts        int64 // of the query heads that share keys; group is of one part, and heads counts each
	Q0, Q1       int64 // positions of the share
	Queries      int64 // of the operator
	Keys         int64
	Size, Value  int64 // of a head
	Mask         masking.Mask
	scoreOps     int64
	inside       bool // values are a part of the keys
	kCols, vCols bool // keys lie as size x keys, values as value x keys

	QWide, KWide, VWide, OWide, Acc graph.Unit
	slabs, common                   int64 // operands with an element per score, by head or one for all heads (common)
	slabWide                        graph.Unit
	held                            int64 // bytes of small operands, read once
	statBytes                       int64 // of the statistics of a row, where the keys are a part
	rowOps                          int64 // of the vector unit at the end of a row
}

// A Place says where the tensors of a share lie.
type Place struct {
	Q, K, v, o    graph.TensorID
	statistics    graph.TensorID // None: there are none
	head0, group0 int64
	fullGroup     int64
	slabs         []slab
	held          []held
}

// A slab is an operand with an element per score of some heads.
type slab struct {
	tensor graph.TensorID
	wide   graph.Unit
	of     func(head int64) int64 // the slab of a query head
	common bool                   // heads that share keys share the slab
}

// A held operand is read once, whole.
type held struct {
	tensor graph.TensorID
	bytes  int64
}

// New reads an operator of kind graph.Attention; a nil share is all of it.
func New(op *graph.Op, g *graph.Graph, acc graph.DType, sh *product.Share) (Shape, Place, error) {
	k := op.Kind.(graph.Attention)
	all := product.WholeAttention(k)
	if sh == nil {
		sh = &all
	}
	if acc.Bits() < 8 || acc.Blocked() {
		return Shape{}, Place{}, fmt.Errorf("%s: partial sums of type %s (want one of at least 8 bits that is no block format)", op.Name, acc)
	}
	if outs := 1 + min(int(k.Partial), 1); len(op.In) < 3 || len(op.Out) != outs {
		return Shape{}, Place{}, fmt.Errorf("%s: has %d inputs and %d outputs (want at least 3 and %d)", op.Name, len(op.In), len(op.Out), outs)
	}
	wide := func(id graph.TensorID) graph.Unit { return g.Tensor(id).Unit() }
	a := Shape{Heads: sh.Batch.Len(), Group: sh.N.Len(), parts: 1, Q0: sh.Row.From, Q1: sh.Row.To,
		Queries: int64(k.Queries), Keys: int64(k.Keys), Size: int64(k.Size), Value: int64(k.Value),
		Mask: k.Mask, scoreOps: int64(k.ScoreOps), rowOps: k.RowOps(), inside: k.Inside,
		kCols: turned(g.Tensor(op.In[1]), k.Keys, k.Size), vCols: turned(g.Tensor(op.In[2]), k.Keys, k.Value),
		QWide: wide(op.In[0]), KWide: wide(op.In[1]), VWide: wide(op.In[2]), OWide: wide(op.Out[0]), Acc: acc.Unit()}
	at := Place{Q: op.In[0], K: op.In[1], v: op.In[2], o: op.Out[0], statistics: graph.None, head0: sh.Batch.From, group0: sh.N.From, fullGroup: int64(k.Group)}
	if k.Partial > 0 {
		at.statistics = op.Out[1]
		a.statBytes = g.Tensor(op.Out[1]).DType.Bytes(int64(k.Partial))
	}
	for i, id := range op.In[3:] {
		if id == graph.None || contains(op.In[3:3+i], id) {
			continue
		}
		if s, ok := slabOf(k, g.Tensor(id), id); ok {
			at.slabs = append(at.slabs, s)
			if a.slabWide.Bytes > 0 && a.slabWide != s.wide || s.wide.Blocked() {
				return a, at, fmt.Errorf("%s: operands of the scores have elements of %d bits, %d to a unit (want all equal, and no block format)", op.Name, s.wide.Bits(), s.wide.Elements)
			}
			a.slabWide = s.wide
			if s.common {
				a.common++
				a.slabs++
			} else {
				a.slabs += a.Group
			}
			continue
		}
		at.held = append(at.held, held{id, g.Tensor(id).Bytes()})
		a.held += g.Tensor(id).Bytes()
	}
	unit := max(a.QWide.Elements, a.OWide.Elements, a.KWide.Elements, a.VWide.Elements)
	if unit > 1 && (a.Size%unit > 0 || a.Value%unit > 0 || a.kCols || a.vCols) {
		return a, at, fmt.Errorf("%s: heads of %d and %d elements in units of %d (want a multiple of that, one after the other)", op.Name, a.Size, a.Value, unit)
	}
	return a, at, nil
}

// Divided is the attention with the query heads that share keys in so many equal parts, one after the
// other, each with the keys read anew: blocks hold more positions of fewer heads.
func (a Shape) Divided(parts int64) Shape {
	a.slabs = a.common + (a.slabs-a.common)/parts
	a.Heads, a.Group, a.parts = a.Heads*parts, a.Group/parts, a.parts*parts
	return a
}

// first is the first query head of a part, by its number.
func (p *Schedule) first(part int64) int64 {
	at, n := &p.At, p.A.parts
	return (at.head0+part/n)*at.fullGroup + at.group0 + part%n*p.A.Group
}

// turned reports whether matrices of rows x cols lie as cols x rows.
func turned(t *graph.Tensor, rows, cols int) bool {
	d := t.Shape
	return len(d) >= 2 && rows != cols && d[len(d)-1] == rows && d[len(d)-2] == cols
}

func contains(ids []graph.TensorID, id graph.TensorID) bool {
	for _, x := range ids {
		if x == id {
			return true
		}
	}
	return false
}

// slabOf is the operand as one with an element per score: of every head, of the heads of
// a request, of a head of all requests, or of all alike.
func slabOf(k graph.Attention, t *graph.Tensor, id graph.TensorID) (s slab, ok bool) {
	d := t.Shape
	if len(d) < 2 || d[len(d)-1] != k.Keys || d[len(d)-2] != k.Queries {
		return s, false
	}
	total, n := int64(k.Batch)*int64(k.Group), t.Elements()/(int64(k.Queries)*int64(k.Keys))
	s = slab{tensor: id, wide: t.Unit()}
	switch {
	case n == 1:
		s.common, s.of = true, func(int64) int64 { return 0 }
	case n == total:
		s.of = func(head int64) int64 { return head }
	case total%n == 0 && len(d) > 2 && d[len(d)-3] == 1:
		s.common, s.of = true, func(head int64) int64 { return head / (total / n) }
	case total%n == 0:
		s.of = func(head int64) int64 { return head % n }
	default:
		return s, false
	}
	return s, true
}

// Span is the entries [from, to) that positions [q0, q1) see. Where they see none of those that
// are there one passes, masked.
func (a *Shape) Span(q0, q1 int64) (from, to int64) {
	from, _ = a.Mask.Range(q0, a.Queries, a.Keys)
	_, to = a.Mask.Range(q1-1, a.Queries, a.Keys)
	from = min(from, a.Keys-1)
	return from, max(to, from+1)
}

// pairs is how many entries of [k0, k1) the positions [q0, q1) see, counted in pairs.
func (a *Shape) pairs(q0, q1, k0, k1 int64) (n int64) {
	if a.full(q0, q1, k0, k1) {
		return (q1 - q0) * (k1 - k0)
	}
	for i := q0; i < q1; i++ {
		from, to := a.Mask.Range(i, a.Queries, a.Keys)
		n += max(0, min(to, k1)-max(from, k0))
	}
	return n
}

// full reports whether positions [q0, q1) see all entries of [k0, k1): what they see
// begins and ends later from position to position.
func (a *Shape) full(q0, q1, k0, k1 int64) bool {
	from, _ := a.Mask.Range(q1-1, a.Queries, a.Keys)
	_, to := a.Mask.Range(q0, a.Queries, a.Keys)
	return from <= k0 && to >= k1
}
