package dram_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	hub "github.com/causeway-sim/causeway/memory"
	_ "github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// A memory of several that take turns does with its pieces of the addresses what it does
// alone with the same pieces in a row: no bank, row or column is lost to the others.
func TestTurnsLoseNoBanks(t *testing.T) {
	const of, every, pieces = 6, 256, 600
	run := func(turns []hub.Turn, addr func(piece uint64) uint64) map[string]float64 {
		e := engine.New()
		m, err := dram.NewComp("Mem", e, dram.DefaultSpec())
		require.NoError(t, err)
		m.SetInterleaving(turns)
		var list []memtest.Request
		for i := range uint64(pieces) {
			list = append(list, memtest.Request{Addr: addr(i * 7919 % (1 << 20)), Bytes: every})
		}
		c := m.PortSpecs()[0].Clock
		r := memtest.New("Core", e, c, m.GetPortByName("Top"), list...)
		r.Window = 32
		memtest.Wire(e, m.GetPortByName("Top"), c, r)
		r.Start()
		require.NoError(t, e.Run())
		return metrics(m.Stats())
	}
	alone := run(nil, func(i uint64) uint64 { return i * every })
	gaps := func(i uint64) uint64 { return (i*of + 4) * every }
	turns := []hub.Turn{{Base: 0, Size: of << 33, Of: of, Every: every, At: []uint64{4}}}
	require.Equal(t, alone, run(turns, gaps))
	require.NotEqual(t, alone, run(nil, gaps))
	// alone in its ranges it sees addresses as they are
	turns = []hub.Turn{{Base: 1 << 30, Size: 1 << 30, Of: 1, Every: every, At: []uint64{0}}}
	require.Equal(t, alone, run(turns, func(i uint64) uint64 { return i * every }))
}

// A system tells its memories of their turns: a pass through a range opens as many rows in all
// of them together as in one.
func TestTurnsOfASystem(t *testing.T) {
	const size = 1 << 20
	rows := map[int]float64{}
	for _, of := range []int{1, 2, 3, 4, 8} {
		turns := ", interleave: 1KiB"
		if of == 1 {
			turns = ""
		}
		d, err := configs.Parse("t.yaml", fmt.Appendf(nil, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: stream, size: 1MiB}, limit: %d, mode: "closed:16"}
  - {name: Cache, kind: cache, size: 64KiB}
  - {name: Mem, kind: memory, count: %d, preset: ddr4_3200, refresh: none, map: Ro-Ba-BG-Ra-Co-Ch}
links: [Driver -> Cache.top, Cache.bottom -> Mem]
memory:
  - {tier: near, node: Mem, size: 24GiB%s}
`, size/64, of, turns), configs.Options{Dir: "."})
		require.NoError(t, err)
		e := engine.New()
		s, err := system.Build(d, &system.Env{Engine: e})
		require.NoError(t, err)
		require.NoError(t, s.Node("Driver").(system.Starter).Start())
		require.NoError(t, e.Run())
		for i := range of {
			m := metrics(s.Node(fmt.Sprintf("Mem[%d]", i)).Stats())
			rows[of] += m["row_misses"] + m["row_conflicts"]
		}
		require.InDelta(t, rows[1], rows[of], float64(2*of), "%d memories", of)
	}
}

// A memory that a range names twice has two turns of three, and no piece of one on another's
// place: 2/3 of a pass open 2/3 of the rows.
func TestTurnsOfWeights(t *testing.T) {
	d, err := configs.Parse("t.yaml", []byte(`schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: stream, size: 3MiB, update: false}, limit: 49152, mode: "closed:16"}
  - {name: Cache, kind: cache, size: 64KiB}
  - {name: Mem, kind: memory, count: 2, preset: ddr4_3200, refresh: none}
links: [Driver -> Cache.top, Cache.bottom -> Mem]
memory:
  - {tier: near, node: "Mem[0,1,0]", interleave: 1KiB, size: 3GiB}
`), configs.Options{Dir: "."})
	require.NoError(t, err)
	e := engine.New()
	s, err := system.Build(d, &system.Env{Engine: e})
	require.NoError(t, err)
	require.NoError(t, s.Node("Driver").(system.Starter).Start())
	require.NoError(t, e.Run())
	for i, want := range []float64{256, 128} { // rows of 8 KiB in 2 and 1 MiB
		m := metrics(s.Node(fmt.Sprintf("Mem[%d]", i)).Stats())
		require.InDelta(t, want, m["row_misses"]+m["row_conflicts"], 4, "memory %d", i)
	}
}
