package experiment

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A served model counts as long from longTokens tokens on, each of a layer. Prompts of a part have
// at least partPrompt tokens.
//
// assumption: a token of a layer of llm-cluster.yaml takes 2 ms on eight chips. With 256 tokens the
// weights are 4 % of the work of a layer there.
const longTokens, partPrompt = 4096, 256

// servedPart is the part of a served model whose operators are issued: some layers in the middle,
// and prompts and answers of a power of two fewer tokens each, so that their shares stay.
func (x *Experiment) servedPart() Part {
	if len(x.built.Jobs) != 1 || len(x.workloads) != 1 {
		return Part{}
	}
	if i, ok := x.built.Jobs[0].Server.(work.Issuer); !ok || !i.Issues() {
		return Part{}
	}
	w := x.workloads[0]
	first, all := numbered(w)
	r := &w.Spec.Requests
	if r.File.Exists() || max(r.Count, 1)*(r.Prompt.Most+r.Output.Most)*all < longTokens {
		return Part{}
	}
	n := max(together(w), x.built.layersBeyondCaches(w, first+all/2))
	if n >= all {
		return Part{}
	}
	at := w.At.Path()
	middle := first + (all-n)/2
	out := Part{
		Set:  []string{fmt.Sprintf("%s.layers=%d..%d", at, middle, middle+n-1)},
		Text: fmt.Sprintf("%d of %d layers, nothing before and after them", n, all),
	}
	by := 1
	for r.Prompt.Least/(2*by) >= partPrompt {
		by *= 2
	}
	if by == 1 || r.Prompt.Least != r.Prompt.Most || r.Output.Least != r.Output.Most {
		return out
	}
	answer := 1 + (r.Output.Most-1+by-1)/by
	out.Set = append(out.Set, fmt.Sprintf("%s.requests.prompt=%d", at, r.Prompt.Most/by), fmt.Sprintf("%s.requests.output=%d", at, answer))
	out.Text += fmt.Sprintf("; prompts of %d of %d tokens and answers of %d of %d", r.Prompt.Most/by, r.Prompt.Most, answer, r.Output.Most)
	return out
}

// layersBeyondCaches is how many layers have more weights on a chip than any cache has place for
// once it is twice as large: a step must not find weights there that the whole model would evict.
func (a *assembly) layersBeyondCaches(w *plan.Workload, layer int) int {
	most := uint64(0)
	for _, n := range a.nodes() {
		for _, h := range n.Stats().Holdings() {
			most = max(most, h.Bytes)
		}
	}
	weights := weightsOf(w.Graph, layer) / int64(max(w.Spec.Parallel.Tensor, 1))
	return 1 + int(2*int64(most)/max(weights, 1))
}

// weightsOf is the bytes of all weights of a layer.
func weightsOf(g *graph.Graph, layer int) (n int64) {
	for i := range g.Ops {
		if l, ok := graph.LayerOf(g.Ops[i].Name); !ok || l != layer {
			continue
		}
		for _, id := range g.Ops[i].In {
			if id != graph.None && g.Tensor(id).Role == graph.Weight {
				n += g.Tensor(id).Bytes()
			}
		}
	}
	return n
}

// together is how many layers repeat as one: collectives overlap the next layer.
func together(w *plan.Workload) int {
	if p := &w.Spec.Parallel; p.Overlap != 0 || p.T3 != 0 {
		return plan.Together
	}
	return 1
}
