package onnx

import (
	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// Attention as runtimes fuse it in models that they have optimised (operators of domain
// com.microsoft). Keys and values that a result hands on are a cache, which is written in
// place: only the new entries move.
func init() {
	onnxOps["MultiHeadAttention"] = onnxOp{1, 10, onnxMultiHead}
	onnxOps["GroupQueryAttention"] = onnxOp{1, 12, onnxGrouped}
}

// onnxGrouped: query, key, value, past key, past value, lengths of the sequences, their
// greatest, cosines, sines, positions, bias of the scores, sinks. Without key and value
// the query holds all three. Its mask is causal, with a window if local_window_size says so.
func onnxGrouped(n *onnxNode) error {
	heads, kv := n.Int("num_heads", 0), n.Int("kv_num_heads", 0)
	if heads < 1 || kv < 1 || heads > format.MaxDim || heads%kv != 0 {
		return n.Fail("num_heads is %d, kv_num_heads %d (want both above 0, the second a divisor)", heads, kv)
	}
	x := attended{q: n.In[0], bias: n.Get(10), merged: true, mask: masking.Mask{Causal: true}}
	if w := n.Int("local_window_size", -1); w > 0 && w <= format.MaxDim {
		x.mask.Window = int(w)
	}
	var err error
	if !n.Has(1) && !n.Has(2) {
		parts, err := n.parts(x.q, int(heads), int(kv), int(kv))
		if err != nil {
			return err
		}
		x.q, x.k, x.v = parts[0], parts[1], parts[2]
	} else if err := n.Least(3); err != nil {
		return err
	} else {
		x.k, x.v = n.In[1], n.In[2]
	}
	if err := n.operands(&x, heads, kv); err != nil {
		return err
	}
	if n.Flag("do_rotary") {
		if x.q, err = n.turned("q", x.q); err != nil {
			return err
		}
		if x.k, err = n.turned("k", x.k); err != nil {
			return err
		}
	}
	if x.k, err = n.cache(1, 3, x.k, &x.ks); err != nil {
		return err
	}
	if x.v, err = n.cache(2, 4, x.v, &x.vs); err != nil {
		return err
	}
	return n.attend(&x)
}

// onnxMultiHead: query, key, value, bias of the three, mask of entries, bias of the
// scores, past key, past value. Keys of four dimensions are those of another sequence as a
// cache holds them; a query or key of five dimensions holds query, key and value, or key
// and value, side by side for each head. A mask of entries costs nothing.
func onnxMultiHead(n *onnxNode) error {
	heads := n.Int("num_heads", 0)
	if heads < 1 || heads > format.MaxDim {
		return n.Fail("num_heads is %d (want at least 1)", heads)
	}
	x := attended{q: n.In[0], k: n.Get(1), v: n.Get(2), bias: n.Get(5), merged: true, mask: masking.Mask{Causal: n.Flag("unidirectional")}, scores: 3}
	apart := func(v *node.Value, parts int) ([]*node.Value, error) {
		if v.Rank() != 5 || int64(v.Shape[2]) != heads || v.Shape[3] != parts {
			return nil, n.Fail("shape %v (want batch, tokens, %d heads, %d operands, size)", v.Shape, heads, parts)
		}
		width, ok := format.Product(heads, int64(v.Shape[4]))
		if !ok || width*int64(parts) > format.MaxDim {
			return nil, n.Fail("shape %v", v.Shape)
		}
		flat, err := n.Reshaped("packed", v, v.Shape[0], v.Shape[1], int(width)*parts)
		if err != nil {
			return nil, err
		}
		each := make([]int, parts)
		for i := range each {
			each[i] = 1
		}
		return n.parts(flat, each...)
	}
	switch {
	case x.k == nil:
		p, err := apart(x.q, 3)
		if err != nil {
			return err
		}
		x.q, x.k, x.v = p[0], p[1], p[2]
	case x.v == nil:
		p, err := apart(x.k, 2)
		if err != nil {
			return err
		}
		x.k, x.v = p[0], p[1]
	}
	if bias := n.Get(3); bias != nil {
		if err := n.biased(&x, bias); err != nil {
			return err
		}
	}
	var err error
	if err := n.operands(&x, heads, heads); err != nil {
		return err
	}
	if x.k, err = n.cache(1, 6, x.k, &x.ks); err != nil {
		return err
	}
	if x.v, err = n.cache(2, 7, x.v, &x.vs); err != nil {
		return err
	}
	return n.attend(&x)
}

// biased adds the parts of one bias to queries, keys and values.
func (n *onnxNode) biased(x *attended, bias *node.Value) error {
	for i, v := range []**node.Value{&x.q, &x.k, &x.v} {
		if (*v).Rank() != 3 {
			continue // a cache has its bias already
		}
		width := (*v).Shape[2]
		part := node.NewConstant(bias.Name, bias.Elem, width)
		part.Const, part.Origin = bias.Const, bias.Root()
		out := n.Temp("qkv"[i:i+1], (*v).Elem, (*v).Shape...)
		if err := n.elementwise("bias."+"qkv"[i:i+1], onnxMap{fn: "add"}, []*node.Value{*v, part}, nil, out); err != nil {
			return err
		}
		*v = out
	}
	return nil
}

// onnxPackedAttention is Attention of domain com.microsoft: input, weights of the three
// projections side by side, bias, mask of entries, past, bias of the scores.
func onnxPackedAttention(n *onnxNode) error {
	heads := n.Int("num_heads", 0)
	if heads < 1 || heads > format.MaxDim {
		return n.Fail("num_heads is %d (want at least 1)", heads)
	}
	in, w := n.In[0], n.In[1]
	if in.Rank() != 3 || w.Rank() != 2 || w.Shape[0] != in.Shape[2] {
		return n.Fail("input %v and weights %v (want batch, tokens, hidden and hidden, 3 x size)", in.Shape, w.Shape)
	}
	if n.Has(4) || n.Wants(1) {
		return n.Fail("past and present in one array are not supported (GroupQueryAttention and MultiHeadAttention have them apart)")
	}
	all := n.Temp("qkv", in.Elem, in.Shape[0], in.Shape[1], w.Shape[1])
	tokens, ok := format.Product(int64(in.Shape[0]), int64(in.Shape[1]))
	if !ok || tokens > format.MaxDim {
		return n.Fail("shape %v", in.Shape)
	}
	bias := n.Get(2)
	if err := n.EmitStep("projection", graph.MatMul{Batch: 1, M: int(tokens), N: w.Shape[1], K: w.Shape[0]}, []*node.Value{in, w, bias}, all); err != nil {
		return err
	}
	sizes, ok := n.Ints("qkv_hidden_sizes")
	if !ok {
		sizes = []int64{1, 1, 1}
	}
	if len(sizes) != 3 || min(sizes[0], sizes[1], sizes[2]) < 1 || max(sizes[0], sizes[1], sizes[2]) > format.MaxDim {
		return n.Fail("qkv_hidden_sizes is %v (want three numbers above 0)", sizes)
	}
	p, err := n.parts(all, int(sizes[0]), int(sizes[1]), int(sizes[2]))
	if err != nil {
		return err
	}
	x := attended{q: p[0], k: p[1], v: p[2], bias: n.Get(5), merged: true, mask: masking.Mask{Causal: n.Flag("unidirectional")}}
	if n.Flag("do_rotary") {
		for i, v := range []**node.Value{&x.q, &x.k} {
			if *v, err = n.turned("qk"[i:i+1], *v); err != nil {
				return err
			}
		}
	}
	if err := n.operands(&x, heads, heads); err != nil {
		return err
	}
	return n.attend(&x)
}

// operands finds the sizes of queries with so many heads, and of keys and values with kv.
func (n *onnxNode) operands(x *attended, heads, kv int64) (err error) {
	if x.qs, err = n.headsOf(x.q, heads); err == nil {
		x.ks, err = n.headsOf(x.k, kv)
	}
	if err == nil {
		x.vs, err = n.headsOf(x.v, kv)
	}
	return err
}

// headsOf is batch, heads, tokens and size of an operand of so many heads.
func (n *onnxNode) headsOf(v *node.Value, heads int64) (s [4]int, err error) {
	switch {
	case v.Elements() == 0:
	case v.Rank() == 4 && int64(v.Shape[1]) == heads:
		return [4]int(v.Shape), nil
	case v.Rank() == 3 && int64(v.Shape[2])%heads == 0:
		return [4]int{v.Shape[0], int(heads), v.Shape[1], v.Shape[2] / int(heads)}, nil
	}
	return s, n.Fail("shape %v for %d heads (want batch, tokens, heads x size or batch, heads, tokens, size, none of them 0)", v.Shape, heads)
}

// parts splits the last of three dimensions in proportion to shares, one move for all.
func (n *onnxNode) parts(v *node.Value, shares ...int) (out []*node.Value, err error) {
	all := 0
	for _, s := range shares {
		all += s
	}
	if v.Rank() != 3 || v.Shape[2]%all != 0 {
		return nil, n.Fail("shape %v (want three dimensions, the last a multiple of %d)", v.Shape, all)
	}
	for i, s := range shares {
		out = append(out, n.Temp([]string{"first", "second", "third"}[i], v.Elem, v.Shape[0], v.Shape[1], v.Shape[2]/all*s))
	}
	return out, n.EmitStep("split", graph.Move{Func: "split", Elements: v.Elements()}, []*node.Value{v}, out...)
}

// turned is v after its rotary embedding.
func (n *onnxNode) turned(which string, v *node.Value) (*node.Value, error) {
	out := n.Temp("rope."+which, v.Elem, v.Shape...)
	return out, n.elementwise("rope."+which, onnxMap{fn: "rope"}, []*node.Value{v}, nil, out)
}

// cache puts new keys or values of shape s after the past, which is input past, and
// makes the whole result present. Where there is neither, v is all there is.
func (n *onnxNode) cache(present, past int, v *node.Value, s *[4]int) (*node.Value, error) {
	old := n.Get(past)
	if old == nil && !n.Wants(present) {
		return v, nil
	}
	fresh := v.Elements()
	if old != nil {
		if err := n.fitsPast(past, old, s); err != nil {
			return nil, err
		}
		s[2] += old.Shape[2]
	}
	all, err := n.Result(present, v.Elem, s[:]...)
	if err != nil {
		return nil, err
	}
	all.Role = graph.KV
	return all, n.EmitStep("append", graph.Move{Func: "append", Elements: fresh}, []*node.Value{v}, all)
}
