package graph

import (
	"slices"
	"strings"
)

// A Mixture is the operators of a mixture of experts, from the dispatch of tokens to the sum of
// results: the work of kernels that execute all experts at once.
type Mixture struct {
	Ops   []int // indices in Graph.Ops, in order
	First int   // of them the first product
	// Hidden and Inter are the widths of a token and inside an expert. Gated is set if an expert
	// has two products to the inner width, one of which gates the other.
	Hidden, Inter int
	Gated         bool
	Loads         []Load // of experts with tokens, by falling tokens
	Tokens        int    // whose results are summed; 0: another operator sums them
}

// A Load is a number of experts with Tokens tokens each.
type Load struct{ Tokens, Experts int }

// Mixtures finds the mixtures of experts of g: a move called dispatch (or experts, if ranks share
// experts), operators of the experts E0, E1 and so on, and a move called collect (or results),
// with the weights and the sum after it. Sums over ranks may lie in between and are not in Ops.
// Experts of different sizes, and experts with operators other than products, elementwise ones and
// views, are not a mixture.
func (g *Graph) Mixtures() (out []Mixture) {
	for i := 0; i < len(g.Ops); i++ {
		if k, ok := g.Ops[i].Kind.(Move); !ok || k.Func != "dispatch" && k.Func != "split" {
			continue
		}
		x := mixing{g: g}
		if x.follow(i) {
			out = append(out, x.m)
			i = x.m.Ops[len(x.m.Ops)-1]
		}
	}
	return out
}

// mixing is a mixture as far as it was followed.
type mixing struct {
	g      *Graph
	m      Mixture
	prefix string
	width  map[TensorID]int // of the first products of an expert, by the expert's tokens
	at     TensorID         // the result so far
}

// follow reads the mixture that operator i begins; ok is false where it is none.
func (x *mixing) follow(i int) (ok bool) {
	g, start := x.g, &x.g.Ops[i]
	for _, end := range []string{"dispatch", "experts"} {
		if p, cut := strings.CutSuffix(start.Name, end); cut {
			x.prefix, ok = p, true
		}
	}
	if !ok || len(start.Out) == 0 {
		return false
	}
	x.width = make(map[TensorID]int, len(start.Out))
	for _, id := range start.Out {
		x.width[id] = 0
	}
	x.m.Ops, x.m.First = []int{i}, -1
	for i++; i < len(g.Ops) && strings.HasPrefix(g.Ops[i].Name, x.prefix+"E"); i++ {
		if !x.expert(i) {
			return false
		}
	}
	if i == len(g.Ops) || !x.gather(i) {
		return false
	}
	for i++; i < len(g.Ops) && x.sum(i); i++ {
	}
	return x.agrees()
}

// expert takes operator i of an expert.
func (x *mixing) expert(i int) bool {
	op := &x.g.Ops[i]
	if k, ok := op.Kind.(Transfer); ok { // of the results of an expert whose width ranks share
		return k.Func == "all_reduce"
	}
	x.m.Ops = append(x.m.Ops, i)
	switch k := op.Kind.(type) {
	case MatMul:
		return x.product(i, op, k)
	case Elementwise:
		return true
	case Move:
		return op.IsView()
	}
	return false
}

// product takes a product of an expert.
func (x *mixing) product(i int, op *Op, k MatMul) bool {
	if x.m.First < 0 {
		x.m.First, x.m.Hidden = i, k.K
	}
	shared := max(k.SharedB, 1)
	load := Load{k.M * shared, k.Batch / shared}
	before, first := x.width[op.In[0]]
	if k.Stages > 1 || first && k.K != x.m.Hidden {
		return false
	}
	if first {
		if before == 0 {
			x.load(load)
		}
		x.width[op.In[0]] = before + k.N
		return true
	}
	if x.m.Inter == 0 {
		x.m.Inter = k.K
	}
	return k.K == x.m.Inter && k.N == x.m.Hidden
}

// load counts experts with as many tokens.
func (x *mixing) load(l Load) {
	at := slices.IndexFunc(x.m.Loads, func(o Load) bool { return o.Tokens == l.Tokens })
	if at < 0 {
		x.m.Loads = append(x.m.Loads, l)
		return
	}
	x.m.Loads[at].Experts += l.Experts
}

// gather takes the move that puts results together.
func (x *mixing) gather(i int) bool {
	op := &x.g.Ops[i]
	k, ok := op.Kind.(Move)
	if !ok || k.Func != "collect" && k.Func != "concat" || !strings.HasPrefix(op.Name, x.prefix) || len(op.Out) != 1 {
		return false
	}
	x.m.Ops = append(x.m.Ops, i)
	x.at = op.Out[0]
	return true
}

// sum takes the weights of results and their sum, if operator i is that.
func (x *mixing) sum(i int) bool {
	op := &x.g.Ops[i]
	if op.Name != x.prefix+"weight" && op.Name != x.prefix+"combine" || !slices.Contains(op.In, x.at) || len(op.Out) != 1 {
		return false
	}
	switch op.Kind.(type) {
	case Elementwise:
	case Reduce:
		x.m.Tokens = int(x.g.Tensor(op.Out[0]).Elements()) / max(x.m.Hidden, 1)
	default:
		return false
	}
	x.m.Ops = append(x.m.Ops, i)
	x.at = op.Out[0]
	return true
}

// agrees reports whether all experts have the same width.
func (x *mixing) agrees() bool {
	width := 0
	for _, n := range x.width {
		if width == 0 {
			width = n
		}
		if n == 0 || n != width {
			return false
		}
	}
	x.m.Gated = width == 2*x.m.Inter
	slices.SortFunc(x.m.Loads, func(a, b Load) int { return b.Tokens - a.Tokens })
	return x.m.Inter > 0 && (x.m.Gated || width == x.m.Inter)
}
