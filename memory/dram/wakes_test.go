package dram_test

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// acts are the clocks in which a device acts.
type acts struct {
	of *dram.Comp
	at []uint64
}

func (h *acts) Func(c sim.HookCtx) {
	if e, ok := c.Item.(sim.Event); ok && c.Pos == sim.HookPosBeforeEvent && e.Handler() == sim.Handler(h.of) {
		h.at = append(h.at, instant.AtOrBefore(h.of.PortSpecs()[0].Clock, e.Time()))
	}
}

// A device acts when a request arrives, when an answer may be due, and when one is: the soonest answer to a command is that
// of a write, tCWL + BL = 20 clocks later. A read of a closed row arrives in clock 1, its ACT may be followed by an answer
// in 21, its RD in 23 by one in 43, and its data have passed in 49.
func TestActsWhenAnAnswerMayBeDue(t *testing.T) {
	s := dram.DefaultSpec()
	s.Refresh.Mode, s.Map = "none", plainMap
	for _, c := range []struct {
		list []memtest.Request
		want []uint64
	}{
		{[]memtest.Request{{Bytes: 64}}, []uint64{1, 21, 43, 49}},
		{[]memtest.Request{{Bytes: 64}, {Bytes: 64, Addr: 64, Cycle: 10_000}}, []uint64{1, 21, 43, 49, 10_001, 10_021, 10_027}},
	} {
		e := engine.New()
		m, err := dram.NewComp("Mem", e, s)
		require.NoError(t, err)
		h := &acts{of: m}
		e.AcceptHook(h)
		r := memtest.New("Core", e, m.PortSpecs()[0].Clock, m.GetPortByName("Top"), c.list...)
		memtest.Wire(e, r.Dst, m.PortSpecs()[0].Clock, r)
		r.Start()
		require.NoError(t, e.Run())
		require.Equal(t, c.want, h.at, "%+v", c.list)
	}
}

// A memory that its cache asks directly, or in a block with its driver, counts at every instant the requests, bytes and
// bursts that it counts with messages, ends with the same metrics, and takes fewer events.
func TestCountsAtAnyInstant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drivers := rapid.IntRange(1, 2).Draw(t, "drivers")
		nodes, links := "", "Cache.bottom -> Mem"
		for i := range drivers {
			nodes += fmt.Sprintf("  - {name: D%d, kind: driver, generate: {name: random, size: 256KiB, reads: 0.6, seed: %d}, limit: 60, mode: \"closed:%d\"}\n", i, rapid.IntRange(1, 99).Draw(t, "seed"), rapid.IntRange(1, 9).Draw(t, "window"))
			links += fmt.Sprintf(", D%d -> Cache.top", i)
		}
		mem := rapid.SampledFrom([]string{"channels: 2", "posted: false", "latency: 9ns", "grade: hbm2e, channels: 4", "row_policy: closed, write_high: 2, write_low: 0"}).Draw(t, "memory")
		text := "schema: causeway/1\nnodes:\n" + nodes + "  - {name: Cache, kind: cache, fidelity: timed, size: 16KiB}\n  - {name: Mem, kind: memory, " + mem + "}\nlinks: [" + links + "]\n"
		build := func(options ...engine.Option) (*engine.Engine, *dram.Comp) {
			d, err := configs.Parse("t.yaml", []byte(text), configs.Options{Dir: "."})
			require.NoError(t, err)
			e := engine.New(options...)
			s, err := system.Build(d, &system.Env{Engine: e})
			require.NoError(t, err)
			for i := range drivers {
				require.NoError(t, s.Node(fmt.Sprintf("D%d", i)).(system.Starter).Start())
			}
			return e, s.Node("Mem").(*dram.Comp)
		}
		fast, m := build()
		slow, want := build(engine.MessagesOnly())
		at := 0.0
		for range rapid.IntRange(0, 5).Draw(t, "readings") {
			at += rapid.Float64Range(0, 400e-9).Draw(t, "after")
			require.NoError(t, fast.RunUntil(sim.VTimeInSec(at)))
			require.NoError(t, slow.RunUntil(sim.VTimeInSec(at)))
			m.Stats().Settle(at)
			want.Stats().Settle(at)
			const atPort = 6 // reads, writes, their bytes, bursts, bytes answered: those declared first
			require.Equal(t, want.Stats().Tally()[:atPort], m.Stats().Tally()[:atPort], "at %g s", at)
		}
		require.NoError(t, fast.Run())
		require.NoError(t, slow.Run())
		require.Equal(t, want.Stats().Metrics(), m.Stats().Metrics())
		require.Empty(t, m.Stats().Verify())
		require.Less(t, fast.Events(), slow.Events())
		require.Zero(t, m.Uncounted(), "requests that arrived are counted by the end")
	})
}
