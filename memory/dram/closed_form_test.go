package dram_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

func noRefresh(grade string) setting {
	return setting{grade, dram.Open, dram.NoRefresh, "Ro-Ba-BG-Co", nil, 0}
}

// Idle latencies are sums of timings: tCL+BL of a hit, tRCD more of a closed row,
// tRP more of a spaced conflict; back to back, conflicts come every tRC.
func TestIdleLatencies(t *testing.T) {
	for grade, want := range map[string][4]int64{ // hit, closed, conflict, period of conflicts
		"ddr4_3200": {26, 48, 70, 74},
		"ddr5_4800": {44, 80, 115, 116}, // the first slot of ACT overlaps tRP; latency and one clock between
	} {
		s := noRefresh(grade)
		cfg := s.config()
		m := s.parse()
		stride := uint64(1) << (m.Bits() - 16) * 64 // the next row of the same bank
		h := newHarness([]request{{addr: 0}, {addr: 64}, {addr: stride}})
		c, err := dram.New(cfg, h)
		require.NoError(t, err)
		for i, q := range h.reqs {
			c.Push(int64(i*1000), uint32(i), m.Decode(q.addr/64), false)
		}
		for !c.Idle() {
			c.Run(c.Next())
		}
		got := [4]int64{h.done[1] - 1000, h.done[0], h.done[2] - 2000}
		r := simulate(t, s, "conflict_r", "closed:1")
		got[3] = (r.last + 2000) / 4000
		require.Equal(t, want, got, grade)
	}
}

// Random reads without refresh saturate at four activations per tFAW, within 1%:
// 12.05 GB/s of DDR4-3200, 12.82 GB/s of a sub-channel of DDR5-4800.
func TestActivationWindowBound(t *testing.T) {
	for grade, want := range map[string]float64{"ddr4_3200": 12.05, "ddr5_4800": 12.82} {
		g, _ := standard.Find(grade)
		bound := 4 * 64 / (float64(g.Timing["FAW"]) * g.Clock.Nanoseconds(1))
		require.InDelta(t, want, bound, 0.005)
		r := simulate(t, noRefresh(grade), "rand_r", "open:4")
		require.InEpsilon(t, bound, r.bytesPerClock()/g.Clock.Nanoseconds(1), 0.01, grade)
	}
}

// With open rows sequential reads are never slower than random ones, at any
// load, with every map.
func TestSequentialIsNotSlower(t *testing.T) {
	for _, grade := range []string{"ddr4_3200", "ddr5_4800"} {
		for _, mapped := range []string{"Ro-Ba-BG-Co", "Ro-Ba-Co-BG", "MOP4"} {
			for _, mode := range []string{"closed:1", "closed:4", "closed:16", "closed:64", "open:4", "open:10", "open:24"} {
				s := setting{grade, dram.Open, dram.AllBank, mapped, nil, 0}
				seq, random := simulate(t, s, "seq_r", mode), simulate(t, s, "rand_r", mode)
				require.LessOrEqual(t, seq.last, random.last+50, "%s %s %s", grade, mapped, mode)
				if mode != "open:4" && mode != "closed:64" { // from acceptance: fuller queues
					require.LessOrEqual(t, seq.fromArrival, random.fromArrival, "%s %s %s", grade, mapped, mode)
				}
			}
		}
	}
}

// The same for all grades, one burst per request, wherever the random ones fall.
func TestSequentialIsNotSlowerInAnyGrade(t *testing.T) {
	for _, grade := range standard.Grades() {
		rapid.Check(t, func(t *rapid.T) {
			s := setting{grade, dram.Open, dram.AllBank, rapid.SampledFrom([]string{"Ro-Ba-BG-Ra-Co-Ch", "Ro-Ba-Co-BG", "MOP4"}).Draw(t, "map"), nil, 0}
			mode := rapid.SampledFrom([]string{"closed:1", "closed:3", "closed:8", "closed:32", "open:6", "open:20"}).Draw(t, "mode")
			seed := rapid.IntRange(1, 99).Draw(t, "seed")
			run := func(trace string) int64 {
				h := newHarness(pattern(trace)[:800])
				cfg := s.config()
				cfg.Grade.Organisation.Pseudo = 1 // one of them
				c, err := dram.New(cfg, h)
				require.NoError(t, err)
				return h.run(c, address.New(s.mapped, cfg.Grade.Organisation.Geometry(1)), mode).last
			}
			// a refresh may fall into one run and after the end of the other
			require.LessOrEqual(t, run("seq_r"), run(fmt.Sprintf("rand%d_r", seed))+int64(s.config().Grade.Timing["RFC"]), "%s", grade)
		})
	}
}

// Refreshing one bank of every group keeps the others at work: more bandwidth
// under load than all banks at once, less than none.
func TestSameBankRefresh(t *testing.T) {
	run := func(ref dram.RefreshMode) int64 {
		return simulate(t, setting{"ddr5_4800", dram.Open, ref, "Ro-Ba-BG-Co", nil, 32}, "rand_r", "closed:32").last
	}
	require.Less(t, run(dram.NoRefresh), run(dram.SameBank))
	require.Less(t, run(dram.SameBank), run(dram.AllBank))
}

// Refreshing one bank at a time goes round all banks of a rank, once in every
// interval, and costs random reads less than all banks at once.
func TestPerBankRefresh(t *testing.T) {
	for _, grade := range []string{"lpddr4_3200", "lpddr5_6400", "hbm2", "hbm2e", "hbm3"} {
		last := map[dram.RefreshMode]int64{}
		for _, ref := range []dram.RefreshMode{dram.NoRefresh, dram.PerBank, dram.AllBank} {
			s := setting{grade, dram.Open, ref, "Ro-Ba-BG-Ra-Co-Ch", nil, 32}
			cfg := s.config()
			cfg.Grade.Organisation.Pseudo = 1 // one of them
			o := cfg.Grade.Organisation
			h := newHarness(pattern("rand_r")[:6000])
			c, err := dram.New(cfg, h)
			require.NoError(t, err)
			check := buslog.NewChecker(cfg.Grade)
			var order []int
			c.Observe(func(r buslog.Record) {
				require.NoError(t, check.Check(r))
				if r.Cmd == standard.REFB {
					order = append(order, r.Group*o.Banks+r.Bank)
				}
			})
			last[ref] = h.run(c, address.New(s.mapped, o.Geometry(1)), "closed:32").last
			for i, b := range order {
				require.Equal(t, i%(o.Groups*o.Banks), b)
			}
			if ref == dram.PerBank {
				require.InDelta(t, float64(last[ref])/float64(cfg.Grade.Timing["REFI_B"]), len(order), 2, grade)
			}
		}
		require.Less(t, last[dram.NoRefresh], last[dram.PerBank], grade)
		require.Less(t, last[dram.PerBank], last[dram.AllBank], grade)
	}
}

// Strictly in order, a stream that hits in turns with one that does not loses
// what FR-FCFS gains by going on with the hits.
func TestOrderOfService(t *testing.T) {
	last := map[dram.Scheduler]int64{}
	for _, s := range []dram.Scheduler{dram.FCFS, dram.FRFCFS} {
		set := noRefresh("ddr4_3200")
		cfg := set.config()
		cfg.Scheduler = s
		h := newHarness(pattern("rand_r")[:5000])
		c, err := dram.New(cfg, h)
		require.NoError(t, err)
		last[s] = h.run(c, set.parse(), "closed:16").last
	}
	require.Greater(t, float64(last[dram.FCFS]), 1.5*float64(last[dram.FRFCFS]))
}

// A read of what a waiting write brings is served at once; a second write of it
// is absorbed; a write to what a waiting read asks for waits for the read.
func TestSameAddress(t *testing.T) {
	set := noRefresh("ddr4_3200")
	h := newHarness([]request{{write: true}, {}, {write: true}, {addr: 1 << 20}, {addr: 1 << 20, write: true}})
	c, err := dram.New(set.config(), h)
	require.NoError(t, err)
	m := set.parse()
	for i, q := range h.reqs {
		c.Push(int64(i), uint32(i), m.Decode(q.addr/64), q.write)
	}
	for !c.Idle() {
		c.Run(c.Next())
	}
	require.Equal(t, uint64(1), c.Count.Forwarded)
	require.Equal(t, uint64(1), c.Count.Merged)
	require.Equal(t, int64(2), h.done[1])
	require.Greater(t, h.accepted[4], h.done[3]-26, "not before the read command")
	require.Equal(t, address.Coord{}, m.Decode(0))
}
