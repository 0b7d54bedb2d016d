package library

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Experts is a mixture of experts on one chip: its experts' products of the tokens that were
// sent to them, and the sum of their results for each token.
type Experts struct {
	Tokens        int // of the batch, whose results are summed up
	Hidden, Inter int
	Gated         bool         // gate and up are two products, else up alone is
	Loads         []graph.Load // of the experts that have tokens
	Type          Type
	Warm          float64 // share of the weights that is in the L2
	Loop          bool    // it is there since the kernel runs again and again: see Product
}

// experts is the rule of fused experts: two grouped products, between the kernels that sort
// tokens by experts and the one that sums up results.
type experts struct {
	gemm          // of a grouped product; prepare, passes, split and join have no effect
	route float64 // s: kernels that find the places of tokens, and all that runs once
	moves float64 // share of the memory's bandwidth at which tokens are sorted, activated and summed up
}

// Held is the bytes of weights and of what the kernels exchange.
func (p *Experts) Held() float64 {
	picks, experts, matrices := 0, 0, 2
	for _, l := range p.Loads {
		picks += l.Tokens * l.Experts
		experts += l.Experts
	}
	if p.Gated {
		matrices = 3
	}
	weights := float64(experts*matrices) * float64(p.Hidden*p.Inter) * p.Type.weight()
	return weights + 2*float64(picks)*float64(2*p.Hidden+matrices*p.Inter)
}

// cost is the time of fused experts.
func (x *experts) cost(c *Chip, p Experts) kernel.Cost {
	picks, most := 0, 0
	for _, l := range p.Loads {
		picks += l.Tokens * l.Experts
		most += l.Experts
	}
	if picks == 0 {
		return kernel.Cost{Total: x.route, Launch: x.route}
	}
	up := p.Inter
	if p.Gated {
		up *= 2
	}
	if p.Loop && !x.kept {
		p.Warm = 0
	}
	first := x.grouped(c, &p, picks, most, up, p.Hidden)
	second := x.grouped(c, &p, picks, most, p.Hidden, p.Inter)
	// Tokens are sorted (read and written), activations are read and written, results read and
	// summed up.
	moved := float64(picks)*(float64(p.Hidden)*(2+p.Type.size()+2)+float64(up)*2+float64(p.Inter)*p.Type.size()) + 2*float64(p.Tokens)*float64(p.Hidden)
	rest := moved / (c.Memory * x.moves)
	best := first
	best.Total += second.Total + rest + x.route
	best.Compute += second.Compute
	best.Waits += second.Waits
	best.Stalled += second.Stalled
	best.Memory += second.Memory + moved/(c.Memory*x.moves)
	best.Bytes += second.Bytes + moved
	best.Near += second.Near + moved
	best.Kept += second.Kept
	best.Rounds += second.Rounds
	best.Launch = x.route + 2*x.launch
	best.Compute = min(best.Compute, best.Total-best.Launch)
	return best
}

// grouped is the time of a product of each expert, in one kernel.
func (x *experts) grouped(c *Chip, p *Experts, picks, experts, n, k int) kernel.Cost {
	q := Product{M: picks, N: n, K: k, Type: p.Type}
	bytes := p.Type.weight()*float64(experts)*float64(n)*float64(k) + float64(picks)*(p.Type.size()*float64(k)+2*float64(n))
	weights := p.Type.weight() * float64(experts) * float64(n) * float64(k)
	far := (bytes - p.Warm*weights) / (c.Memory * x.memory)
	best := kernel.Cost{Total: math.Inf(1)}
	for _, t := range x.tiles {
		rows := 0
		for _, l := range p.Loads {
			rows += l.Experts * integer.Ceil(l.Tokens, t.m)
		}
		if y := x.cut(c, &q, t, rows*integer.Ceil(n, t.n), 1, far, best.Total); y.Total < best.Total {
			best = y
		}
	}
	best.Memory, best.Bytes, best.Kept = far, bytes, p.Warm*weights
	best.Total += x.launch
	return best
}
