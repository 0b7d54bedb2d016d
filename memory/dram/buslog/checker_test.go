package buslog_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// Every constraint of every grade is tight in the checker: one clock too early
// is a fault, in time is none.
func TestCheckerIsTight(t *testing.T) {
	for _, name := range standard.Grades() {
		g, _ := standard.Find(name)
		two := *g
		two.Organisation.Ranks = 2
		for _, k := range g.Constraints {
			t.Run(strings.Join([]string{name, k.Level.String(), fmt.Sprint(k.Prev), fmt.Sprint(k.Next), k.Formula}, "/"), func(t *testing.T) {
				for _, prev := range k.Prev {
					for _, next := range k.Next {
						alone := two
						alone.Constraints = []standard.Constraint{k}
						what := fmt.Sprintf("%s: %s %v %v", name, k.Formula, prev, next)
						early, err := pair(&alone, k, prev, next, k.Clocks-1)
						if k.Clocks > alone.Slots[prev] {
							require.True(t, err != nil && strings.Contains(err.Error(), "want "+fmt.Sprint(k.Clocks)), "%s at %s: %v", what, early, err)
						}
						_, err = pair(&alone, k, prev, next, max(k.Clocks, alone.Slots[prev]))
						if err != nil {
							require.NotContains(t, err.Error(), k.Formula, what)
						}
					}
				}
			})
		}
	}
}

// pair has as many prev as the window has, all in one clock but on other banks,
// and a next after clocks.
func pair(g *standard.Grade, k standard.Constraint, prev, next standard.Command, clocks int) (buslog.Record, error) {
	c := buslog.NewChecker(g)
	o := g.Organisation
	at := int64(1000)
	for i := range k.Window {
		r := buslog.Record{At: at - int64(g.Slots[prev]*(k.Window-1-i)), Cmd: prev, Group: i / o.Banks % o.Groups, Bank: i % o.Banks}
		c.Force(r)
	}
	r := buslog.Record{At: at - int64(g.Slots[prev]*(k.Window-1)) + int64(clocks), Cmd: next}
	if k.Level == standard.OtherRanks {
		r.Rank = 1
	}
	return r, c.Check(r)
}

// A rank in power-down or self-refresh gets nothing but its end, and self-refresh finds it closed, and refreshed since the last.
func TestStatesOfPower(t *testing.T) {
	for _, x := range []struct{ grade, text, want string }{
		{"ddr4_3200", "0 PDE, 8 PDX, 18 ACT", ""},
		{"ddr4_3200", "0 ACT, 2 PDE, 10 PDX, 24 RD", ""},
		{"ddr4_3200", "0 PDE, 50 ACT", "50 ACT 0 0 0 0 0: the rank rests since 0 PDE 0 0 0 0 0"},
		{"ddr4_3200", "0 PDE, 50 REF", "the rank rests since 0 PDE"},
		{"ddr4_3200", "0 PDE, 50 PDE", "the rank rests since 0 PDE"},
		{"ddr4_3200", "0 PDE, 50 SRX", "the rank rests since 0 PDE"},
		{"ddr4_3200", "0 SRE, 50 PDX", "the rank rests since 0 SRE"},
		{"ddr4_3200", "0 SRE, 900 ACT", "the rank rests since 0 SRE"},
		{"ddr4_3200", "5 PDX", "5 PDX 0 0 0 0 0: the rank does not rest"},
		{"ddr4_3200", "5 SRX", "the rank does not rest"},
		{"ddr4_3200", "0 ACT, 90 SRE", "90 SRE 0 0 0 0 0: a row is open"},
		{"ddr4_3200", "0 SRE, 9 SRX, 700 SRE", "700 SRE 0 0 0 0 0: there was no refresh since the last self-refresh"},
		{"ddr4_3200", "0 SRE, 9 SRX, 700 REF, 1300 SRE, 1309 SRX", ""},
		{"ddr4_3200", "0 PDE, 50 PDXS", "ddr4_3200 has no such command"},
		{"ddr3_1600", "0 PDE, 50 PDXS, 55 ACT, 70 RD", ""},
		{"ddr3_1600", "0 ACT, 9 PDE, 50 PDXS", "50 PDXS 0 0 0 0 0: a row is open"},
		{"ddr3_1600", "0 ACT, 11 RD, 39 PRE, 50 PDE, 60 PDXS, 65 ACT, 79 RD", "79 RD 0 0 0 0 0: 19 clocks after one of [PDXS], at level rank (want 20: XPDLL)"},
	} {
		g, _ := standard.Find(x.grade)
		c := buslog.NewChecker(g)
		var text []string
		for _, w := range strings.Split(x.text, ", ") {
			text = append(text, w+" 0 0 0 0 0")
		}
		err := buslog.Read("x", strings.NewReader(strings.Join(text, "\n")), c.Check)
		if x.want == "" {
			require.NoError(t, err, x.text)
			continue
		}
		require.ErrorContains(t, err, x.want, x.text)
	}
}

func TestCheckerStates(t *testing.T) {
	g, _ := standard.Find("ddr4_3200")
	for want, text := range map[string]string{
		"":                                     "0 ACT 0 0 0 5 0\n30 RD 0 0 0 5 3\n60 PRE 0 0 0 5 0",
		"x:2: 90 ACT 0 0 0 6 0: row 5 is open": "0 ACT 0 0 0 5 0\n90 ACT 0 0 0 6 0",
		"x:2: 30 RD 0 0 0 6 0: the row is not open":                                        "0 ACT 0 0 0 5 0\n30 RD 0 0 0 6 0",
		"x:1: 30 WR 0 0 0 6 0: the row is not open":                                        "30 WR 0 0 0 6 0",
		"x:2: 90 REF 0 0 0 0 0: row 5 is open":                                             "0 ACT 0 0 0 5 0\n90 REF 0 0 0 0 0",
		"x:2: 0 ACT 0 1 0 5 0: the bus is taken by 0 ACT 0 0 0 5 0":                        "0 ACT 0 0 0 5 0\n0 ACT 0 1 0 5 0",
		"x:2: 21 RD 0 0 0 5 0: 21 clocks after one of [ACT], at level bank (want 22: RCD)": "0 ACT 0 0 0 5 0\n21 RD 0 0 0 5 0",
		"x:1: 0 ACT 1 0 0 5 0: there is no such bank":                                      "0 ACT 1 0 0 5 0",
		"x:2: 4 ACT 0 0 0 5 0: before a command at 5":                                      "5 PRE 0 0 0 0 0\n4 ACT 0 0 0 5 0",
		"x:1: 6 values (want clock, command, rank, group, bank, row, column)":              "5 PRE 0 0 0 0",
		`x:1: no command "NOP" (want one of: ACT, PRE, PREA, PRES, RD, WR, RDA, WRA, REF, REFS, REFB, CAS, RFM, RFMS, RFMB, PDE, PDX, PDXS, SRE, SRX)`: "5 NOP 0 0 0 0 0",
		`x:1: "-5" is no clock`: "-5 PRE 0 0 0 0 0",
	} {
		c := buslog.NewChecker(g)
		err := buslog.Read("x", strings.NewReader(text), c.Check)
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, want)
	}
}

func FuzzReadTrace(f *testing.F) {
	f.Add("# a\n0 ACT 0 0 0 5 0\n30 RD 0 0 0 5 3\n")
	g, _ := standard.Find("ddr4_3200")
	f.Fuzz(func(t *testing.T, text string) {
		var lines []string
		c := buslog.NewChecker(g)
		_ = buslog.Read("x", strings.NewReader(text), func(r buslog.Record) error {
			lines = append(lines, r.String())
			_ = c.Check(r)
			return nil
		})
		var again []string
		require.NoError(t, buslog.Read("x", strings.NewReader(strings.Join(lines, "\n")), func(r buslog.Record) error {
			again = append(again, r.String())
			return nil
		}))
		require.True(t, slices.Equal(lines, again))
	})
}

// An audit of Ramulator 2.1 (CMU-SAFARI/ramulator2, issue 272) finds constraints of refresh missing
// there. The first two were upheld; the others are of the same kind. A trace that breaks one by a clock
// is found.
func TestConstraintsOfTheAudit(t *testing.T) {
	for name, x := range map[string]struct{ grade, first, second, rule string }{
		"RFM of one bank after another, HBM3":        {"hbm3", "0 RFMB 0 0 0 0 0", "12 RFMB 0 1 0 0 0", "RREFD"},
		"refresh of one bank after another, HBM2":    {"hbm2", "0 REFB 0 0 0 0 0", "7 REFB 0 1 0 0 0", "RREFD"},
		"refresh of a bank after one of all, HBM3":   {"hbm3", "0 REF 0 0 0 0 0", "559 REFB 0 1 0 0 0", "RFC"},
		"refresh of a bank after one of all, LPDDR5": {"lpddr5_6400", "0 REF 0 0 0 0 0", "223 REFB 0 1 0 0 0", "RFC"},
		"refresh after an activation, HBM4":          {"hbm4", "0 ACT 0 0 0 1 0", "7 REFB 0 0 1 0 0", "RRD_L"},
		"refresh after an activation, GDDR6":         {"gddr6", "0 ACT 0 0 0 1 0", "7 REFB 0 0 1 0 0", "RRD_S"},
	} {
		g, _ := standard.Find(x.grade)
		c := buslog.NewChecker(g)
		err := buslog.Read("x", strings.NewReader(x.first+"\n"+x.second), c.Check)
		require.ErrorContains(t, err, x.rule+")", name)
		at, rest, _ := strings.Cut(x.second, " ")
		clock, err := strconv.Atoi(at)
		require.NoError(t, err)
		c = buslog.NewChecker(g)
		require.NoError(t, buslog.Read("x", strings.NewReader(fmt.Sprintf("%s\n%d %s", x.first, clock+1, rest)), c.Check), name)
	}
}
