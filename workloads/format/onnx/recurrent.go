package onnx

import (
	"fmt"
	"slices"

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
	xs, wt, rt := n.in[0], n.in[1], n.in[2]
	if xs.rank() != 3 || wt.rank() != 3 || rt.rank() != 3 ||
		xs.elements() == 0 || wt.elements() == 0 || rt.elements() == 0 {
		return r, n.fail("shapes %v, %v and %v (want three dimensions each, none of them 0)", xs.shape, wt.shape, rt.shape)
	}
	r = recurrence{gates: gates, steps: xs.shape[0], batch: xs.shape[1], input: xs.shape[2], dirs: wt.shape[0], hidden: rt.shape[2]}
	if n.flag("layout") {
		r.steps, r.batch = r.batch, r.steps
	}
	var ok bool
	r.rows, ok = format.Product(int64(gates), int64(r.hidden))
	if !ok || int64(wt.shape[1]) != r.rows || int64(rt.shape[1]) != r.rows || wt.shape[2] != r.input || rt.shape[0] != r.dirs || r.dirs > 2 {
		return r, n.fail("weights %v and %v for inputs of %d (want directions x %d*hidden x inputs, and x hidden)", wt.shape, rt.shape, r.input, gates)
	}
	if h := n.int("hidden_size", int64(r.hidden)); h != int64(r.hidden) {
		return r, n.fail("hidden_size is %d, but the weights have %d", h, r.hidden)
	}
	return r, n.fitsUnrolled(r)
}

// fitsUnrolled reports a layer that has too many steps, or too large a product of its inputs.
func (n *onnxNode) fitsUnrolled(r recurrence) error {
	if r.steps > maxSteps/r.dirs {
		return n.fail("%d steps in %d directions are unrolled (want at most %d)", r.steps, r.dirs, maxSteps)
	}
	// Room for the largest intermediate, the input products.
	if _, ok := dims([]int64{int64(r.steps), int64(r.batch), int64(r.dirs), r.rows}); !ok || int64(r.steps)*int64(r.batch) > format.MaxDim || int64(r.dirs)*r.rows > format.MaxDim {
		return n.fail("%d steps of %d x %d gates are too large", r.steps, r.batch, r.rows)
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
	var outs []*onnxValue
	for t := range r.steps {
		for d := range r.dirs {
			at := t
			if d == 1 || n.text("direction", "forward") == "reverse" {
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
func (n *onnxNode) inputProducts(r recurrence) (parts []*onnxValue, err error) {
	xs := n.in[0]
	all := n.temp("inputs", xs.elem, r.steps, r.batch, r.dirs*int(r.rows))
	p := productShape{1, 1, 1, int64(r.steps) * int64(r.batch), int64(r.dirs) * r.rows, int64(r.input)}
	if err := n.emitProduct(xs, n.in[1], all, p); err != nil {
		return nil, err
	}
	for i := range r.steps * r.dirs {
		parts = append(parts, n.temp(fmt.Sprintf("x%d", i), xs.elem, r.gates, r.batch, r.hidden))
	}
	return parts, n.emitStep("steps", graph.Move{Func: "split"}, []*onnxValue{all}, parts...)
}

// recurrentWeights returns a view of the weights of the state for each direction.
func (n *onnxNode) recurrentWeights(r recurrence) ([]*onnxValue, error) {
	rt := n.in[2]
	weights := make([]*onnxValue, r.dirs)
	for d := range weights {
		weights[d] = n.temp(fmt.Sprintf("r%d", d), rt.elem, int(r.rows), r.hidden)
		weights[d].konst, weights[d].role = rt.konst, graph.Weight
	}
	if r.dirs == 1 {
		weights[0] = rt
	} else if !rt.konst {
		return weights, n.emitStep("weights", graph.Move{Func: "split"}, []*onnxValue{rt}, weights...)
	}
	return weights, nil
}

// collect puts the states of all steps, the last ones and the last cells together as the
// results that are read.
func (n *onnxNode) collect(r recurrence, outs, state, cell []*onnxValue) error {
	yShape, hShape := []int{r.steps, r.dirs, r.batch, r.hidden}, []int{r.dirs, r.batch, r.hidden}
	if n.flag("layout") {
		yShape, hShape = []int{r.batch, r.steps, r.dirs, r.hidden}, []int{r.batch, r.dirs, r.hidden}
	}
	for i, x := range []struct {
		shape []int
		parts []*onnxValue
	}{{yShape, outs}, {hShape, state}, {hShape, cell}} {
		if !n.wants(i) || i == 2 && r.gates != 4 {
			continue
		}
		out, err := n.result(i, n.in[0].elem, x.shape...)
		if err != nil {
			return err
		}
		if err := n.emitStep("collect", graph.Move{Func: "concat", Elements: out.elements()}, slices.Clone(x.parts), out); err != nil {
			return err
		}
	}
	return nil
}

// initialState is input i by direction. Without one, or with a constant one
// (which exporters fill with zeros, and which would fold into the bias), the
// first step has no product.
func (n *onnxNode) initialState(i, dirs, batch, hidden int) ([]*onnxValue, error) {
	state := make([]*onnxValue, dirs)
	v := n.get(i)
	if v == nil || v.konst {
		return state, nil
	}
	if v.elements() != int64(dirs)*int64(batch)*int64(hidden) {
		return nil, n.fail("the initial state has shape %v (want %d directions of %d x %d)", v.shape, dirs, batch, hidden)
	}
	for d := range state {
		state[d] = n.temp(fmt.Sprintf("s%d.%d", i, d), v.elem, batch, hidden)
	}
	return state, n.emitStep(fmt.Sprintf("s%d", i), graph.Move{Func: "split"}, []*onnxValue{v}, state...)
}

// step adds one step of one direction: the product of the state, the gates
// (a sum and a sigmoid or tanh, counted as 11), and the new state.
func (n *onnxNode) step(gates int, name string, x, weight *onnxValue, state, cell **onnxValue) error {
	batch, hidden := x.shape[1], x.shape[2]
	in := []*onnxValue{x}
	if h := *state; h != nil {
		prod := n.temp(name+".product", x.elem, gates, batch, hidden)
		k := graph.MatMul{Batch: 1, M: batch, N: gates * hidden, K: hidden, SharedB: 1}
		if err := n.emitStep(name+".product", k, []*onnxValue{h, weight}, prod); err != nil {
			return err
		}
		in = append(in, prod)
	}
	gate := n.temp(name+".gates", x.elem, gates, batch, hidden)
	if err := n.elementwise(name+".gates", onnxMap{fn: "gates", ops: 11}, in, nil, gate); err != nil {
		return err
	}
	parts := make([]*onnxValue, gates)
	for g := range parts {
		parts[g] = n.temp(fmt.Sprintf("%s.gate%d", name, g), x.elem, batch, hidden)
	}
	if err := n.emitStep(name+".split", graph.Move{Func: "split"}, []*onnxValue{gate}, parts...); err != nil {
		return err
	}
	// emit adds an elementwise operator of all operands with a total of ops.
	emit := func(fn string, ops int64, in ...*onnxValue) (*onnxValue, error) {
		out := n.temp(name+"."+fn, x.elem, batch, hidden)
		k := graph.Elementwise{Func: fn, Elements: out.elements(), Inputs: len(in), OpsPer: int(ops)}
		return out, n.emitStep(name+"."+fn, k, in, out)
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
