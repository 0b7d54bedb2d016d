package gpu

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// joins finds the kernels that serving frameworks make of several operators of a model.
//
// Sources: TensorRT-LLM, tensorrt_llm/_torch/modules (attention.py: qkv_proj; gated_mlp.py:
// gate_up_proj; rms_norm.py: residual); vLLM, model_executor/layers (QKVParallelLinear,
// MergedColumnParallelLinear, fused_add_rms_norm; reshape_and_cache).
type joins struct {
	g       *graph.Graph
	makers  []int32 // by tensor: 1 + the operator that makes it
	has     map[int]bool
	experts map[int]bool // operators of mixtures of experts, whose kernels are those of all experts
	out     *mixed
	product func(ops []int) kernel.Cost
	norm    func(add, norm int) kernel.Cost
}

// joined adds products of one operand that are one product, those of queries, keys and values and
// those of gate and up, residuals' additions with the norm after them, and the writes of a layer's
// keys and values into the cache.
func (c *record) joined(s *work.Share, out *mixed) *mixed {
	if !c.spec.Kernels.Join {
		return out
	}
	j := joins{g: s.Graph, makers: make([]int32, len(s.Graph.Tensors)), experts: map[int]bool{}, out: out,
		product: func(ops []int) kernel.Cost { return c.joinedProduct(s.Graph, ops) },
		norm:    func(add, norm int) kernel.Cost { return c.addedNorm(s.Graph, add, norm) }}
	if s.Program.Jobs != nil {
		j.has = map[int]bool{}
		for i := range s.Program.Jobs {
			for _, op := range s.Program.Jobs[i].All() {
				j.has[op] = true
			}
		}
	}
	for _, x := range s.Graph.Mixtures() {
		for _, i := range x.Ops {
			j.experts[i] = true
		}
	}
	for i := range s.Graph.Ops {
		op := &s.Graph.Ops[i]
		switch k := op.Kind.(type) {
		case graph.Attention:
			j.products(op.In[:min(3, len(op.In))])
		case graph.Elementwise:
			if k.Inputs == 2 && k.Func != "add" && len(op.In) == 2 {
				j.products(op.In)
			}
		case graph.Norm:
			j.residual(i, op, k)
		}
		for _, id := range op.Out {
			j.makers[id] = int32(i + 1)
		}
	}
	for _, ops := range layersOfAttention(s.Graph) {
		j.writes(ops, func(ops []int) kernel.Cost { return c.joinedWrites(s.Graph, ops) })
	}
	return j.out
}

// layersOfAttention are the attentions of each layer: those of unlike requests, and single ones.
func layersOfAttention(g *graph.Graph) [][]int {
	out := unlike(g)
	together := map[int]bool{}
	for _, ops := range out {
		for _, i := range ops {
			together[i] = true
		}
	}
	for i := range g.Ops {
		if _, ok := g.Ops[i].Kind.(graph.Attention); ok && !together[i] {
			out = append(out, []int{i})
		}
	}
	return out
}

// writes joins what writes the keys and values of some attentions into the cache.
func (j *joins) writes(attentions []int, cost func(ops []int) kernel.Cost) {
	var ops []int
	for _, i := range attentions {
		for _, id := range j.g.Ops[i].In[1:] {
			if at := j.write(id); at >= 0 && j.free(at) {
				ops = append(ops, at)
			}
		}
	}
	slices.Sort(ops)
	if ops = slices.Compact(ops); len(ops) > 1 {
		j.add("joined", ops, cost(ops))
	}
}

// write is the operator that writes a tensor into the cache, before views of it; -1: none.
func (j *joins) write(id graph.TensorID) int {
	for i := j.maker(id, len(j.g.Ops)); i >= 0; i = j.maker(id, i) {
		k, ok := j.g.Ops[i].Kind.(graph.Move)
		switch {
		case ok && k.Func == "append" && !k.Inside: // of the attention's kernel otherwise
			return i
		case !ok || k.Elements > 0 || len(j.g.Ops[i].In) != 1:
			return -1
		}
		id = j.g.Ops[i].In[0]
	}
	return -1
}

// maker is the operator before another one that makes a tensor; -1: none. A tensor that is written in
// place, as by the lines of an optimiser, has its last writer alone, so that a chain of makers ends there.
func (j *joins) maker(id graph.TensorID, before int) int {
	if id == graph.None {
		return -1
	}
	if i := int(j.makers[id]) - 1; i < before {
		return i
	}
	return -1
}

// Joins implements work.Joiner.
func (c *Comp) Joins(g *graph.Graph, op int) bool {
	if m, ok := c.mixed[g]; ok && (m == nil || m.part[op] == 0) { // asked of every operator
		return false
	}
	f := c.mixture(&work.Share{Graph: g}, op)
	return f != nil && f.what == "joined"
}

// free reports whether the share has an operator that is no part of a joint kernel yet.
func (j *joins) free(i int) bool {
	return (j.has == nil || j.has[i]) && !j.experts[i] && (j.out == nil || j.out.part[i] == 0)
}

// products joins the products that make tensors, if they have one operand and weights of one type.
func (j *joins) products(ids []graph.TensorID) {
	var ops []int
	for _, id := range ids {
		i := j.projection(id)
		if i < 0 || !j.free(i) || len(ops) > 0 && !j.alike(ops[0], i) {
			return
		}
		if len(ops) > 0 && i <= ops[len(ops)-1] {
			return
		}
		ops = append(ops, i)
	}
	if len(ops) > 1 {
		j.add("joined", ops, j.product(ops))
	}
}

// add makes operators one kernel.
func (j *joins) add(what string, ops []int, cost kernel.Cost) {
	f := fused{what: what, first: ops[0], ops: ops, cost: cost}
	for _, i := range ops {
		f.macs += uint64(j.g.Ops[i].MACs())
		f.vector += uint64(j.g.Ops[i].VectorOps())
	}
	j.out = j.out.add(len(j.g.Ops), ops, f)
}

// projection is the product with weights that makes a tensor, before views, the write into the
// cache, rotary embeddings, norms of heads and functions of one operand; -1: none.
func (j *joins) projection(id graph.TensorID) int {
	for i := j.maker(id, len(j.g.Ops)); i >= 0; i = j.maker(id, i) {
		op := &j.g.Ops[i]
		switch k := op.Kind.(type) {
		case graph.MatMul:
			if k.Batch == 1 && k.Stages < 2 && len(op.Out) == 1 && j.g.Tensor(op.In[1]).Role == graph.Weight && !j.g.Sparsity(op).On() {
				return i
			}
			return -1
		case graph.Move:
			if k.Func == "concat" {
				return -1
			}
		case graph.Elementwise:
			if k.Inputs != 1 && k.Func != "rope" {
				return -1
			}
		case graph.Norm:
		default:
			return -1
		}
		id = op.In[0]
		if len(op.In) > 1 && j.g.Tensor(id).Role == graph.KV { // into a cache
			id = op.In[1]
		}
	}
	return -1
}

// alike reports whether products have one operand and weights of one type.
func (j *joins) alike(a, b int) bool {
	x, y := &j.g.Ops[a], &j.g.Ops[b]
	return x.In[0] == y.In[0] && j.g.Tensor(x.In[1]).DType == j.g.Tensor(y.In[1]).DType && x.Kind.(graph.MatMul).K == y.Kind.(graph.MatMul).K
}

// residual joins the addition that makes a norm's operand with the norm.
func (j *joins) residual(i int, op *graph.Op, k graph.Norm) {
	at := int(j.makers[op.In[0]]) - 1
	if at < 0 || k.Inside || len(op.Out) != 1 || k.Rule().Scope != graph.OverRow || !j.free(at) || !j.free(i) {
		return
	}
	add, ok := j.g.Ops[at].Kind.(graph.Elementwise)
	if !ok || add.Func != "add" || add.Inputs != 2 || add.Inside || add.Elements != k.Rows*k.Cols {
		return
	}
	for _, id := range j.g.Ops[at].In {
		if t := j.g.Tensor(id); t.Role == graph.Weight || t.Elements() != add.Elements {
			return // a bias
		}
	}
	j.add("joined", []int{at, i}, j.norm(at, i))
}

// joinedProduct is the cost of products of one operand as one.
func (c *record) joinedProduct(g *graph.Graph, ops []int) kernel.Cost {
	op := &g.Ops[ops[0]]
	k := op.Kind.(graph.MatMul)
	sh := shape{dtype: typeOf(g, op), bytes: g.Footprint(op), outs: 1, rows: rowsOf(g, op), loop: c.looped(g)}
	for _, i := range ops[1:] {
		f := g.Footprint(&g.Ops[i])
		k.N += g.Ops[i].Kind.(graph.MatMul).N
		sh.bytes.WeightBytes += f.WeightBytes
		sh.bytes.WeightElements += f.WeightElements
		sh.bytes.OutputBytes += f.OutputBytes
	}
	k.Applies = 0
	sh.kind = k
	if c.lib != nil {
		sh.named, sh.quantised = namedOf(g, op), c.quantisedBefore(g, op)
	}
	return c.kept(&graph.Op{Name: op.Name, In: op.In, Out: op.Out, Kind: k}, sh, false, 0)
}

// joinedWrites is the cost of writes into the cache as one.
func (c *record) joinedWrites(g *graph.Graph, ops []int) kernel.Cost {
	op := &g.Ops[ops[0]]
	k := op.Kind.(graph.Move)
	sh := shape{dtype: typeOf(g, op), bytes: g.Footprint(op), outs: 1, rows: rowsOf(g, op), loop: c.looped(g)}
	for _, i := range ops[1:] {
		f := g.Footprint(&g.Ops[i])
		k.Elements += g.Ops[i].Kind.(graph.Move).Elements
		sh.bytes.InputBytes += f.InputBytes
		sh.bytes.KVBytes += f.KVBytes
		sh.bytes.OutputBytes += f.OutputBytes
	}
	sh.kind = k
	return c.kept(&graph.Op{Name: op.Name, In: op.In, Out: op.Out, Kind: k}, sh, true, 0)
}

// addedNorm is the cost of a norm that adds a residual first and writes the sum too.
func (c *record) addedNorm(g *graph.Graph, add, norm int) kernel.Cost {
	op := &g.Ops[norm]
	sh := shape{kind: op.Kind, dtype: typeOf(g, op), bytes: g.Footprint(&g.Ops[add]), outs: 2, rows: rowsOf(g, op), loop: c.looped(g)}
	own := g.Footprint(op)
	sh.bytes.WeightBytes += own.WeightBytes
	sh.bytes.OutputBytes += own.OutputBytes
	return c.kept(op, sh, true, g.Ops[add].VectorOps())
}

// kept is the cost of a kernel, which shapes met before have too. It moves the bytes of its shape if moves is set,
// and does more operations of the vector units than the operator.
func (c *record) kept(op *graph.Op, sh shape, moves bool, more int64) kernel.Cost {
	cost, ok := c.costs[sh]
	if !ok {
		cost = c.limited(sh.dtype, float64(op.MACs()), float64(op.VectorOps()+more), func() kernel.Cost {
			x := c.launched(c.cost(op, &sh))
			if moves {
				x.Bytes = float64(sh.bytes.Bytes())
			}
			return x
		})
		c.costs[sh] = cost
	}
	return cost
}

// joinedOperators says what is one kernel.
func joinedOperators(name string, n uint64) string {
	return fmt.Sprintf("%s: %d operators are part of the kernel of another one, as in serving frameworks: products of queries, keys and values, those of gate and up, residuals' additions with the norm, and writes of keys and values into the cache (kernels.join)", name, n)
}
