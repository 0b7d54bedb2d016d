package onnx

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Recurrent layers, unrolled: the products of all inputs with their weights are
// one product, then each step multiplies the state before it. The steps are the
// critical path, which is why they are operators of their own.
func init() {
	onnxOps["RNN"] = onnxOp{3, 6, func(n *onnxNode) error { return n.recurrent(1) }}
	onnxOps["GRU"] = onnxOp{3, 6, func(n *onnxNode) error { return n.recurrent(3) }}
	onnxOps["LSTM"] = onnxOp{3, 8, func(n *onnxNode) error { return n.recurrent(4) }}
}

// maxSteps bounds the unrolling: steps x directions.
const maxSteps = 1 << 14

// A recurrence is the sizes of a recurrent layer.
type recurrence struct {
	gates, steps, batch, input, dirs, hidden int
	rows                                     int64 // gates x hidden
}

// recurrence reads the sizes from the shapes of the operands, and checks them.
func (n *onnxNode) recurrence(gates int) (r recurrence, err error) {
	xs, wt, rt := n.In[0], n.In[1], n.In[2]
	if xs.Rank() != 3 || wt.Rank() != 3 || rt.Rank() != 3 ||
		xs.Elements() == 0 || wt.Elements() == 0 || rt.Elements() == 0 {
		return r, n.Fail("shapes %v, %v and %v (want three dimensions each, none of them 0)", xs.Shape, wt.Shape, rt.Shape)
	}
	r = recurrence{gates: gates, steps: xs.Shape[0], batch: xs.Shape[1], input: xs.Shape[2], dirs: wt.Shape[0], hidden: rt.Shape[2]}
	if n.Flag("layout") {
		r.steps, r.batch = r.batch, r.steps
	}
	var ok bool
	r.rows, ok = format.Product(int64(gates), int64(r.hidden))
	if !ok || int64(wt.Shape[1]) != r.rows || int64(rt.Shape[1]) != r.rows || wt.Shape[2] != r.input || rt.Shape[0] != r.dirs || r.dirs > 2 {
		return r, n.Fail("weights %v and %v for inputs of %d (want directions x %d*hidden x inputs, and x hidden)", wt.Shape, rt.Shape, r.input, gates)
	}
	if h := n.Int("hidden_size", int64(r.hidden)); h != int64(r.hidden) {
		return r, n.Fail("hidden_size is %d, but the weights have %d", h, r.hidden)
	}
	return r, n.fitsUnrolled(r)
}

// fitsUnrolled reports a layer that has too many steps, or too large a product of its inputs.
func (n *onnxNode) fitsUnrolled(r recurrence) error {
	if r.steps > maxSteps/r.dirs {
		return n.Fail("%d steps in %d directions are unrolled (want at most %d)", r.steps, r.dirs, maxSteps)
	}
	// Room for the largest intermediate, the input products.
	if _, ok := node.Dims([]int64{int64(r.steps), int64(r.batch), int64(r.dirs), r.rows}); !ok || int64(r.steps)*int64(r.batch) > format.MaxDim || int64(r.dirs)*r.rows > format.MaxDim {
		return n.Fail("%d steps of %d x %d gates are too large", r.steps, r.batch, r.rows)
	}
	return nil
}

func (n *onnxNode) recurrent(gates int) error {
	r, err := n.recurrence(gates)
	if err != nil {
		return err
	}
	parts, err := n.inputProducts(r)
	if err != nil {
		return err
	}
	weights, err := n.recurrentWeights(r)
	if err != nil {
		return err
	}
	state, err := n.initialState(5, r.dirs, r.batch, r.hidden)
	if err != nil {
		return err
	}
	cell, err := n.initialState(6, r.dirs, r.batch, r.hidden)
	if err != nil {
		return err
	}
	var outs []*node.Value
	for t := range r.steps {
		for d := range r.dirs {
			at := t
			if d == 1 || n.Text("direction", "forward") == "reverse" {
				at = r.steps - 1 - t
			}
			if err := n.step(gates, fmt.Sprintf("t%d.d%d", t, d), parts[at*r.dirs+d], weights[d], &state[d], &cell[d]); err != nil {
				return err
			}
			outs = append(outs, state[d])
		}
	}
	return n.collect(r, outs, state, cell)
}

// inputProducts multiplies the inputs of all steps by the weights at once, and returns a view
// of the products for each step and direction.
func (n *onnxNode) inputProducts(r recurrence) (parts []*node.Value, err error) {
	xs := n.In[0]
	all := n.Temp("inputs", xs.Elem, r.steps, r.batch, r.dirs*int(r.rows))
	p := productShape{1, 1, 1, int64(r.steps) * int64(r.batch), int64(r.dirs) * r.rows, int64(r.input)}
	if err := n.emitProduct(xs, n.In[1], all, p); err != nil {
		return nil, err
	}
	for i := range r.steps * r.dirs {
		parts = append(parts, n.Temp(fmt.Sprintf("x%d", i), xs.Elem, r.gates, r.batch, r.hidden))
	}
	return parts, n.EmitStep("steps", graph.Move{Func: "split"}, []*node.Value{all}, parts...)
}

// recurrentWeights returns a view of the weights of the state for each direction.
func (n *onnxNode) recurrentWeights(r recurrence) ([]*node.Value, error) {
	rt := n.In[2]
	weights := make([]*node.Value, r.dirs)
	for d := range weights {
		weights[d] = n.Temp(fmt.Sprintf("r%d", d), rt.Elem, int(r.rows), r.hidden)
		weights[d].Const, weights[d].Role = rt.Const, graph.Weight
	}
	if r.dirs == 1 {
		weights[0] = rt
	} else if !rt.Const {
		return weights, n.EmitStep("weights", graph.Move{Func: "split"}, []*node.Value{rt}, weights...)
	}
	return weights, nil
}

// collect puts the states of all steps, the last ones and the last cells together as the
// results that are read.
func (n *onnxNode) collect(r recurrence, outs, state, cell []*node.Value) error {
	yShape, hShape := []int{r.steps, r.dirs, r.batch, r.hidden}, []int{r.dirs, r.batch, r.hidden}
	if n.Flag("layout") {
		yShape, hShape = []int{r.batch, r.steps, r.dirs, r.hidden}, []int{r.batch, r.dirs, r.hidden}
	}
	for i, x := range []struct {
		shape []int
		parts []*node.Value
	}{{yShape, outs}, {hShape, state}, {hShape, cell}} {
		if !n.Wants(i) || i == 2 && r.gates != 4 {
			continue
		}
		out, err := n.Result(i, n.In[0].Elem, x.shape...)
		if err != nil {
			return err
		}
		if err := n.EmitStep("collect", graph.Move{Func: "concat", Elements: out.Elements()}, slices.Clone(x.parts), out); err != nil {
			return err
		}
	}
	return nil
}

// initialState is input i by direction. Without one, or with a constant one
// (which exporters fill with zeros, and which would fold into the bias), the
// first step has no product.
func (n *onnxNode) initialState(i, dirs, batch, hidden int) ([]*node.Value, error) {
	state := make([]*node.Value, dirs)
	v := n.Get(i)
	if v == nil || v.Const {
		return state, nil
	}
	if v.Elements() != int64(dirs)*int64(batch)*int64(hidden) {
		return nil, n.Fail("the initial state has shape %v (want %d directions of %d x %d)", v.Shape, dirs, batch, hidden)
	}
	for d := range state {
		state[d] = n.Temp(fmt.Sprintf("s%d.%d", i, d), v.Elem, batch, hidden)
	}
	return state, n.EmitStep(fmt.Sprintf("s%d", i), graph.Move{Func: "split"}, []*node.Value{v}, state...)
}

// step adds one step of one direction: the product of the state, the gates
// (a sum and a sigmoid or tanh, counted as 11), and the new state.
func (n *onnxNode) step(gates int, name string, x, weight *node.Value, state, cell **node.Value) error {
	batch, hidden := x.Shape[1], x.Shape[2]
	in := []*node.Value{x}
	if h := *state; h != nil {
		prod := n.Temp(name+".product", x.Elem, gates, batch, hidden)
		k := graph.MatMul{Batch: 1, M: batch, N: gates * hidden, K: hidden, SharedB: 1}
		if err := n.EmitStep(name+".product", k, []*node.Value{h, weight}, prod); err != nil {
			return err
		}
		in = append(in, prod)
	}
	gate := n.Temp(name+".gates", x.Elem, gates, batch, hidden)
	if err := n.elementwise(name+".gates", onnxMap{fn: "gates", ops: 11}, in, nil, gate); err != nil {
		return err
	}
	parts := make([]*node.Value, gates)
	for g := range parts {
		parts[g] = n.Temp(fmt.Sprintf("%s.gate%d", name, g), x.Elem, batch, hidden)
	}
	if err := n.EmitStep(name+".split", graph.Move{Func: "split"}, []*node.Value{gate}, parts...); err != nil {
		return err
	}
	// emit adds an elementwise operator of all operands with a total of ops.
	emit := func(fn string, ops int64, in ...*node.Value) (*node.Value, error) {
		out := n.Temp(name+"."+fn, x.Elem, batch, hidden)
		k := graph.Elementwise{Func: fn, Elements: out.Elements(), Inputs: len(in), OpsPer: int(ops)}
		return out, n.EmitStep(name+"."+fn, k, in, out)
	}
	var err error
	switch gates {
	case 1:
		*state = parts[0]
	case 3: // (1-z)*n + z*h, and r*h inside n
		if in = parts; *state != nil {
			in = append(slices.Clone(parts), *state)
		}
		*state, err = emit("state", 5, in...)
	case 4: // c = f*c + i*g; h = o*tanh(c)
		if in = parts[:3]; *cell != nil {
			in = append(slices.Clone(in), *cell)
		}
		if *cell, err = emit("cell", 3, in...); err == nil {
			*state, err = emit("state", 13, parts[3], *cell)
		}
	}
	return err
}
