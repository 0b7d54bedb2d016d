package program

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// masked takes a mask by positions and a scale before a softmax of scores into its group.
func (g *rows) masked(found *group) {
	if len(g.dims) != 1 || !isScores(found.x, 6) {
		return
	}
	for {
		i := found.x.def
		if i == nil || i.group != nil || !g.covers(found.x) {
			return
		}
		scores := g.before(i, found)
		if scores == nil {
			return
		}
		g.in[i], g.class[found.x] = true, fullness
		found.x = scores
	}
}

// before is the scores that a conversion, a mask by positions or a scale is of, nil for another
// instruction. The mask goes to the softmax.
func (g *rows) before(i *Inst, found *group) *Value {
	m, isMap := i.Op.(Map)
	if _, conv := i.Op.(Convert); conv {
		return i.in[0]
	}
	if !isMap || len(i.in) < 2 {
		return nil
	}
	var cond, scores *Value
	switch m.Fn {
	case "where":
		if cond, scores = i.in[0], i.in[1]; !veryNegative(i.in[2]) {
			return nil
		}
	case "add":
		cond, scores = maskOf(i.in[1]), i.in[0]
		if cond == nil {
			cond, scores = maskOf(i.in[0]), i.in[1]
		}
		if cond == nil {
			return nil
		}
	case "mul", "div":
		return factored(i, m.Fn)
	default:
		return nil
	}
	mask, ok := g.mask(cond)
	if !ok || found.soft.Mask.Causal {
		return nil
	}
	found.soft.Mask = mask
	return scores
}

// factored is what is multiplied by one number, or divided; nil if there is no such number.
func factored(i *Inst, fn string) *Value {
	if _, one := i.in[1].Scalar(); one {
		return i.in[0]
	}
	if _, one := i.in[0].Scalar(); one && fn == "mul" {
		return i.in[1]
	}
	return nil
}

// maskOf is the condition of an array that is 0 where the condition holds and very negative
// elsewhere.
func maskOf(v *Value) *Value {
	for v.def != nil {
		switch op := v.def.Op.(type) {
		case Convert, Broadcast, Reshape:
			v = v.def.in[0]
			continue
		case Map:
			if op.Fn != "where" {
				return nil
			}
			if zero, ok := v.def.in[1].Scalar(); ok && zero == 0 && veryNegative(v.def.in[2]) {
				return v.def.in[0]
			}
		}
		return nil
	}
	return nil
}

func veryNegative(v *Value) bool {
	x, ok := v.Scalar()
	return ok && x < -1e3
}

// isScores reports whether v is a product of two arrays that depend on data, scaled and masked.
func isScores(v *Value, depth int) bool {
	if v.def == nil || depth == 0 || v.konst {
		return false
	}
	switch v.def.Op.(type) {
	case Dot:
		return !v.def.in[0].konst && !v.def.in[1].konst
	case Convert, Reshape, Transpose:
		return isScores(v.def.in[0], depth-1)
	case Map:
		for _, x := range v.def.in {
			if isScores(x, depth-1) {
				return true
			}
		}
	}
	return false
}

// mask is the mask of attention that a condition on positions is. Row and column are the last
// dimensions but one and the last.
func (g *rows) mask(cond *Value) (m masking.Mask, ok bool) {
	rank := len(cond.Shape)
	if rank < 2 || len(g.shape) < 2 || g.dims[0] != len(g.shape)-1 {
		return m, false
	}
	queries, keys := g.shape[len(g.shape)-2], g.shape[len(g.shape)-1]
	if cond.known == nil {
		return m, false
	}
	if cond.known.where == nil {
		return triangle(cond, queries, keys)
	}
	for _, w := range cond.known.where {
		r, c := w.by[rank-2], w.by[rank-1]
		if slices.ContainsFunc(w.by[:rank-2], func(x int64) bool { return x != 0 }) {
			return m, false
		}
		switch {
		case r == 1 && c == -1 && w.off == int64(keys-queries):
			m.Causal = true
		case r == -1 && c == 1 && w.off+int64(keys-queries) >= 0 && m.Window == 0: // column > row - window
			m.Window = int(w.off + int64(keys-queries) + 1)
		default:
			return m, false
		}
	}
	return m, m.Causal && m.Check(queries, keys) == nil
}

// triangle recognises a small causal mask by its elements.
func triangle(cond *Value, queries, keys int) (m masking.Mask, ok bool) {
	x, ok := cond.Known()
	if !ok || len(x) == 0 || len(x)%(queries*keys) != 0 || queries < 2 {
		return m, false
	}
	for n, y := range x {
		r, c := n/keys%queries, n%keys
		if (y != 0) != (c <= r+keys-queries) {
			return m, false
		}
	}
	m.Causal = true
	return m, true
}
