// Package cores shares every operator of a model among the cores of one chip that have a memory each: they
// compute and shift operands (package shift plans how), or load them. It makes graphs, as package parallel does.
package cores

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/shift"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Spec says how the cores of a chip, each with its own memory, share a model.
type Spec struct {
	shift.Machine
	// Represented is the number of cores with a graph. If it is less than Machine.Cores, these
	// cores exchange with each other what they would exchange with others, because all cores do
	// the same at the same time.
	Represented int
	Loads       bool  // cores load from a global memory spread over them; else they compute and shift
	Block       int64 // bytes of a global memory that lie on one core
	Spread      bool  // operands are spread evenly over cores between uses; none is kept in place
	// Outside is the bandwidth of a memory outside the chip, in B/s per core, from which stored
	// operands come through one more rank per core; 0: they stay on the chip.
	Outside float64
	Loading shift.Loading
}

// Shift partitions a model into the graphs of cores that compute and shift operands. If stored
// operands come from an outside memory, the graphs of as many channels of that memory follow.
// Operators run in order on all cores; each core does a share of operators that are not products.
// A send or recv has as operands the results after which it begins. The last operator of each core
// is a barrier of all cores.
//
// Sources: as of package shift.
func Shift(g *graph.Graph, o Spec) ([]*graph.Graph, []shift.Choice, error) {
	products, at, err := productsOf(g)
	if err != nil {
		return nil, nil, err
	}
	var plan []shift.Choice
	if o.Outside > 0 {
		plan, err = shift.Stream(products, &o.Machine, o.Outside, o.Loading)
	} else {
		plan, err = shift.Choose(products, &o.Machine, o.Loads, !o.Spread)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	n := o.Represented
	if o.Outside > 0 {
		n *= 2
	}
	c := cores{Spec: o, out: make([]*graph.Graph, n), last: make([]tokens, n)}
	for k := range c.out {
		c.out[k] = &graph.Graph{Name: fmt.Sprintf("%s.%d", g.Name, k)}
		c.last[k] = tokens{c.operand(k, "begin", graph.Input, 1)}
	}
	ends := make([][]tokens, 0, len(plan)) // of each product, by core
	for i := range g.Ops {
		op := &g.Ops[i]
		k := at[i]
		c.dtype = g.Tensor(op.Out[0]).DType
		if k >= 0 {
			c.dtype = g.Tensor(op.In[0]).DType
		}
		switch {
		case k < 0:
			c.vector(op.Name, g, op)
			continue
		case o.Loads:
			c.load(k, &plan[k])
		default:
			c.fetch(&plan[k], ends)
			c.rotate(&plan[k])
		}
		c.reduce(&plan[k])
		ends = append(ends, slices.Clone(c.last))
	}
	for k := range c.out {
		c.op(k, "end", graph.Transfer{Func: "barrier"}, 0, c.last[k])
	}
	for _, x := range c.out {
		if err := x.Validate(); err != nil {
			return nil, nil, err
		}
	}
	return c.out, plan, nil
}

// productsOf lists the products of a graph, and of each operator which it is; -1: none.
// Consecutive products with one B are one of more rows.
func productsOf(g *graph.Graph) (out []shift.Product, at []int, err error) {
	for i := range g.Ops {
		op := &g.Ops[i]
		m, ok := op.Matrix()
		if !ok {
			switch op.Kind.(type) {
			case graph.Attention:
				return nil, nil, fmt.Errorf("%s: %s is an attention as one operator (want attention: unfused)", g.Name, op.Name)
			case graph.Transfer:
				return nil, nil, fmt.Errorf("%s: %s is a transfer: the model is cut already", g.Name, op.Name)
			}
			at = append(at, -1)
			continue
		}
		b := g.Tensor(op.In[1])
		if a := g.Tensor(op.In[0]); a.DType.Blocked() {
			return nil, nil, fmt.Errorf("%s: %s has operands of type %s (want no block format: cores pass on elements)", g.Name, op.Name, a.DType)
		}
		at = append(at, len(out))
		shared := max(m.SharedB, 1)
		out = append(out, shift.Product{Name: op.Name, Batch: m.Batch / shared, M: int(m.M) * shared, N: int(m.N), K: int(m.K),
			Element: max(1, g.Tensor(op.In[0]).DType.Bytes(1)), Sum: 4, Stored: b.Role == graph.Weight || b.Role == graph.KV || viewOf(g, i, op.In[1])})
	}
	return out, at, nil
}

// viewOf reports whether an operand is a view of a weight or of a cache, made by operators before
// a given one.
func viewOf(g *graph.Graph, before int, id graph.TensorID) bool {
	for i := before - 1; i >= 0; i-- {
		op := &g.Ops[i]
		if _, move := op.Kind.(graph.Move); move && len(op.Out) == 1 && op.Out[0] == id && len(op.In) > 0 {
			id = op.In[0]
			if r := g.Tensor(id).Role; r == graph.Weight || r == graph.KV {
				return true
			}
		}
	}
	return false
}

// cores makes the graphs.
type cores struct {
	Spec
	out  []*graph.Graph
	last []tokens // by rank: what the next operator waits for
	tags int

	dtype graph.DType // of the operator in hand
}

// tokens are results of one element that an operator waits for: what it reads and writes
// besides has tensors of its own.
type tokens []graph.TensorID

// op adds an operator that waits for tokens to a rank, with a result of so many elements
// and a token (0: the token alone), and operands that are there before.
func (c *cores) op(k int, name string, kind graph.Kind, elements int, after tokens, operands ...graph.TensorID) tokens {
	g := c.out[k]
	op := graph.Op{Name: name, In: slices.Concat(operands, []graph.TensorID(after)), Kind: kind}
	if elements > 0 {
		op.Out = append(op.Out, g.Add(graph.Tensor{Name: name, Shape: []int{elements}, DType: c.dtype}))
	}
	var token tokens
	if t, ok := kind.(graph.Transfer); !ok || t.Func != "send" {
		token = tokens{g.Add(graph.Tensor{Name: name + ".done", Shape: []int{1}, DType: graph.Int8})}
		op.Out = append(op.Out, token...)
	}
	g.Append(op)
	return token
}

// operand adds a tensor that is there.
func (c *cores) operand(k int, name string, role graph.Role, elements int) graph.TensorID {
	return c.out[k].Add(graph.Tensor{Name: name, Shape: []int{elements}, Role: role, DType: c.dtype})
}

// message passes bytes from one rank to another, after results of each. It returns what
// waits for its arrival.
func (c *cores) message(name string, from, to int, bytes int64, after, ready tokens) tokens {
	c.tags++
	c.op(from, name+".send", graph.Transfer{Func: "send", Peer: to, Tag: c.tags, Bytes: bytes}, 0, after)
	return c.op(to, name+".recv", graph.Transfer{Func: "recv", Peer: from, Tag: c.tags, Bytes: bytes}, 0, ready)
}

// all is set if every core has its own operators.
func (c *cores) all() bool { return c.Represented == c.Machine.Cores }

// active is how many of the represented cores take part in a plan.
func (c *cores) active(p *shift.Choice) int {
	if c.all() {
		return p.Cores()
	}
	return c.Represented
}

// pass has each of n cores send bytes to the one that to names for it, all at once, after
// the tokens of both. A core that receives waits for it too.
func (c *cores) pass(name string, n int, bytes int64, after []tokens, to func(k int) int) {
	if bytes == 0 {
		return
	}
	for k := range n {
		if t := to(k); t != k {
			c.last[t] = slices.Concat(c.last[t], c.message(name, k, t, bytes, after[k], after[t]))
		}
	}
}

// fetch brings a stored operand in from outside: channel by channel a credit when there is
// room, reading, and the window of the core.
func (c *cores) fetch(p *shift.Choice, ends [][]tokens) {
	if c.Outside == 0 || !p.Stored {
		return
	}
	_, window := p.Windows()
	elements := (int64(p.Batch)*int64(p.K)*int64(p.N) + int64(c.Machine.Cores) - 1) / int64(c.Machine.Cores)
	pieces := max(1, min(elements, window/portion))
	for k := range c.Represented {
		h := c.Represented + k
		if p.After >= 0 {
			c.last[h] = slices.Concat(c.last[h], c.message(p.Name+".room", k, h, 8, ends[p.After][k], nil))
		}
		var got tokens
		for i := range pieces {
			n := elements*(i+1)/pieces - elements*i/pieces
			c.last[h] = c.op(h, p.Name+".read", graph.Move{Func: "load", Elements: n}, int(n), c.last[h], c.operand(h, p.Name+".stored", graph.Weight, int(n)))
			got = c.message(p.Name+".load", h, k, window*(i+1)/pieces-window*i/pieces, c.last[h], got)
		}
		c.last[k] = slices.Concat(c.last[k], got)
	}
}

// portion is the bytes of a window that are read and passed on at once.
const portion = 32 << 10

// rotate is a product by compute and shift.
func (c *cores) rotate(p *shift.Choice) {
	n := c.active(p)
	c.pass(p.Name+".setup", n, p.Setup, slices.Clone(c.last), func(k int) int { return (k + 1) % n })
	a, b := p.Shift()
	ra, rb := c.rings(p, n)
	for s := range p.Steps() {
		c.compute(p, n, s)
		if s < p.Steps()-1 {
			done := slices.Clone(c.last)
			c.pass(fmt.Sprintf("%s.%d.A", p.Name, s), n, a, done, ra)
			c.pass(fmt.Sprintf("%s.%d.B", p.Name, s), n, b, done, rb)
		}
	}
}

// rings has the cores to which a core passes slabs of A and of B.
func (c *cores) rings(p *shift.Choice, n int) (a, b func(k int) int) {
	if !c.all() {
		before := func(k int) int { return (k + n - 1) % n }
		return before, before
	}
	turn := func(k, unit, parts, windows int) int {
		i := k / unit % parts
		return k + (i-i%windows+(i+windows-1)%windows-i)*unit
	}
	// Core ((b Pm + i) Pn + j) Pk + k.
	a = func(k int) int { return turn(k, p.Pk, p.Pn, p.Fa) }
	b = func(k int) int { return turn(k, p.Pk*p.Pn, p.Pm, p.Fb) }
	return a, b
}

// compute is step s of a product on n cores.
func (c *cores) compute(p *shift.Choice, n, s int) {
	name, t := fmt.Sprintf("%s.%d", p.Name, s), p.Step()
	for k := range n {
		a := c.operand(k, name+".A", graph.Input, t.Batch*t.M*t.K)
		b := c.operand(k, name+".B", graph.Input, t.Batch*t.K*t.N)
		c.last[k] = c.op(k, name, graph.MatMul{Batch: t.Batch, M: t.M, N: t.N, K: t.K}, t.Batch*t.M*t.N, c.last[k], a, b)
	}
}

// reduce exchanges partial sums and adds them up.
func (c *cores) reduce(p *shift.Choice) {
	if p.Pk == 1 {
		return
	}
	n := c.active(p)
	done := slices.Clone(c.last)
	if c.all() {
		for r := 1; r < p.Pk; r++ {
			c.pass(p.Name+".sums", n, p.Partial(), done, func(k int) int { return k - k%p.Pk + (k+r)%p.Pk })
		}
	} else {
		c.pass(p.Name+".sums", n, int64(p.Pk-1)*p.Partial(), done, func(k int) int { return (k + 1) % n })
	}
	for k := range n {
		c.share(k, p.Name+".add", p.Partial()/p.Sum, int64(p.Pk-1))
	}
}

// share is work on elements that a core has.
func (c *cores) share(k int, name string, elements, each int64) {
	in := c.operand(k, name+".in", graph.Input, int(elements))
	c.last[k] = c.op(k, name, graph.Elementwise{Func: "identity", Elements: elements, Inputs: 1, OpsPer: int(each)}, int(elements), c.last[k], in)
}

// vector is an operator that each core does a share of.
func (c *cores) vector(name string, g *graph.Graph, op *graph.Op) {
	var elements int64
	for _, id := range op.Out {
		elements += g.Tensor(id).Elements()
	}
	if m, ok := op.Kind.(graph.Move); ok {
		elements = m.Elements
	}
	if elements == 0 {
		return
	}
	all := int64(c.Machine.Cores)
	for k := range c.Represented {
		c.share(k, name, (elements+all-1)/all, (op.VectorOps()+elements-1)/elements)
	}
}
