package stablehlo

import (
	"fmt"
	"slices"
	"strings"
)

// A printer writes a program in the form in which JAX prints it: one operation a line, constants
// where they are used, broadcasts written out, elementwise functions of jax.nn as private functions.
type printer struct {
	strings.Builder
	n, consts int
	pad       string
	helpers   []string
}

// An arr is a value of a program that is written.
type arr struct {
	name, elem string
	shape      []int
}

func (a arr) String() string {
	var b strings.Builder
	b.WriteString("tensor<")
	for _, d := range a.shape {
		fmt.Fprintf(&b, "%dx", d)
	}
	return b.String() + a.elem + ">"
}

func list(x []int) string { return strings.ReplaceAll(fmt.Sprint(x), " ", ", ") }

func (p *printer) op(elem string, shape []int, format string, args ...any) arr {
	a := arr{fmt.Sprintf("%%%d", p.n), elem, shape}
	p.n++
	fmt.Fprintf(p, "%s%s = stablehlo."+format+"\n", append([]any{p.pad, a.name}, args...)...)
	return a
}

func (p *printer) constant(elem, value string) arr {
	a := arr{"%cst", elem, nil}
	if elem[0] == 'i' {
		a.name = "%c"
	}
	if p.consts > 0 {
		a.name += fmt.Sprintf("_%d", p.consts)
	}
	p.consts++
	fmt.Fprintf(p, "%s%s = stablehlo.constant dense<%s> : %v\n", p.pad, a.name, value, a)
	return a
}

func (p *printer) broadcast(a arr, shape []int, dims ...int) arr {
	return p.op(a.elem, shape, "broadcast_in_dim %s, dims = %s : (%v) -> %v", a.name, list(dims), a, arr{"", a.elem, shape})
}

func (p *printer) splat(elem, value string, shape []int) arr {
	return p.broadcast(p.constant(elem, value), shape)
}

func (p *printer) unary(fn string, a arr) arr {
	return p.op(a.elem, a.shape, "%s %s : %v", fn, a.name, a)
}

func (p *printer) binary(fn string, a, b arr) arr {
	return p.op(a.elem, a.shape, "%s %s, %s : %v", fn, a.name, b.name, a)
}

func (p *printer) convert(a arr, elem string) arr {
	return p.op(elem, a.shape, "convert %s : (%v) -> %v", a.name, a, arr{"", elem, a.shape})
}

func (p *printer) reshape(a arr, shape ...int) arr {
	return p.op(a.elem, shape, "reshape %s : (%v) -> %v", a.name, a, arr{"", a.elem, shape})
}

func (p *printer) transpose(a arr, perm ...int) arr {
	shape := make([]int, len(perm))
	for d, o := range perm {
		shape[d] = a.shape[o]
	}
	return p.op(a.elem, shape, "transpose %s, dims = %s : (%v) -> %v", a.name, list(perm), a, arr{"", a.elem, shape})
}

func (p *printer) slice(a arr, dim, from, to int) arr {
	shape, ranges := slices.Clone(a.shape), []string{}
	for d, n := range a.shape {
		if d == dim {
			ranges = append(ranges, fmt.Sprintf("%d:%d", from, to))
			shape[d] = to - from
		} else {
			ranges = append(ranges, fmt.Sprintf("0:%d", n))
		}
	}
	return p.op(a.elem, shape, "slice %s [%s] : (%v) -> %v", a.name, strings.Join(ranges, ", "), a, arr{"", a.elem, shape})
}

func (p *printer) concat(dim int, a, b arr) arr {
	shape := slices.Clone(a.shape)
	shape[dim] += b.shape[dim]
	return p.op(a.elem, shape, "concatenate %s, %s, dim = %d : (%v, %v) -> %v", a.name, b.name, dim, a, b, arr{"", a.elem, shape})
}

// dot is an einsum by its batch and contracting dimensions.
func (p *printer) dot(a, b arr, elem string, lb, rb, lc, rc []int) arr {
	var shape []int
	for _, d := range lb {
		shape = append(shape, a.shape[d])
	}
	for d, n := range a.shape {
		if !slices.Contains(lb, d) && !slices.Contains(lc, d) {
			shape = append(shape, n)
		}
	}
	for d, n := range b.shape {
		if !slices.Contains(rb, d) && !slices.Contains(rc, d) {
			shape = append(shape, n)
		}
	}
	batch := ""
	if len(lb) > 0 {
		batch = fmt.Sprintf("batching_dims = %s x %s, ", list(lb), list(rb))
	}
	return p.op(elem, shape, "dot_general %s, %s, %scontracting_dims = %s x %s, precision = [DEFAULT, DEFAULT] : (%v, %v) -> %v",
		a.name, b.name, batch, list(lc), list(rc), a, b, arr{"", elem, shape})
}

func (p *printer) dense(x, w arr) arr {
	return p.dot(x, w, x.elem, nil, nil, []int{len(x.shape) - 1}, []int{0})
}

// biased is dense with a bias along the last dimension.
func (p *printer) biased(x, w, b arr) arr {
	y := p.dense(x, w)
	ones := slices.Repeat([]int{1}, len(y.shape)-1)
	b = p.broadcast(b, append(ones, b.shape[0]), len(y.shape)-1)
	all := make([]int, len(y.shape))
	for d := range all {
		all[d] = d
	}
	return p.binary("add", y, p.broadcast(b, y.shape, all...))
}

func (p *printer) reduce(fn, init string, a arr, dims ...int) arr {
	c := p.constant(a.elem, init)
	var shape []int
	for d, n := range a.shape {
		if !slices.Contains(dims, d) {
			shape = append(shape, n)
		}
	}
	return p.op(a.elem, shape, "reduce(%s init: %s) applies stablehlo.%s across dimensions = %s : (%v, %v) -> %v", a.name, c.name, fn, list(dims), a, c, arr{"", a.elem, shape})
}

// spread is a reduced array with a last dimension of 1, spread over n elements.
func (p *printer) spread(a arr, n int) arr {
	dims := make([]int, len(a.shape))
	for d := range dims {
		dims[d] = d
	}
	one := p.broadcast(a, append(slices.Clone(a.shape), 1), dims...)
	return p.broadcast(one, append(slices.Clone(a.shape), n), append(dims, len(dims))...)
}

func (p *printer) softmax(x arr) arr {
	last := len(x.shape) - 1
	m := p.reduce("maximum", "0xFF800000", x, last)
	m = p.binary("maximum", p.splat(x.elem, "0xFF800000", m.shape), m)
	e := p.unary("exponential", p.binary("subtract", x, p.spread(m, x.shape[last])))
	s := p.reduce("add", "0.000000e+00", e, last)
	return p.binary("divide", e, p.spread(s, x.shape[last]))
}

// call writes a call of a private function of one argument, and the function once.
func (p *printer) call(name string, x arr, body func(q *printer, x arr) arr) arr {
	var q printer
	q.pad = "    "
	in := arr{"%arg0", x.elem, x.shape}
	out := body(&q, in)
	for n := 0; ; n++ {
		full := name
		if n > 0 {
			full = fmt.Sprintf("%s_%d", name, n)
		}
		text := fmt.Sprintf("  func.func private @%s(%%arg0: %v) -> %v {\n%s    return %s : %v\n  }\n", full, in, out, q.String(), out.name, out)
		head := fmt.Sprintf("  func.func private @%s(", full)
		at := slices.IndexFunc(p.helpers, func(h string) bool { return strings.HasPrefix(h, head) })
		if at < 0 {
			p.helpers = append(p.helpers, text)
		} else if p.helpers[at] != text {
			continue
		}
		a := arr{fmt.Sprintf("%%%d", p.n), out.elem, out.shape}
		p.n++
		fmt.Fprintf(p, "%s%s = call @%s(%s) : (%v) -> %v\n", p.pad, a.name, full, x.name, x, out)
		return a
	}
}

func relu(p *printer, x arr) arr {
	return p.call("relu", x, func(q *printer, x arr) arr {
		return q.binary("maximum", x, q.splat(x.elem, "0.000000e+00", x.shape))
	})
}

func silu(p *printer, x arr) arr {
	return p.call("silu", x, func(q *printer, x arr) arr { return q.binary("multiply", x, q.unary("logistic", x)) })
}

// gelu is jax.nn.gelu with approximate=False.
func gelu(p *printer, x arr) arr {
	return p.call("gelu", x, func(q *printer, x arr) arr {
		s := q.binary("multiply", q.unary("negate", x), q.splat(x.elem, "7.070310e-01", x.shape))
		c := q.op(x.elem, x.shape, "erfc %s : %v -> %v", s.name, x, x)
		h := q.binary("multiply", q.splat(x.elem, "5.000000e-01", x.shape), x)
		return q.binary("multiply", h, c)
	})
}

// take is jnp.take along the first dimension: negative indices count from the end.
func take(p *printer, table, ids arr) arr {
	low := p.op("i1", ids.shape, "compare  LT, %s, %s,  SIGNED : (%v, %v) -> %v", ids.name, p.splat("i32", "0", ids.shape).name, ids, ids, arr{"", "i1", ids.shape})
	up := p.binary("add", ids, p.splat("i32", fmt.Sprint(table.shape[0]), ids.shape))
	at := p.op("i32", ids.shape, "select %s, %s, %s : %v, %v", low.name, up.name, ids.name, low, ids)
	dims := make([]int, len(ids.shape))
	for d := range dims {
		dims[d] = d
	}
	at = p.broadcast(at, append(slices.Clone(ids.shape), 1), dims...)
	shape := append(slices.Clone(ids.shape), table.shape[1])
	r := len(ids.shape)
	a := arr{fmt.Sprintf("%%%d", p.n), table.elem, shape}
	p.n++
	fmt.Fprintf(p, "%s%s = \"stablehlo.gather\"(%s, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [%d], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = %d>, indices_are_sorted = false, slice_sizes = array<i64: 1, %d>}> : (%v, %v) -> %v\n",
		p.pad, a.name, table.name, at.name, r, r, table.shape[1], table, at, a)
	return a
}

// layerNorm is flax.linen.LayerNorm: in 32 bits, variance by squares.
func layerNorm(p *printer, x, scale, bias arr) arr {
	n := x.shape[len(x.shape)-1]
	last := len(x.shape) - 1
	y := p.convert(x, "f32")
	rows := x.shape[:last]
	div := func(a arr) arr { return p.binary("divide", a, p.splat("f32", fmt.Sprintf("%e", float64(n)), rows)) }
	mean := div(p.reduce("add", "0.000000e+00", y, last))
	square := div(p.reduce("add", "0.000000e+00", p.binary("multiply", y, y), last))
	v := p.binary("maximum", p.splat("f32", "0.000000e+00", rows), p.binary("subtract", square, p.binary("multiply", mean, mean)))
	c := p.binary("subtract", y, p.spread(mean, n))
	r := p.unary("rsqrt", p.binary("add", v, p.splat("f32", "9.99999996E-13", rows)))
	ones := append(slices.Repeat([]int{1}, last), n)
	all := make([]int, last+1)
	for d := range all {
		all[d] = d
	}
	k := p.binary("multiply", p.spread(r, n), p.broadcast(p.broadcast(scale, ones, last), x.shape, all...))
	z := p.binary("multiply", c, k)
	z = p.binary("add", z, p.broadcast(p.broadcast(bias, ones, last), x.shape, all...))
	return p.convert(z, x.elem)
}

// rmsNorm is the norm of LLaMA, in 32 bits.
func rmsNorm(p *printer, x, scale arr) arr {
	n := x.shape[len(x.shape)-1]
	last := len(x.shape) - 1
	y := p.convert(x, "f32")
	s := p.reduce("add", "0.000000e+00", p.binary("multiply", y, y), last)
	dims := make([]int, last)
	for d := range dims {
		dims[d] = d
	}
	one := append(slices.Clone(x.shape[:last]), 1)
	s = p.broadcast(s, one, dims...)
	s = p.binary("divide", s, p.splat("f32", fmt.Sprintf("%e", float64(n)), one))
	s = p.unary("rsqrt", p.binary("add", s, p.splat("f32", "9.99999974E-6", one)))
	z := p.binary("multiply", y, p.broadcast(s, x.shape, append(dims, last)...))
	z = p.convert(z, x.elem)
	w := p.broadcast(p.broadcast(scale, append(slices.Repeat([]int{1}, last), n), last), x.shape, append(dims, last)...)
	return p.binary("multiply", w, z)
}

// A signature collects the arguments of main.
type signature struct{ args []arr }

func (s *signature) arg(elem string, shape ...int) arr {
	a := arr{fmt.Sprintf("%%arg%d", len(s.args)), elem, shape}
	s.args = append(s.args, a)
	return a
}

// module puts the parts of a file together.
func (p *printer) module(name string, s *signature, outs ...arr) string {
	var args, types, names []string
	for _, a := range s.args {
		args = append(args, fmt.Sprintf("%s: %v", a.name, a))
	}
	for n, o := range outs {
		info := "result"
		if len(outs) > 1 {
			info = fmt.Sprintf("result[%d]", n)
		}
		types = append(types, fmt.Sprintf("%v {jax.result_info = \"%s\"}", o, info))
		names = append(names, o.name)
	}
	kinds := make([]string, len(outs))
	for n, o := range outs {
		kinds[n] = o.String()
	}
	return fmt.Sprintf("module @jit_%s attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {\n  func.func public @main(%s) -> (%s) {\n%s    return %s : %s\n  }\n%s}\n",
		name, strings.Join(args, ", "), strings.Join(types, ", "), p.String(), strings.Join(names, ", "), strings.Join(kinds, ", "), strings.Join(p.helpers, ""))
}
