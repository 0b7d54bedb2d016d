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
func hammered(t testing.TB, grade string, ref dram.RefreshMode, s hammer.Setting, n int) *dram.Controller {
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
	c.Observe(func(r buslog.Record) { require.NoError(t, check.Check(r)) })
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
	return c
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
		require.Equal(t, opened, k[standard.ACT], name)
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
			cfg.Hammer.Mitigation, cfg.Hammer.Probability, cfg.Hammer.Threshold = m, 0.3, 4
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
