package graph

import "fmt"

// A Lifetime is the range of steps of an order in which a tensor is live.
type Lifetime struct {
	// Storage is the tensor whose bytes it shares: itself, or the tensor that it is a view of. All
	// other fields are those of the storage.
	Storage TensorID
	Bytes   int64
	// Born is the step that writes it first; -1 if it exists before the order.
	Born int32
	// First and Last are the steps that read it first and last; Born if no step reads it.
	First, Last int32
	// Before is set if it exists before the order (input, weight, cache, result of an operator
	// outside). After is set if it is needed afterwards (output, cache, operand of an operator
	// outside).
	Before, After bool
	// Inside is set if only the step that writes it reads it, as between fused operators. It needs
	// no storage.
	Inside bool
}

// Lifetimes holds the lifetimes of all tensors of a graph in one order of its operators.
type Lifetimes struct {
	Of    []Lifetime // by tensor
	Steps int
}

// Lifetimes computes the first write and the last use of each tensor for an execution order. The
// operators of one step execute together, in their order. A nil order is that of the graph with
// one operator per step.
//
// An order may omit operators: those of other cores run before or after it, and views (a Move of
// no elements) need no step. It is an error to name an operator twice, or before another of the
// order whose result it reads.
func (g *Graph) Lifetimes(order [][]int) (*Lifetimes, error) {
	at, steps, err := g.positions(order)
	if err != nil {
		return nil, err
	}
	l := &Lifetimes{Of: make([]Lifetime, len(g.Tensors)), Steps: steps}
	for i := range l.Of {
		t := &g.Tensors[i]
		l.Of[i] = Lifetime{
			Storage: TensorID(i), Bytes: t.Bytes(), Born: -1, First: -1, Last: -1,
			Before: true, After: t.Role == Output || t.Role == KV || t.Role.InPlace(),
		}
	}
	f := finder{Lifetimes: l, g: g, made: make([]int32, len(g.Tensors)), inside: make([]bool, len(g.Tensors))}
	for i := range f.made {
		f.made[i] = -1
	}
	for i := range g.Ops {
		op := &g.Ops[i]
		if op.IsView() {
			f.view(op)
			continue
		}
		if err := f.reads(op, at[i]); err != nil {
			return nil, err
		}
		f.makes(op, at[i])
	}
	inside := f.inside
	for i := range l.Of {
		x := &l.Of[i]
		if x.Storage != TensorID(i) {
			continue
		}
		if x.First < 0 {
			x.First, x.Last = x.Born, x.Born
		}
		x.Inside = inside[i] && !x.Before && !x.After && x.Last == x.Born
	}
	for i := range l.Of {
		l.Of[i] = l.Of[l.Of[i].Storage]
	}
	return l, nil
}

// A finder follows the operators of a graph in its order.
type finder struct {
	*Lifetimes
	g      *Graph
	made   []int32 // step that made a tensor; -1: none so far
	inside []bool  // a step of the order reads it
}

// view gives the results of a view the storage of what it shows. Its parts stay until the end.
func (f *finder) view(op *Op) {
	root := f.Of[op.In[0]].Storage
	for _, id := range op.In[1:] {
		if id != None {
			f.Of[f.Of[id].Storage].After, f.Of[root].After = true, true
		}
	}
	for _, id := range op.Out {
		f.Of[id].Storage = root
		f.Of[root].After = f.Of[root].After || f.g.Tensors[id].Role == Output
	}
}

// reads notes the operands of an operator in a step; -1: outside the order.
func (f *finder) reads(op *Op, step int32) error {
	for _, id := range op.In {
		if id == None {
			continue
		}
		root := f.Of[id].Storage
		x := &f.Of[root]
		if step < 0 {
			x.After = x.After || f.made[root] >= 0
			continue
		}
		if f.made[root] > step {
			return fmt.Errorf("%s reads %s in step %d, which step %d makes", op.Name, f.g.Tensors[root].Name, step, f.made[root])
		}
		x.use(step)
		f.inside[root] = true
	}
	return nil
}

// makes notes the results of an operator in a step.
func (f *finder) makes(op *Op, step int32) {
	for _, id := range op.Out {
		root := f.Of[id].Storage
		f.made[root] = step
		switch x := &f.Of[root]; {
		case step < 0:
		case f.g.Tensors[root].Role == KV || f.g.Tensors[root].Role.InPlace():
			x.use(step)
		default:
			x.Before, x.Born = false, step
		}
	}
}

// use notes that a step reads the tensor, or writes to it in place.
func (x *Lifetime) use(step int32) {
	if x.First < 0 || step < x.First {
		x.First = step
	}
	x.Last = max(x.Last, step)
}

// positions is the step of each operator, -1 outside the order, and how many steps
// there are.
func (g *Graph) positions(order [][]int) (at []int32, steps int, err error) {
	at = make([]int32, len(g.Ops))
	if order == nil {
		for i := range at {
			at[i] = int32(i)
		}
		return at, len(at), nil
	}
	for i := range at {
		at[i] = -1
	}
	for step, ops := range order {
		for _, op := range ops {
			switch {
			case op < 0 || op >= len(g.Ops):
				return nil, 0, fmt.Errorf("step %d is operator %d of %d", step, op, len(g.Ops))
			case at[op] >= 0:
				return nil, 0, fmt.Errorf("%s is in steps %d and %d", g.Ops[op].Name, at[op], step)
			}
			at[op] = int32(step)
		}
	}
	return at, len(order), nil
}

// IsView reports whether op moves nothing: its results are the storage of its operand.
func (op *Op) IsView() bool {
	k, ok := op.Kind.(Move)
	return ok && k.Elements == 0
}

// Span returns the first and last step in which the tensor is live: from its first write, or first
// read if it comes from outside, to its last read, or the last step if it is needed afterwards. ok
// is false for tensors without storage: views, results inside a step, and tensors that the order
// does not touch.
func (l *Lifetimes) Span(id TensorID) (from, to int32, ok bool) {
	x := &l.Of[id]
	if x.Storage != id || x.Inside || x.First < 0 && x.Born < 0 {
		return 0, 0, false
	}
	from, to = x.Born, x.Last
	if x.Before {
		from = x.First
	}
	if x.After && !x.Before {
		to = int32(l.Steps) - 1
	}
	return from, to, true
}

// Live returns the live bytes in each step, of the tensors for which count is true; nil counts
// all.
func (l *Lifetimes) Live(count func(TensorID) bool) []int64 {
	live := make([]int64, l.Steps+1)
	for i := range l.Of {
		id := TensorID(i)
		if from, to, ok := l.Span(id); ok && (count == nil || count(id)) {
			live[from] += l.Of[i].Bytes
			live[to+1] -= l.Of[i].Bytes
		}
	}
	for i := 1; i < len(live); i++ {
		live[i] += live[i-1]
	}
	return live[:l.Steps]
}

// Peak returns the maximum of Live and its first step.
func (l *Lifetimes) Peak(count func(TensorID) bool) (bytes int64, step int) {
	for i, n := range l.Live(count) {
		if n > bytes {
			bytes, step = n, i
		}
	}
	return bytes, step
}
