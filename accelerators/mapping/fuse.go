package mapping

import "github.com/causeway-sim/causeway/workloads/graph"

// Units are the operators that are carried out as one, each with what is applied to its
// results on their way out, in the order of the graph; views are in no unit.
func Units(g *graph.Graph, fuse bool) (out [][]int) {
	fused, by := fusible(g, fuse, false)
	for i := range g.Ops {
		if k, ok := g.Ops[i].Kind.(graph.Move); by[i] >= 0 || ok && k.Elements == 0 {
			continue
		}
		out = append(out, append([]int{i}, fused[i]...))
	}
	return out
}

// fusible finds, for each matrix operator, what can be applied to its results on
// their way out: an elementwise operator of one operand (an activation function)
// or a batch norm over its filters that is the only reader of the result, and so
// on. by[i] is the operator that operator i is fused into, or -1.
//
// A batch norm is folded into weights and bias beforehand (Jacob et al., CVPR
// 2018, section 3.2): it costs nothing but the reading of its shift as a bias.
//
// With wide set more is applied, see epilogue.go.
func fusible(g *graph.Graph, on, wide bool) (fused [][]int, by []int) {
	fused, by = make([][]int, len(g.Ops)), make([]int, len(g.Ops))
	for i := range by {
		by[i] = -1
	}
	if !on {
		return fused, by
	}
	readers, last := make([]int, len(g.Tensors)), make([]int, len(g.Tensors))
	for i := range g.Ops {
		for _, t := range g.Ops[i].In {
			if t != graph.None {
				readers[t]++
				last[t] = i
			}
		}
	}
	f := newFinisher(g, by)
	for i := range g.Ops {
		if _, ok := g.Ops[i].Matrix(); !ok || len(g.Ops[i].Out) != 1 {
			continue
		}
		for t := g.Ops[i].Out[0]; readers[t] == 1 && g.Tensors[t].Role == graph.Activation; {
			op := &g.Ops[last[t]]
			if len(op.Out) != 1 || !applies(g, &g.Ops[i], op, len(fused[i]) == 0) && !(wide && f.takes(i, t, op)) {
				break
			}
			fused[i] = append(fused[i], last[t])
			t = op.Out[0]
		}
		fused[i] = f.trim(i, fused[i])
		for _, j := range fused[i] {
			by[j] = i
		}
	}
	return fused, by
}

// applies reports whether op can be applied to the results of matrix operator m;
// only what follows directly can be folded.
func applies(g *graph.Graph, m, op *graph.Op, directly bool) bool {
	switch k := op.Kind.(type) {
	case graph.Elementwise:
		return len(op.In) == 1 && k.Elements == g.Tensor(op.In[0]).Elements()
	case graph.Norm:
		v, ok := m.Kind.(graph.Conv)
		if !ok || !directly || k.Rule().Scope != graph.Folded {
			return false
		}
		for _, id := range op.In[1:] {
			if id != graph.None && g.Tensor(id).Elements() != int64(v.K) {
				return false
			}
		}
		return true
	}
	return false
}

// folded is the bias that op reads, with a batch norm folded in if there is one.
func folded(op *graph.Op, fused []*graph.Op) graph.TensorID {
	bias := graph.None
	if len(op.In) > 2 {
		bias = op.In[2]
	}
	for _, f := range fused {
		if k, ok := f.Kind.(graph.Norm); ok && k.Bias && len(f.In) > 2 {
			bias = f.In[2]
		}
	}
	return bias
}
