package tensor

import (
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Numbers has the numbers of the tensors of hints, for policy.Access.Tensor. Policies assign them in Describe.
type Numbers struct {
	to    []policy.Describer // of every partition; none if the policy does not want to know
	last  *memory.Tensor     // the one asked for last, and its number
	id    uint16
	known map[*memory.Tensor]uint16
	equal map[memory.Tensor]uint16
}

// New makes an empty Numbers that describes tensors to some policies.
func New(policies ...policy.Policy) *Numbers {
	t := &Numbers{known: map[*memory.Tensor]uint16{}, equal: map[memory.Tensor]uint16{}}
	for _, p := range policies {
		if d, ok := p.(policy.Describer); ok {
			t.to = append(t.to, d)
		}
	}
	return t
}

// Of returns the number of the tensor of a hint. It describes a new tensor to the policies; tensors that differ
// only in name are one. It returns 0 if the hint has no tensor, or if no policy asks for descriptions.
func (t *Numbers) Of(h *memory.Hint) uint16 {
	if len(t.to) == 0 || h == nil || h.About == nil {
		return 0
	}
	if h.About == t.last {
		return t.id
	}
	id, ok := t.known[h.About]
	if !ok {
		same := *h.About
		same.Name = "" // cores may call it differently
		if id, ok = t.equal[same]; !ok {
			for _, d := range t.to { // all of them count alike
				id = d.Describe(describe(h.About))
			}
			t.equal[same] = id
		}
		t.known[h.About] = id
	}
	t.last, t.id = h.About, id
	return id
}

// kinds are the roles as policies call them.
var kinds = [...]policy.Kind{
	graph.Activation: policy.Activation, graph.Weight: policy.Weight, graph.KV: policy.Key,
	graph.Input: policy.Activation, graph.Output: policy.Output,
	graph.Gradient: policy.Output, graph.Optimizer: policy.Activation,
}

func describe(t *memory.Tensor) policy.Tensor {
	return policy.Tensor{
		Base: t.Base, Bytes: t.Bytes, Tile: t.Tile, Uses: t.Accesses, Sharers: t.Sharers,
		Kind: kinds[t.Kind], WriteOnce: t.WriteOnce,
	}
}
