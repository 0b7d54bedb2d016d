package stablehlo

import (
	"fmt"
	"slices"
	"strings"
)

// resnet50 is ResNet-50 v1.5 at inference as Flax has it: NHWC, batch norms with running
// statistics, global mean.
func resnet50(batch int) string {
	p, s := &printer{pad: "    "}, &signature{}
	x := s.arg("bf16", batch, 224, 224, 3)
	conv := func(x arr, k, size, stride int) arr {
		pad := size / 2
		w := s.arg("bf16", size, size, x.shape[3], k)
		n := (x.shape[1]+2*pad-size)/stride + 1
		y := p.op("bf16", []int{batch, n, n, k}, "convolution(%s, %s) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [%d, %d], pad = [[%d, %d], [%d, %d]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (%v, %v) -> %v",
			x.name, w.name, stride, stride, pad, pad, pad, pad, x, w, arr{"", "bf16", []int{batch, n, n, k}})
		return y
	}
	norm := func(x arr) arr {
		k := x.shape[3]
		mean, v, scale, bias := s.arg("f32", k), s.arg("f32", k), s.arg("f32", k), s.arg("f32", k)
		wide := func(a arr) arr {
			return p.broadcast(p.broadcast(a, []int{1, 1, 1, k}, 3), x.shape, 0, 1, 2, 3)
		}
		y := p.binary("subtract", p.convert(x, "f32"), wide(mean))
		r := p.unary("rsqrt", p.binary("add", v, p.splat("f32", "9.99999974E-6", []int{k})))
		y = p.binary("multiply", y, wide(p.binary("multiply", r, scale)))
		return p.convert(p.binary("add", y, wide(bias)), "bf16")
	}
	y := relu(p, norm(conv(x, 64, 7, 2)))
	c := p.constant("bf16", "0xFF80")
	pooled := arr{fmt.Sprintf("%%%d", p.n), "bf16", []int{batch, 56, 56, 64}}
	p.n++
	fmt.Fprintf(p, `    %s = "stablehlo.reduce_window"(%s, %s) <{padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%%arg900: tensor<bf16>, %%arg901: tensor<bf16>):
      %%900 = stablehlo.maximum %%arg900, %%arg901 : tensor<bf16>
      stablehlo.return %%900 : tensor<bf16>
    }) : (%v, tensor<bf16>) -> %v
`, pooled.name, y.name, c.name, y, pooled)
	y = pooled
	for stage, blocks := range []int{3, 4, 6, 3} {
		for b := range blocks {
			stride, width, in := 1, 64<<stage, y
			if stage > 0 && b == 0 {
				stride = 2
			}
			y = relu(p, norm(conv(y, width, 1, 1)))
			y = relu(p, norm(conv(y, width, 3, stride)))
			y = norm(conv(y, 4*width, 1, 1))
			if b == 0 {
				in = norm(conv(in, 4*width, 1, stride))
			}
			y = relu(p, p.binary("add", y, in))
		}
	}
	sum := p.reduce("add", "0.000000e+00", y, 1, 2)
	mean := p.binary("divide", sum, p.splat("bf16", "4.900000e+01", sum.shape))
	return p.module("resnet50", s, p.biased(mean, s.arg("bf16", 2048, 1000), s.arg("bf16", 1000)))
}

// bert is BERT base with its pooler; projections of queries, keys and values are one.
func bert(batch, tokens, layers int) string {
	const d, heads, size = 768, 12, 64
	p, s := &printer{pad: "    "}, &signature{}
	ids, types, positions := s.arg("i32", batch, tokens), s.arg("i32", batch, tokens), s.arg("i32", tokens)
	vec := func(n int) arr { return s.arg("bf16", n) }
	f32 := func(n int) arr { return s.arg("f32", n) }
	x := take(p, s.arg("bf16", 30522, d), ids)
	pos := take(p, s.arg("bf16", 512, d), positions)
	x = p.binary("add", x, p.broadcast(p.broadcast(pos, []int{1, tokens, d}, 1, 2), x.shape, 0, 1, 2))
	x = p.binary("add", x, take(p, s.arg("bf16", 2, d), types))
	x = layerNorm(p, x, f32(d), f32(d))
	for range layers {
		y := p.biased(x, s.arg("bf16", d, 3*d), vec(3*d))
		y = p.reshape(y, batch, tokens, 3, heads, size)
		part := func(n int) arr { return p.reshape(p.slice(y, 2, n, n+1), batch, tokens, heads, size) }
		q, k, v := part(0), part(1), part(2)
		q = p.binary("divide", q, p.splat("bf16", "8.000000e+00", q.shape))
		scores := p.dot(q, k, "bf16", []int{0, 2}, []int{0, 2}, []int{3}, []int{3})
		w := p.convert(p.softmax(p.convert(scores, "f32")), "bf16")
		a := p.dot(v, w, "bf16", []int{0, 2}, []int{0, 1}, []int{1}, []int{3}) // batch, heads, size, tokens
		a = p.reshape(p.transpose(a, 0, 3, 1, 2), batch, tokens, d)
		x = layerNorm(p, p.binary("add", p.biased(a, s.arg("bf16", d, d), vec(d)), x), f32(d), f32(d))
		y = gelu(p, p.biased(x, s.arg("bf16", d, 4*d), vec(4*d)))
		x = layerNorm(p, p.binary("add", p.biased(y, s.arg("bf16", 4*d, d), vec(d)), x), f32(d), f32(d))
	}
	first := p.reshape(p.slice(x, 1, 0, 1), batch, d)
	pooled := p.unary("tanh", p.biased(first, s.arg("bf16", d, d), vec(d)))
	return p.module("bert", s, x, pooled)
}

// llama is LLaMA-3 8B as jax.lax.scan over its layers: weights and caches of all layers lie one
// behind the other, and a loop takes those of a layer. Context entries are in the cache before.
func llama(batch, tokens, context, layers int) string {
	const d, heads, kv, size, ff, words = 4096, 32, 8, 128, 14336, 128256
	keys := tokens + context
	p, s := &printer{pad: "    "}, &signature{}
	ids := s.arg("i32", batch, tokens)
	x := take(p, s.arg("bf16", words, d), ids)
	stack := func(elem string, shape ...int) arr { return s.arg(elem, append([]int{layers}, shape...)...) }
	state := []arr{stack("bf16", batch, keys, kv, size), stack("bf16", batch, keys, kv, size)}
	weights := []arr{stack("bf16", d), stack("bf16", d, heads*size), stack("bf16", d, kv*size), stack("bf16", d, kv*size), stack("bf16", heads*size, d),
		stack("bf16", d), stack("bf16", d, ff), stack("bf16", d, ff), stack("bf16", ff, d)}
	final, head := s.arg("bf16", d), s.arg("bf16", d, words)
	cos, sin := p.angles(s.arg("i32", tokens), size)

	carried := append([]arr{p.constant("i32", "0"), x}, slices.Concat(state, weights, []arr{cos, sin})...)
	var inits, kinds []string
	inner := make([]arr, len(carried))
	for n, a := range carried {
		inner[n] = arr{"%iterArg", a.elem, a.shape}
		if n > 0 {
			inner[n].name = fmt.Sprintf("%%iterArg_%d", n)
		}
		inits, kinds = append(inits, inner[n].name+" = "+a.name), append(kinds, a.String())
	}
	loop := p.n
	p.n++
	fmt.Fprintf(p, "    %%%d:%d = stablehlo.while(%s) : %s\n     cond {\n", loop, len(carried), strings.Join(inits, ", "), strings.Join(kinds, ", "))
	p.pad = "      "
	end := p.constant("i32", fmt.Sprint(layers))
	more := p.op("i1", nil, "compare  LT, %s, %s,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>", inner[0].name, end.name)
	fmt.Fprintf(p, "      stablehlo.return %s : tensor<i1>\n    } do {\n", more.name)
	out := p.llamaLayer(inner, batch, tokens, context)
	var names []string
	for _, a := range out {
		names = append(names, a.name)
	}
	fmt.Fprintf(p, "      stablehlo.return %s : %s\n    }\n", strings.Join(names, ", "), strings.Join(kinds, ", "))
	p.pad = "    "
	after := func(n int) arr { return arr{fmt.Sprintf("%%%d#%d", loop, n), carried[n].elem, carried[n].shape} }
	y := rmsNorm(p, after(1), final)
	return p.module("llama", s, p.dense(y, head), after(2), after(3))
}

// angles are the cosines and sines of positions.
func (p *printer) angles(positions arr, size int) (cos, sin arr) {
	i := p.op("f32", []int{size / 2}, "iota dim = 0 : tensor<%dxf32>", size/2)
	f := p.binary("divide", i, p.splat("f32", "6.400000e+01", i.shape))
	f = p.binary("power", p.splat("f32", "5.000000e+05", i.shape), f)
	t := p.convert(positions, "f32")
	shape := []int{positions.shape[0], size / 2}
	a := p.binary("divide", p.broadcast(p.broadcast(t, []int{shape[0], 1}, 0), shape, 0, 1), p.broadcast(p.broadcast(f, []int{1, shape[1]}, 1), shape, 0, 1))
	return p.convert(p.unary("cosine", a), "bf16"), p.convert(p.unary("sine", a), "bf16")
}

// llamaLayer is the body of the loop: the counter, the tokens, two caches, nine weights, angles.
func (p *printer) llamaLayer(in []arr, batch, tokens, context int) []arr {
	const heads, kv, size = 32, 8, 128
	n := in[0]
	low := p.op("i1", nil, "compare  LT, %s, %s,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>", n.name, p.constant("i32", "0").name)
	up := p.binary("add", n, p.constant("i32", fmt.Sprint(in[2].shape[0])))
	at := p.op("i32", nil, "select %s, %s, %s : tensor<i1>, tensor<i32>", low.name, up.name, n.name)
	zero := p.constant("i32", "0")
	index := func(rank int) string { return at.name + strings.Repeat(", "+zero.name, rank-1) }
	ints := func(rank int) string { return "tensor<i32>" + strings.Repeat(", tensor<i32>", rank-1) }
	own := func(a arr) arr {
		one := append([]int{1}, a.shape[1:]...)
		b := p.op(a.elem, one, "dynamic_slice %s, %s, sizes = %s : (%v, %s) -> %v", a.name, index(len(one)), list(one), a, ints(len(one)), arr{"", a.elem, one})
		return p.reshape(b, a.shape[1:]...)
	}
	x, w := in[1], make([]arr, 9)
	for k := range w {
		w[k] = own(in[4+k])
	}
	cos, sin := in[13], in[14]
	y := rmsNorm(p, x, w[0])
	q, k, v := p.reshape(p.dense(y, w[1]), batch, tokens, heads, size), p.reshape(p.dense(y, w[2]), batch, tokens, kv, size), p.reshape(p.dense(y, w[3]), batch, tokens, kv, size)
	q, k = p.rotate(q, cos, sin), p.rotate(k, cos, sin)
	write := func(cache, part arr) (all, mine arr) {
		pos := p.constant("i32", fmt.Sprint(context))
		five := p.reshape(part, 1, batch, tokens, kv, size)
		all = p.op(cache.elem, cache.shape, "dynamic_update_slice %s, %s, %s, %s, %s, %s, %s : (%v, %v, %s) -> %v", cache.name, five.name, at.name, zero.name, pos.name, zero.name, zero.name, cache, five, ints(5), cache)
		return all, own(all)
	}
	ks, k := write(in[2], k)
	vs, v := write(in[3], v)
	a := p.attention(q, k, v, tokens, context)
	x = p.binary("add", x, p.dense(a, w[4]))
	y = rmsNorm(p, x, w[5])
	gate := silu(p, p.dense(y, w[6]))
	x = p.binary("add", x, p.dense(p.binary("multiply", gate, p.dense(y, w[7])), w[8]))
	next := p.binary("add", n, p.constant("i32", "1"))
	return slices.Concat([]arr{next, x, ks, vs}, in[4:])
}

// rotate is a rotary embedding of halves.
func (p *printer) rotate(x, cos, sin arr) arr {
	n := x.shape[3] / 2
	half := append(slices.Clone(x.shape[:3]), n)
	wide := func(a arr) arr {
		return p.broadcast(p.broadcast(a, []int{1, a.shape[0], 1, n}, 1, 3), half, 0, 1, 2, 3)
	}
	a, b := p.slice(x, 3, 0, n), p.slice(x, 3, n, 2*n)
	l := p.binary("subtract", p.binary("multiply", a, wide(cos)), p.binary("multiply", b, wide(sin)))
	r := p.binary("add", p.binary("multiply", b, wide(cos)), p.binary("multiply", a, wide(sin)))
	return p.concat(3, l, r)
}

// attention is jax.nn.dot_product_attention in XLA's form: heads in groups, a causal mask, softmax in 32 bits.
func (p *printer) attention(q, k, v arr, tokens, context int) arr {
	batch, kv, size := q.shape[0], k.shape[2], q.shape[3]
	group, keys := q.shape[2]/kv, k.shape[1]
	q = p.reshape(q, batch, tokens, kv, group, size)
	s := p.dot(k, q, "f32", []int{0, 2}, []int{0, 2}, []int{3}, []int{4}) // batch, kv, keys, tokens, group
	s = p.transpose(s, 0, 1, 4, 3, 2)
	s = p.binary("multiply", s, p.splat("f32", "0.0883883461", s.shape))
	if tokens > 1 {
		grid := []int{tokens, keys}
		row := p.op("i32", grid, "iota dim = 0 : %v", arr{"", "i32", grid})
		row = p.binary("add", row, p.splat("i32", fmt.Sprint(context), grid))
		col := p.op("i32", grid, "iota dim = 1 : %v", arr{"", "i32", grid})
		m := p.op("i1", grid, "compare  GE, %s, %s,  SIGNED : (%v, %v) -> %v", row.name, col.name, row, col, arr{"", "i1", grid})
		m = p.broadcast(p.broadcast(m, []int{1, 1, 1, tokens, keys}, 3, 4), s.shape, 0, 1, 2, 3, 4)
		s = p.op("f32", s.shape, "select %s, %s, %s : %v, %v", m.name, s.name, p.splat("f32", "-3.40282347E+38", s.shape).name, m, s)
	}
	w := p.convert(p.softmax(s), "bf16")
	a := p.dot(v, w, "bf16", []int{0, 2}, []int{0, 1}, []int{1}, []int{4}) // batch, kv, size, group, tokens
	return p.reshape(p.transpose(a, 0, 4, 1, 3, 2), batch, tokens, kv*group*size)
}
