package fusion

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A builder makes the graph of a draft.
type builder struct {
	d     *draft
	out   *Plan
	whole map[graph.TensorID]graph.TensorID // tensors of the source that are used as they are
	copy  map[operandOf]graph.TensorID      // operands that stay, in the scratchpad
	lead  []int32                           // by piece: its first and last operator
	end   []int32
}

func (d *draft) build() *Plan {
	g := d.p.g
	b := &builder{d: d, whole: map[graph.TensorID]graph.TensorID{}, copy: map[operandOf]graph.TensorID{}}
	b.out = &Plan{Graph: &graph.Graph{Name: g.Name, Symbols: g.Symbols, Notes: g.Notes}, Groups: d.groups, Traffic: d.traffic(), Kept: d.bytes.kept, Spilled: d.bytes.spilled}
	b.out.Peak, _ = d.alloc.peak()
	for i := range d.pieces {
		b.piece(i)
	}
	seen := map[[2]int32]bool{}
	wait := func(i, before int) {
		w := [2]int32{b.lead[i], b.end[before]}
		if i != before && !seen[w] {
			seen[w] = true
			b.out.Before = append(b.out.Before, w)
		}
	}
	for i := range d.pieces {
		for _, a := range d.pieces[i].after {
			wait(i, a)
		}
		if u := d.pieces[i].unit; d.stays(u) {
			wait(i, d.by[u][0])
		}
	}
	d.alloc.waits(wait)
	return b.out
}

// piece appends the operators of a piece.
func (b *builder) piece(i int) {
	g, n := b.d.p.g, &b.d.pieces[i]
	x := &b.d.p.units[n.unit]
	several := len(b.d.by[n.unit]) > 1
	number := 0
	for k, j := range b.d.by[n.unit] {
		if j == i {
			number = k
		}
	}
	made := map[graph.TensorID]graph.TensorID{} // results of this piece
	b.lead = append(b.lead, int32(len(b.out.Graph.Ops)))
	for at, o := range x.ops {
		op := &g.Ops[o]
		c := graph.Op{Name: op.Name, Kind: part(g, op, n.from, n.to)}
		if x.whole {
			c.Kind = op.Kind
		}
		if several {
			c.Name = fmt.Sprintf("%s.%d", op.Name, number)
		}
		for k, id := range op.In {
			c.In = append(c.In, b.operand(i, at, k, id, made))
		}
		for _, id := range op.Out {
			t := b.result(i, id, at == len(x.ops)-1, number)
			made[id] = t
			c.Out = append(c.Out, t)
		}
		b.out.Graph.Append(c)
		b.out.Source = append(b.out.Source, o)
	}
	b.end = append(b.end, int32(len(b.out.Graph.Ops)-1))
}

// add appends a tensor and where it lies.
func (b *builder) add(t graph.Tensor, p Place) graph.TensorID {
	b.out.Place = append(b.out.Place, p)
	return b.out.Graph.Add(t)
}

// all is a tensor of the source as it stands.
func (b *builder) all(id, root graph.TensorID) graph.TensorID {
	t, ok := b.whole[id]
	if !ok {
		t = b.add(*b.d.p.g.Tensor(id), Place{Root: root})
		b.whole[id] = t
	}
	return t
}

// operand is what operator at of a piece reads.
func (b *builder) operand(i, at, in int, id graph.TensorID, made map[graph.TensorID]graph.TensorID) graph.TensorID {
	if id == graph.None {
		return id
	}
	if t, ok := made[id]; ok {
		return t
	}
	d := b.d
	n := &d.pieces[i]
	x := &d.p.units[n.unit]
	k := slices.IndexFunc(x.reads, func(r operand) bool { return r.op == at && r.in == in })
	if k < 0 {
		return b.viewed(x.ops[at], id, made)
	}
	r, which := &x.reads[k], operandOf{n.unit, k}
	if block, ok := d.resident[which]; ok && i != d.by[n.unit][0] {
		return b.stay(which, id, block)
	}
	pad := r.unit >= 0 && d.inPad(r.unit)
	if r.full && !pad {
		return b.all(id, r.root)
	}
	return b.rows(n, r, pad)
}

// viewed is the result of this piece that operator o reads through a view.
func (b *builder) viewed(o int, id graph.TensorID, made map[graph.TensorID]graph.TensorID) graph.TensorID {
	g := b.d.p.g
	if t, ok := made[viewOf(g, id)]; ok {
		return t
	}
	panic("fusion: " + g.Ops[o].Name + " reads what no operator of its piece has made")
}

// viewOf is the tensor whose bytes id has: id itself, or what a chain of views looks at.
func viewOf(g *graph.Graph, id graph.TensorID) graph.TensorID {
	for i := len(g.Ops) - 1; i >= 0; i-- {
		if op := &g.Ops[i]; view(op) && slices.Contains(op.Out, id) {
			id = op.In[0]
		}
	}
	return id
}

// stay is an operand that the first piece of its unit has left in a block of the scratchpad.
func (b *builder) stay(which operandOf, id graph.TensorID, block int) graph.TensorID {
	c, ok := b.copy[which]
	if !ok {
		t := *b.d.p.g.Tensor(id)
		t.Name += ".pad"
		if t.Role != graph.Weight {
			t.Role = graph.Activation
		}
		c = b.add(t, Place{Pad: true, Root: id, Offset: b.d.alloc.blocks[block].offset})
		b.copy[which] = c
	}
	return c
}

// rows are those of an operand that a piece needs; pad: they are in the scratchpad.
func (b *builder) rows(n *piece, r *operand, pad bool) graph.TensorID {
	d, g := b.d, b.d.p.g
	t := *g.Tensor(r.tensor)
	if t.Role != graph.Input && t.Role != graph.Weight {
		t.Role = graph.Activation
	}
	from, to := int64(0), rowsOf(&t)
	if !r.full {
		from, to, _ = window(g, &g.Ops[d.p.units[n.unit].ops[r.op]], r.in, n.from, n.to)
		t.Shape = withRows(t.Shape, to-from)
	}
	t.Name = fmt.Sprintf("%s[%d:%d]", t.Name, from, to)
	p := Place{Root: r.root, Offset: bytesOf(g.Tensor(r.tensor), from)}
	if pad { // at the newest of the rows, inside the scratchpad
		last := n.after[0]
		for _, j := range n.after {
			if d.pieces[j].unit == r.unit {
				last = j
			}
		}
		p = Place{Pad: true, Root: r.root, Offset: max(0, min(d.alloc.blocks[d.block[last]].offset, d.p.o.Capacity-t.Bytes()))}
	}
	return b.add(t, p)
}

// result is what an operator of a piece writes.
func (b *builder) result(i int, id graph.TensorID, end bool, number int) graph.TensorID {
	d, g := b.d, b.d.p.g
	n := &d.pieces[i]
	x := &d.p.units[n.unit]
	t := *g.Tensor(id)
	p := Place{Root: id, Offset: bytesOf(&t, n.from)}
	if d.block[i] >= 0 {
		p = Place{Pad: true, Root: id, Offset: d.alloc.blocks[d.block[i]].offset}
	} else if x.whole && end {
		return b.all(id, id)
	}
	if !x.whole {
		t.Shape = withRows(t.Shape, n.to-n.from)
		t.Name = fmt.Sprintf("%s.%d", t.Name, number)
	}
	return b.add(t, p)
}

// stays reports whether operands of a unit stay in the scratchpad for all its pieces.
func (d *draft) stays(u int) bool {
	for k := range d.p.units[u].reads {
		if _, ok := d.resident[operandOf{u, k}]; ok {
			return true
		}
	}
	return false
}
