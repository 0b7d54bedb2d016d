package parallel

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/recipe"
)

// cotangents are the gradients of a tensor so far, one for each that reads it: of the whole
// (each rank that has the tensor has the same), or parts that add up over those ranks.
type cotangents struct{ whole, parts []graph.TensorID }

// backward is the pass of a microbatch back through a chunk.
func (s *stage) backward(c *chunk, t turn) {
	b := &back{stage: s, chunk: c, turn: t, at: slices.Clone(c.at[t.micro]), of: make([]cotangents, len(c.Graph.Tensors)), done: make([]bool, len(c.parts)), kept: map[graph.TensorID]bool{}, fresh: map[graph.TensorID]bool{}, also: graph.None}
	c.at[t.micro] = nil
	s.waits = -1
	first := len(s.out.Ops)
	if s.number+1 == s.grid.Pipeline && c == s.chunks[len(s.chunks)-1] {
		b.lossBack()
	}
	for i := range slices.Backward(c.Graph.Ops) {
		if k := c.segment[i]; k >= 0 && !b.done[k] {
			b.done[k] = true
			b.recompute(c.parts[k])
		}
		if op := &c.Graph.Ops[i]; slices.ContainsFunc(op.In, func(id graph.TensorID) bool { return id != graph.None && c.needs[id] }) || received(op) {
			b.adjoint(op)
		}
	}
	s.settle()
	if t.micro == 0 { // all microbatches keep as much
		c.held = b.keeps(s.out.Ops[first:])
	}
}

// keeps is the bytes of the activations that a pass forward keeps for the operators of this one.
// Products of layers that read operands of a type of their own keep those in place of what they
// were cast from.
func (b *back) keeps(ops []graph.Op) (bytes int64) {
	const whole, narrow = 1, 2
	readers := make(map[graph.TensorID]uint8, len(b.kept))
	for i := range ops {
		op := &ops[i]
		if k, ok := op.Kind.(graph.Move); ok && k.Elements == 0 && len(op.Out) == 1 {
			if _, view := b.views[op.Out[0]]; view {
				continue
			}
		}
		by := uint8(whole)
		if k, ok := op.Kind.(graph.Elementwise); b.Cast && (recipe.Reads(op) || b.Narrow && ok && strings.HasSuffix(k.Func, recipe.Gate+"_back")) {
			by = narrow
		}
		for _, id := range op.In {
			if id == graph.None {
				continue
			}
			if id = b.root(id); b.kept[id] {
				readers[id] |= by
			}
		}
	}
	for id := range b.kept {
		x := b.out.Tensor(id)
		if readers[id]&narrow != 0 {
			bytes += b.Products.Bytes(x.Elements())
		}
		if readers[id] != narrow {
			bytes += x.Bytes()
		}
	}
	return bytes
}

func received(op *graph.Op) bool {
	t, ok := op.Kind.(graph.Transfer)
	return ok && t.Func == "recv"
}

// back is one pass back.
type back struct {
	*stage
	*chunk
	turn
	at   []graph.TensorID
	of   []cotangents
	done []bool // segments that were computed again
	// kept are the activations of the pass forward that this one reads, fresh those that it
	// has computed again.
	kept, fresh map[graph.TensorID]bool
	also        graph.TensorID // of accumulate: a result besides the gradients; None: none
}

// saved is a tensor of the pass forward.
func (b *back) saved(id graph.TensorID) graph.TensorID {
	out := b.take(b.chunk, b.at, id)
	if x := b.Graph.Tensor(id); x.Role != graph.Weight && !b.fresh[b.root(out)] {
		b.kept[b.root(out)] = true
	}
	return out
}

// root is the tensor that another is a view of.
func (s *stage) root(id graph.TensorID) graph.TensorID {
	for {
		v, ok := s.views[id]
		if !ok {
			return id
		}
		id = v
	}
}

// recompute carries operators of the pass forward out again. Those of a stage that has a
// stage after it wait for the gradient, but in GPipe, which fills its bubbles so.
func (b *back) recompute(ops []int) {
	first := len(b.out.Ops)
	for _, i := range ops {
		if t, ok := b.Graph.Ops[i].Kind.(graph.Transfer); ok && (t.Func == "send" || t.Func == "recv") {
			continue
		}
		b.again(b.chunk, b.turn, b.at, i, ".again")
	}
	for i := first; i < len(b.out.Ops) && b.waits >= 0 && b.Schedule != GPipe; i++ {
		if computes(&b.out.Ops[i]) {
			b.before = append(b.before, [2]int32{int32(i), b.waits})
			break
		}
	}
	for _, i := range ops { // what is there again was not kept, what it is made of was
		for _, id := range b.Graph.Ops[i].Out {
			b.fresh[b.at[id]] = true
		}
	}
	for _, i := range ops {
		for _, id := range b.Graph.Ops[i].In {
			if id != graph.None {
				b.saved(id)
			}
		}
	}
}

// partsOf is into how many parts the ranks have cut a tensor.
func (c *chunk) partsOf(id graph.TensorID) int { return max(c.Cuts[id].Parts, 1) }

// sharing is the ranks that have the same part of a tensor.
func (b *back) sharing(id graph.TensorID) graph.Ranks {
	r := b.grid.Tensors(b.number)
	r.Count /= b.partsOf(id)
	return r
}

// sum adds gradients up.
func (b *back) sum(name string, like *graph.Tensor, all []graph.TensorID) graph.TensorID {
	if len(all) < 2 {
		return append(all, graph.None)[0]
	}
	out := b.activation(name, like)
	b.append(name, graph.Elementwise{Func: "add", Elements: like.Elements(), Inputs: len(all), OpsPer: len(all) - 1}, all, out)
	return out
}

// gradient is that of a tensor, None where nothing depends on it. Parts that add up over
// ranks are added up, but for those of a tensor that some ranks have and others not: what
// is made of them adds up all the same.
func (b *back) gradient(id graph.TensorID) (d graph.TensorID, partial bool) {
	x, c := b.Graph.Tensor(id), b.of[id]
	b.of[id] = cotangents{}
	parts := b.sum(x.Name+".dsum", x, c.parts)
	if parts == graph.None {
		return b.sum(x.Name+".dadd", x, c.whole), false
	}
	if len(c.whole) == 0 && b.partsOf(id) > 1 {
		return parts, true
	}
	all := b.activation(x.Name+".d", x)
	b.append(x.Name+".d.all_reduce", graph.Transfer{Func: "all_reduce", Bytes: x.Bytes(), Among: b.sharing(id)}, []graph.TensorID{parts}, all)
	return b.sum(x.Name+".dadd", x, append(c.whole, all)), false
}

// give adds a gradient of an operand: in part, if the operator's result is, or if each rank
// has a part of the result and all have the operand.
func (b *back) give(op *graph.Op, operand int, d graph.TensorID, partial bool) {
	id := op.In[operand]
	if partial || b.splits(op, id) {
		b.of[id].parts = append(b.of[id].parts, d)
	} else {
		b.of[id].whole = append(b.of[id].whole, d)
	}
}

// splits reports whether an operator makes parts of what more ranks have the same of.
func (b *back) splits(op *graph.Op, id graph.TensorID) bool {
	out := op.Out[0]
	return !b.Cuts[out].Sum && b.partsOf(id) < b.partsOf(out)
}

// wants reports whether operand i of an operator needs a gradient.
func (b *back) wants(op *graph.Op, i int) bool {
	return i < len(op.In) && op.In[i] != graph.None && b.needs[op.In[i]]
}

// weighs reports whether operand i is a weight, whose gradients are added up in place.
func (b *back) weighs(op *graph.Op, i int) bool {
	return b.wants(op, i) && b.Graph.Tensor(op.In[i]).Role == graph.Weight
}

// accumulate adds an operator that makes the gradient of a weight, or adds to it. Products for weights are put
// off until the next exchange is under way where a pass forward goes with this one.
func (b *back) accumulate(name string, k graph.Kind, in []graph.TensorID, partial bool, op *graph.Op, weights ...graph.TensorID) {
	if _, product := k.(graph.MatMul); product && b.pause != nil {
		b.late = append(b.late, func() { b.add(name, k, in, partial, op, weights...) })
		return
	}
	b.add(name, k, in, partial, op, weights...)
}

func (b *back) add(name string, k graph.Kind, in []graph.TensorID, partial bool, op *graph.Op, weights ...graph.TensorID) {
	var out []graph.TensorID
	for _, id := range weights {
		if id == graph.None {
			continue
		}
		w := b.by[b.Graph.Tensor(id).Name]
		if (partial || b.splits(op, id)) && w.partial == 0 {
			w.partial = b.sharing(id).Count
		}
		if w.begun {
			in = append(in, w.gradient)
		}
		w.begun, w.done = true, len(b.out.Ops)
		out = append(out, w.gradient)
	}
	if b.also != graph.None { // a result before the gradients of weights
		out, b.also = append([]graph.TensorID{b.also}, out...), graph.None
	}
	b.append(name, k, in, out...)
}
