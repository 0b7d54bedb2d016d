package graph

import "slices"

// SetDTypes sets the element type of every tensor by its role, except those that KeepDTypes sets.
func (g *Graph) SetDTypes(d DTypes) {
	for i := range g.Tensors {
		g.Tensors[i].DType = d.Of(g.Tensors[i].Role)
	}
	g.KeepDTypes()
	if d.Weight.Blocked() {
		g.SettleBlocks(d.Plain())
	}
}

// KeepDTypes sets the element types that are fixed: Int32 for the indices of a Gather, FP32 for
// the statistics of attention over a part of the keys.
func (g *Graph) KeepDTypes() {
	for i := range g.Ops {
		if k, ok := g.Ops[i].Kind.(dtypeFixer); ok {
			k.fixDTypes(g, &g.Ops[i])
		}
	}
}

// Bytes is the size of all tensors with role r.
func (g *Graph) Bytes(r Role) int64 {
	var n int64
	for i := range g.Tensors {
		if g.Tensors[i].Role == r {
			n += g.Tensors[i].Bytes()
		}
	}
	return n
}

// A Footprint is the reads and writes of one operator that accesses every element once. Input
// counts activations and model inputs, KV reads of a cache, Output all writes, including writes to
// a cache.
type Footprint struct {
	InputElements, WeightElements, KVElements, OutputElements int64
	InputBytes, WeightBytes, KVBytes, OutputBytes             int64
}

// Bytes is everything read and written.
func (f Footprint) Bytes() int64 { return f.InputBytes + f.WeightBytes + f.KVBytes + f.OutputBytes }

// Footprint returns the reads and writes of op, an operator of g. A tensor that is two operands
// counts once. A gather reads only its rows, a move as much as it writes, and a view (a move of no
// elements) nothing.
func (g *Graph) Footprint(op *Op) Footprint {
	var f Footprint
	for i, id := range op.In {
		if id == None || slices.Contains(op.In[:i], id) {
			continue
		}
		t := &g.Tensors[id]
		n := t.Elements()
		if k, ok := op.Kind.(partReader); ok {
			n = k.reads(i, n, f.InputElements+f.WeightElements+f.KVElements)
		}
		switch t.Role {
		case Weight:
			f.WeightElements += n
			f.WeightBytes += t.BytesOf(n)
		case KV:
			f.KVElements += n
			f.KVBytes += t.BytesOf(n)
		default:
			f.InputElements += n
			f.InputBytes += t.BytesOf(n)
		}
	}
	left, bounded := int64(0), false
	if k, ok := op.Kind.(Move); ok {
		left, bounded = k.Elements, true
	}
	for _, id := range op.Out {
		t := &g.Tensors[id]
		n := t.Elements()
		if bounded {
			n = min(n, left)
			left -= n
		}
		f.OutputElements += n
		f.OutputBytes += t.BytesOf(n)
	}
	return f
}
