package zoo

import "github.com/causeway-sim/causeway/workloads/graph"

// A DeltaRule is the mixer of gated delta networks (Yang et al., arXiv 2412.06464, section 3;
// Qwen3-Next) and of Kimi Delta Attention (arXiv 2510.26692, section 3), which decays each element
// of a key apart.
type DeltaRule struct {
	KeyHeads, KeySize   int
	Heads, HeadSize     int  // of values
	Kernel              int  // tokens of the convolution
	DecayRank, GateRank int  // Kimi: rank of the two projections to the decay of each element, and of those to the gate; 0: one projection
	Fine                bool // the decay is of each element of a key, not of a head: Kimi
}

func (r DeltaRule) check(errorf func(string, ...any)) {
	if r.KeyHeads < 1 || r.KeySize < 1 || r.Heads < 1 || r.HeadSize < 1 || r.Kernel < 1 || r.Heads%max(r.KeyHeads, 1) != 0 || max(r.KeyHeads, r.KeySize, r.Heads, r.HeadSize, r.Kernel) > maxSize {
		errorf("delta rule of %d heads of %d, %d key heads of %d, %d tokens of convolution (want 1 or more of each, heads a multiple of key heads)", r.Heads, r.HeadSize, r.KeyHeads, r.KeySize, r.Kernel)
	}
}

// Share implements Mixer.
func (r DeltaRule) Share(n int) Mixer {
	r.Heads, r.KeyHeads = max(r.Heads/n, 1), max(r.KeyHeads/n, 1)
	return r
}

func (r DeltaRule) mix(b *graph.Builder, m mixing, x graph.TensorID) graph.TensorID {
	p, keys, values := m.prefix, r.KeyHeads*r.KeySize, r.Heads*r.HeadSize
	low := func(name string, rank, n int) graph.TensorID {
		if rank == 0 {
			return b.Linear(p+name, x, n)
		}
		return b.Linear(p+name, b.Linear(p+name+"_down", x, rank), n)
	}
	y := m.conv(b, b.Linear(p+"qkv", x, 2*keys+values), 2*keys+values, r.Kernel, false)
	qk := b.Tensor(p+"qk", graph.Activation, m.h.batch, m.h.queries, 2*keys)
	v := b.Tensor(p+"v", graph.Activation, m.h.batch, m.h.queries, values)
	b.Into(p+"qkv.split", graph.Move{Func: "split"}, []graph.TensorID{y}, qk, v)
	beta := b.Elementwise(p+"beta.sigmoid", "sigmoid", b.Linear(p+"beta", x, r.Heads))
	decays := r.Heads
	if r.Fine {
		decays = keys
	}
	decay := b.Elementwise(p+"decay.softplus", "softplus", low("decay", r.DecayRank, decays), b.Weight(p+"decay.bias", decays))
	y = m.scan(b, "scan", "delta_rule", r.Heads, r.HeadSize, r.KeySize, []graph.TensorID{v, qk, decay, beta}, b.Weight(p+"decay.scale", r.Heads))
	gate := low("gate", r.GateRank, values)
	y = b.Norm(p+"scan.norm", "rms", b.Reshape(p+"scan.heads", y, m.h.batch, m.h.queries, r.Heads, r.HeadSize))
	y = b.Reshape(p+"scan.all", y, m.h.batch, m.h.queries, values)
	y = b.Mul(p+"gated", y, b.Elementwise(p+"gate.silu", "silu", gate))
	return b.Linear(p+"o", y, m.d.Hidden)
}
