package program

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// findProducts joins biases with their products, channel scales after convolutions to folded batch
// norms, divisions after sums to means, and the guard of a table look-up with it.
func (p *Program) findProducts() {
	for _, i := range p.insts {
		if !i.live || i.group != nil || len(i.out) == 0 || i.out[0].konst {
			continue
		}
		switch op := i.Op.(type) {
		case Dot:
			for _, v := range i.in {
				p.findFactor(v)
			}
			p.findBias(i, op)
		case Conv:
			p.findAffine(i, op)
		case Reduce:
			if op.Fn == "add" && len(i.in) == 1 {
				p.findMean(i)
			}
		case Window:
			if op.Fn == "add" {
				p.findMean(i)
			}
		case Gather:
			p.findGuard(i)
		}
	}
}

// findFactor finds a multiplication of an operand of a product by one number, which is a factor of
// the product and costs nothing.
func (p *Program) findFactor(v *Value) {
	for v.soleUse() != nil && v.def != nil && v.def.group == nil && !v.konst {
		switch op := v.def.Op.(type) {
		case Convert, Reshape, Transpose:
			v = v.def.in[0]
			continue
		case Map:
			x := v.def.in[0]
			if len(v.def.in) == 2 && op.Fn == "mul" && x.konst {
				x = v.def.in[1]
			}
			if len(v.def.in) != 2 || op.Fn != "mul" && op.Fn != "div" {
				return
			}
			if _, one := v.def.other(x).Scalar(); one && !x.konst {
				p.take(&group{kind: "factor", insts: []*Inst{v.def}, x: x})
			}
		}
		return
	}
}

// findBias joins a product with the only reader of its result, an addition of a vector along the
// columns.
func (p *Program) findBias(i *Inst, op Dot) {
	columns := len(free(len(i.in[1].Shape), op.RB, op.RC))
	weight := i.in[1]
	if i.in[0].konst && !i.in[1].konst {
		return
	}
	if !weight.konst || columns == 0 || len(op.RB) > 0 {
		return
	}
	g := &group{kind: "bias", insts: []*Inst{i}}
	v := i.out[0]
	for v.soleUse() != nil {
		u := v.soleUse()
		switch o := u.Op.(type) {
		case Convert:
		case Reshape:
			if len(v.Shape) == 0 || len(u.out[0].Shape) == 0 || v.Shape[len(v.Shape)-1] != u.out[0].Shape[len(u.out[0].Shape)-1] || columns > 1 {
				return
			}
		case Map:
			c := u.other(v)
			if o.Fn != "add" || c == nil || !c.konst || !along(c, len(c.Shape)-columns) {
				return
			}
			g.insts, g.root, g.more = append(g.insts, u), u, []*Value{c}
			p.take(g)
			return
		default:
			return
		}
		g.insts = append(g.insts, u)
		v = u.out[0]
	}
}

// along reports whether an array varies in all of its dimensions from first on, and in no other.
func along(c *Value, first int) bool {
	if first < 0 {
		return false
	}
	for d, y := range c.varies() {
		if y && d < first || !y && d >= first && c.Shape[d] > 1 {
			return false
		}
	}
	return true
}

// findAffine joins additions and products with a constant for each channel after a convolution: a
// single addition is its bias, others are a folded batch norm.
func (p *Program) findAffine(i *Inst, op Conv) {
	var insts []*Inst
	var consts []*Value
	added := 0
	v := i.out[0]
walk:
	for v.soleUse() != nil {
		u := v.soleUse()
		switch o := u.Op.(type) {
		case Convert:
		case Map:
			c := u.other(v)
			if c == nil || !c.konst || !byChannel(c, op.Out.Feature) {
				break walk
			}
			switch {
			case o.Fn == "add", o.Fn == "sub" && u.in[0] == v:
				added++
			case o.Fn == "mul", o.Fn == "div" && u.in[0] == v:
			default:
				break walk
			}
			consts = append(consts, c)
		default:
			break walk
		}
		insts = append(insts, u)
		v = u.out[0]
	}
	for len(insts) > 0 {
		if _, conv := insts[len(insts)-1].Op.(Convert); !conv {
			break
		}
		insts = insts[:len(insts)-1]
	}
	switch {
	case len(consts) == 0:
	case len(consts) == 1 && added == 1 && !op.Bias:
		p.take(&group{kind: "bias", insts: append(insts, i), more: consts})
	default:
		c := int64(i.out[0].Shape[op.Out.Feature])
		p.take(&group{kind: "affine", insts: insts, x: i.out[0], more: consts, norm: graph.Norm{Func: "batch", Rows: c, Cols: i.out[0].Elements() / c, Bias: true}})
	}
}

// byChannel reports whether a constant varies along one dimension at most.
func byChannel(c *Value, dim int) bool {
	for d, y := range c.varies() {
		if y && d != dim {
			return false
		}
	}
	return true
}

// findMean joins a sum with the division of its result by a constant.
func (p *Program) findMean(i *Inst) {
	v := i.out[0]
	insts := []*Inst{i}
	for v.soleUse() != nil {
		u := v.soleUse()
		switch o := u.Op.(type) {
		case Convert, Reshape:
		case Broadcast:
			if u.out[0].Elements() != v.Elements() {
				return
			}
		case Map:
			c := u.other(v)
			if c == nil || !c.konst || o.Fn != "mul" && (o.Fn != "div" || u.in[0] != v) {
				return
			}
			if _, one := c.Scalar(); !one {
				if _, window := i.Op.(Window); !window {
					return
				}
			}
			p.take(&group{kind: "mean", root: u, insts: append(insts, u), x: i.in[0]})
			return
		default:
			return
		}
		insts = append(insts, u)
		v = u.out[0]
	}
}

// findGuard joins a look-up with the choice of a constant where an index is out of range.
func (p *Program) findGuard(i *Inst) {
	if u := i.out[0].soleUse(); u != nil && u.group == nil {
		if m, ok := u.Op.(Map); ok && m.Fn == "where" && u.in[1] == i.out[0] {
			if _, one := u.in[2].Scalar(); one && slices.Equal(u.out[0].Shape, i.out[0].Shape) {
				p.take(&group{kind: "gather", root: u, insts: []*Inst{i, u}})
			}
		}
	}
}
