package dram_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
)

// Random traffic on every grade, with every policy, breaks no constraint, keeps
// the states of banks and serves every burst once.
func TestSchedulerObeysChecker(t *testing.T) {
	for _, name := range dram.Grades() {
		t.Run(name, func(t *testing.T) {
			g, _ := dram.Find(name)
			rapid.Check(t, func(t *rapid.T) { obeys(t, g) })
		})
	}
}

func obeys(t *rapid.T, g *dram.Grade) {
	cfg := dram.DefaultConfig(g)
	cfg.Policy = dram.RowPolicy(rapid.IntRange(0, 3).Draw(t, "policy"))
	cfg.Scheduler = dram.Scheduler(rapid.IntRange(0, 1).Draw(t, "scheduler"))
	cfg.Refresh = dram.RefreshMode(rapid.SampledFrom([]int{0, 1, 2, 3}).Draw(t, "refresh"))
	if cfg.Refresh == dram.SameBank && g.Slots[dram.REFS] == 0 || cfg.Refresh == dram.PerBank && g.Slots[dram.REFB] == 0 {
		cfg.Refresh = dram.AllBank
	}
	if rapid.Bool().Draw(t, "two ranks") && g.Timing["CS"] > 0 {
		two := *g
		two.Organisation.Ranks = 2
		cfg.Grade = &two
	}
	if s, err := cfg.Grade.Synced(); err == nil && rapid.Bool().Draw(t, "data clock stops") {
		cfg.Grade = s
	}
	cfg.ReadQueue = rapid.IntRange(1, 40).Draw(t, "queue")
	h := newHarness(make([]request, 200))
	c, err := dram.New(cfg, h)
	require.NoError(t, err)
	check := dram.NewChecker(cfg.Grade)
	refreshes := 0
	c.Observe(func(r dram.Record) {
		require.NoError(t, check.Check(r))
		if r.Cmd == dram.REF || r.Cmd == dram.REFS || r.Cmd == dram.REFB {
			refreshes++
		}
	})
	geometry := cfg.Grade.Organisation.Geometry(1)
	geometry[address.Channel] = 0
	geometry[address.Row] = 1 // two rows, so that there are hits and conflicts
	m := address.New("Ro-Ba-BG-Ra-Co", geometry)
	gap := rapid.SampledFrom([]int64{0, 1, 5, 30, 200}).Draw(t, "gap")
	at := rapid.Int64Range(0, 3).Draw(t, "start") * int64(g.Timing["REFI"])
	for i := range h.reqs {
		h.reqs[i].write = rapid.IntRange(0, 3).Draw(t, "write") == 0
		c.Push(at, uint32(i), m.Decode(rapid.Uint64Range(0, 1<<m.Bits()-1).Draw(t, "burst")), h.reqs[i].write)
		if rapid.Bool().Draw(t, "run") {
			c.Run(at)
		}
		at += rapid.Int64Range(0, gap).Draw(t, "wait")
	}
	for i := 0; !c.Idle(); i++ {
		require.Less(t, i, 100000, c)
		before := c.Next()
		c.Run(before)
		require.Greater(t, c.Next(), before-1)
	}
	for i := range h.reqs {
		require.NotZero(t, h.done[i]+h.accepted[i]+1)
	}
	reads, pending := 0, len(h.pending)
	for _, r := range h.reqs {
		if !r.write {
			reads++
		}
	}
	require.Equal(t, reads, pending, "every read is done once")
	require.Equal(t, 200-reads, h.completed, "every write is accepted once")
	if cfg.Refresh == dram.AllBank {
		end := h.last
		require.InDelta(t, float64(end)/float64(g.Timing["REFI"])*float64(cfg.Grade.Organisation.Ranks), refreshes, 2.5)
	}
}

// Every constraint of every grade is tight in the checker: one clock too early
// is a fault, in time is none.
func TestCheckerIsTight(t *testing.T) {
	for _, name := range dram.Grades() {
		g, _ := dram.Find(name)
		two := *g
		two.Organisation.Ranks = 2
		for _, k := range g.Constraints {
			for _, prev := range k.Prev {
				for _, next := range k.Next {
					alone := two
					alone.Constraints = []dram.Constraint{k}
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
		}
	}
}

// pair has as many prev as the window has, all in one clock but on other banks,
// and a next after clocks.
func pair(g *dram.Grade, k dram.Constraint, prev, next dram.Command, clocks int) (dram.Record, error) {
	c := dram.NewChecker(g)
	o := g.Organisation
	at := int64(1000)
	for i := range k.Window {
		r := dram.Record{At: at - int64(g.Slots[prev]*(k.Window-1-i)), Cmd: prev, Group: i / o.Banks % o.Groups, Bank: i % o.Banks}
		c.Force(r)
	}
	r := dram.Record{At: at - int64(g.Slots[prev]*(k.Window-1)) + int64(clocks), Cmd: next}
	if k.Level == dram.OtherRanks {
		r.Rank = 1
	}
	return r, c.Check(r)
}

func TestCheckerStates(t *testing.T) {
	g, _ := dram.Find("ddr4_3200")
	for want, text := range map[string]string{
		"":                                     "0 ACT 0 0 0 5 0\n30 RD 0 0 0 5 3\n60 PRE 0 0 0 5 0",
		"x:2: 90 ACT 0 0 0 6 0: row 5 is open": "0 ACT 0 0 0 5 0\n90 ACT 0 0 0 6 0",
		"x:2: 30 RD 0 0 0 6 0: the row is not open":                                                         "0 ACT 0 0 0 5 0\n30 RD 0 0 0 6 0",
		"x:1: 30 WR 0 0 0 6 0: the row is not open":                                                         "30 WR 0 0 0 6 0",
		"x:2: 90 REF 0 0 0 0 0: row 5 is open":                                                              "0 ACT 0 0 0 5 0\n90 REF 0 0 0 0 0",
		"x:2: 0 ACT 0 1 0 5 0: the bus is taken by 0 ACT 0 0 0 5 0":                                         "0 ACT 0 0 0 5 0\n0 ACT 0 1 0 5 0",
		"x:2: 21 RD 0 0 0 5 0: 21 clocks after one of [ACT], at level bank (want 22: RCD)":                  "0 ACT 0 0 0 5 0\n21 RD 0 0 0 5 0",
		"x:1: 0 ACT 1 0 0 5 0: there is no such bank":                                                       "0 ACT 1 0 0 5 0",
		"x:2: 4 ACT 0 0 0 5 0: before a command at 5":                                                       "5 PRE 0 0 0 0 0\n4 ACT 0 0 0 5 0",
		"x:1: 6 values (want clock, command, rank, group, bank, row, column)":                               "5 PRE 0 0 0 0",
		`x:1: no command "NOP" (want one of: ACT, PRE, PREA, PRES, RD, WR, RDA, WRA, REF, REFS, REFB, CAS)`: "5 NOP 0 0 0 0 0",
		`x:1: "-5" is no clock`:                                                                             "-5 PRE 0 0 0 0 0",
	} {
		c := dram.NewChecker(g)
		err := dram.ReadTrace("x", strings.NewReader(text), c.Check)
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, want)
	}
}

func FuzzReadTrace(f *testing.F) {
	f.Add("# a\n0 ACT 0 0 0 5 0\n30 RD 0 0 0 5 3\n")
	g, _ := dram.Find("ddr4_3200")
	f.Fuzz(func(t *testing.T, text string) {
		var lines []string
		c := dram.NewChecker(g)
		_ = dram.ReadTrace("x", strings.NewReader(text), func(r dram.Record) error {
			lines = append(lines, r.String())
			_ = c.Check(r)
			return nil
		})
		var again []string
		require.NoError(t, dram.ReadTrace("x", strings.NewReader(strings.Join(lines, "\n")), func(r dram.Record) error {
			again = append(again, r.String())
			return nil
		}))
		require.True(t, slices.Equal(lines, again))
	})
}
