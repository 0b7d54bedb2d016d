package cache

import (
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// tensors numbers the tensors that hints tell of, for Access.Tensor.
type tensors struct {
	to    policy.Describer // nil: the policy does not want to know
	last  *memory.Tensor   // the one asked for last, and its number
	id    uint16
	known map[*memory.Tensor]uint16
	equal map[memory.Tensor]uint16
}

func newTensors(p policy.Policy) *tensors {
	d, _ := p.(policy.Describer)
	return &tensors{to: d, known: map[*memory.Tensor]uint16{}, equal: map[memory.Tensor]uint16{}}
}

// of is the number of the tensor that a hint tells of, 0 if it tells of none. One
// that is new is described to the policy.
func (t *tensors) of(h *memory.Hint) uint16 {
	if t.to == nil || h == nil || h.About == nil {
		return 0
	}
	if h.About == t.last {
		return t.id
	}
	id, ok := t.known[h.About]
	if !ok {
		if id, ok = t.equal[*h.About]; !ok {
			id = t.to.Describe(describe(h.About))
			t.equal[*h.About] = id
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
}

func describe(t *memory.Tensor) policy.Tensor {
	return policy.Tensor{
		Base: t.Base, Bytes: t.Bytes, Tile: t.Tile, Uses: t.Accesses, Sharers: t.Sharers,
		Kind: kinds[t.Kind], WriteOnce: t.WriteOnce,
	}
}
