package program

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Graph turns the program into a graph. An error is a *Fault, or one of the finished graph.
func (p *Program) Graph() (*graph.Graph, error) {
	p.liveness()
	p.roles()
	p.settle()
	p.findRows()
	p.findProducts()
	p.findRopes()
	p.findNamed()
	p.findChains()
	return p.emit()
}

// liveness marks the instructions that results depend on, and lists the readers of values.
func (p *Program) liveness() {
	for _, v := range p.outs {
		v.result = true
		if v.def != nil {
			v.def.live = true
		}
	}
	for n := len(p.insts) - 1; n >= 0; n-- {
		i := p.insts[n]
		if !i.live {
			continue
		}
		for _, v := range i.in {
			if v.def != nil {
				v.def.live = true
			}
		}
	}
	for _, i := range p.insts {
		if i.live {
			for _, v := range i.in {
				v.uses = append(v.uses, i)
			}
		}
	}
}

// roles settles what the arguments are.
func (p *Program) roles() {
	anyData := false
	for _, v := range p.args {
		v.cache = v.updated()
		if v.role == Guess && (v.Int || v.Bool || v.standsAsData()) {
			v.role = Data
		}
		anyData = anyData || v.role == Data && len(v.uses) > 0
	}
	for _, v := range p.args {
		switch {
		case v.cache:
			v.role = Data
		case v.role == Guess && anyData:
			v.role, v.guessed = Parameter, true
		case v.role == Guess:
			v.role = Data
		}
		v.konst = v.role == Parameter
	}
}

// updated reports whether an argument is a buffer whose parts the program overwrites.
func (v *Value) updated() bool {
	for _, u := range v.uses {
		switch op := u.Op.(type) {
		case DynamicUpdate:
			if u.in[0] == v && !v.Int {
				return true
			}
		case Scatter:
			if u.in[0] == v && !v.Int && op.Fn == "" {
				return true
			}
		case Convert, Reshape:
			if len(u.out[0].uses) == 1 && u.out[0].updated() {
				return true
			}
		}
	}
	return false
}

// standsAsData reports whether an argument stands where data stands.
func (v *Value) standsAsData() bool {
	for _, u := range v.uses {
		switch u.Op.(type) {
		case Conv:
			if u.in[0] == v {
				return true
			}
		case Dot:
			if u.in[0] == v && u.in[1] != v && u.in[1].fromArgs() {
				return true
			}
		case Attention:
			return true
		case Convert, Reshape, Transpose, Pad:
			if u.in[0] == v && u.out[0].standsAsData() {
				return true
			}
		}
	}
	return false
}

// fromArgs reports whether v is an argument or another form of one.
func (v *Value) fromArgs() bool {
	for v.def != nil {
		switch v.def.Op.(type) {
		case Convert, Reshape, Transpose, Slice, DynamicSlice, Broadcast:
			v = v.def.in[0]
		default:
			return false
		}
	}
	return true
}

// settle finds out what depends on data. If no result does, each argument without a role is data.
func (p *Program) settle() {
	for range 2 {
		for _, i := range p.insts {
			i.constness()
		}
		if slices.ContainsFunc(p.outs, func(v *Value) bool { return !v.konst }) {
			return
		}
		for _, v := range p.args {
			v.konst = v.konst && !v.guessed
		}
	}
}

// constness finds out whether the results of an instruction are the same in each run.
func (i *Inst) constness() {
	konst := true
	if _, random := i.Op.(Random); random {
		konst = false
	}
	for _, v := range i.in {
		konst = konst && v.konst
	}
	for _, v := range i.out {
		v.konst = konst
	}
}

// A group is the instructions that become one operator of the graph, which is emitted in the place
// of the last one.
type group struct {
	kind  string // softmax, norm, affine, bias, rope, named, chain, mean, gather
	root  *Inst
	insts []*Inst
	x     *Value   // the main operand
	more  []*Value // the others
	fn    string
	ops   int
	norm  graph.Norm
	soft  graph.Softmax
}

// take makes the instructions of a group its own.
func (p *Program) take(g *group) {
	slices.SortFunc(g.insts, func(a, b *Inst) int { return a.index - b.index })
	g.insts = slices.Compact(g.insts)
	if g.root == nil {
		g.root = g.insts[len(g.insts)-1]
	}
	for _, i := range g.insts {
		i.group = g
	}
}

// soleUse is the only reader of v, or nil.
func (v *Value) soleUse() *Inst {
	if v.result || len(v.uses) != 1 {
		return nil
	}
	return v.uses[0]
}

// elementwise reports whether an instruction works element by element on its own shape.
func (i *Inst) elementwise() bool {
	switch i.Op.(type) {
	case Map, Convert:
		return true
	}
	return false
}

// plain is v before conversions of type.
func plain(v *Value) *Value {
	for v.def != nil {
		if _, ok := v.def.Op.(Convert); !ok {
			break
		}
		v = v.def.in[0]
	}
	return v
}

// other is the operand of a two-operand instruction besides v.
func (i *Inst) other(v *Value) *Value {
	if len(i.in) != 2 {
		return nil
	}
	if i.in[0] == v {
		return i.in[1]
	}
	return i.in[0]
}

// varies reports along which dimensions elements of v can differ.
func (v *Value) varies() []bool {
	out := make([]bool, len(v.Shape))
	for d, n := range v.Shape {
		out[d] = n > 1
	}
	if v.known != nil && v.known.splat {
		return make([]bool, len(v.Shape))
	}
	if v.def == nil {
		return out
	}
	switch op := v.def.Op.(type) {
	case Convert:
		return v.def.in[0].varies()
	case Broadcast:
		in := v.def.in[0].varies()
		clear(out)
		for d, o := range op.Dims {
			out[o] = in[d] && v.def.in[0].Shape[d] > 1
		}
	case Transpose:
		in := v.def.in[0].varies()
		for d, o := range op.Perm {
			out[d] = in[o]
		}
	case Reshape:
		if pairs, ok := sameDims(v.def.in[0].Shape, v.Shape); ok {
			in := v.def.in[0].varies()
			clear(out)
			for d, o := range pairs {
				if o >= 0 {
					out[o] = in[d]
				}
			}
		}
	case Map:
		clear(out)
		for _, x := range v.def.in {
			if len(x.Shape) != len(out) {
				continue
			}
			for d, y := range x.varies() {
				out[d] = out[d] || y
			}
		}
	}
	return out
}
