package program_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format/program"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A build adds instructions to a program; results are called %0, %1, ...
type build struct {
	t *testing.T
	p *program.Program
}

func (b build) add(op program.Op, shape []int, in ...*program.Value) *program.Value {
	b.t.Helper()
	out, err := b.p.Add(0, fmt.Sprint(b.p.Len()), op, in, program.Type{Shape: shape, Elem: graph.FP32})
	require.NoError(b.t, err)
	return out[0]
}

func (b build) arg(r program.Role, shape ...int) *program.Value {
	return b.p.Arg(fmt.Sprint("arg", shape), program.Type{Shape: shape, Elem: graph.FP32}, r)
}

func (b build) number(x float64, shape []int) *program.Value {
	return b.add(program.Broadcast{}, shape, b.add(program.Floats(x), nil))
}

func (b build) kinds() (out []graph.Kind) {
	g, err := b.p.Graph()
	require.NoError(b.t, err)
	for i := range g.Ops {
		if m, ok := g.Ops[i].Kind.(graph.Move); !ok || m.Elements > 0 {
			out = append(out, g.Ops[i].Kind)
		}
	}
	return out
}

func start(t *testing.T) build { return build{t, program.New("p")} }

// Arithmetic of one activation is one operator by its name, whichever way it is written, and stops
// where another array comes in.
func TestActivations(t *testing.T) {
	s := []int{4, 8}
	for _, c := range []struct {
		fn  string
		ops int
		of  func(b build, x *program.Value) *program.Value
	}{
		{"relu", 1, func(b build, x *program.Value) *program.Value {
			return b.add(program.Map{Fn: "max"}, s, b.number(0, s), x)
		}},
		{"relu6", 2, func(b build, x *program.Value) *program.Value {
			return b.add(program.Map{Fn: "min"}, s, b.add(program.Map{Fn: "max"}, s, x, b.number(0, s)), b.number(6, s))
		}},
		{"silu", 11, func(b build, x *program.Value) *program.Value { // x / (1 + exp(-x))
			e := b.add(program.Map{Fn: "exp"}, s, b.add(program.Map{Fn: "neg"}, s, x))
			one := b.add(program.Map{Fn: "div"}, s, b.number(1, s), b.add(program.Map{Fn: "add"}, s, e, b.number(1, s)))
			return b.add(program.Map{Fn: "mul"}, s, x, one)
		}},
		{"gelu", 8, func(b build, x *program.Value) *program.Value { // x (erf(x / sqrt 2) + 1) / 2
			e := b.add(program.Map{Fn: "erf"}, s, b.add(program.Map{Fn: "div"}, s, x, b.number(1.414, s)))
			y := b.add(program.Map{Fn: "mul"}, s, x, b.add(program.Map{Fn: "add"}, s, e, b.number(1, s)))
			return b.add(program.Map{Fn: "mul"}, s, y, b.number(0.5, s))
		}},
		{"gelu_tanh", 18, func(b build, x *program.Value) *program.Value {
			cube := b.add(program.Map{Fn: "mul"}, s, x, b.add(program.Map{Fn: "mul"}, s, x, x))
			y := b.add(program.Map{Fn: "add"}, s, x, b.add(program.Map{Fn: "mul"}, s, cube, b.number(0.044715, s)))
			h := b.add(program.Map{Fn: "tanh"}, s, b.add(program.Map{Fn: "mul"}, s, y, b.number(0.797, s)))
			h = b.add(program.Map{Fn: "mul"}, s, b.add(program.Map{Fn: "add"}, s, h, b.number(1, s)), b.number(0.5, s))
			return b.add(program.Map{Fn: "mul"}, s, x, h)
		}},
	} {
		b := start(t)
		x, other := b.arg(program.Data, s...), b.arg(program.Data, s...)
		b.p.Return(b.add(program.Map{Fn: "mul"}, s, c.of(b, x), other))
		require.Equal(t, []graph.Kind{graph.Elementwise{Func: c.fn, Elements: 32, Inputs: 1, OpsPer: c.ops}, graph.Elementwise{Func: "mul", Elements: 32, Inputs: 2, OpsPer: 1}}, b.kinds(), c.fn)
	}
}

// What is left of arithmetic is one operator as far as one reader takes what the step before makes.
func TestChains(t *testing.T) {
	b, s := start(t), []int{4, 8}
	x, y := b.arg(program.Data, s...), b.arg(program.Data, s...)
	sum := b.add(program.Map{Fn: "add"}, s, x, y)
	z := b.add(program.Map{Fn: "sqrt"}, s, b.add(program.Map{Fn: "abs"}, s, b.add(program.Map{Fn: "sub"}, s, sum, y)))
	b.p.Return(z, sum)
	require.Equal(t, []graph.Kind{graph.Elementwise{Func: "add", Elements: 32, Inputs: 2, OpsPer: 1}, graph.Elementwise{Func: "sub_abs_sqrt", Elements: 32, Inputs: 2, OpsPer: 6}}, b.kinds())
}

// A norm has the scale and the shift that follow it; a softmax has none, and statistics that are
// read elsewhere are no softmax.
func TestRows(t *testing.T) {
	s, rows := []int{4, 8}, []int{4}
	spread := func(b build, r *program.Value) *program.Value { return b.add(program.Broadcast{Dims: []int{0}}, s, r) }
	for _, leak := range []bool{false, true} {
		b := start(t)
		x := b.arg(program.Data, s...)
		top := b.add(program.Reduce{Fn: "max", Dims: []int{1}}, rows, x)
		e := b.add(program.Map{Fn: "exp"}, s, b.add(program.Map{Fn: "sub"}, s, x, spread(b, top)))
		sum := b.add(program.Reduce{Fn: "add", Dims: []int{1}}, rows, e)
		b.p.Return(b.add(program.Map{Fn: "div"}, s, e, spread(b, sum)))
		if leak {
			b.p.Return(sum)
			require.Len(t, b.kinds(), 4, "maximum, exponential, sum, quotient")
			continue
		}
		require.Equal(t, []graph.Kind{graph.Softmax{Rows: 4, Cols: 8}}, b.kinds())
	}
	b := start(t)
	x, w, bias := b.arg(program.Data, s...), b.arg(program.Parameter, 8), b.arg(program.Parameter, 8)
	col := func(v *program.Value) *program.Value { return b.add(program.Broadcast{Dims: []int{1}}, s, v) }
	mean := b.add(program.Map{Fn: "div"}, rows, b.add(program.Reduce{Fn: "add", Dims: []int{1}}, rows, x), b.number(8, rows))
	c := b.add(program.Map{Fn: "sub"}, s, x, spread(b, mean))
	v := b.add(program.Reduce{Fn: "add", Dims: []int{1}}, rows, b.add(program.Map{Fn: "mul"}, s, c, c))
	r := b.add(program.Map{Fn: "rsqrt"}, rows, v)
	y := b.add(program.Map{Fn: "mul"}, s, b.add(program.Map{Fn: "mul"}, s, c, spread(b, r)), col(w))
	b.p.Return(b.add(program.Map{Fn: "add"}, s, y, col(bias)))
	require.Equal(t, []graph.Kind{graph.Norm{Func: "layer", Rows: 4, Cols: 8, Bias: true}}, b.kinds())
}

// Heads of queries that share keys are a product with shared matrices, whichever operand comes first.
func TestGroupedHeads(t *testing.T) {
	for _, swap := range []bool{false, true} {
		b := start(t)
		q, k := b.arg(program.Data, 2, 16, 4, 3, 64), b.arg(program.Data, 2, 32, 4, 64) // batch, tokens, heads of keys, group, size
		var s *program.Value
		if swap {
			s = b.add(program.Dot{LB: []int{0, 2}, RB: []int{0, 2}, LC: []int{3}, RC: []int{4}}, []int{2, 4, 32, 16, 3}, k, q)
			s = b.add(program.Transpose{Perm: []int{0, 1, 3, 4, 2}}, []int{2, 4, 16, 3, 32}, s)
		} else {
			s = b.add(program.Dot{LB: []int{0, 2}, RB: []int{0, 2}, LC: []int{4}, RC: []int{3}}, []int{2, 4, 16, 3, 32}, q, k)
		}
		b.p.Return(b.add(program.Map{Fn: "abs"}, []int{2, 4, 16, 3, 32}, s))
		require.Equal(t, graph.MatMul{Batch: 24, SharedB: 3, M: 16, N: 32, K: 64}, b.kinds()[0])
	}
}

// An instruction whose operands or result do not fit is a fault with its place.
func TestFaults(t *testing.T) {
	b := start(t)
	x := b.arg(program.Data, 4, 8)
	_, err := b.p.Add(17, "y", program.Transpose{Perm: []int{1, 0}}, []*program.Value{x}, program.Type{Shape: []int{4, 8}})
	var fault *program.Fault
	require.ErrorAs(t, err, &fault)
	require.Equal(t, &program.Fault{At: 17, Msg: "the result is said to have shape [4 8], but it is [8 4]"}, fault)
	_, err = b.p.Graph()
	require.EqualError(t, err, "the program does no work that depends on its inputs")
}
