package graph

import "slices"

// SetDTypes gives every tensor the element type of its role, but those that KeepDTypes
// knows.
func (g *Graph) SetDTypes(d DTypes) {
	for i := range g.Tensors {
		g.Tensors[i].DType = d.Of(g.Tensors[i].Role)
	}
	g.KeepDTypes()
	if d.Weight.Blocked() {
		g.SettleBlocks(d.Plain())
	}
}

// KeepDTypes gives those tensors their element type that have no choice: indices of a Gather
// Int32, for they are addresses, and statistics of attention over a part of the keys FP32.
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

// A Footprint is what one operator reads and writes if it touches every element
// once. Input holds activations and model inputs, KV what is read of a cache,
// Output what is written, to a cache included.
type Footprint struct {
	InputElements, WeightElements, KVElements, OutputElements int64
	InputBytes, WeightBytes, KVBytes, OutputBytes             int64
}

// Bytes is everything read and written.
func (f Footprint) Bytes() int64 { return f.InputBytes + f.WeightBytes + f.KVBytes + f.OutputBytes }

// Footprint returns what op, an operator of g, reads and writes. A tensor that
// is two operands counts once. A gather reads only the rows it wants, a move
// only as much as it writes, and a view (a move of no elements) nothing.
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
