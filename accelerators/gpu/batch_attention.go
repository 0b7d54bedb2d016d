package gpu

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// batched adds the attentions of unlike requests of a server's step as one kernel each: the first
// attention of a layer does the work of all, as Attend has it for a planned step. Attentions that
// were measured stay kernels of their own.
func (c *record) batched(s *work.Share, out *mixed) *mixed {
	if c.prof != nil {
		return out
	}
	var last []work.Attention // of the layer before, whose kernel is often the same
	var f fused
	carried := operatorsOf(s)
	for _, ops := range unlike(s.Graph) {
		if !hasAll(carried, ops) {
			continue
		}
		if parts := attentions(s.Graph, ops); !slices.Equal(parts, last) {
			f, last = fused{what: "attention"}, parts
			var bytes uint64
			for _, i := range ops {
				f.macs += uint64(s.Graph.Ops[i].MACs())
				f.vector += uint64(s.Graph.Ops[i].VectorOps())
				bytes += uint64(s.Graph.Footprint(&s.Graph.Ops[i]).Bytes())
			}
			f.cost = c.joint(parts, typesOf(s.Graph, ops[0]), float64(bytes))
		}
		f.first, f.ops = ops[0], ops
		out = out.add(len(s.Graph.Ops), ops, f)
	}
	return out
}

// unlike finds the attentions of groups of requests: all results that a concat joins are those of
// an attention, or views of them. Each element has at least two operators, in order. Attentions of a
// step of training, which leave statistics of fresh keys, are kernels of their own.
func unlike(g *graph.Graph) (out [][]int) {
	makers := make([]int32, len(g.Tensors)) // 1 + operator
	for i := range g.Ops {
		for _, id := range g.Ops[i].Out {
			makers[id] = int32(i + 1)
		}
		k, ok := g.Ops[i].Kind.(graph.Move)
		if !ok || k.Func != "concat" || len(g.Ops[i].In) < 2 {
			continue
		}
		var ops []int
		for _, id := range g.Ops[i].In {
			if at := attentionOfResult(g, makers, id); at >= 0 {
				ops = append(ops, at)
			}
		}
		if len(ops) == len(g.Ops[i].In) && slices.IsSorted(ops) {
			out = append(out, ops)
		}
	}
	return out
}

// attentionOfResult is the attention whose result tensor id is or views; -1: none.
func attentionOfResult(g *graph.Graph, makers []int32, id graph.TensorID) int {
	for makers[id] > 0 {
		i := int(makers[id] - 1)
		switch k := g.Ops[i].Kind.(type) {
		case graph.Attention:
			if k.Partial == graph.LogSumExp && g.Tensor(g.Ops[i].In[1]).Role != graph.KV {
				return -1
			}
			return i
		case graph.Move:
			if k.Elements > 0 || len(g.Ops[i].In) != 1 {
				return -1
			}
			id = g.Ops[i].In[0]
		default:
			return -1
		}
	}
	return -1
}

// typesOf are the types of an attention's operands.
func typesOf(g *graph.Graph, i int) graph.DTypes {
	op := &g.Ops[i]
	q := g.Tensor(op.In[0]).DType
	return graph.DTypes{Weight: q, Activation: q, KV: g.Tensor(op.In[1]).DType}
}

// attentions are those of operators, with the requests of each.
func attentions(g *graph.Graph, ops []int) (out []work.Attention) {
	for _, i := range ops {
		op := &g.Ops[i]
		out = append(out, work.Attention{Attention: op.Kind.(graph.Attention), Requests: g.Tensor(op.In[0]).Shape[0]})
	}
	return out
}

// joint is the cost of attentions that are one kernel, which has one clock. Kernels of a library were
// measured for prompts and for tokens apart: their times add up, and there is one launch. Bytes are those of all; 0:
// those of the kernels.
func (c *record) joint(parts []work.Attention, d graph.DTypes, bytes float64) kernel.Cost {
	moves := func(cost kernel.Cost) kernel.Cost {
		if bytes > 0 {
			cost.Bytes = bytes
		}
		return cost
	}
	price := func() kernel.Cost { return moves(c.launched(c.together(parts, d))) }
	if c.lib != nil {
		alone := apart(parts, d)
		if c.prof != nil { // each has the clock or the time of its own
			return c.inTurn(alone)
		}
		price = func() kernel.Cost { return moves(c.inTurn(alone)) }
	}
	if len(parts) == 0 || c.unheld() && c.lib != nil { // each has its curve
		return price()
	}
	var macs, vector float64
	for _, p := range parts {
		macs += float64(p.Attention.MACs())
		vector += float64(p.Attention.VectorOps())
	}
	g := parts[0].Alone(d)
	return c.limited(typeOf(g, &g.Ops[0]), macs, vector, price)
}

// apart are graphs of the prompts, and of all that decode.
func apart(parts []work.Attention, d graph.DTypes) (out []*graph.Graph) {
	prompts, decode, _ := meanDecode(parts)
	if decode.Requests > 0 {
		prompts = append(prompts, decode.Attention)
	}
	for _, p := range prompts {
		out = append(out, p.Alone(d))
	}
	return out
}

// inTurn is the cost of attentions one after the other, launched once.
func (c *record) inTurn(graphs []*graph.Graph) (sum kernel.Cost) {
	was := c.nested
	c.nested = true
	defer func() { c.nested = was }()
	for i, g := range graphs {
		cost := c.attention(g)
		if i == 0 {
			sum = cost
			continue
		}
		sum.Kernels = max(sum.Kernels, cost.Kernels)
		sum.Total += cost.Total - min(cost.Launch, cost.Total)
		sum.Compute += cost.Compute
		sum.Waits += cost.Waits
		sum.Stalled += cost.Stalled
		sum.Bytes += cost.Bytes
		sum.Near += cost.Near
		sum.Kept += cost.Kept
		sum.Slow.Add(cost.Slow)
	}
	return sum
}

// attention is the cost of the only operator of a graph, at the clock that limited tries where it does.
func (c *record) attention(g *graph.Graph) kernel.Cost {
	if c.spec.share > 0 {
		sh := c.shape(g, 0)
		return c.launched(c.cost(&g.Ops[0], &sh))
	}
	_, cost := c.plan(&work.Share{Graph: g}, 0, 0)
	return cost
}

// together is the cost of cutlass's kernel of attentions.
func (c *record) together(all []work.Attention, d graph.DTypes) kernel.Cost {
	var m kernel.Machine
	parts := make([]kernel.Attention, len(all))
	for i, p := range all {
		g := p.Alone(d)
		t, f := typeOf(g, &g.Ops[0]), g.Footprint(&g.Ops[0])
		m = c.machine(p.Attention, t)
		parts[i] = attentionOf(&p.Attention, t.Width()/8, float64(f.Bytes()), c.spec.left(&m, &f))
		parts[i].Requests = p.Requests
	}
	return m.Attend(parts)
}

// attentionOf is a kernel's attention whose keys have elements of size bytes; all bytes and those
// that the operator before has left are of the operator.
func attentionOf(k *graph.Attention, size, bytes, left float64) kernel.Attention {
	return kernel.Attention{Batch: k.Batch, Group: k.Group, Queries: k.Queries, Keys: k.Keys, Size: k.Size, Value: k.Value, Element: size,
		Pairs: float64(k.Pairs()), Ops: float64(k.VectorOps()), Bytes: bytes, Warm: left}
}

// meanDecode divides attentions into those of prompts and one of all requests that decode, with
// the mean of their entries, of which entries is the sum. decode.Requests is 0 if none decodes.
func meanDecode(parts []work.Attention) (prompts []graph.Attention, decode work.Attention, entries int) {
	heads, requests := 0, 0
	for _, p := range parts {
		if p.Queries > 1 {
			prompts = append(prompts, p.Attention)
			continue
		}
		decode, heads = p, p.Batch/p.Requests
		requests += p.Requests
		entries += p.Requests * p.Keys
	}
	if requests > 0 {
		decode.Requests, decode.Batch, decode.Keys = requests, heads*requests, (entries+requests-1)/requests
	}
	return prompts, decode, entries
}
