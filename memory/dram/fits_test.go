package dram_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// Timings that leave no time between refreshes are refused, with their names; a clock
// less is accepted.
func TestTimingsThatNeverServe(t *testing.T) {
	for _, c := range []struct {
		grade, refresh string
		timing         map[string]int
		want           string // "" is accepted
	}{
		{"ddr4_3200", "all_bank", map[string]int{"RFC": 12500}, "tRFC of 12500 clocks and a row cycle of 88 (tRCD + tCWL + tBL + tWR + tRP) do not fit between two refreshes of a bank, 12480 clocks (tREFI): no request would ever be served"},
		{"ddr4_3200", "all_bank", map[string]int{"RFC": 12480 - 88 + 1}, "do not fit"},
		{"ddr4_3200", "all_bank", map[string]int{"RFC": 12480 - 88}, ""},
		{"ddr4_3200", "all_bank", map[string]int{"REFI": 600}, "tRFC of 560 clocks"},
		{"ddr4_3200", "all_bank", map[string]int{"RC": 20000}, "a row cycle of 20000 (tRC)"},
		{"ddr4_3200", "all_bank", map[string]int{"RAS": 20000}, "(tRAS + tRP)"},
		{"ddr4_3200", "all_bank", map[string]int{"RTP": 20000}, "(tRCD + tRTP + tRP)"},
		{"ddr4_3200", "none", map[string]int{"RFC": 12500}, ""},
		{"ddr5_4800", "same_bank", map[string]int{"RFC_S": 2345}, "for 2345 clocks and falls due every 2344 (tREFI_S)"},
		{"ddr5_4800", "same_bank", map[string]int{"RFC": 20000}, ""}, // no such refresh is issued
		{"hbm2", "per_bank", map[string]int{"RREFD": 244}, "falls due every 243 (tREFI_B)"},
		{"lpddr4_3200", "per_bank", map[string]int{"RRD": 782}, "for 780 clocks and falls due every 780 (tREFI_B)"},
		{"hbm2", "per_bank", map[string]int{"RFC_B": 4000}, "(tREFI_B of 16 turns)"},
	} {
		s := dram.DefaultSpec()
		s.Grade, s.Refresh.Mode, s.Timing = standard.Name(c.grade), c.refresh, c.timing
		_, err := dram.NewComp("Mem", engine.New(), s)
		if c.want == "" {
			require.NoError(t, err, c)
		} else {
			require.ErrorContains(t, err, c.want, "%v", c)
		}
	}
}

// Whatever one timing of a grade is set to, the device is refused or serves: reads and
// writes over all banks end while few refreshes pass.
func TestEveryTimingServesOrIsRefused(t *testing.T) {
	refused := 0
	for _, grade := range standard.Grades() {
		for _, refresh := range []string{"all_bank", "same_bank", "per_bank", "none"} {
			g, _ := standard.Find(grade)
			for name := range g.Timing {
				for _, clocks := range []int{0, g.Timing["REFI"] - g.Timing["RFC"], g.Timing["REFI"] + 1} {
					if testing.Short() && clocks == 0 {
						continue
					}
					s := dram.DefaultSpec()
					s.Grade, s.Refresh.Mode, s.Timing = standard.Name(grade), refresh, map[string]int{name: clocks}
					served, err := serves(s)
					if err != nil {
						refused++
						continue
					}
					require.True(t, served, fmt.Sprintf("%s, refresh %s, %s: %d", grade, refresh, name, clocks))
				}
			}
		}
	}
	require.Greater(t, refused, 100)
}

// serves reports whether 64 requests are all answered within 256 intervals of refresh
// or 256 times the longest timing.
func serves(s dram.Spec) (bool, error) {
	g, _ := standard.Find(string(s.Grade))
	g, err := g.With(s.Timing)
	if err != nil {
		return false, err
	}
	cfg := dram.DefaultConfig(g)
	for i, name := range []string{"all_bank", "same_bank", "per_bank", "none"} {
		if s.Refresh.Mode == name {
			cfg.Refresh = dram.RefreshMode(i)
		}
	}
	if err := cfg.Check(); err != nil {
		return false, err
	}
	longest := g.Timing["REFI"]
	for _, n := range g.Timing {
		longest = max(longest, n)
	}
	return drained(cfg, 64, int64(256*longest)), nil
}

// drained reports whether n reads and n writes over all banks are done by a clock.
func drained(cfg dram.Config, n int, by int64) bool {
	var reqs []request
	for i := range 2 * n {
		reqs = append(reqs, request{addr: uint64(i) * 8256, write: i%2 == 1})
	}
	h := newHarness(reqs)
	c, err := dram.New(cfg, h)
	if err != nil {
		return false
	}
	m, err := address.Parse("Ro-Ba-BG-Ra-Co-Ch", cfg.Grade.Organisation.Geometry(1))
	if err != nil {
		return false
	}
	for i, r := range reqs {
		c.Push(0, uint32(i), m.Decode(r.addr/64), r.write)
	}
	c.Run(by)
	return len(h.pending) == n && h.completed == n
}
