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

func (n *onnxNode) recurrent(gates int) error {
	xs, wt, rt := n.in[0], n.in[1], n.in[2]
	if xs.rank() != 3 || wt.rank() != 3 || rt.rank() != 3 ||
		xs.elements() == 0 || wt.elements() == 0 || rt.elements() == 0 {
		return n.fail("shapes %v, %v and %v (want three dimensions each, none of them 0)", xs.shape, wt.shape, rt.shape)
	}
	steps, batch, input := xs.shape[0], xs.shape[1], xs.shape[2]
	if n.flag("layout") {
		steps, batch = batch, steps
	}
	dirs, hidden := wt.shape[0], rt.shape[2]
	rows, ok := format.Product(int64(gates), int64(hidden))
	if !ok || int64(wt.shape[1]) != rows || int64(rt.shape[1]) != rows || wt.shape[2] != input || rt.shape[0] != dirs || dirs > 2 {
		return n.fail("weights %v and %v for inputs of %d (want directions x %d*hidden x inputs, and x hidden)", wt.shape, rt.shape, input, gates)
	}
	if h := n.int("hidden_size", int64(hidden)); h != int64(hidden) {
		return n.fail("hidden_size is %d, but the weights have %d", h, hidden)
	}
	if steps > maxSteps/dirs {
		return n.fail("%d steps in %d directions are unrolled (want at most %d)", steps, dirs, maxSteps)
	}
	yShape, hShape := []int{steps, dirs, batch, hidden}, []int{dirs, batch, hidden}
	if n.flag("layout") {
		yShape, hShape = []int{batch, steps, dirs, hidden}, []int{batch, dirs, hidden}
	}
	// Room for the largest intermediate, the input products.
	if _, ok := dims([]int64{int64(steps), int64(batch), int64(dirs), rows}); !ok || int64(steps)*int64(batch) > format.MaxDim || int64(dirs)*rows > format.MaxDim {
		return n.fail("%d steps of %d x %d gates are too large", steps, batch, rows)
	}
	all := n.temp("inputs", xs.elem, steps, batch, dirs*int(rows))
	p := productShape{1, 1, 1, int64(steps) * int64(batch), int64(dirs) * rows, int64(input)}
	if err := n.emitProduct(xs, wt, all, p); err != nil {
		return err
	}
	var parts []*onnxValue // a view of the input products per step and direction
	for i := range steps * dirs {
		parts = append(parts, n.temp(fmt.Sprintf("x%d", i), xs.elem, gates, batch, hidden))
	}
	if err := n.emitStep("steps", graph.Move{Func: "split"}, []*onnxValue{all}, parts...); err != nil {
		return err
	}
	weights := make([]*onnxValue, dirs)
	for d := range weights { // a view of the recurrent weights per direction
		weights[d] = n.temp(fmt.Sprintf("r%d", d), rt.elem, int(rows), hidden)
		weights[d].konst, weights[d].role = rt.konst, graph.Weight
	}
	if dirs == 1 {
		weights[0] = rt
	} else if !rt.konst {
		if err := n.emitStep("weights", graph.Move{Func: "split"}, []*onnxValue{rt}, weights...); err != nil {
			return err
		}
	}
	state, err := n.initialState(5, dirs, batch, hidden)
	if err != nil {
		return err
	}
	cell, err := n.initialState(6, dirs, batch, hidden)
	if err != nil {
		return err
	}
	var outs []*onnxValue
	for t := range steps {
		for d := range dirs {
			at := t
			if d == 1 || n.text("direction", "forward") == "reverse" {
				at = steps - 1 - t
			}
			if err := n.step(gates, fmt.Sprintf("t%d.d%d", t, d), parts[at*dirs+d], weights[d], &state[d], &cell[d]); err != nil {
				return err
			}
			outs = append(outs, state[d])
		}
	}
	for i, r := range []struct {
		shape []int
		parts []*onnxValue
	}{{yShape, outs}, {hShape, state}, {hShape, cell}} {
		if !n.wants(i) || i == 2 && gates != 4 {
			continue
		}
		out, err := n.result(i, xs.elem, r.shape...)
		if err != nil {
			return err
		}
		if err := n.emitStep("collect", graph.Move{Func: "concat", Elements: out.elements()}, slices.Clone(r.parts), out); err != nil {
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
