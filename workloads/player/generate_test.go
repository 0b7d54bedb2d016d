package player_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// A generated layer is played by the core whose number the driver has: all of
// its bytes, in requests of the size of key bytes.
func TestGenerate(t *testing.T) {
	s := build(t, engine.New(), `
nodes:
  - {name: Core, kind: driver, count: 2, generate: {name: gemm, m: 64, k: 64, n: 64, tile_m: 32, tile_k: 32, tile_n: 32, cores: 2}, bytes: 1KiB, mode: "closed:4"}
  - {name: Mem, kind: memory, fidelity: ideal, clock: 1GHz, latency: 10ns}
links: [Core -> Mem]
`)
	require.NoError(t, s.run(t))
	for _, core := range []string{"Core[0]", "Core[1]"} {
		got := s.metrics(core)
		require.EqualValues(t, 2*(64*64*1+64*32*2), got["read_bytes"])
		require.EqualValues(t, 2*64*32, got["write_bytes"])
		require.EqualValues(t, 2*(64*64*1+64*32*2+64*32)/1024, got["requests"])
	}
}

func TestGenerateRefuses(t *testing.T) {
	for keys, want := range map[string]string{
		"generate: {name: attenton}":                         `nodes.Core.generate.name: unknown generated layer "attenton" (want one of: attention, chase, gemm, `,
		"generate: {heads: 4}":                               "has no name",
		"generate: {name: gemm, m: 100}":                     "nodes.Core.generate.m: m is 100 in tiles of 128 (want a multiple)",
		"generate: {name: gemm, rows: 100}":                  "generate.rows: unknown key",
		"generate: {name: gemm}, levels: [2]":                "has no effect on what is generated (used by: trace)",
		"generate: {name: gemm}, trace: a.trc":               "one of them must go",
		"generate: {name: gemm}, mode: timed":                "generated gemm has no times",
		"generate: {name: attention, heads: 3, kv_heads: 2}": "3 heads share 2 of keys and values (want a divisor)",
		"bytes: 64B": "there is no trace",
	} {
		d, err := configs.Parse("test.yaml", []byte(`schema: causeway/1
nodes:
  - {name: Core, kind: driver, `+keys+`}
  - {name: Mem, kind: memory, fidelity: ideal, clock: 1GHz, latency: 10ns}
links: [Core -> Mem]
`), configs.Options{Dir: "."})
		require.NoError(t, err)
		_, err = system.Build(d, &system.Env{Engine: engine.New()})
		require.ErrorContains(t, err, want, keys)
	}
}

// A driver with until sends its last request in the cycle before, and ends.
func TestUntil(t *testing.T) {
	for _, mode := range []string{"closed:1", "closed:3", "open:5"} {
		b := build(t, engine.New(), `
nodes:
  - {name: Driver, kind: driver, mode: "`+mode+`", until: 100ns, generate: {name: stream, size: 4KiB, update: false}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 9ns, clock: 1GHz}
links:
  - Driver -> Mem
`)
		require.NoError(t, b.run(t))
		m := b.metrics("Driver")
		want := map[string]float64{"closed:1": 10, "closed:3": 30, "open:5": 20}[mode] // a round takes 10 cycles
		require.Equal(t, want, m["reads"], mode)
		require.Equal(t, want, m["requests_done"], mode)
	}
}
