package tensor

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// told is a policy that notes the tensors that are described to it.
type told struct {
	policy.Policy
	tensors []policy.Tensor
}

func (p *told) Describe(t policy.Tensor) uint16 {
	p.tensors = append(p.tensors, t)
	return uint16(len(p.tensors))
}

// Each tensor is described once, equal ones of several cores too; a policy
// that does not use tensors gets no descriptions.
func TestTensorsAreDescribedOnce(t *testing.T) {
	p := &told{}
	x := New(p)
	kv := memory.Tensor{Base: 64, Bytes: 4096, Tile: 512, Accesses: 9, Sharers: 3, Kind: graph.KV}
	same, out := kv, memory.Tensor{Bytes: 64, Kind: graph.Output, WriteOnce: true}
	kv.Name, same.Name = "k0", "core1.k0"
	for i, want := range []uint16{1, 1, 1, 2, 1, 0, 0} {
		hints := []*memory.Hint{{About: &kv}, {About: &same}, {About: &kv}, {About: &out}, {About: &same}, {}, nil}
		require.Equal(t, want, x.Of(hints[i]), "hint %d", i)
	}
	require.Equal(t, []policy.Tensor{
		{Base: 64, Bytes: 4096, Tile: 512, Uses: 9, Sharers: 3, Kind: policy.Key},
		{Bytes: 64, Kind: policy.Output, WriteOnce: true},
	}, p.tensors)
	lru, err := policy.New("lru", policy.Geometry{Sets: 1, Ways: 1}, nil)
	require.NoError(t, err)
	require.Zero(t, New(lru).Of(&memory.Hint{About: &kv}))
	require.Zero(t, testing.AllocsPerRun(10, func() { x.Of(&memory.Hint{About: &kv}); x.Of(&memory.Hint{About: &out}) }))
}
