package program

import (
	"slices"
	"strings"
)

// A cone is the instructions between a value and the arrays that it is made of.
type cone struct {
	insts  []*Inst
	in     map[*Inst]bool
	leaves []*Value // not constant
}

// grow makes the cone of a root instruction: it goes back through the instructions that pass lets
// through, the last one first, as long as only the cone reads their results.
func grow(root *Inst, budget int, pass func(i *Inst) bool) (c cone, ok bool) {
	c = cone{in: map[*Inst]bool{root: true}, insts: []*Inst{root}}
	open := c.operands(nil, root)
	for len(open) > 0 {
		slices.SortFunc(open, func(a, b *Value) int { return order(b) - order(a) })
		v := open[0]
		open = open[1:]
		if v.def == nil || v.def.group != nil || !pass(v.def) || !c.covers(v) {
			c.leaves = append(c.leaves, v)
			continue
		}
		if len(c.insts) == budget {
			return c, false
		}
		c.in[v.def] = true
		c.insts = append(c.insts, v.def)
		open = c.operands(open, v.def)
	}
	return c, true
}

func (c *cone) operands(open []*Value, i *Inst) []*Value {
	for _, v := range i.in {
		if !v.konst && !slices.Contains(open, v) && !slices.Contains(c.leaves, v) {
			open = append(open, v)
		}
	}
	return open
}

func (c *cone) covers(v *Value) bool {
	for _, u := range v.uses {
		if !c.in[u] {
			return false
		}
	}
	return !v.result
}

// findRopes finds rotary embeddings: parts of an array are multiplied by angles and joined again.
func (p *Program) findRopes() {
	for n := len(p.insts) - 1; n >= 0; n-- {
		i := p.insts[n]
		if !i.live || i.group != nil || len(i.out) != 1 || i.out[0].konst {
			continue
		}
		m, isMap := i.Op.(Map)
		if _, concat := i.Op.(Concat); !concat && (!isMap || m.Fn != "add" && m.Fn != "sub") {
			continue
		}
		if g := rope(i); g != nil {
			p.take(g)
		}
	}
}

func rope(root *Inst) *group {
	c, ok := grow(root, 24, func(i *Inst) bool {
		switch i.Op.(type) {
		case Map, Convert, Slice, Concat, Reverse, Reshape:
			return true
		}
		return false
	})
	if !ok {
		return nil
	}
	angles, ok := c.turns()
	if !ok {
		return nil
	}
	var x *Value
	for _, v := range c.leaves {
		switch s := source(v); {
		case s != v && s.Elements() < v.Elements() || v.Elements()*2 < root.out[0].Elements():
			angles = unique(angles, s)
		case x == nil && v.Elements() == root.out[0].Elements():
			x = v
		default:
			return nil
		}
	}
	if x == nil || len(angles) < 2 {
		return nil
	}
	return &group{kind: "rope", root: root, insts: c.insts, x: x, more: angles}
}

// turns reports whether a cone takes parts of an array, multiplies them and joins them again, and
// lists the constants among its factors.
func (c *cone) turns() (angles []*Value, ok bool) {
	count := map[string]int{}
	for _, i := range c.insts {
		switch op := i.Op.(type) {
		case Map:
			count[op.Fn]++
			for _, v := range i.in {
				if _, one := v.Scalar(); v.konst && !one {
					angles = unique(angles, source(v))
				}
			}
		case Concat:
			count["concat"]++
		case Slice, Reverse:
			count["part"]++
		}
	}
	return angles, count["concat"] > 0 && (count["part"] > 1 || count["concat"] > 1) && count["mul"] > 1
}

func unique(list []*Value, v *Value) []*Value {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// source is v before broadcasts, conversions, and reshapes that keep its dimensions.
func source(v *Value) *Value {
	for v.def != nil {
		switch v.def.Op.(type) {
		case Convert, Broadcast:
		case Reshape:
			if _, ok := sameDims(v.def.in[0].Shape, v.Shape); !ok {
				return v
			}
		default:
			return v
		}
		v = v.def.in[0]
	}
	return v
}

// findNamed finds activation functions.
func (p *Program) findNamed() {
	for _, i := range p.insts {
		m, isMap := i.Op.(Map)
		if !isMap || !i.live || i.group != nil || i.out[0].konst {
			continue
		}
		switch m.Fn {
		case "erf", "erfc", "tanh", "sigmoid", "exp", "max", "clamp", "silu", "gelu", "gelu_tanh", "relu", "relu6", "softplus", "hard_swish", "hard_sigmoid", "elu", "leaky_relu":
			p.named(i, m.Fn)
		}
	}
}

// elements lets arithmetic on single elements through.
func elements(i *Inst) bool { return i.elementwise() && len(i.out) == 1 && !i.out[0].konst }

// A trace is the arrays that an activation can be a function of, each the operand of the step
// after it, and the instructions of the steps.
type trace struct {
	x     []*Value
	steps [][]*Inst
}

// named takes the activation around a function into a group.
func (p *Program) named(seed *Inst, fn string) {
	t := tracing(seed)
	if t == nil {
		return
	}
	set, used, times := []*Inst{seed}, 0, false
	v := seed.out[0]
	for u := v.soleUse(); u != nil && u.group == nil && elements(u); u = v.soleUse() {
		at, through, ok := t.all(u, v)
		if !ok || rectifies(fn) && !closes(u) || fn == "sigmoid" && !times && at < 0 && u.Op != (Convert{}) {
			break
		}
		used, times = max(used, at), times || at >= 0
		set = append(append(set, u), through...)
		v = u.out[0]
	}
	for n := range used {
		set = append(set, t.steps[n]...)
	}
	g := &group{kind: "named", root: v.def, insts: set, x: t.x[used]}
	if g.fn = call(set, fn, times); g.fn == "" {
		return
	}
	if !closed(g) {
		g = &group{kind: "named", root: seed, insts: []*Inst{seed}, x: t.x[0], fn: fn}
	}
	for len(g.insts) > 1 { // a conversion at the end is the reader's
		if _, conv := g.root.Op.(Convert); !conv {
			break
		}
		g.insts = slices.DeleteFunc(g.insts, func(i *Inst) bool { return i == g.root })
		g.root = g.root.in[0].def
	}
	if g.ops = opsOf(g.fn); g.fn == "relu" || g.ops < 0 {
		g.ops = max(g.ops, 1)
	}
	p.take(g)
}

// tracing goes back from a function to the arrays that it can be a function of; nil if it is one of
// several arrays.
func tracing(seed *Inst) *trace {
	t := &trace{}
	var own []*Value
	for _, v := range seed.in {
		if !v.konst {
			own = append(own, v)
		} else if _, one := v.Scalar(); !one {
			return nil
		}
	}
	if len(own) != 1 {
		return nil
	}
	t.x = own
	for len(t.x) < 6 {
		x := t.x[len(t.x)-1]
		if x.def == nil || x.def.group != nil || !elements(x.def) || x.result {
			break
		}
		c, ok := converge(x.def)
		if !ok {
			break
		}
		t.x = append(t.x, c.leaves[0])
		t.steps = append(t.steps, c.insts)
	}
	return t
}

// converge goes back from an instruction until it depends on one array.
func converge(root *Inst) (c cone, ok bool) {
	c = cone{in: map[*Inst]bool{root: true}, insts: []*Inst{root}}
	c.leaves = c.operands(nil, root)
	for len(c.leaves) > 1 && len(c.insts) < 8 {
		slices.SortFunc(c.leaves, func(a, b *Value) int { return order(b) - order(a) })
		v := c.leaves[0]
		if v.def == nil || v.def.group != nil || !elements(v.def) {
			return c, false
		}
		c.in[v.def], c.insts, c.leaves = true, append(c.insts, v.def), c.leaves[1:]
		c.leaves = append(c.leaves, c.operands(nil, v.def)...)
	}
	return c, len(c.leaves) == 1
}

// all is the deepest place in the trace of the operands of u besides v, -1 if there are none but
// numbers, and the instructions that scale them; ok is false for another operand.
func (t *trace) all(u *Inst, v *Value) (at int, through []*Inst, ok bool) {
	at = -1
	for _, o := range u.in {
		if _, one := o.Scalar(); o == v || one {
			continue
		}
		n, more := t.find(o)
		if n < 0 {
			return at, nil, false
		}
		at, through = max(at, n), append(through, more...)
	}
	return at, through, true
}

// find is the place in the trace of what v is a scaled form of, and the scaling instructions.
func (t *trace) find(v *Value) (at int, through []*Inst) {
	for range 4 {
		if at := slices.Index(t.x, v); at >= 0 {
			return at, through
		}
		if v.def == nil || v.def.group != nil || !elements(v.def) || v.soleUse() == nil {
			return -1, nil
		}
		through = append(through, v.def)
		var next *Value
		for _, x := range v.def.in {
			if _, one := x.Scalar(); one {
				continue
			}
			if next != nil {
				return -1, nil
			}
			next = x
		}
		if next == nil {
			return -1, nil
		}
		v = next
	}
	return -1, nil
}

// closed reports whether only the group reads what it makes inside.
func closed(g *group) bool {
	for _, i := range g.insts {
		for _, v := range i.out {
			if i != g.root && (v.result || slices.ContainsFunc(v.uses, func(u *Inst) bool { return !slices.Contains(g.insts, u) })) {
				return false
			}
		}
	}
	return true
}

// rectifies reports whether a function cuts off at a limit.
func rectifies(fn string) bool { return fn == "max" || fn == "clamp" || fn == "relu" }

// closes reports whether an instruction may follow a function that cuts off.
func closes(u *Inst) bool {
	if m, ok := u.Op.(Map); ok {
		return m.Fn == "min"
	}
	return u.Op == Convert{}
}

// call is the name of an activation by its parts; "" if it is none.
func call(set []*Inst, fn string, times bool) string {
	has := map[string]bool{}
	for _, i := range set {
		if m, ok := i.Op.(Map); ok {
			has[m.Fn] = true
		}
	}
	switch fn {
	case "erf", "erfc":
		if times {
			return "gelu"
		}
	case "tanh":
		if times {
			return "gelu_tanh"
		}
	case "sigmoid":
		if times {
			return "silu"
		}
	case "exp":
		switch {
		case has["log"] || has["log1p"]:
			return "softplus"
		case has["div"] && has["add"] && times:
			return "silu"
		case has["div"] && has["add"]:
			return "sigmoid"
		}
		return ""
	case "max", "clamp":
		return cut(set[0], fn, has["min"])
	}
	return fn
}

// cut is the name of a function that cuts off.
func cut(seed *Inst, fn string, upper bool) string {
	if fn == "clamp" {
		if x, ok := seed.in[0].Scalar(); ok && x == 0 {
			return "relu6"
		}
		return "clip"
	}
	for _, v := range seed.in {
		if x, ok := v.Scalar(); ok && x == 0 {
			if upper {
				return "relu6"
			}
			return "relu"
		}
	}
	return ""
}

// findChains joins the arithmetic that is left, where one reader takes what the instruction before
// it makes.
func (p *Program) findChains() {
	for n := len(p.insts) - 1; n >= 0; n-- {
		i := p.insts[n]
		if !i.live || i.group != nil || !elements(i) {
			continue
		}
		m, isMap := i.Op.(Map)
		g := i.reader()
		switch {
		case g != nil:
			g.insts = append(g.insts, i)
		case !isMap:
			continue // a conversion is undone by its readers
		default:
			g = &group{kind: "chain", root: i, insts: []*Inst{i}}
		}
		i.group = g
		if isMap {
			g.ops += opsOf(m.Fn)
			if g.fn != "" {
				g.fn = "_" + g.fn
			}
			if g.fn = m.Fn + g.fn; strings.Count(g.fn, "_") > 2 {
				g.fn = "fused"
			}
		}
	}
}

// reader is the chain that all readers of an instruction are in, or nil.
func (i *Inst) reader() (g *group) {
	v := i.out[0]
	if v.result || len(v.uses) == 0 {
		return nil
	}
	for _, u := range v.uses {
		if u.group == nil || u.group.kind != "chain" || g != nil && u.group != g || !slices.Equal(u.group.root.out[0].Shape, v.Shape) {
			return nil
		}
		g = u.group
	}
	return g
}
