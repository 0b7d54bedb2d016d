package arbiter_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	_ "github.com/causeway-sim/causeway/workloads/player"
)

// Several memories that take turns may be below an arbiter: a request that crosses their
// border goes to both, and is answered once.
func TestSeveralMemories(t *testing.T) {
	d, err := configs.Parse("t.yaml", []byte(`schema: causeway/1
nodes:
  - {name: A, kind: driver, clock: 1GHz, generate: {name: stream, size: 64KiB, object: 1KiB, update: false}, limit: 64, mode: "closed:4"}
  - {name: Arb, kind: arbiter}
  - {name: Mem, kind: memory, fidelity: ideal, count: 2}
links: [A -> Arb.first, Arb.bottom -> Mem]
memory:
  - {tier: near, node: Mem, interleave: 512B}
`), configs.Options{Dir: "."})
	require.NoError(t, err)
	e := engine.New()
	s, err := system.Build(d, &system.Env{Engine: e})
	require.NoError(t, err)
	require.NoError(t, s.Node("A").(system.Starter).Start())
	require.NoError(t, e.Run())
	metric := func(node, name string) (v float64) {
		for _, m := range s.Node(node).Stats().Metrics() {
			if m.Name == name {
				v = m.Value
			}
		}
		return v
	}
	require.Equal(t, 64., metric("Arb", "first_requests"))
	require.Equal(t, metric("Arb", "first_read_bytes"), metric("Mem[0]", "read_bytes")+metric("Mem[1]", "read_bytes"))
	require.Equal(t, metric("Mem[0]", "read_bytes"), metric("Mem[1]", "read_bytes"))
	require.Positive(t, metric("Mem[0]", "read_bytes"))
	require.Empty(t, s.Node("Arb").Stats().Verify())
}
