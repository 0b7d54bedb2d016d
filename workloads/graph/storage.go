package graph

// Stored says in which tensor's bytes a tensor lies.
type Stored struct {
	In     TensorID // itself, or the tensor that it is a view or a part of
	Offset int64    // of its first byte
	Part   bool     // it is written as one of several parts of In
}

// Storage returns for each tensor the tensor whose bytes it shares: the result of a Move of no
// elements lies in its operand, and the operands of a concat of no elements lie in its result.
func (g *Graph) Storage() []Stored {
	out := make([]Stored, len(g.Tensors))
	for i := range out {
		out[i].In = TensorID(i)
	}
	for i := range g.Ops {
		op := &g.Ops[i]
		if !op.IsView() || len(op.In) == 0 || op.In[0] == None {
			continue
		}
		if op.joins() {
			g.join(out, op)
			continue
		}
		k, in := op.Kind.(Move), op.In[0]
		for _, o := range op.Out {
			at := g.Tensor(in).DType.Bytes(k.From)
			if at+g.Tensor(o).Bytes() <= g.Tensor(in).Bytes() {
				out[o] = Stored{In: in, Offset: at}
			}
		}
	}
	for i := range out {
		for x := &out[i]; out[x.In].In != x.In; {
			x.In, x.Offset = out[x.In].In, x.Offset+out[x.In].Offset
		}
	}
	return out
}

// join has the operands of a concat lie in its result, if none has another place.
func (g *Graph) join(out []Stored, op *Op) {
	var sum int64
	for k, id := range op.In {
		if id == None || out[id].In != id || g.Tensor(id).Role != Activation {
			return
		}
		for _, before := range op.In[:k] {
			if before == id {
				return
			}
		}
		sum += g.Tensor(id).Bytes()
	}
	if len(op.Out) != 1 || sum != g.Tensor(op.Out[0]).Bytes() {
		return
	}
	sum = 0
	for _, id := range op.In {
		out[id] = Stored{In: op.Out[0], Offset: sum, Part: true}
		sum += g.Tensor(id).Bytes()
	}
}

// joins reports whether an operator is a view of several operands together.
func (op *Op) joins() bool { return op.IsView() && len(op.In) > 1 }
