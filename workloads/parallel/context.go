package parallel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// contextGroup stands for the group of ranks that share tokens in a graph that is not cut yet.
var contextGroup = graph.Ranks{Count: 1}

// settleContext gives gathers of tokens their group.
func settleContext(g *graph.Graph, among graph.Ranks) *graph.Graph {
	out := *g
	out.Ops = slices.Clone(g.Ops)
	for i := range out.Ops {
		if t, ok := out.Ops[i].Kind.(graph.Transfer); ok && t.Among == contextGroup {
			t.Among = among
			out.Ops[i].Kind = t
		}
	}
	return &out
}

// Context returns the graph of a rank that has one of n parts of the tokens of each request. g has
// the sizes of that part, with caches for all n parts. Each layer gathers keys and values of the
// other ranks by an all_gather; other operators work on the rank's tokens.
//
// With a mask the work of ranks differs. Parts are assumed to be cut for equal work (two chunks
// each, from both ends), and masked scores are computed. The bytes are those of a ring that passes
// keys and values on.
//
// Sources: Liu et al., Ring Attention, arXiv 2310.01889 (what is passed); Grattafiori et al.,
// The Llama 3 Herd of Models, arXiv 2407.21783, section 3.3.2 (all_gather, two chunks each).
func Context(g *graph.Graph, n int, among graph.Ranks) (*graph.Graph, error) {
	for i := range g.Ops {
		if k, ok := g.Ops[i].Kind.(graph.Attention); ok && k.Mask != (masking.Mask{}) && k.Queries*n == k.Keys {
			return nil, fmt.Errorf("%s: %s leaves out what is masked, which is not the same on all ranks (want attention: unfused)", g.Name, g.Ops[i].Name)
		}
	}
	return gathers(g, n, among)
}

// gathers puts gathers of keys and values in the place of caches.
func gathers(g *graph.Graph, n int, among graph.Ranks) (*graph.Graph, error) {
	out := *g
	out.Ops, out.Tensors = slices.Clone(g.Ops), slices.Clone(g.Tensors)
	caches := 0
	for i := range out.Ops {
		op := &out.Ops[i]
		k, ok := op.Kind.(graph.Move)
		if !ok || k.Func != "append" || len(op.In) != 1 || len(op.Out) != 1 || out.Tensor(op.Out[0]).Role != graph.KV {
			continue
		}
		own, all := out.Tensor(op.In[0]), out.Tensor(op.Out[0])
		if all.Elements() != int64(n)*own.Elements() {
			return nil, fmt.Errorf("%s: %s has %d elements and a rank makes %d of them (want %d ranks to make all: a prefill)", g.Name, all.Name, all.Elements(), own.Elements(), n)
		}
		caches++
		all.Role, all.DType = graph.Activation, own.DType
		op.Name = strings.TrimSuffix(op.Name, ".append") + ".all_gather"
		op.Kind = graph.Transfer{Func: "all_gather", Bytes: own.Bytes(), Among: among}
	}
	if caches == 0 {
		return nil, fmt.Errorf("%s: has no keys and values whose tokens %d ranks could share", g.Name, n)
	}
	return &out, out.Validate()
}
