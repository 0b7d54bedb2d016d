package zoo

import "github.com/causeway-sim/causeway/workloads/graph"

// layer adds layer i of the decoder.
func (d Decoder) layer(b *graph.Builder, i int, p Params, x, angles graph.TensorID) graph.TensorID {
	l := "L" + number(i) + "."
	h := heads{p.Batch, p.Sequence, d.keys(i, p), d.Heads, d.KVHeads, d.HeadSize, d.mask(i)}
	if !d.rotary() || len(d.NoRope) > 0 && d.NoRope[i] {
		angles = graph.None
	}
	y := x
	if !d.OnlyPost {
		y = d.norm(b, l+"attn_norm", x)
	}
	shared := y
	if d.Latent != nil {
		y = d.latent(b, l, h, p, y, angles)
	} else {
		y = d.attention(b, i, l, h, p.Groups, y, angles)
	}
	if d.PostNorm || d.OnlyPost {
		y = d.norm(b, l+"attn_post_norm", y)
	}
	if d.Parallel {
		if !d.SharedNorm {
			shared = d.norm(b, l+"ff_norm", x)
		}
		y = b.Add(l+"add1", d.feedForward(b, i, l, shared), y)
		return b.Add(l+"add2", y, x)
	}
	x = b.Add(l+"add1", y, x)
	y = x
	if !d.OnlyPost {
		y = d.norm(b, l+"ff_norm", x)
	}
	y = d.feedForward(b, i, l, y)
	if d.PostNorm || d.OnlyPost {
		y = d.norm(b, l+"ff_post_norm", y)
	}
	return b.Add(l+"add2", y, x)
}

// attention adds the projections, the attention with its cache, and the output
// projection. Angles are those of the rotary positions, None where there are none.
func (d Decoder) attention(b *graph.Builder, i int, p string, h heads, groups []Group, x, angles graph.TensorID) graph.TensorID {
	project := func(name string, n int, norm bool) graph.TensorID {
		y := b.Linear(p+name, x, n*h.size, options(d.QKVBias)...)
		if norm {
			y = b.Norm(p+name+".norm", "rms", y)
		}
		return h.view(b, p+name+".heads", y, n)
	}
	wide := d.QKNorm && d.WideQK
	q, k, v := project("q", h.n, wide), project("k", h.kv, wide), project("v", h.kv, false)
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
	return b.Linear(p+"o", y, d.Hidden, options(d.OutBias)...)
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
	if d.Experts == 0 || len(d.Dense) > 0 && d.Dense[i] {
		return d.inner(b, p, x, d.DenseFF)
	}
	y := d.experts(b, i, p, x)
	if d.SharedFF == 0 {
		return y
	}
	shared := d.inner(b, p+"shared.", x, d.SharedFF)
	if d.SharedGate {
		gate := b.Elementwise(p+"shared.sigmoid", "sigmoid", b.Linear(p+"shared.router", x, 1))
		shared = b.Mul(p+"shared.weight", shared, gate)
	}
	return b.Add(p+"shared.add", shared, y)
}

// inner adds one feed-forward part of inner width n, gated or plain.
func (d Decoder) inner(b *graph.Builder, p string, x graph.TensorID, n int) graph.TensorID {
	bias := options(d.FFBias)
	if d.Plain {
		y := b.Elementwise(p+d.Activation, d.Activation, b.Linear(p+"up", x, n, bias...))
		return b.Linear(p+"down", y, d.Hidden, bias...)
	}
	gate := b.Elementwise(p+d.Activation, d.Activation, b.Linear(p+"gate", x, n, bias...))
	y := b.Mul(p+"mul", gate, b.Linear(p+"up", x, n, bias...))
	return b.Linear(p+"down", y, d.Hidden, bias...)
}

func options(bias bool) []graph.Option {
	if bias {
		return []graph.Option{graph.WithBias}
	}
	return nil
}
