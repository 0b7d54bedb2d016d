package dram_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/memory/dram/power"
	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// restful is a controller whose commands are checked, and kept.
func restful(t require.TestingT, grade string, ranks int, ref dram.RefreshMode, rule power.Rule, sink dram.Sink) (c *dram.Controller, log *[]buslog.Record) {
	g, ok := standard.Find(grade)
	require.True(t, ok)
	one := *g
	one.Organisation.Pseudo, one.Organisation.Ranks = 1, ranks
	cfg := dram.DefaultConfig(&one)
	cfg.Refresh, cfg.Rest = ref, rule
	c, err := dram.New(cfg, sink)
	require.NoError(t, err)
	check, log := buslog.NewChecker(&one), new([]buslog.Record)
	c.Observe(func(r buslog.Record) {
		require.NoError(t, check.Check(r))
		*log = append(*log, r)
	})
	return c, log
}

// states adds up the clocks of states over a list of commands, command by command. Of rows that are open it counts
// those of ranks and of banks.
func states(g *standard.Grade, log []buslog.Record, ranks int, slow bool, end int64) (n power.Counts) {
	t := g.Timing
	for rank := range ranks {
		open := map[[2]int]bool{}
		state, next, rests, from, busy := power.Awake, power.Awake, int64(dram.Never), int64(0), int64(0)
		account := func(until int64) {
			if d := until - from; d > 0 {
				switch {
				case state != power.Awake:
					n.Resting[state] += uint64(d)
				case len(open) > 0:
					n.OpenClocks += uint64(d)
					n.BankClocks += uint64(d) * uint64(len(open))
				}
				from = until
			}
		}
		for _, r := range log {
			if r.Rank != rank {
				continue
			}
			n.Commands[r.Cmd]++
			switch r.Cmd {
			case standard.PDE, standard.SRE:
				if r.Cmd == standard.SRE {
					busy = r.At + int64(t["RFC"])
				}
				rests = max(r.At, busy) // it does what it did until then
				switch {
				case r.Cmd == standard.SRE:
					next = power.SelfRefresh
				case len(open) > 0:
					next = power.ActiveDown
				case slow:
					next = power.SlowDown
				default:
					next = power.Down
				}
				continue
			case standard.PDX, standard.PDXS, standard.SRX:
				account(min(rests, r.At))
				state, rests = next, dram.Never
				account(r.At)
				state, next = power.Awake, power.Awake
				continue
			}
			account(r.At)
			from = max(from, r.At)
			ends := int64(0)
			switch r.Cmd {
			case standard.ACT:
				open[[2]int{r.Group, r.Bank}] = true
				ends = int64(t["RCD"] + t["RCDRD"])
			case standard.PREA:
				clear(open)
				ends = int64(t["RP"])
			case standard.PRE, standard.PRES:
				for b := range open {
					if b[1] == r.Bank && (b[0] == r.Group || r.Cmd == standard.PRES) {
						delete(open, b)
					}
				}
				ends = int64(t["RP"])
			case standard.REF:
				ends = int64(t["RFC"])
			case standard.REFS:
				ends = int64(t["RFC_S"])
			case standard.REFB:
				ends = int64(t["RFC_B"])
			}
			if ends > 0 {
				busy = max(busy, r.At+ends)
			}
		}
		account(min(rests, end))
		state = next
		account(end)
	}
	return n
}

// Ranks of every standard rest and wake by legal commands, whatever the rule, and the clocks of each state are those
// that the list of commands says. Every burst is served.
func TestRanksOfEveryStandardRest(t *testing.T) {
	for _, grade := range standard.Grades() {
		g, _ := standard.Find(grade)
		for k := range 4 {
			rule := power.Rule{After: 60, Close: k%2 == 0, Slow: k == 0 && g.Slots[standard.PDXS] > 0, SelfRefresh: []int64{0, 40_000, 0, 9000}[k]}
			ref, ranks := dram.AllBank, 1+k%2
			switch {
			case k < 2:
			case g.Slots[standard.REFS] > 0:
				ref = dram.SameBank
			case g.Slots[standard.REFB] > 0:
				ref = dram.PerBank
			}
			if g.Organisation.Groups*g.Organisation.Banks*ranks > 64 {
				ranks = 1
			}
			h := newHarness(make([]request, 40))
			c, log := restful(t, grade, ranks, ref, rule, h)
			random := rand.New(rand.NewPCG(1, uint64(k)))
			at := int64(0)
			for i := range h.reqs {
				h.reqs[i].write = random.IntN(3) == 0
				o := g.Organisation
				c.Push(at, uint32(i), address.Coord{address.Rank: uint32(random.IntN(ranks)), address.BankGroup: uint32(random.IntN(o.Groups)), address.Bank: uint32(random.IntN(o.Banks)), address.Row: uint32(random.IntN(3))}, h.reqs[i].write)
				c.Run(at)
				at += []int64{1, 20, 200, 1500, 30_000}[min(random.IntN(60)/12, 3+random.IntN(20)/19)]
			}
			c.Run(at + 50_000)
			c.Finish(at + 50_000)
			name := fmt.Sprint(grade, rule, ref)
			for i := range h.done {
				require.Positive(t, h.done[i], name)
			}
			n := states(g, *log, ranks, rule.Slow, at+50_000)
			require.Equal(t, n, c.Count.Counts, name)
			require.Positive(t, n.Resting[power.Down]+n.Resting[power.SlowDown]+n.Resting[power.ActiveDown], name)
			require.Equal(t, rule.SelfRefresh > 0, n.Resting[power.SelfRefresh] > 0, name)
			require.Equal(t, !rule.Close, n.Resting[power.ActiveDown] > 0, name)
		}
	}
}

// Bursts at random clocks are served, with every rule and every policy of rows; a rank that rests never makes a run
// stand still.
func TestRestsAtRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grade := rapid.SampledFrom([]string{"ddr3_1600", "ddr4_3200", "ddr5_4800", "lpddr4_3200", "hbm3"}).Draw(t, "grade")
		g, _ := standard.Find(grade)
		rule := power.Rule{After: rapid.Int64Range(0, 200).Draw(t, "after"), Close: rapid.Bool().Draw(t, "close"), SelfRefresh: rapid.SampledFrom([]int64{0, 1, 3000}).Draw(t, "self")}
		sink := &served{}
		one := *g
		one.Organisation.Pseudo = 1
		cfg := dram.DefaultConfig(&one)
		cfg.Rest, cfg.Policy, cfg.Scheduler = rule, dram.RowPolicy(rapid.IntRange(0, 3).Draw(t, "policy")), dram.Scheduler(rapid.IntRange(0, 1).Draw(t, "how"))
		c, err := dram.New(cfg, sink)
		require.NoError(t, err)
		check := buslog.NewChecker(&one)
		c.Observe(func(r buslog.Record) { require.NoError(t, check.Check(r)) })
		at, n := int64(0), rapid.IntRange(1, 60).Draw(t, "bursts")
		for i := range n {
			at += rapid.SampledFrom([]int64{0, 1, 7, 90, 300, 4000, 30_000}).Draw(t, "gap")
			c.Push(at, uint32(i), address.Coord{address.Bank: uint32(rapid.IntRange(0, 3).Draw(t, "bank")), address.Row: uint32(rapid.IntRange(0, 2).Draw(t, "row")), address.Column: uint32(i)}, rapid.Bool().Draw(t, "write"))
			if rapid.Bool().Draw(t, "run") {
				c.Run(at)
			}
		}
		for i := 0; !c.Idle(); i++ {
			require.Less(t, i, 100_000)
			c.Run(c.Next())
		}
		require.Equal(t, n, sink.n)
	})
}

// served counts bursts that are done.
type served struct{ n int }

func (*served) Accepted(uint32, int64) {}
func (s *served) Done(uint32, int64)   { s.n++ }

// A rank that rests wakes for each refresh, and goes back as soon as it may: one power-down in an interval of refresh.
func TestRefreshesInPowerDown(t *testing.T) {
	c, log := restful(t, "ddr4_3200", 1, dram.AllBank, power.Rule{After: 100, Close: true}, ignore{})
	c.Push(0, 0, address.Coord{}, false)
	c.Finish(3 * 12480)
	var got []string
	for _, r := range *log {
		got = append(got, fmt.Sprintf("%d %s", r.At, r.Cmd))
	}
	require.Equal(t, []string{"0 ACT", "22 RD", "122 PREA", "124 PDE", // tPRPDEN
		"12479 PDX", "12489 REF", "12491 PDE", "24959 PDX", "24969 REF", "24971 PDE", "37439 PDX"}, got)
	// after a PREA the chip rests when tRP has passed, after a REF when tRFC has
	require.EqualValues(t, 12479-(122+22)+2*(12480-(10+560)), c.Count.Resting[power.Down])
}

// In self-refresh no refresh is due. One is after it, and the next an interval later.
func TestRefreshesAfterSelfRefresh(t *testing.T) {
	c, log := restful(t, "ddr4_3200", 1, dram.AllBank, power.Rule{After: 100, Close: true, SelfRefresh: 2000}, ignore{})
	c.Push(0, 0, address.Coord{}, false)
	c.Push(50_000, 1, address.Coord{}, false)
	c.Finish(64_000)
	var got []string
	for _, r := range *log {
		got = append(got, fmt.Sprintf("%d %s", r.At, r.Cmd))
	}
	require.Equal(t, []string{"0 ACT", "22 RD", "122 PREA", "124 PDE", "2022 PDX", "2032 SRE",
		"50000 SRX", "50576 REF", "51136 ACT", "51158 RD", "51258 PREA", "51260 PDE", "53158 PDX", "53168 SRE"}, got)
	require.EqualValues(t, 50_000-2032-560+64_000-53168-560, c.Count.Resting[power.SelfRefresh])
}

// The node has times in each state, and energies by the currents of these: a rank of DDR4-2400 without accesses draws 25 mA in place
// of 34, and 30 mA in self-refresh. A grade without such currents says that it counts them as standing by.
func TestNodeRests(t *testing.T) {
	s := dram.DefaultSpec()
	s.Grade, s.Channels, s.RowPolicy = "ddr4_2400", 2, "closed"
	list := []memtest.Request{{Bytes: 64}, {Cycle: 4000, Bytes: 64}}
	m, _ := memory(t, s, 0, list...)
	awake := metrics(m.Stats())
	require.NotContains(t, awake, "commands_pde")
	require.NotContains(t, awake, "time_power_down")
	s.PowerDown.After = units.InCycles(100)
	m, _ = memory(t, s, 0, list...)
	n := metrics(m.Stats())
	ns := m.PortSpecs()[0].Clock.Nanoseconds(1)
	// both channels go at clock 100, or 100 after their RD and when tRP has passed; one wakes for the second read
	require.InDelta(t, 2*3900*ns, n["time_power_down"], 100*ns)
	const unit = 1.2 * 8
	require.InEpsilon(t, n["time_power_down"]*unit*(34-25), awake["energy_background"]-n["energy_background"], 0.02)
	require.Greater(t, n["latency_max"], awake["latency_max"])
	s.PowerDown.SelfRefresh = units.InCycles(1000)
	m, _ = memory(t, s, 0, list...)
	n = metrics(m.Stats())
	require.InDelta(t, (2*(3000-420)+768+30)*ns, n["time_self_refresh"], 100*ns, "the second read waits for the DLL")
	require.EqualValues(t, 1, n["commands_srx"])
	require.EqualValues(t, 2, n["commands_sre"])
	require.Empty(t, m.Assumptions())
	s.Grade = "ddr5_5600"
	m, _ = memory(t, s, 0, list...)
	require.Contains(t, strings.Join(m.Assumptions(), " "), "Energy of grade ddr5_5600 counts power-down and self-refresh as standing by")
}
