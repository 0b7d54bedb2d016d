package deployed

import (
	"strings"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/operator"
)

// A pack is products of one input, which are one kernel.
type pack struct {
	in    graph.TensorID
	dtype graph.DType
}

// A single is a product of its own.
type single struct {
	batch, m, n, k int
	dtype          graph.DType
	quantises      bool // its input, in a kernel of its own
}

// product is the time of a product with weights and those packed with it, at the first of them.
func (p *Price) product(g *graph.Graph, i int, rest string, packed map[pack]bool) (units.Time, error) {
	op := &g.Ops[i]
	m := op.Kind.(graph.MatMul)
	dtype := p.typeOf(rest)
	x := single{max(m.Batch, 1), m.M, m.N, m.K, dtype, p.quantises(rest, dtype)}
	if w := g.Tensor(op.In[1]); w.Role == graph.Weight && m.Batch <= 1 && alone(rest) == "" {
		key := pack{op.In[0], dtype}
		if packed[key] {
			return 0, nil
		}
		packed[key] = true
		for j := i + 1; j < len(g.Ops); j++ {
			o := &g.Ops[j]
			n, ok := o.Kind.(graph.MatMul)
			_, name, _ := graph.InLayer(o.Name)
			if ok && o.In[0] == op.In[0] && n.Batch <= 1 && alone(name) == "" && p.typeOf(name) == dtype {
				x.n += n.N
			}
		}
	}
	return p.time(x), nil
}

// alone names products that engines do not pack with others: those of routers, of experts' inputs and
// of small heads, and the language model head.
func alone(rest string) string {
	for _, part := range []string{"router", "experts.", "index.", "streams.", "lm_head"} {
		if strings.Contains(rest, part) {
			return part
		}
	}
	return ""
}

// typeOf is the element type of a product by its name in a layer.
func (p *Price) typeOf(rest string) graph.DType {
	switch name := alone(rest); {
	case name != "" && name != "experts.":
		return graph.BF16
	case strings.HasSuffix(rest, "absorb") || strings.HasSuffix(rest, "k_up") || strings.HasSuffix(rest, "v_up"):
		return graph.BF16
	case strings.HasPrefix(rest, "shared."):
		return p.types.Shared
	case rest == "gate" || rest == "up" || rest == "down" || name == "experts.":
		return p.types.Weight
	}
	return p.types.Attention
}

// quantises reports whether the input of a product is quantised by a kernel of its own. Norms and
// activations quantise to one scale for all (fp8), but not what attention leaves; scales by blocks are
// made apart.
func (p *Price) quantises(rest string, dtype graph.DType) bool {
	if p.fused != FuseNorms {
		return false
	}
	return dtype == graph.FP8Block || dtype == graph.NVFP4 || dtype == graph.FP8 && rest == "o"
}

// time is that of a product.
func (p *Price) time(x single) units.Time {
	if t, ok := p.single[x]; ok {
		return t
	}
	b := graph.NewBuilder("product")
	in := x.dtype
	switch x.dtype { // weights alone are narrow
	case graph.Int4, graph.Int4G128, graph.Int4G64, graph.Q4, graph.Int8:
		in = graph.BF16
	case graph.MXFP4:
		in = p.types.Token
	}
	a, w := b.Input("x", x.batch, x.m, x.k), b.Weight("w", x.batch, x.k, x.n)
	y := b.MatMul("product", a, w, graph.MatMul{Batch: x.batch, M: x.m, N: x.n, K: x.k}, x.batch, x.m, x.n)
	b.Output(y)
	g, err := b.Graph()
	if err != nil {
		panic("deployed: " + err.Error())
	}
	g.SetDTypes(graph.DTypes{Weight: x.dtype, Activation: in, KV: in})
	g.Tensors[y].DType = graph.BF16
	var t units.Time
	ok := false
	if q, has := p.chip.(work.Quantised); has && !x.quantises {
		t, ok = q.PriceQuantised(g, 0)
	}
	if !ok {
		t = p.chip.Price(g, 0).Time
	}
	p.single[x] = t
	return t
}

// attention is the time of a fused attention.
func (p *Price) attention(k graph.Attention) units.Time {
	if t, ok := p.single[k]; ok {
		return t
	}
	g := k.Alone(graph.DTypes{Weight: graph.BF16, Activation: graph.BF16, KV: p.types.KV})
	if _, latent := any(k).(graph.Attention); latent && (k.Size > k.Value || k.Inside) {
		p.single[k] = p.chip.Price(g, 0).Time
		return p.single[k]
	}
	g.SetDTypes(graph.DTypes{Weight: graph.BF16, Activation: graph.BF16, KV: graph.BF16})
	t := p.chip.Price(g, 0).Time
	if p.types.KV.Bits() == 8 { // keys of a byte: the kernel of half the bytes where these decide
		h := k
		if k.Queries == 1 {
			h.Keys = max(k.Keys/2, 1)
			g = h.Alone(graph.DTypes{Weight: graph.BF16, Activation: graph.BF16, KV: graph.BF16})
			t = p.chip.Price(g, 0).Time
		}
	}
	p.single[k] = t
	return t
}

// experts is the time of the experts of a layer that one rank has, for tokens of the whole server.
func (p *Price) experts(tokens int) (units.Time, error) {
	type key struct{ tokens int }
	if t, ok := p.single[key{tokens}]; ok {
		return t, nil
	}
	d := &p.whole
	hidden := d.Hidden
	if d.ExpertHidden > 0 {
		hidden = d.ExpertHidden
	}
	row := operator.Row{Name: "experts", Op: "moe", DType: &p.types.Token, Weight: &p.types.Experts, Sizes: map[string]int{"tokens": tokens, "hidden": hidden, "inter": d.FF, "top_k": d.ActiveExperts,
		"experts": d.Experts, "expert_parallel": p.layout.Expert, "tensor_parallel": p.layout.ExpertTensor}}
	if d.Plain {
		row.Sizes["gated"] = 0
	}
	if err := operator.Distribute(&row, p.draw); err != nil {
		return 0, err
	}
	g, err := operator.Graph("experts", []operator.Row{row}, graph.Uniform(graph.BF16))
	if err != nil {
		return 0, err
	}
	sum := units.Time(0)
	for i := range g.Ops {
		sum += p.chip.Price(g, i).Time
	}
	p.single[key{tokens}] = sum
	return sum, nil
}

// reduces is the time of the sums over the ranks of a group in a layer, for its tokens.
func (p *Price) reduces(layer, tokens int) (sum units.Time) {
	mixer, ff := p.whole.Parts(layer)
	l := p.layout
	if l.Tensor == 1 {
		return 0
	}
	t := p.transfer("custom_all_reduce", tokens*p.whole.Hidden, l.Tensor)
	if mixer {
		sum += t
	}
	if ff && !(p.whole.Mixed(layer) && l.Data > 1) {
		sum += t
	}
	return sum
}

// gathers is the time in which all ranks get the tokens of all groups before the experts of a layer,
// and give the results back.
func (p *Price) gathers(layer, tokens int) units.Time {
	l := p.layout
	if _, ff := p.whole.Parts(layer); !ff || l.Data == 1 {
		return 0
	}
	n, ranks := tokens*p.whole.Hidden, l.Tensor*l.Data
	return p.transfer("all_gather", n, ranks) + p.transfer("reduce_scatter", n, ranks)
}

// transfer is the time of a collective of so many elements among ranks.
func (p *Price) transfer(fn string, elements, ranks int) units.Time {
	type key struct {
		fn              string
		elements, ranks int
	}
	x := key{fn, elements, ranks}
	if t, ok := p.single[x]; ok {
		return t
	}
	dtype := graph.BF16
	g, err := operator.Graph("transfer", []operator.Row{{Name: "transfer", Op: fn, DType: &dtype, Sizes: map[string]int{"elements": elements, "ranks": ranks}}}, graph.Uniform(dtype))
	if err != nil {
		panic("deployed: " + err.Error())
	}
	t := p.chip.Price(g, 0).Time
	p.single[x] = t
	return t
}
