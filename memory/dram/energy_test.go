package dram_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	mem "github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/power"
	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// Energies of known counts, from the currents of the data sheet.
func TestEnergy(t *testing.T) {
	g, _ := standard.Find("ddr4_3200")
	n := power.Counts{OpenClocks: 1000}
	n.Commands[standard.ACT], n.Commands[standard.RD], n.Commands[standard.WRA], n.Commands[standard.REF] = 10, 100, 50, 2
	e, ok := n.Energy(g, 3000)
	require.True(t, ok)
	const unit = 1.2 * 0.625 * 8 // V ns, eight chips
	require.InEpsilon(t, 10*unit*(57*74-52*52-37*22), e.Activate, 1e-9)
	require.InEpsilon(t, 100*unit*(168-52)*4, e.Read, 1e-9)
	require.InEpsilon(t, 50*unit*(150-52)*4, e.Write, 1e-9)
	require.InEpsilon(t, 2*unit*(250-52)*560, e.Refresh, 1e-9)
	require.InEpsilon(t, unit*(1000*52+2000*37), e.Background, 1e-9)
	require.InEpsilon(t, e.Activate+e.Read+e.Write+e.Refresh+e.Background, e.Total(), 1e-12)
}

// One command of each kind, by hand: volts, chips, milliamperes and nanoseconds
// of the data sheets.
func TestEnergyByHand(t *testing.T) {
	const none = standard.Commands
	for grade, want := range map[string]struct {
		activate, read, write, refresh float64 // pJ
		closed, open                   float64 // pJ per clock: standing by, and with one bank open on top of it
		some                           standard.Command
		share                          float64 // of a refresh of some banks in one of all
	}{
		// 1.1 V, 4 chips, clocks of 0.416 ns: 4.4 (103 x 113 - (92 + 50/32) x 77 - 92 x 36) 0.416;
		// 235 and 207 mA over 3.328 ns; 185 mA over 295.36 ns
		"ddr5_4800": {2054.967, 3441.152, 3031.142, 240423.04, 168.3968, 2.86, standard.REFS, 1. / 4},
		// clocks of 1/2.8 ns: 4.4 (53 x 130 - (49 + 42/32) x 90 - 49 x 40) / 2.8;
		// 127 and 150 mA over 2.857 ns; 328 mA over 295 ns
		"ddr5_5600": {631.518, 1596.571, 1885.714, 425744, 77, 2.0625, standard.REFS, 1. / 4},
		// clocks of 0.3125 ns: 4.4 (53 x 149 - 50.3125 x 103 - 49 x 46) 0.3125; a
		// burst as at 5600
		"ddr5_6400": {633.617, 1596.571, 1885.714, 425744, 67.375, 1.8047, standard.REFS, 1. / 4},
		// 1.05 V, clocks of 1.25 ns: 1.05 (53 x 49 - 40 x 34 - 32.5 x 15) 1.25;
		// 350 and 225 mA over 16 / 7.5 ns; 165 mA over 280 ns
		"lpddr5_6400": {983.719, 784, 504, 48510, 42.65625, 9.84375, none, 0},
		// 256 bits of 2.68 pJ; nothing is published of the rest
		"hbm2": {909, 686.08, 686.08, math.NaN(), math.NaN(), math.NaN(), standard.REFB, math.NaN()},
		"hbm3": {909, 686.08, 686.08, math.NaN(), math.NaN(), math.NaN(), standard.REFB, math.NaN()},
		// 256 bits of 4 pJ with all else in them; 256 bits of 415 / 64 pJ
		"lpddr4_3200": {math.NaN(), 1024, 1024, math.NaN(), math.NaN(), math.NaN(), standard.REFB, math.NaN()},
		"gddr6":       {math.NaN(), 1660, 1660, math.NaN(), math.NaN(), math.NaN(), standard.REFB, math.NaN()},
	} {
		g, _ := standard.Find(grade)
		energy := func(c standard.Command, count uint64, bankClocks, clocks int64) power.Energies {
			n := power.Counts{OpenClocks: uint64(bankClocks), BankClocks: uint64(bankClocks)}
			if c != none {
				n.Commands[c] = count
			}
			e, ok := n.Energy(g, clocks)
			require.True(t, ok, grade)
			return e
		}
		near := func(want, got float64, what string) {
			t.Helper()
			if math.IsNaN(want) {
				require.True(t, math.IsNaN(got), "%s: %s", grade, what)
			} else {
				require.InEpsilon(t, want, got, 1e-4, "%s: %s", grade, what)
			}
		}
		near(want.activate, energy(standard.ACT, 1, 0, 0).Activate, "activation")
		near(want.read, energy(standard.RD, 1, 0, 0).Read, "read")
		near(want.read*3, energy(standard.RDA, 3, 0, 0).Read, "reads with precharge")
		near(want.write, energy(standard.WR, 1, 0, 0).Write, "write")
		near(want.refresh, energy(standard.REF, 1, 0, 0).Refresh, "refresh")
		if want.some != none {
			near(want.refresh*want.share, energy(want.some, 1, 0, 0).Refresh, "refresh of some banks")
		}
		near(1000*want.closed, energy(none, 0, 0, 1000).Background, "closed")
		near(1000*(want.closed+want.open), energy(none, 0, 1000, 1000).Background, "one bank open")
	}
}

// Grades without a source have no energy; those with one never give any back.
func TestEnergyOfEveryGrade(t *testing.T) {
	var n, one power.Counts
	one.Commands[standard.ACT] = 1
	without := []string{}
	for _, name := range standard.Grades() {
		g, _ := standard.Find(name)
		_, ok := n.Energy(g, 1)
		require.Equal(t, g.Current != nil || g.Figures != nil, ok, name)
		if !ok {
			without = append(without, name)
		}
		if e, ok := one.Energy(g, 0); ok && (g.Figures == nil || g.Figures.Stream == 0) {
			require.Greater(t, e.Activate, 100.0, name)
		}
	}
	require.Equal(t, []string{"gddr7", "hbm4", "lpddr6"}, without)
}

// Bytes that cores reckon with and do not send count, with the energy of their bursts alone; what was
// sent besides keeps all parts. The last charge holds.
func TestChargedBytes(t *testing.T) {
	s := dram.DefaultSpec()
	s.Grade, s.Refresh.Mode = "ddr5_4800", "none"
	sent := memtest.Request{Bytes: 64}
	m, _ := memory(t, s, 0, sent)
	before := metrics(m.Stats())
	charge := mem.Traffic{Reads: 2, ReadBytes: 100 << 10, Writes: 1, WriteBytes: 65}
	m.Charge(mem.Traffic{Reads: 9, ReadBytes: 9})
	m.Charge(charge)
	require.Empty(t, m.Stats().Verify())
	got := metrics(m.Stats())
	require.EqualValues(t, 100<<10+64, got["read_bytes"])
	require.EqualValues(t, 65, got["write_bytes"])
	require.InEpsilon(t, (100<<10/64+1)*before["energy_read"], got["energy_read"], 1e-9)
	require.Equal(t, before["energy_activate"], got["energy_activate"])
	require.Contains(t, m.Assumptions()[0], "102465 bytes that cores of fidelity analytic reckon with")

	m, _ = memory(t, s, 0)
	m.Charge(charge)
	alone := metrics(m.Stats())
	require.InEpsilon(t, 1600*before["energy_read"], alone["energy_read"], 1e-9)
	require.Positive(t, alone["energy_write"])
	for _, part := range []string{"energy_activate", "energy_refresh", "energy_background"} {
		require.NotContains(t, alone, part)
	}
	require.InEpsilon(t, alone["energy_read"]+alone["energy_write"], alone["energy"], 1e-9)
}

// Clocks of open banks add up over banks, those of open ranks do not: two rows of
// two banks, one of them closed for a third.
func TestEnergyOfARun(t *testing.T) {
	s := dram.DefaultSpec()
	s.Grade, s.Refresh.Mode, s.Map = "ddr5_4800", "none", "Ro-Ba-BG-Co"
	m, _ := memory(t, s, 0,
		memtest.Request{Bytes: 64},
		memtest.Request{Cycle: 1000, Bytes: 64, Addr: 4 << 10},
		memtest.Request{Cycle: 3000, Bytes: 64, Addr: 128 << 10})
	got := metrics(m.Stats())
	require.EqualValues(t, 3, got["commands_act"])
	require.InEpsilon(t, 3*2054.967, got["energy_activate"], 1e-4)
	require.InEpsilon(t, 3*3441.152, got["energy_read"], 1e-4)
	// rows open from about clocks 1, 1001 and 3037, the first to 3001, to the last
	// answer, at about 3117
	const clocks, open = 3117, 3000 + 2116 + 80
	require.InEpsilon(t, clocks*168.3968+open*2.86, got["energy_background"], 0.005)

	s.Grade, s.Map = "hbm2", dram.DefaultSpec().Map
	m, _ = memory(t, s, 0, memtest.Request{Bytes: 32})
	got = metrics(m.Stats())
	require.InEpsilon(t, 686.08, got["energy_read"], 1e-9)
	require.InEpsilon(t, 909+686.08, got["energy"], 1e-9, "the parts that have a source")
	require.NotContains(t, got, "energy_background")
	require.Equal(t, []string{"Energy of grade hbm2 is without refresh and background, for which nothing is published."}, m.Assumptions())

	for grade, want := range map[string][]string{
		"hbm3e": {"Energies of grade hbm3e are those of HBM2: nothing better is published.", "Energy of grade hbm3e is without refresh and background, for which nothing is published."},
		"gddr6": {"Energy of grade gddr6 is by bits, as published of streams: their share of rows and refresh is in it, whatever the pattern."},
		"gddr7": nil,
	} {
		s.Grade, s.Map = standard.Name(grade), dram.DefaultSpec().Map
		m, _ = memory(t, s, 0, memtest.Request{Bytes: 64})
		require.Equal(t, want, m.Assumptions(), grade)
	}
}
