package power_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/dram/power"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// patterns are commands of the tests of DRAMPower 6.2.0 (commit d8b980a, tests/tests_drampower/core, patterns 0 to 9 of each
// standard): clock, command, bank; E is the end. PDEA is a power-down with rows open, PDEP one without.
var patterns = []string{
	"0 ACT 0, 15 PRE 0, 15 E",
	"0 ACT 0, 15 RD 0, 35 PRE 0, 35 E",
	"0 ACT 0, 15 RD 0, 35 PRE 0, 50 E",
	"0 ACT 0, 15 RD 0, 20 ACT 3, 35 PRE 0, 45 PRE 3, 50 E",
	"0 ACT 0, 15 RD 0, 20 ACT 3, 35 RD 3, 40 RD 0, 50 PREA 0, 70 E",
	"0 ACT 0, 15 RD 0, 20 ACT 3, 35 RD 3, 40 RD 0, 50 PREA 0, 65 REF 0, 100 E",
	"0 ACT 0, 15 RDA 0, 20 ACT 3, 35 RD 3, 50 PREA 0, 65 REF 0, 100 E",
	"0 SRE 0, 40 SRX 0, 100 E",
	"0 PDEA 0, 30 PDXA 0, 45 PDEP 0, 70 PDXP 0, 85 E",
	"5 ACT 0, 15 ACT 5, 20 RD 0, 30 PDEA 0, 50 PDXA 0, 55 RD 5, 60 RD 0, 70 PREA 0, 80 PDEP 0, 95 PDXP 0, 100 E",
}

// outputs are the energies of the patterns that its tests expect, in pJ.
var outputs = map[string][]float64{
	"DDR4":   {897, 2012, 2479, 2897, 4408, 7287, 6846, 4872, 1950, 4890},
	"DDR5":   {897, 2012, 2479, 2897, 4408, 7287, 6846, 4873, 1950, 4890},
	"LPDDR4": {888, 1987, 2454, 2878, 4420, 7299, 6832, 4873, 1950, 4912},
	"LPDDR5": {888, 1761, 2228, 2652, 3742, 6621, 6377, 4873, 1950, 4234},
}

// memory is a grade with the currents and timings of the tests' memories, one chip of 16 banks; read is the clocks of a
// read to the end of its row (tRTP and more).
func memoryOf(name string) (g *standard.Grade, toPrecharge int64) {
	rho := 0.5
	g = &standard.Grade{Timing: map[string]int{"BL": 4, "RAS": 10, "RP": 10, "RC": 20, "RCD": 13, "RFC": 25, "RTP": 5}}
	g.Organisation = standard.Organisation{Width: 8, Device: 8, Beats: 8, Ranks: 1, Groups: 1, Banks: 16}
	_ = g.Clock.UnmarshalText([]byte("1300MHz"))
	g.Current = &standard.Current{Rho: &rho}
	v := &g.Current.Values
	v.VDD, v.IDD0, v.IDD2N, v.IDD3N, v.IDD4R, v.IDD4W, v.IDD5B = 1.2, 56.25, 33.75, 39.5, 157.5, 135, 118
	v.IDD2P, v.IDD3P, v.IDD6 = 17, 22.5, 20.25
	if !strings.HasPrefix(name, "LP") {
		return g, 5
	}
	// LPDDR: IDD3N is drawn with one bank open, and a read on top of that. With all open it is more.
	const banks, share, one = 16, 0.058823529412, 35.0
	first := (banks*share*one + (1-share)*v.IDD2N) / (banks*share + 1 - share)
	v.IDD3N = first + banks*(one-first)
	rho = (first - v.IDD2N) / (v.IDD3N - v.IDD2N)
	v.IDD4R += v.IDD3N - one
	g.Timing["RTP"] = 2
	if name == "LPDDR5" { // its data clock is twice that of commands
		g.Current.Rate = 5200
		return g, 5
	}
	return g, 2
}

// counts are those of a pattern: of its rows, and of its states from the clock on at which what went before has ended.
func counts(t *testing.T, g *standard.Grade, pattern string, toPrecharge int64) (n power.Counts, end int64) {
	open := map[string]int64{} // since
	closeRow := func(bank string, at int64) {
		if since, ok := open[bank]; ok {
			n.BankClocks += uint64(at - since)
			delete(open, bank)
		}
	}
	closing := map[string]int64{} // rows that close by themselves
	busy, rests, last := int64(0), int64(0), int64(0)
	state, resting := power.Awake, false
	for _, item := range strings.Split(pattern, ", ") {
		w := strings.Fields(item)
		at := int64(0)
		for _, d := range w[0] {
			at = at*10 + int64(d-'0')
		}
		for now := last; now < at; now++ { // clock by clock
			for b, c := range closing {
				if c == now {
					closeRow(b, now)
					delete(closing, b)
					busy = max(busy, now+10)
				}
			}
			switch {
			case resting && now >= rests:
				n.Resting[state]++
			case len(open) > 0:
				n.OpenClocks++
			}
		}
		last = at
		bank := strings.Join(w[2:], "")
		switch w[1] {
		case "ACT":
			n.Commands[standard.ACT]++
			open[bank] = at
			busy = max(busy, at+13)
		case "RD":
			n.Commands[standard.RD]++
		case "RDA":
			n.Commands[standard.RDA]++
			closing[bank] = max(at+toPrecharge, open[bank]+10)
		case "PRE", "PREA":
			for b := range open {
				if b == bank || w[1] == "PREA" {
					closeRow(b, at)
				}
			}
			busy = max(busy, at+10)
		case "REF", "SRE":
			n.Commands[standard.REF]++ // with which a self-refresh begins
			busy = at + 25
			if w[1] == "SRE" {
				state, resting, rests = power.SelfRefresh, true, busy
			}
		case "PDEA", "PDEP":
			state, resting, rests = power.Down, true, max(at, busy)
			if w[1] == "PDEA" {
				state = power.ActiveDown
			}
			for b, since := range open {
				n.BankClocks += uint64(rests - since)
				open[b] = 0
			}
		case "SRX", "PDXA", "PDXP":
			resting = false
			for b := range open {
				open[b] = at
			}
		case "E":
			for b := range open {
				closeRow(b, at)
			}
			return n, at
		default:
			require.Fail(t, w[1])
		}
	}
	return n, last
}

// Energies of all patterns of DRAMPower's own tests are within 0.1 %, which is the rounding of its outputs.
func TestOutputsOfDRAMPower(t *testing.T) {
	for name, want := range outputs {
		g, toPrecharge := memoryOf(name)
		for i, p := range patterns {
			n, end := counts(t, g, p, toPrecharge)
			e, ok := n.Energy(g, end)
			require.True(t, ok)
			require.InEpsilon(t, want[i], e.Total(), 1e-3, "%s, pattern %d: %+v", name, i, n)
		}
	}
}
