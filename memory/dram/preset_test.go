package dram_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// Closed forms of the memories of this year, by hand. Times are in ns; latency is of a closed row,
// by the tables: tRCD + tCL + tBL, and what the commands take themselves.
var closedForms = []struct {
	grade    string
	latency  float64 // first read of an idle channel
	peak     float64 // GB/s of a channel (of HBM a pseudo channel): burst over its time on the pins
	group    float64 // GB/s of hits in one bank: burst over the longest column to column delay
	activate float64 // activations per us: four in tFAW, or one in tRRD
	refresh  float64 // share of time that refresh of all banks takes: tRFC over tREFI
}{
	{"ddr5_8800", (62 + 62 + 8) / 4.4, 35.2, 64 / 5.0, 4 / 0.013409, 295.0 / 3900},
	{"lpddr5x", (21 + 23 + 2) * 0.9375, 17.067, 32 / 3.75, 1 / 0.005625, 280.3 / 3905.6},
	{"lpddr6", (48 + 56 + 6) * 0.375, 14.222, 32 / 3.75, 4 / 0.015, 380.25 / 3906},
	{"gddr6", (27 + 24 + 2) / 1.75, 28, 32 * 1.75 / 4, 4 * 1750 / 32.0, 211.0 / 3325},
	{"gddr7", (30 + 1 + 24 + 2) / 1.75, 28, 32 * 1.75 / 4, 1750 / 4.0, 315.0 / 3325},
	{"hbm3e", (46 + 29 + 2) / 2.3, 36.8, 32 * 2.3 / 4, 4 * 2300 / 35.0, 350.0 / 3900},
	{"hbm4", (40 + 20 + 2) / 2.0, 32, 32 * 2.0 / 4, 4 * 2000 / 30.0, 400.0 / 3900},
}

func TestClosedFormsOfPresets(t *testing.T) {
	for _, w := range closedForms {
		g, ok := standard.Find(w.grade)
		require.True(t, ok)
		one := *g
		one.Organisation.Pseudo = 1
		ns, burst := g.Clock.Nanoseconds(1), float64(g.Organisation.Burst())
		columns := one.Organisation.Columns / one.Organisation.Beats
		open := columns * one.Organisation.Groups * one.Organisation.Banks // bursts of a row of each bank
		refreshes := uint64(0)
		// run is how long n reads take, over and over of the first bursts that the map spreads, in ns
		run := func(ref dram.RefreshMode, mapped string, n, bursts, keep int) (first, all float64) {
			cfg := dram.DefaultConfig(&one)
			cfg.Refresh = ref
			h := &firstAndLast{}
			c, err := dram.New(cfg, h)
			require.NoError(t, err)
			m := address.New(mapped, one.Organisation.Geometry(1))
			for i, at := 0, int64(0); h.done < n; {
				for i < n && i-h.done < keep {
					c.Push(at, uint32(i), m.Decode(uint64(i%bursts)), false)
					i++
				}
				at = max(at, c.Next())
				c.Run(at)
				at++
			}
			refreshes = c.Count.Commands[standard.REF]
			return float64(h.first) * ns, float64(h.last) * ns
		}
		first, _ := run(dram.NoRefresh, "Ro-Ba-BG-Ra-Co-Ch", 1, 1, 1)
		require.InDelta(t, w.latency, first, 0.001, "%s: latency of an idle channel", w.grade)
		const n = 20000
		_, all := run(dram.NoRefresh, "Ro-Ra-Co-Ba-BG-Ch", n, open, 96)
		require.InEpsilon(t, w.peak, n*burst/all, 0.01, "%s: peak", w.grade)
		_, refreshed := run(dram.AllBank, "Ro-Ra-Co-Ba-BG-Ch", n, open, 96)
		// banks are closed before a refresh and opened after it, in a row cycle and a window at most
		interval, least := float64(g.Timing["REFI"])*ns, w.refresh
		share := (refreshed - all) / float64(refreshes) / interval
		require.GreaterOrEqual(t, share, least, "%s: share of refresh", w.grade)
		require.LessOrEqual(t, share, least+float64(g.Timing["RC"]+g.Timing["FAW"])*ns/interval, "%s: share of refresh", w.grade)
		_, row := run(dram.NoRefresh, "Ro-Ba-BG-Ra-Co-Ch", columns, columns, 8)
		require.InEpsilon(t, w.group, float64(columns-1)*burst/(row-first), 0.001, "%s: hits in one bank", w.grade)
		// every read in another row and bank: banks are enough that tRC does not limit
		_, all = run(dram.NoRefresh, "Ra-Co-Ro-Ba-BG-Ch", n, n, 96)
		bound := min(w.activate, float64(one.Organisation.Groups*one.Organisation.Banks)*1000/ns/float64(g.Timing["RC"]))
		rate := n * 1000 / all // commands of several clocks stand in each other's way
		require.LessOrEqual(t, rate, bound*1.0001, "%s: activations", w.grade)
		require.GreaterOrEqual(t, rate, bound*0.98, "%s: activations", w.grade)
	}
}

// firstAndLast notes when reads are done.
type firstAndLast struct {
	done        int
	first, last int64
}

func (e *firstAndLast) Accepted(uint32, int64) {}

func (e *firstAndLast) Done(_ uint32, at int64) {
	if e.done == 0 {
		e.first = at
	}
	e.done++
	e.last = max(e.last, at)
}
