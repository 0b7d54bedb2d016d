package zoo

import "github.com/causeway-sim/causeway/workloads/graph"

// layer adds layer i of the decoder.
func (d Decoder) layer(b *graph.Builder, i int, p Params, x, angles graph.TensorID) graph.TensorID {
	l, k := "L"+number(i)+".", d.block(i)
	if !d.rotary() || len(d.NoRope) > 0 && d.NoRope[i] {
		angles = graph.None
	}
	if d.Parallel {
		y := d.norm(b, l+"attn_norm", x)
		shared := y
		y = d.mixer(b, i, l, p, y, angles)
		if !d.SharedNorm {
			shared = d.norm(b, l+"ff_norm", x)
		}
		y = b.Add(l+"add1", d.feedForward(b, i, l, shared), y)
		return b.Add(l+"add2", y, x)
	}
	if k.Only != OnlyFF {
		x = d.part(b, l, "attn", "add1", x, func(y graph.TensorID) graph.TensorID { return d.mixer(b, i, l, p, y, angles) })
	}
	if k.Only == OnlyMixer {
		return x
	}
	return d.part(b, l, "ff", "add2", x, func(y graph.TensorID) graph.TensorID { return d.feedForward(b, i, l, y) })
}

// part adds one of the two parts of a layer, with its norms and the sum with its input.
func (d Decoder) part(b *graph.Builder, l, name, add string, x graph.TensorID, of func(graph.TensorID) graph.TensorID) graph.TensorID {
	y := x
	if d.Streams > 1 {
		return d.streamed(b, l, name, x, of)
	}
	if !d.OnlyPost {
		y = d.norm(b, l+name+"_norm", x)
	}
	if y = of(y); d.PostNorm || d.OnlyPost {
		y = d.norm(b, l+name+"_post_norm", y)
	}
	return b.Add(l+add, y, x)
}

// mixer adds what mixes the tokens of a sequence in layer i.
func (d Decoder) mixer(b *graph.Builder, i int, l string, p Params, y, angles graph.TensorID) graph.TensorID {
	k, turned := d.block(i), d.RotarySize
	if d = d.of(k); d.RotarySize != turned && angles != graph.None {
		angles = b.Input(l+"rope", p.Sequence, d.RotarySize)
	}
	h := heads{p.Batch, p.Sequence, d.keys(i, p), d.Heads, d.KVHeads, d.HeadSize, d.mask(i), d.Value, 0}
	switch {
	case k.Mixer != nil:
		return k.Mixer.mix(b, mixing{d, l, h, p.Groups, angles, p.Context}, y)
	case d.Latent != nil:
		return d.latent(b, i, l, h, p, y, angles)
	case k.Index != nil:
		h.limit = k.Index.Top * k.Index.Block
		k.Index.score(b, l, h, y)
	}
	return d.attention(b, i, l, h, p.Groups, y, angles)
}

// attention adds the projections, the attention with its cache, and the output
// projection. Angles are those of the rotary positions, None where there are none.
func (d Decoder) attention(b *graph.Builder, i int, p string, h heads, groups []Group, x, angles graph.TensorID) graph.TensorID {
	wide := d.QKNorm && d.WideQK
	project := func(name string, n, size int, norm bool) graph.TensorID {
		y := b.Linear(p+name, x, n*size, options(d.QKVBias)...)
		if norm {
			y = b.Norm(p+name+".norm", "rms", y)
		}
		return b.Reshape(p+name+".heads", y, h.batch, n, h.queries, size)
	}
	q, k := project("q", h.n, h.size, wide), project("k", h.kv, h.size, wide)
	v := k
	if !d.SharedKV {
		v = project("v", h.kv, h.values(), false)
	}
	if d.QKNorm && !d.WideQK {
		q, k = b.Norm(p+"q.norm", "rms", q), b.Norm(p+"k.norm", "rms", k)
	}
	if angles != graph.None {
		q, k = d.rotate(b, p+"q.rope", q, angles), d.rotate(b, p+"k.rope", k, angles)
	}
	var y graph.TensorID
	if len(groups) > 1 {
		y = d.grouped(b, i, p, h, groups, q, k, v)
	} else {
		k, v = h.cache(b, p+"k_cache", k), h.cache(b, p+"v_cache", v)
		y = h.attendWith(b, p, q, k, v, d.scores)
	}
	return b.Linear(p+"o", d.gated(b, p, h, x, y), d.Hidden, options(d.OutBias)...)
}

// The values of Decoder.OutGate.
const (
	GateElement = "gate_element"
	GateHead    = "gate_head"
)

// gated scales the result of attention, y, by a gate of the layer's input, x.
func (d Decoder) gated(b *graph.Builder, p string, h heads, x, y graph.TensorID) graph.TensorID {
	switch d.OutGate {
	case GateElement:
		return b.Mul(p+"o.gated", y, b.Elementwise(p+"o.sigmoid", "sigmoid", b.Linear(p+"o.gate", x, h.n*h.values())))
	case GateHead:
		gate := b.Elementwise(p+"o.sigmoid", "sigmoid", b.Linear(p+"o.gate", x, h.n))
		gate = b.Reshape(p+"o.gate.heads", gate, h.batch, h.queries, h.n, 1)
		y = b.Mul(p+"o.gated", b.Reshape(p+"merge.heads", y, h.batch, h.queries, h.n, h.values()), gate)
		return b.Reshape(p+"o.all", y, h.batch, h.queries, h.n*h.values())
	}
	return y
}

// rotate rotates the first RotarySize elements of each head.
func (d Decoder) rotate(b *graph.Builder, name string, x, angles graph.TensorID) graph.TensorID {
	s := b.Shape(x)
	size := s[len(s)-1]
	if d.RotarySize >= size {
		return b.Elementwise(name, "rope", x, angles)
	}
	n, _ := graph.OpsPerElement("rope")
	k := graph.Elementwise{Func: "rope", Elements: b.Elements(x) / int64(size) * int64(d.RotarySize), Inputs: 2, OpsPer: n}
	part := b.Tensor(name+".part", graph.Activation, s[0], s[1], s[2], d.RotarySize)
	b.Into(name+".part", graph.Move{Func: "slice"}, []graph.TensorID{x}, part)
	turned := b.Op(name, k, []graph.TensorID{part, angles}, s[0], s[1], s[2], d.RotarySize)
	out := b.Tensor(name+".whole", graph.Activation, s...)
	b.Into(name+".whole", graph.Move{Func: "concat"}, []graph.TensorID{turned, x}, out)
	return out
}

// scores adds what happens to the scores between product and softmax.
func (d Decoder) scores(b *graph.Builder, p string, s graph.TensorID) graph.TensorID {
	if d.SoftCap {
		s = b.Elementwise(p+"cap", "tanh", s)
	}
	if d.Alibi {
		s = b.Elementwise(p+"alibi", "add", s)
	}
	if d.Sinks {
		b.Weight(p+"sinks", d.Heads) // one more column of each row, which is not written
	}
	return s
}

// feedForward adds the feed-forward part of layer i, or its experts.
func (d Decoder) feedForward(b *graph.Builder, i int, p string, x graph.TensorID) graph.TensorID {
	if w := d.block(i).FF; w > 0 {
		return d.inner(b, p, x, d.Hidden, w)
	}
	if d.Experts == 0 || len(d.Dense) > 0 && d.Dense[i] {
		return d.inner(b, p, x, d.Hidden, d.DenseFF)
	}
	if d.SharedFF == 0 {
		return d.experts(b, i, p, x)
	}
	in := x
	if d.SharedNorms {
		in = d.norm(b, p+"experts_norm", x)
	}
	y := d.experts(b, i, p, in)
	shared := d.inner(b, p+"shared.", x, d.Hidden, d.SharedFF)
	if d.SharedNorms {
		y, shared = d.norm(b, p+"experts_post_norm", y), d.norm(b, p+"shared_post_norm", shared)
	}
	if d.SharedGate {
		gate := b.Elementwise(p+"shared.sigmoid", "sigmoid", b.Linear(p+"shared.router", x, 1))
		shared = b.Mul(p+"shared.weight", shared, gate)
	}
	return b.Add(p+"shared.add", shared, y)
}

// inner adds one feed-forward part of inner width n, gated or plain, for tokens of width hidden.
func (d Decoder) inner(b *graph.Builder, p string, x graph.TensorID, hidden, n int) graph.TensorID {
	bias := options(d.FFBias)
	if d.Plain {
		y := b.Elementwise(p+d.Activation, d.Activation, b.Linear(p+"up", x, n, bias...))
		return b.Linear(p+"down", y, hidden, bias...)
	}
	gate := b.Elementwise(p+d.Activation, d.Activation, b.Linear(p+"gate", x, n, bias...))
	y := b.Mul(p+"mul", gate, b.Linear(p+"up", x, n, bias...))
	return b.Linear(p+"down", y, hidden, bias...)
}

func options(bias bool) []graph.Option {
	if bias {
		return []graph.Option{graph.WithBias}
	}
	return nil
}
