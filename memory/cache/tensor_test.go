package cache

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// told is a policy that notes what it is told.
type told struct {
	policy.Policy
	tensors []policy.Tensor
}

func (p *told) Describe(t policy.Tensor) uint16 {
	p.tensors = append(p.tensors, t)
	return uint16(len(p.tensors))
}

// Each tensor is described once, equal ones of several cores too; a policy that
// does not ask is told nothing.
func TestTensorsAreDescribedOnce(t *testing.T) {
	p := &told{}
	x := newTensors(p)
	kv := memory.Tensor{Base: 64, Bytes: 4096, Tile: 512, Accesses: 9, Sharers: 3, Kind: graph.KV}
	same, out := kv, memory.Tensor{Bytes: 64, Kind: graph.Output, WriteOnce: true}
	kv.Name, same.Name = "k0", "core1.k0"
	for i, want := range []uint16{1, 1, 1, 2, 1, 0, 0} {
		hints := []*memory.Hint{{About: &kv}, {About: &same}, {About: &kv}, {About: &out}, {About: &same}, {}, nil}
		require.Equal(t, want, x.of(hints[i]), "hint %d", i)
	}
	require.Equal(t, []policy.Tensor{
		{Base: 64, Bytes: 4096, Tile: 512, Uses: 9, Sharers: 3, Kind: policy.Key},
		{Bytes: 64, Kind: policy.Output, WriteOnce: true},
	}, p.tensors)
	lru, err := policy.New("lru", policy.Geometry{Sets: 1, Ways: 1}, nil)
	require.NoError(t, err)
	require.Zero(t, newTensors(lru).of(&memory.Hint{About: &kv}))
	require.Zero(t, testing.AllocsPerRun(10, func() { x.of(&memory.Hint{About: &kv}); x.of(&memory.Hint{About: &out}) }))
}

// Tensors are counted by name where they have one: those of one name together,
// whoever describes them; names that no metric can have stay apart.
func TestTensorsAreCountedByName(t *testing.T) {
	d := newDetail(Spec{Detail: []string{"tensor"}})
	g := stats.NewGroup("LLC")
	d.declare(g)
	a, twin := memory.Tensor{Name: "conv1.weight", Bytes: 64}, memory.Tensor{Name: "conv1.weight", Bytes: 64}
	b, c, n := memory.Tensor{Name: "a b"}, memory.Tensor{Name: "a,b"}, memory.Tensor{Name: "3"}
	for _, h := range []*memory.Hint{{Tensor: 1, About: &a}, {Tensor: 7, About: &twin}, {Tensor: 2, About: &b}, {Tensor: 3, About: &c}, {Tensor: 4, About: &n}, {Tensor: 4}, {}, nil} {
		d.note(h, 0, &Result{Hit: true})
	}
	got := map[string]float64{}
	for _, m := range g.Metrics() {
		got[m.Name] = m.Value
	}
	require.Equal(t, 2.0, got["tensor_conv1.weight_hits"])
	require.Equal(t, 1.0, got["tensor_3_hits"], "the number of one without a name")
	require.Equal(t, 2.0, got["tensor_none_accesses"])
	require.Len(t, got, 3*6)
	require.NotContains(t, got, "tensor_a_b_hits")
	require.Zero(t, testing.AllocsPerRun(10, func() { d.note(&memory.Hint{About: &twin}, 0, &Result{}) }))
}
