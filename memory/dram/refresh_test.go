package dram_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// silent takes no notice of bursts.
type silent struct{}

func (silent) Accepted(uint32, int64) {}
func (silent) Done(uint32, int64)     {}

// refreshesOf runs a controller under a light load for n refresh intervals and returns the
// clocks of the refresh commands of each rank and the interval.
func refreshesOf(t *testing.T, grade string, ranks int, mode dram.RefreshMode, command standard.Command, n int) (clocks [][]int64, interval int64) {
	t.Helper()
	found, ok := standard.Find(grade)
	require.True(t, ok, grade)
	own := *found // the grade is everybody's
	g := &own
	g.Organisation.Ranks = ranks
	cfg := dram.DefaultConfig(g)
	cfg.Refresh = mode
	key := map[standard.Command]string{standard.REF: "REFI", standard.REFS: "REFI_S", standard.REFB: "REFI_B"}[command]
	interval = int64(g.Timing[key])
	require.Positive(t, interval, key)
	c, err := dram.New(cfg, silent{})
	require.NoError(t, err)
	clocks = make([][]int64, g.Organisation.Ranks)
	end := int64(n) * interval
	c.Observe(func(r buslog.Record) {
		if r.Cmd == command && r.At < end {
			clocks[r.Rank] = append(clocks[r.Rank], r.At)
		}
	})
	places := address.New("Ro-Ra-Ba-BG-Ch-Co", g.Organisation.Geometry(1))
	// One read every eighth of an interval keeps the controller awake and leaves it idle
	// between.
	for i := 0; int64(i)*interval/8 < end+interval; i++ {
		at := int64(i) * interval / 8
		c.Run(at)
		c.Push(at, uint32(i), places.Decode(uint64(i)*977%(1<<16)), false)
		for !c.Idle() {
			c.Run(c.Next())
		}
	}
	return clocks, interval
}

// In n refresh intervals every rank is refreshed n times, one more or less where the end
// cuts one.
func TestRefreshesPerInterval(t *testing.T) {
	for _, c := range []struct {
		grade string
		mode  dram.RefreshMode
		cmd   standard.Command
	}{
		{"ddr4_3200", dram.AllBank, standard.REF}, {"ddr5_4800", dram.AllBank, standard.REF}, {"ddr5_4800", dram.SameBank, standard.REFS}, {"hbm2e", dram.AllBank, standard.REF}, {"lpddr5_6400", dram.PerBank, standard.REFB},
	} {
		const n = 20
		clocks, interval := refreshesOf(t, c.grade, 1, c.mode, c.cmd, n)
		for r, at := range clocks {
			require.InDelta(t, n, len(at), 1, "%s rank %d", c.grade, r)
			for i := 1; i < len(at); i++ { // a refresh waits for rows in use, never for an interval
				require.InDelta(t, interval, at[i]-at[i-1], 0.5*float64(interval), "%s rank %d, refresh %d", c.grade, r, i)
			}
		}
	}
}

// Ranks take turns: two of them are refreshed at least half their share of the interval
// apart.
func TestRanksAreNotRefreshedTogether(t *testing.T) {
	for _, ranks := range []int{2, 4} {
		clocks, interval := refreshesOf(t, "ddr4_3200", ranks, dram.AllBank, standard.REF, 10)
		for r := 1; r < ranks; r++ {
			require.InDelta(t, 10, len(clocks[r]), 1, "rank %d", r)
			for i := range min(len(clocks[r]), len(clocks[r-1])) {
				require.Greater(t, clocks[r][i]-clocks[r-1][i], interval/int64(2*ranks), "ranks %d and %d, refresh %d", r-1, r, i)
			}
		}
	}
}
