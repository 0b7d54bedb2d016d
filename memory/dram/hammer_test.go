package dram_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/memory/dram/hammer"
	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// hammered is a double-sided attack on row 1001 of a bank: n activations in turns of the rows above
// and below it, one burst outstanding. Every command is checked.
func hammered(t testing.TB, grade string, ref dram.RefreshMode, s hammer.Setting, n int) (c *dram.Controller) {
	attackWith(t, grade, ref, s, n, func(x *dram.Controller) { c = x }, func(buslog.Record) {})
	return c
}

// attackWith is hammered with a look at the controller at the end and at each command.
func attackWith(t testing.TB, grade string, ref dram.RefreshMode, s hammer.Setting, n int, end func(*dram.Controller), each func(buslog.Record)) {
	g, ok := standard.Find(grade)
	require.True(t, ok)
	one := *g
	one.Organisation.Pseudo = 1
	cfg := dram.DefaultConfig(&one)
	cfg.Refresh, cfg.Hammer, cfg.Random = ref, s, rand.NewPCG(1, 2)
	sink := &firstAndLast{}
	c, err := dram.New(cfg, sink)
	require.NoError(t, err)
	check := buslog.NewChecker(&one)
	c.Observe(func(r buslog.Record) { require.NoError(t, check.Check(r)); each(r) })
	at := int64(0)
	for i := range n {
		c.Push(at, uint32(i), address.Coord{address.Row: uint32(1000 + i%2*2), address.Bank: 1}, false)
		for sink.done <= i {
			at = c.Next()
			c.Run(at)
		}
		at = max(at, sink.last)
	}
	c.Finish(at + 10000)
	end(c)
}

// Refreshes of an attack equal a count by hand: 2,000 activations, 1,000 of each aggressor.
func TestRefreshesOfAnAttack(t *testing.T) {
	const n = 2000
	for _, x := range []struct {
		setting                 hammer.Setting
		grade                   string
		preventive, rfm, alerts uint64
		near                    int
	}{
		// nothing is refreshed: the victim sees every activation
		{hammer.Setting{Mitigation: "none"}, "ddr4_3200", 0, 0, 0, n},
		// each activation refreshes a neighbour: the victim with half of them
		{hammer.Setting{Mitigation: "para", Probability: 1}, "ddr4_3200", n, 0, 0, -1},
		{hammer.Setting{Mitigation: "para", Probability: 0}, "ddr4_3200", 0, 0, 0, n},
		// each aggressor reaches 100 ten times, and both its neighbours are refreshed: the victim, of
		// two aggressors, is opened after 199 activations, and again after the next
		{hammer.Setting{Mitigation: "graphene", Threshold: 100}, "ddr4_3200", 2 * 2 * (n / 2 / 100), 0, 0, 199},
		// a command after each 40 activations of the bank, in which two rows are refreshed
		{hammer.Setting{Mitigation: "rfm", Threshold: 40}, "ddr5_4800", 2 * (n / 40), n / 40, 0, 40},
		{hammer.Setting{Mitigation: "rfm", Threshold: 40}, "hbm3", 2 * (n / 40), n / 40, 0, 40},
		{hammer.Setting{Mitigation: "rfm", Threshold: 40}, "hbm4", 2 * (n / 40), n / 40, 0, 40},
		{hammer.Setting{Mitigation: "rfm", Threshold: 40}, "lpddr5x", 2 * (n / 40), n / 40, 0, 40},
		{hammer.Setting{Mitigation: "rfm", Threshold: 40}, "gddr7", 2 * (n / 40), n / 40, 0, 40},
		// each aggressor alerts ten times, with one command for all banks and two rows in the only bank
		// that has counts
		{hammer.Setting{Mitigation: "prac", Threshold: 100, PerAlert: 1}, "ddr5_4800", 2 * 2 * (n / 2 / 100), 2 * (n / 2 / 100), 2 * (n / 2 / 100), 199},
		{hammer.Setting{Mitigation: "prac", Threshold: 100, PerAlert: 1}, "hbm4", 2 * 2 * (n / 2 / 100), 2 * (n / 2 / 100), 2 * (n / 2 / 100), 199},
		// the group of both rows is full after 80 activations; then each row counts from 80 on, and
		// 960 more take it to 100 once after 20 and nine times after 100
		{hammer.Setting{Mitigation: "hydra", Threshold: 100}, "ddr4_3200", 2 * 2 * 10, 0, 0, 199},
		{hammer.Setting{Mitigation: "hydra", Threshold: 100}, "hbm4", 2 * 2 * 10, 0, 0, 199},
		// rows are delayed, not refreshed
		{hammer.Setting{Mitigation: "blockhammer", Threshold: 100, Limit: 100_100}, "ddr4_3200", 0, 0, 0, n},
	} {
		name := fmt.Sprint(x.setting, x.grade)
		c := hammered(t, x.grade, dram.NoRefresh, x.setting, n)
		k := &c.Count.Commands
		require.Equal(t, x.preventive, c.Count.Preventive, name)
		require.Equal(t, x.rfm, k[standard.RFM]+k[standard.RFMS]+k[standard.RFMB], name)
		require.Equal(t, x.alerts, c.Count.Alerts, name)
		opened := uint64(n)
		if x.rfm == 0 {
			opened += x.preventive // by the controller
		}
		if x.setting.Mitigation != "hydra" { // whose counters have rows that are opened, too
			require.Equal(t, opened, k[standard.ACT], name)
		}
		if x.near >= 0 {
			require.Equal(t, x.near, c.Exposed(), name)
		}
	}
}

// PARA with a probability refreshes as often as its draws say: within four standard deviations.
func TestParaDraws(t *testing.T) {
	const n, p = 20000, 0.02
	c := hammered(t, "ddr4_3200", dram.NoRefresh, hammer.Setting{Mitigation: "para", Probability: p}, n)
	require.InDelta(t, n*p, float64(c.Count.Preventive), 4*math.Sqrt(n*p*(1-p)))
	require.Less(t, c.Exposed(), 2000, "an activation refreshes the victim with 0.01: 2000 without have a probability of 2e-9")
}

// PRAC with two or four commands an alert sends as many.
func TestCommandsOfAnAlert(t *testing.T) {
	for _, times := range []int{1, 2, 4} {
		c := hammered(t, "ddr5_4800", dram.NoRefresh, hammer.Setting{Mitigation: "prac", Threshold: 50, PerAlert: times}, 1000)
		require.Equal(t, c.Count.Alerts*uint64(times), c.Count.Commands[standard.RFM])
	}
}

// A defence goes together with refreshes of every kind, and what they refresh is counted: the
// victim's row is among those of one refresh in 8192.
func TestDefenceBesidesRefresh(t *testing.T) {
	for _, ref := range []dram.RefreshMode{dram.AllBank, dram.SameBank} {
		for _, m := range []string{"none", "para", "graphene", "rfm", "prac"} {
			s := hammer.DefaultSetting()
			s.Mitigation, s.Threshold, s.Probability = m, 30, 0.1
			c := hammered(t, "ddr5_4800", ref, s, 3000)
			refreshes := c.Count.Commands[standard.REF] + c.Count.Commands[standard.REFS]
			require.Greater(t, refreshes, uint64(10))
			require.Equal(t, m == "none", c.Exposed() > 2000, m)
		}
	}
	c := hammered(t, "hbm3", dram.PerBank, hammer.Setting{Mitigation: "rfm", Threshold: 30}, 3000)
	require.Less(t, c.Exposed(), 100)
}

// Under load every burst is served, by legal commands, whatever the defence, policy and refresh.
func TestDefencesServeAll(t *testing.T) {
	for _, x := range []struct {
		grade string
		ref   dram.RefreshMode
	}{{"ddr5_4800", dram.SameBank}, {"hbm3", dram.PerBank}, {"lpddr6", dram.AllBank}} {
		for i, m := range hammer.Mitigations {
			g, _ := standard.Find(x.grade)
			one := *g
			one.Organisation.Pseudo = 1
			cfg := dram.DefaultConfig(&one)
			cfg.Refresh, cfg.Policy, cfg.Random = x.ref, dram.RowPolicy(i%4), rand.NewPCG(1, 2)
			cfg.Hammer.Mitigation, cfg.Hammer.Probability, cfg.Hammer.Threshold, cfg.Hammer.Limit, cfg.Hammer.Entries = m, 0.3, 4, 0, 0
			if m == "blockhammer" { // filters so small that rows share counters
				cfg.Hammer.Limit, cfg.Hammer.Entries = 200_000, 16
			}
			h := newHarness(pattern("rand_2r1w")[:1500])
			c, err := dram.New(cfg, h)
			if x.grade == "lpddr6" && (m == "rfm" || m == "prac") {
				require.ErrorContains(t, err, "lpddr6 has no RFM command, which "+m+" needs")
				continue
			}
			require.NoError(t, err)
			check := buslog.NewChecker(&one)
			c.Observe(func(r buslog.Record) { require.NoError(t, check.Check(r)) })
			h.run(c, address.New("Ro-Ba-BG-Ra-Co-Ch", one.Organisation.Geometry(1)), "closed:48")
			require.Equal(t, 1500, h.completed)
			if m == "blockhammer" && x.grade == "ddr5_4800" { // the others open no row twice
				require.Positive(t, c.Count.Delayed, x.grade)
			}
			if m == "para" || m == "rfm" { // rows are drawn: none of them comes four times
				require.Positive(t, c.Count.Preventive, m)
			}
		}
	}
}

// The key refresh is a word or a mapping; streams of para are those of the seed and the channel.
func TestNodeCountsRows(t *testing.T) {
	s := dram.DefaultSpec()
	s.Grade, s.Map, s.Channels = "ddr4_3200", "Ro-Ba-BG-Ra-Co-Ch", 2
	s.Refresh.Hammer.Mitigation, s.Refresh.Hammer.Probability = "para", 0.5
	var list []memtest.Request
	for i := range 400 { // two rows of a bank of channel 0
		list = append(list, memtest.Request{Addr: uint64(i%2) << 21, Bytes: 64})
	}
	_, a := drive(t, s, 1, list...)
	_, b := drive(t, s, 1, list...)
	require.Equal(t, a, b)
	require.Equal(t, 400.0, a["row_misses"]+a["row_conflicts"])
	require.InDelta(t, 150, a["preventive_refreshes"], 40, "the lower row is row 0, which has one neighbour")
	require.Equal(t, 400+a["preventive_refreshes"], a["commands_act"])
	// rows 0 and 2 by turns, which nothing refreshes: each is opened 200 times, row 1 has 400 on its two sides
	s.Refresh.Mode, s.Refresh.Hammer.Mitigation = "none", "none"
	for i := range list {
		list[i].Addr = uint64(i%2) * 2 * 256 << 10
	}
	_, n := drive(t, s, 1, list...)
	require.Equal(t, []float64{200, 400, 0, 0}, []float64{n["row_activations_max"], n["neighbour_activations_max"], n["preventive_refreshes"], n["alerts"]})
	s.Refresh.Hammer.Mitigation = ""
	_, c := drive(t, s, 1, list...)
	require.NotContains(t, c, "preventive_refreshes")
}

// Accesses to counters equal a count by hand. The counters of 128 rows are two bursts, which are written when the
// group is full, after 80 activations. The next one of each row reads its counter. Where the cache has one
// counter, each of two rows by turns evicts the other: a read for each of 1,920 activations, a write for all but the first.
func TestAccessesToCounters(t *testing.T) {
	for entries, want := range map[int][]uint64{0: {2, 2}, 2: {2, 2}, 1: {1920, 2 + 1919}} {
		c := hammered(t, "ddr4_3200", dram.NoRefresh, hammer.Setting{Mitigation: "hydra", Threshold: 100, Entries: entries}, 2000)
		require.Equal(t, want, c.Count.Own[:2])
		k := &c.Count.Commands
		bursts := c.Count.Own[0] + c.Count.Own[1] - c.Count.Forwarded - c.Count.Merged
		require.Equal(t, 2000+bursts, k[standard.RD]+k[standard.WR], "they are on the bus")
		require.Positive(t, k[standard.WR])
		require.EqualValues(t, 2000, c.FromArrival.N, "latencies are those of requests")
	}
	// of a group of 512 rows, with two bytes a counter: 16 bursts
	c := hammered(t, "ddr4_3200", dram.NoRefresh, hammer.Setting{Mitigation: "hydra", Threshold: 300, Group: 512}, 2000)
	require.Equal(t, []uint64{2, 16}, c.Count.Own[:2])
}

// Two rows by turns are opened 100 times each as fast as they can; then each of them once in a delay of
// (102,236,160 - 100 x 74) / 100,000 clocks, whatever comes between.
func TestDelaysOfAnAttack(t *testing.T) {
	const n, delay = 2000, 1023
	last := map[uint32]int64{}
	seen := map[uint32]int{}
	attackWith(t, "ddr4_3200", dram.NoRefresh, hammer.Setting{Mitigation: "blockhammer", Threshold: 100, Limit: 100_100}, n, func(c *dram.Controller) {
		require.EqualValues(t, n-2*100, c.Count.Delayed)
	}, func(r buslog.Record) {
		if r.Cmd != standard.ACT {
			return
		}
		if seen[r.Row]++; seen[r.Row] > 100 {
			require.EqualValues(t, delay, r.At-last[r.Row], "%s", r)
		} else if seen[r.Row] > 1 {
			require.Less(t, r.At-last[r.Row], int64(delay))
		}
		last[r.Row] = r.At
	})
	require.Equal(t, map[uint32]int{1000: n / 2, 1002: n / 2}, seen)
}

// A burst of another row of the bank goes before an older one whose row is delayed, and bursts of the delayed row that wait
// are served by one activation.
func TestOthersPassADelayedRow(t *testing.T) {
	g, _ := standard.Find("ddr4_3200")
	for _, policy := range []dram.RowPolicy{dram.Open, dram.Closed} {
		for _, how := range []dram.Scheduler{dram.FRFCFS, dram.FCFS} {
			cfg := dram.DefaultConfig(g)
			cfg.Refresh, cfg.Policy, cfg.Scheduler = dram.NoRefresh, policy, how
			cfg.Hammer = hammer.Setting{Mitigation: "blockhammer", Threshold: 1, Limit: 10_000}
			var opened []string
			c, err := dram.New(cfg, ignore{})
			require.NoError(t, err)
			c.Observe(func(r buslog.Record) {
				if r.Cmd == standard.ACT {
					opened = append(opened, fmt.Sprintf("%d@%d", r.Row, r.At))
				}
			})
			c.Push(0, 0, address.Coord{address.Row: 5}, false)
			c.Push(100, 1, address.Coord{address.Row: 6}, false)
			c.Push(200, 2, address.Coord{address.Row: 5, address.Column: 1}, false) // is delayed
			c.Push(300, 3, address.Coord{address.Row: 7}, false)
			c.Push(310, 4, address.Coord{address.Row: 5, address.Column: 2}, false)
			c.Run(50_000)
			const delay = 10225 // (102,236,160 - 74) / 9,999
			want := []string{"5@0", "6@122", "7@322", fmt.Sprintf("5@%d", delay)}
			if policy == dram.Closed {
				want[1], want[2] = "6@100", "7@300"
			}
			if how == dram.FCFS {
				want = append(want[:2], fmt.Sprintf("5@%d", delay), fmt.Sprintf("7@%d", delay+74), fmt.Sprintf("5@%d", 2*delay))
			}
			require.Equal(t, want, opened, "%s %s", policy, how)
		}
	}
}

// The node says what its defence did, and its own bursts are no requests.
func TestNodeWithCounters(t *testing.T) {
	s := dram.DefaultSpec()
	s.Grade, s.Map = "ddr4_3200", "Ro-Ba-BG-Ra-Co-Ch"
	s.Refresh.Mode, s.Refresh.Hammer.Mitigation, s.Refresh.Hammer.Threshold, s.Refresh.Hammer.Entries = "none", "hydra", 10, 1
	var list []memtest.Request
	for i := range 100 {
		list = append(list, memtest.Request{Addr: uint64(1+i%2*2) << 20, Bytes: 64})
	}
	_, n := drive(t, s, 1, list...)
	// 8 activations of the group, then each reads a counter; the last burst of counters may be on its way at the end
	require.InDelta(t, 92, n["counter_reads"], 1)
	require.InDelta(t, 2+91, n["counter_writes"], 1)
	require.EqualValues(t, 100, n["reads"])
	require.NotContains(t, n, "delayed_activations")
	s.Refresh.Hammer.Mitigation, s.Refresh.Hammer.Entries, s.Refresh.Hammer.Limit = "blockhammer", 0, 50_000
	_, n = drive(t, s, 1, list...)
	require.EqualValues(t, 80, n["delayed_activations"])
	require.NotContains(t, n, "counter_reads")
}
