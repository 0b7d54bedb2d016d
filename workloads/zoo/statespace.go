package zoo

import "github.com/causeway-sim/causeway/workloads/graph"

// A StateSpace is the mixer of Mamba-2 (Dao, Gu, arXiv 2405.21060, section 7): a causal
// convolution, the scan of a state per head, a gated norm.
type StateSpace struct {
	Heads, HeadSize int
	State           int // numbers that a head keeps of each of its elements
	Groups          int // of heads that share keys and queries (B and C)
	Kernel          int // tokens of the convolution
	ConvBias        bool
	Bias            bool // of the projections
}

func (s StateSpace) check(errorf func(string, ...any)) {
	if s.Heads < 1 || s.HeadSize < 1 || s.State < 1 || s.Groups < 1 || s.Kernel < 1 || s.Heads%max(s.Groups, 1) != 0 || max(s.Heads, s.HeadSize, s.State, s.Kernel) > maxSize {
		errorf("state space of %d heads of %d in %d groups, %d states, %d tokens of convolution (want 1 or more of each, heads a multiple of groups)", s.Heads, s.HeadSize, s.Groups, s.State, s.Kernel)
	}
}

// Share implements Mixer.
func (s StateSpace) Share(n int) Mixer {
	s.Heads, s.Groups = max(s.Heads/n, 1), max(s.Groups/n, 1)
	return s
}

func (s StateSpace) mix(b *graph.Builder, m mixing, x graph.TensorID) graph.TensorID {
	p, inner, keys := m.prefix, s.Heads*s.HeadSize, 2*s.Groups*s.State
	y := b.Linear(p+"in", x, 2*inner+keys+s.Heads, options(s.Bias)...) // gate, tokens, keys and queries, steps
	gate := b.Tensor(p+"gate", graph.Activation, m.h.batch, m.h.queries, inner)
	wide := b.Tensor(p+"wide", graph.Activation, m.h.batch, m.h.queries, inner+keys)
	steps := b.Tensor(p+"steps", graph.Activation, m.h.batch, m.h.queries, s.Heads)
	b.Into(p+"split", graph.Move{Func: "split"}, []graph.TensorID{y}, gate, wide, steps)
	y = m.conv(b, wide, inner+keys, s.Kernel, s.ConvBias)
	tokens := b.Tensor(p+"tokens", graph.Activation, m.h.batch, m.h.queries, inner)
	kq := b.Tensor(p+"keys", graph.Activation, m.h.batch, m.h.queries, keys)
	b.Into(p+"conv.split", graph.Move{Func: "split"}, []graph.TensorID{y}, tokens, kq)
	steps = b.Elementwise(p+"steps.softplus", "softplus", steps, b.Weight(p+"steps.bias", s.Heads), b.Weight(p+"decay", s.Heads), b.Weight(p+"skip", s.Heads))
	y = m.scan(b, "scan", "state_space", s.Heads, s.HeadSize, s.State, []graph.TensorID{tokens, kq, steps})
	y = b.Mul(p+"gated", y, b.Elementwise(p+"gate.silu", "silu", gate))
	return b.Linear(p+"out", b.Norm(p+"scan.norm", "rms", y), m.d.Hidden, options(s.Bias)...)
}

// conv adds the causal convolution of channels and its activation.
func (m mixing) conv(b *graph.Builder, x graph.TensorID, channels, kernel int, bias bool) graph.TensorID {
	weights := []graph.TensorID{b.Weight(m.prefix+"conv.weight", channels, kernel)}
	if bias {
		weights = append(weights, b.Weight(m.prefix+"conv.bias", channels))
	}
	return b.Elementwise(m.prefix+"conv.silu", "silu", m.scan(b, "conv", "causal_conv1d", channels, 1, kernel, []graph.TensorID{x}, weights...))
}
