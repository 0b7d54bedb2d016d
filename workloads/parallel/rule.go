package parallel

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// operator adds the rank's part of operator i.
func (t *tensor) operator(i int) error {
	op := &t.g.Ops[i]
	t.current = i
	switch k := op.Kind.(type) {
	case graph.MatMul:
		if t.g.Tensor(op.In[1]).Role == graph.Weight && k.Batch == 1 {
			return t.linear(i, k)
		}
		return t.product(op, k)
	case graph.Attention:
		return t.attention(op, k)
	case graph.Elementwise:
		return t.elementwise(op, k)
	case graph.RowWise:
		return t.rows(op, func(parts int64) graph.Kind { return k.WithRows(k.RowCount() / parts) })
	case graph.Gather:
		return t.gather(op, k)
	case graph.Move:
		return t.move(op, k)
	case graph.Transfer:
		if k.Func == "all_gather" { // of tokens, by ranks that have others
			return t.tokens(op, k)
		}
		if k.Func != "send" && k.Func != "recv" && k.Func != "all_to_all" {
			return fmt.Errorf("the model is shared already")
		}
		if t.Sequence && k.Func != "all_to_all" {
			return t.message(op, k)
		}
	case graph.Conv:
		return fmt.Errorf("a convolution is not cut among ranks (want a model of products and attention)")
	case graph.Pool, graph.Reduce, graph.Merge, graph.Recurrence: // every rank needs the whole result
	default:
		return fmt.Errorf("there is no rule that cuts %s among ranks", op.Kind.Type())
	}
	return t.inFull(op)
}

// tokens gathers those of other ranks: of the heads that a rank has.
func (t *tensor) tokens(op *graph.Op, k graph.Transfer) error {
	p := t.home[op.In[0]]
	in, err := t.take(op.In[0], p)
	if err != nil {
		return err
	}
	if !t.divides(op.Out[0], p) {
		return t.inFull(op)
	}
	k.Bytes /= int64(p.parts)
	t.out.Append(graph.Op{Name: op.Name, In: []graph.TensorID{in}, Out: t.result(op, p), Kind: k})
	return nil
}

// message sends a part by tokens if they divide, because ranks of the next stage need only that
// part.
func (t *tensor) message(op *graph.Op, k graph.Transfer) error {
	ids := append(slices.Clone(op.In), op.Out...)
	p := place{len(t.g.Tensor(ids[0]).Shape) - 2, t.Ranks}
	if len(ids) != 1 || p.axis < 0 || !t.divides(ids[0], p) {
		return t.inFull(op)
	}
	k.Bytes /= int64(t.Ranks)
	own := graph.Op{Name: op.Name, Kind: k}
	if k.Func == "recv" {
		own.Out = t.result(op, p)
	} else {
		in, err := t.take(ids[0], p)
		if err != nil {
			return err
		}
		own.In = []graph.TensorID{in}
	}
	t.out.Append(own)
	return nil
}

// inFull has each rank do all of an operator.
func (t *tensor) inFull(op *graph.Op) error {
	in := make([]graph.TensorID, len(op.In))
	for k, id := range op.In {
		var err error
		if in[k], err = t.take(id, whole); err != nil {
			return err
		}
	}
	if op.MACs() > 0 && !t.before[t.current] {
		t.full = append(t.full, op.Name)
	}
	t.out.Append(graph.Op{Name: op.Name, In: in, Out: t.result(op, whole), Kind: op.Kind})
	return nil
}

// last is the cut along the last axis.
func (t *tensor) last(id graph.TensorID, parts int) place {
	return place{len(t.g.Tensor(id).Shape) - 1, parts}
}

// side is the axis of a weight that has n elements: columns of a product, or its rows. A
// table that is the head of a model too lies the other way.
func (t *tensor) side(w graph.TensorID, k graph.MatMul, columns bool) (int, bool) {
	s := t.g.Tensor(w).Shape
	if len(s) != 2 {
		return 0, false
	}
	normal := s[0] == k.K && s[1] == k.N
	if columns == normal {
		return 1, true
	}
	return 0, true
}

// linear is a product with a weight.
func (t *tensor) linear(i int, k graph.MatMul) error {
	op := &t.g.Ops[i]
	a, w := op.In[0], op.In[1]
	bias := graph.None
	if len(op.In) > 2 {
		bias = op.In[2]
	}
	rows, ok := t.side(w, k, false)
	columns, _ := t.side(w, k, true)
	if !ok {
		return t.expand(op, k)
	}
	if h := t.home[a]; h == t.last(a, t.Ranks) && t.divides(w, place{rows, t.Ranks}) {
		in, err := t.takeAll([]graph.TensorID{a, w, bias}, h, place{rows, t.Ranks}, whole)
		if err != nil {
			return err
		}
		k.K /= t.Ranks
		t.sum(op, in, k)
		return nil
	}
	p := t.last(op.Out[0], t.heads(i))
	if !t.divides(op.Out[0], p) || !t.divides(w, place{columns, p.parts}) {
		return t.inFull(op)
	}
	in, err := t.takeAll([]graph.TensorID{a, w, bias}, whole, place{columns, p.parts}, place{0, p.parts})
	if err != nil {
		return err
	}
	k.N /= p.parts
	t.out.Append(graph.Op{Name: op.Name, In: in, Out: t.result(op, p), Kind: k})
	return nil
}

// takeAll takes operands, each cut its own way, without those that are absent at the end.
func (t *tensor) takeAll(ids []graph.TensorID, p ...place) ([]graph.TensorID, error) {
	for len(ids) > 0 && ids[len(ids)-1] == graph.None {
		ids = ids[:len(ids)-1]
	}
	out := make([]graph.TensorID, len(ids))
	for i, id := range ids {
		var err error
		if out[i], err = t.take(id, p[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// heads is into how many parts the columns of product i are cut: one for each rank, or one
// for each head of keys and values where there are fewer; one for each of the ranks that have
// other heads where ranks share keys.
func (t *tensor) heads(i int) int {
	op := &t.g.Ops[i]
	if t.before[i] {
		return t.Ranks / max(t.Keys, 1)
	}
	if r := t.reader[op.Out[0]]; r >= 0 && isView(&t.g.Ops[r]) {
		s := t.g.Tensor(t.g.Ops[r].Out[0]).Shape
		if len(s) == 4 && s[1] < t.Ranks && t.Ranks%s[1] == 0 {
			return s[1]
		}
	}
	return t.Ranks
}

// product is one of two activations, or of an activation and a cache: by heads.
func (t *tensor) product(op *graph.Op, k graph.MatMul) error {
	a, b := op.In[0], op.In[1]
	h := t.home[a]
	shared := max(k.SharedB, 1)
	by := t.home[b]
	if shared == 1 && t.ofHeads(b, k.Batch) {
		by = place{0, t.Ranks}
	}
	if h.parts != t.Ranks || h.axis != 1 || len(t.g.Tensor(a).Shape) != 4 || by.parts > 1 && by.axis != 1 && t.g.Tensor(b).Role != graph.Weight || shared*by.parts%t.Ranks != 0 {
		return t.inFull(op)
	}
	in, err := t.takeAll(op.In, h, by)
	if err != nil {
		return err
	}
	k.Batch, k.SharedB = k.Batch/t.Ranks, shared*by.parts/t.Ranks
	t.out.Append(graph.Op{Name: op.Name, In: in, Out: t.result(op, h), Kind: k})
	return nil
}

// attention is cut by heads: those of queries among all ranks, those of keys and values
// as far as they go.
func (t *tensor) attention(op *graph.Op, k graph.Attention) error {
	if t.Keys > 1 && t.g.Tensor(op.In[1]).Role == graph.KV {
		return t.attendPart(op, k)
	}
	h, by := t.home[op.In[0]], t.home[op.In[1]]
	if h.parts != t.Ranks || h.axis != 1 || by.parts > 1 && by.axis != 1 || by != t.home[op.In[2]] || k.Batch%by.parts != 0 || k.Group*by.parts%t.Ranks != 0 {
		return t.inFull(op)
	}
	in := make([]graph.TensorID, len(op.In))
	for i, id := range op.In {
		p := whole
		switch i {
		case 0:
			p = h
		case 1, 2:
			p = by
		}
		var err error
		if in[i], err = t.take(id, p); err != nil {
			return err
		}
	}
	k.Batch, k.Group = k.Batch/by.parts, k.Group*by.parts/t.Ranks
	t.out.Append(graph.Op{Name: op.Name, In: in, Out: t.result(op, h), Kind: k})
	return nil
}

// elementwise is cut as the first of its operands that is cut and of the result's shape.
func (t *tensor) elementwise(op *graph.Op, k graph.Elementwise) error {
	shape := t.g.Tensor(op.Out[0]).Shape
	p := whole
	for _, id := range op.In {
		if id != graph.None && p == whole && slices.Equal(t.g.Tensor(id).Shape, shape) {
			p = t.home[id]
		}
	}
	in := make([]graph.TensorID, len(op.In))
	for i, id := range op.In {
		if id == graph.None {
			in[i] = id
			continue
		}
		s, q := t.g.Tensor(id).Shape, p
		// Operands of fewer dimensions, or of one where the result has many, are the same for all.
		if q.axis -= len(shape) - len(s); q.axis < 0 || p.parts == 1 || s[q.axis] != shape[p.axis] {
			q = whole
		}
		var err error
		if in[i], err = t.take(id, q); err != nil {
			return err
		}
	}
	k.Elements /= int64(p.parts)
	t.out.Append(graph.Op{Name: op.Name, In: in, Out: t.result(op, p), Kind: k})
	return nil
}

// rows is an operator that works on each row of the last axis for itself.
func (t *tensor) rows(op *graph.Op, of func(parts int64) graph.Kind) error {
	p := t.home[op.In[0]]
	if p.axis == len(t.g.Tensor(op.In[0]).Shape)-1 {
		p = whole
	}
	in := make([]graph.TensorID, len(op.In))
	for i, id := range op.In {
		q := whole
		if i == 0 {
			q = p
		}
		var err error
		if in[i], err = t.take(id, q); err != nil {
			return err
		}
	}
	t.out.Append(graph.Op{Name: op.Name, In: in, Out: t.result(op, p), Kind: of(int64(p.parts))})
	return nil
}

// gather looks words up in a vocabulary that is cut: a rank looks all up, and finds
// nothing where the words are those of others (Megatron-LM, section 3). Smaller tables each
// rank has in full.
func (t *tensor) gather(op *graph.Op, k graph.Gather) error {
	p := place{0, t.Ranks}
	if op.In[0] != t.vocab || !t.divides(t.vocab, p) {
		return t.inFull(op)
	}
	in, err := t.takeAll(op.In, p, whole)
	if err != nil {
		return err
	}
	k.Table /= int64(t.Ranks)
	t.sum(op, in, k)
	return nil
}

// move rearranges: cut as its operand is, where the axis is the same or a view leads it
// from columns to heads or back.
func (t *tensor) move(op *graph.Op, k graph.Move) error {
	h := t.home[op.In[0]]
	if h.parts == 1 {
		return t.inFull(op)
	}
	in := t.g.Tensor(op.In[0]).Shape
	p, heads := place{-1, h.parts}, t.splitsHeads(op, h)
	for i, id := range op.Out {
		out := t.g.Tensor(id).Shape
		axis, ok := 1, heads
		if !heads {
			axis, ok = follow(in, out, h)
		}
		if !ok || i > 0 && axis != p.axis {
			return t.inFull(op)
		}
		p.axis = axis
	}
	at := make([]place, len(op.In))
	for i, id := range op.In {
		var ok bool
		if at[i], ok = t.joinsHeads(op, id, h); !ok {
			return t.inFull(op)
		}
	}
	own, err := t.takeAll(op.In, at...)
	if err != nil {
		return err
	}
	k.Elements /= int64(h.parts)
	t.out.Append(graph.Op{Name: op.Name, In: own, Out: t.result(op, p), Kind: k})
	return nil
}

// follow finds the axis of a result that a cut of the operand becomes.
func follow(in, out []int, h place) (axis int, ok bool) {
	last := len(in) - 1
	switch {
	case len(in) == len(out) && in[h.axis] == out[h.axis]:
		return h.axis, true
	case len(out) == 4 && h.axis == last && in[last]%(out[1]*out[3]) == 0 && out[1]%h.parts == 0:
		return 1, true // heads
	case len(in) == 4 && h.axis == 1 && out[len(out)-1] == in[1]*in[3]:
		return len(out) - 1, true // heads put together
	}
	before := 1
	for _, d := range in[:h.axis] {
		before *= d
	}
	for i, d := range out {
		if before == 1 && d%h.parts == 0 {
			return i, true
		}
		if d == 0 || before%d != 0 {
			return 0, false
		}
		before /= d
	}
	return 0, false
}
