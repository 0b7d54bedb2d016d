package program

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// What a value is in a group of row operations.
const (
	outside  = iota
	row      // a number for each row
	spread   // the same, repeated over the row
	fullness // an element of its own in each place
)

// rows is a group of reductions of one array over one set of dimensions with the arithmetic
// between them, while it grows.
type rows struct {
	p     *Program
	shape []int
	dims  []int
	in    map[*Inst]bool
	class map[*Value]int
	n     int64 // rows
}

// findRows finds softmaxes and normalisations. A softmax that the program names takes masks and scales
// too.
func (p *Program) findRows() {
	for _, i := range p.insts {
		if op, ok := i.Op.(Softmax); ok && i.live && !i.out[0].konst {
			g := &rows{p: p, shape: i.out[0].Shape, dims: []int{op.Dim}, in: map[*Inst]bool{i: true}, class: map[*Value]int{i.out[0]: fullness}}
			cols := int64(max(g.shape[op.Dim], 1))
			found := &group{kind: "softmax", root: i, x: i.in[0], soft: graph.Softmax{Rows: i.out[0].Elements() / cols, Cols: cols}}
			g.masked(found)
			for x := range g.in {
				found.insts = append(found.insts, x)
			}
			p.take(found)
			continue
		}
		if r, ok := i.Op.(Reduce); ok && i.live && i.group == nil && len(i.in) == 1 && !i.out[0].konst && (r.Fn == "add" || r.Fn == "max" || r.Fn == "mean") {
			g := &rows{p: p, shape: i.in[0].Shape, dims: slices.Sorted(slices.Values(r.Dims)), in: map[*Inst]bool{}, class: map[*Value]int{}, n: i.out[0].Elements()}
			g.add(i, row)
			if found := g.finish(); found != nil {
				p.take(found)
			}
		}
	}
}

func (g *rows) add(i *Inst, class int) {
	g.in[i] = true
	for _, v := range i.out {
		g.class[v] = class
	}
	for _, v := range i.out {
		for _, u := range v.uses {
			if !g.in[u] && u.group == nil {
				if c := g.classify(u); c != outside {
					g.add(u, c)
				}
			}
		}
	}
}

// classify is what the results of a reader of a value of the group are, if it belongs to the group.
func (g *rows) classify(u *Inst) int {
	switch op := u.Op.(type) {
	case Reduce:
		if g.reduces(u, op) {
			return row
		}
	case Convert, Reshape, Broadcast:
		return g.moved(u)
	case Map:
		switch {
		case u.out[0].Elements() == g.n && g.rowMap(u):
			return row
		case slices.Equal(u.out[0].Shape, g.shape):
			return g.fullMap(u)
		}
	}
	return outside
}

func (g *rows) reduces(u *Inst, op Reduce) bool {
	return len(u.in) == 1 && slices.Equal(u.in[0].Shape, g.shape) && slices.Equal(slices.Sorted(slices.Values(op.Dims)), g.dims)
}

// moved is the class of a row or of a repeated row in another form.
func (g *rows) moved(u *Inst) int {
	c, out := g.class[u.in[0]], u.out[0]
	switch {
	case c == row && out.Elements() == g.n:
		return row
	case c == row && slices.Equal(out.Shape, g.shape):
		return spread
	case c == spread && slices.Equal(out.Shape, g.shape):
		return spread
	case c == fullness && slices.Equal(out.Shape, g.shape) && g.leadsBack(u, 4):
		return fullness
	}
	return outside
}

// rowMap reports whether all operands are rows or constants; rows of other reductions of the same
// array come into the group.
func (g *rows) rowMap(u *Inst) bool {
	for _, v := range u.in {
		if g.class[v] != row && !v.konst && !g.pull(v, 8) {
			return false
		}
	}
	return true
}

// pull takes the instructions that make a number for each row into the group.
func (g *rows) pull(v *Value, depth int) bool {
	i := v.def
	if v.konst || g.class[v] == row {
		return true
	}
	if i == nil || i.group != nil || depth == 0 || v.Elements() != g.n {
		return false
	}
	switch op := i.Op.(type) {
	case Reduce:
		if !g.reduces(i, op) {
			return false
		}
	case Map, Convert, Reshape, Broadcast:
		for _, x := range i.in {
			if !g.pull(x, depth-1) {
				return false
			}
		}
	default:
		return false
	}
	if !g.in[i] {
		g.add(i, row)
	}
	return true
}

// fullMap is the class of arithmetic on elements: with a repeated row, or on the way to another
// reduction.
func (g *rows) fullMap(u *Inst) int {
	withRow, own := false, 0
	for _, v := range u.in {
		withRow = withRow || g.class[v] == spread
		if g.class[v] == fullness {
			own++
		}
	}
	if withRow || own == len(u.in) && len(u.in) > 1 || own > 0 && g.leadsBack(u, 4) {
		return fullness
	}
	return outside
}

// leadsBack reports whether a reduction of the group's kind reads what u makes, or arithmetic with
// a repeated row does.
func (g *rows) leadsBack(u *Inst, depth int) bool {
	for _, x := range u.out[0].uses {
		switch op := x.Op.(type) {
		case Reduce:
			if g.reduces(x, op) {
				return true
			}
		case Map:
			if len(x.in) == 2 && g.class[x.other(u.out[0])] == spread || depth > 0 && g.onlyOf(x, u.out[0]) && g.leadsBack(x, depth-1) {
				return true
			}
		case Convert:
			if depth > 0 && g.leadsBack(x, depth-1) {
				return true
			}
		}
	}
	return false
}

// onlyOf reports whether x reads v and constants only.
func (g *rows) onlyOf(x *Inst, v *Value) bool {
	for _, y := range x.in {
		if y != v && !y.konst {
			return false
		}
	}
	return true
}

// finish checks the borders of the group and says which operator it is; nil for none.
func (g *rows) finish() *group {
	x := g.source()
	if x == nil {
		return nil
	}
	out := g.exit()
	if out == nil || g.class[out] != fullness {
		return nil
	}
	found := &group{root: out.def, x: x}
	cols := int64(1)
	for _, d := range g.dims {
		cols *= int64(g.shape[d])
	}
	switch has := g.functions(); {
	case has["exp"]:
		found.kind, found.soft = "softmax", graph.Softmax{Rows: g.n, Cols: cols}
		g.masked(found)
	case has["rsqrt"] || has["sqrt"] || has["pow"]:
		found.kind, found.norm = "norm", graph.Norm{Func: g.rule(x), Rows: g.n, Cols: cols}
		found.more = g.scales()
		g.affine(found, out)
	default:
		return nil
	}
	for i := range g.in {
		found.insts = append(found.insts, i)
	}
	return found
}

// scales are the arrays that do not depend on data among what the group reads, in order.
func (g *rows) scales() (out []*Value) {
	var insts []*Inst
	for i := range g.in {
		insts = append(insts, i)
	}
	slices.SortFunc(insts, func(a, b *Inst) int { return a.index - b.index })
	for _, i := range insts {
		for _, v := range i.in {
			if _, one := v.Scalar(); v.konst && !one && slices.Equal(v.Shape, g.shape) && len(out) < 2 {
				out = append(out, v)
			}
		}
	}
	return out
}

func (g *rows) functions() map[string]bool {
	has := map[string]bool{}
	for i := range g.in {
		if m, ok := i.Op.(Map); ok {
			has[m.Fn] = true
		}
	}
	return has
}

// source finds the one array that the group reads, and takes arithmetic between it and the
// reductions into the group; nil if there are several.
func (g *rows) source() *Value {
	for {
		var ext []*Value
		for i := range g.in {
			for _, v := range i.in {
				if g.class[v] == outside && !v.konst && !slices.Contains(ext, v) {
					ext = append(ext, v)
				}
			}
		}
		if len(ext) == 0 {
			return nil
		}
		slices.SortFunc(ext, func(a, b *Value) int { return order(b) - order(a) })
		v := ext[0]
		if len(ext) == 1 && plain(v) == v {
			if !slices.Equal(v.Shape, g.shape) {
				return nil
			}
			return v
		}
		if v.def == nil || v.def.group != nil || !v.def.elementwise() || !g.covers(v) {
			if len(ext) == 1 && slices.Equal(v.Shape, g.shape) {
				return v
			}
			return nil
		}
		g.in[v.def] = true
		g.class[v] = fullness
	}
}

func order(v *Value) int {
	if v.def == nil {
		return -1
	}
	return v.def.index
}

// covers reports whether all readers of v are in the group.
func (g *rows) covers(v *Value) bool {
	for _, u := range v.uses {
		if !g.in[u] {
			return false
		}
	}
	return !v.result
}

// exit is the only value that is read outside; nil if there are several.
func (g *rows) exit() (out *Value) {
	for i := range g.in {
		for _, v := range i.out {
			if g.covers(v) {
				continue
			}
			if out != nil {
				return nil
			}
			out = v
		}
	}
	return out
}

// rule is the name of the normalisation: it has a mean of the elements themselves, or not; and
// rows are the last dimensions, or groups, or all but one.
func (g *rows) rule(x *Value) string {
	centred := false
	for i := range g.in {
		if _, ok := i.Op.(Reduce); ok && plain(i.in[0]) == plain(x) {
			centred = true
		}
	}
	last := len(g.shape) - len(g.dims)
	for n, d := range g.dims {
		if d != last+n {
			last = -1
			break
		}
	}
	switch {
	case last >= 0 && len(g.dims) <= 2 && centred:
		return "layer"
	case last >= 0 && len(g.dims) <= 2:
		return "rms"
	case len(g.dims) == len(g.shape)-1 && len(g.shape) >= 2:
		return graph.BatchTraining
	}
	return "group"
}

// affine takes a scale and a shift by constants after a norm into its group.
func (g *rows) affine(found *group, out *Value) {
	for out.soleUse() != nil {
		u := out.soleUse()
		switch op := u.Op.(type) {
		case Convert:
		case Reshape:
			if found.norm.Func != "group" {
				return
			}
		case Map:
			c := u.other(out)
			if c == nil || !c.konst || len(found.more) == 2 || op.Fn != "mul" && op.Fn != "add" && (op.Fn != "sub" || u.in[0] != out) {
				return
			}
			if op.Fn != "mul" {
				found.norm.Bias = true
			}
			if _, one := c.Scalar(); !one {
				found.more = append(found.more, c)
			}
		default:
			return
		}
		g.in[u] = true
		out = u.out[0]
		found.root = u
	}
}
