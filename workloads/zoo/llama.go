package zoo

import "github.com/causeway-sim/causeway/workloads/graph"

func init() {
	const paper2 = "Touvron et al., arXiv 2307.09288, appendix A.2.1; published checkpoints"
	const paper3 = "Meta LLaMA 3 model card, 2024; published checkpoints; Grattafiori et al., arXiv 2407.21783, table 3"
	for _, l := range []llama{
		{"llama2_7b", "LLaMA-2 7B: 32 layers of 4096 units.", paper2, 32, 32, 32, 11008, 32000},
		{"llama2_70b", "LLaMA-2 70B: 80 layers of 8192 units, 8 key/value heads.", paper2, 80, 64, 8, 28672, 32000},
		{"llama3_8b", "LLaMA-3 8B: 32 layers of 4096 units, 8 key/value heads.", paper3, 32, 32, 8, 14336, 128256},
		{"llama3_70b", "LLaMA-3 70B: 80 layers of 8192 units, 8 key/value heads.", paper3, 80, 64, 8, 28672, 128256},
	} {
		register(model{
			name: l.name, doc: l.doc, source: l.source, decoder: true, build: l.build,
			sequence: limit{2048, llamaContext, 0}, ops: 26*l.layers + 8, tensors: 38*l.layers + 16,
		})
	}
}

const (
	llamaHead    = 128
	llamaContext = 131072 // see Deviations
)

type llama struct {
	name, doc, source string
	layers, heads, kv int
	ff                int
	words             int
}

func (l llama) build(b *graph.Builder, p Params) {
	d := l.heads * llamaHead
	h := heads{p.Batch, p.Sequence, p.Context, l.heads, l.kv, llamaHead}
	ids := b.Input("input_ids", p.Batch, p.Sequence)
	// Cosines and sines of the positions, half a head each.
	angles := b.Input("rope", p.Sequence, llamaHead)
	x := b.Gather("embed", b.Weight("embed.weight", l.words, d), ids)
	for i := range l.layers {
		x = l.layer(b, "L"+number(i)+".", h, x, angles)
	}
	x = b.Norm("norm", "rms", x)
	b.Output(b.Linear("lm_head", x, l.words))
}

func (l llama) layer(b *graph.Builder, p string, h heads, x, angles graph.TensorID) graph.TensorID {
	d := l.heads * llamaHead
	y := b.Norm(p+"attn_norm", "rms", x)
	q := h.view(b, p+"q.heads", b.Linear(p+"q", y, d), h.n)
	k := h.view(b, p+"k.heads", b.Linear(p+"k", y, h.kv*h.size), h.kv)
	v := h.view(b, p+"v.heads", b.Linear(p+"v", y, h.kv*h.size), h.kv)
	q = b.Elementwise(p+"q.rope", "rope", q, angles)
	k = b.Elementwise(p+"k.rope", "rope", k, angles)
	k, v = h.cache(b, p+"k_cache", k), h.cache(b, p+"v_cache", v)
	y = h.attend(b, p, q, k, v)
	x = b.Add(p+"add1", b.Linear(p+"o", y, d), x)

	y = b.Norm(p+"ff_norm", "rms", x)
	gate := b.Elementwise(p+"silu", "silu", b.Linear(p+"gate", y, l.ff))
	y = b.Mul(p+"mul", gate, b.Linear(p+"up", y, l.ff))
	return b.Add(p+"add2", b.Linear(p+"down", y, d), x)
}
