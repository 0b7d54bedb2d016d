package dram

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/dram/timing"
)

// A past is the commands so far, and which limits of the grade bind the next one: from the
// constraints as they are written, without the state that the controller keeps.
type past struct {
	t   *testing.T
	c   *Controller
	log []sent
	was [timing.MaxLimits]uint64
	met map[string]bool

	ready int64 // first clock at which the last command could have gone
}

type sent struct {
	at   int64
	cmd  standard.Command
	bank int
	set  uint64 // banks that it is about
}

// binding are the names of the limits by which a command may go at a clock and not before.
func (p *past) binding(cmd standard.Command, bank int, at int64) (out []string) {
	for i := range p.c.cfg.Grade.Constraints {
		k := &p.c.cfg.Grade.Constraints[i]
		if !slices.Contains(k.Next, cmd) {
			continue
		}
		n := 0
		for j := len(p.log) - 1; j >= 0; j-- {
			s := &p.log[j]
			if !slices.Contains(k.Prev, s.cmd) || !p.reaches(k.Level, s, bank) {
				continue
			}
			if n++; n == k.Window {
				if s.at+int64(k.Clocks) == at {
					out = append(out, p.c.timing.LimitOf(k, s.cmd, cmd).Name)
				}
				break
			}
		}
	}
	return out
}

// reaches reports whether a command counts for a bank at a level.
func (p *past) reaches(l standard.Level, s *sent, bank int) bool {
	o := p.c.cfg.Grade.Organisation
	nodes := map[standard.Level]int{standard.ChannelLevel: o.Ranks * o.Groups * o.Banks, standard.RankLevel: o.Groups * o.Banks, standard.GroupLevel: o.Banks}
	switch l {
	case standard.OtherRanks:
		return s.bank/nodes[standard.RankLevel] != bank/nodes[standard.RankLevel]
	case standard.BankLevel:
		return s.set>>bank&1 != 0
	}
	return s.bank/nodes[l] == bank/nodes[l]
}

func (p *past) trace(at int64, cmd standard.Command, bank int, _, _ uint32) {
	p.ready = p.c.timing.Ready(cmd, bank)
	s := sent{at, cmd, bank, 1 << bank}
	if p.c.cfg.Grade.Actions[cmd].Scope != standard.OneBank {
		s.set = p.c.ranks[p.c.banks[bank].rank].set
	} else {
		for k := 1; k < len(p.c.timing.Limits()); k++ {
			if p.c.Count.Limits[k] == p.was[k] {
				continue
			}
			name := p.c.timing.Limits()[k].Name
			p.met[name] = true
			require.Contains(p.t, p.binding(cmd, bank, p.ready), name, "%s of bank %d at %d", cmd, bank, at)
		}
	}
	p.was = p.c.Count.Limits
	p.log = append(p.log, s)
}

type sink struct{}

func (sink) Accepted(uint32, int64) {}
func (sink) Done(uint32, int64)     {}

// What a controller says held a command back is a constraint of the grade by which the command
// goes at its clock and not before, and the limits of a hold add up to it.
func TestLimitsBind(t *testing.T) {
	met := map[string]bool{}
	for _, name := range standard.Grades() {
		found, _ := standard.Find(name)
		for _, policy := range []RowPolicy{Open, ClosedAP} {
			two := *found
			g := &two
			if o := &g.Organisation; policy == Open && 2*o.Groups*o.Banks <= timing.MaxBanks {
				o.Ranks = 2
			}
			cfg := DefaultConfig(g)
			cfg.Policy = policy
			c, err := New(cfg, sink{})
			require.NoError(t, err)
			require.LessOrEqual(t, len(c.timing.Limits()), timing.MaxLimits, name)
			p := &past{t: t, c: c, met: met}
			c.Trace = p.trace
			rng := rand.New(rand.NewPCG(1, 2))
			o, at := g.Organisation, int64(0)
			for i := range 400 {
				at += int64(rng.IntN(8))
				place := address.Coord{address.Rank: uint32(rng.IntN(o.Ranks)), address.BankGroup: uint32(rng.IntN(o.Groups)), address.Bank: uint32(rng.IntN(o.Banks)), address.Row: uint32(rng.IntN(3)), address.Column: uint32(rng.IntN(8))}
				c.Push(at, uint32(i), place, rng.IntN(3) == 0)
			}
			for !c.Idle() {
				c.Run(c.Next())
			}
			var sums [timing.Holds]uint64
			for k, l := range c.timing.Limits()[1:] {
				sums[l.Hold] += c.Count.Limits[k+1]
			}
			for _, h := range []timing.Hold{timing.Transfer, timing.Activating, timing.Precharge, timing.Keeping, timing.Spacing, timing.Turning} {
				require.Equal(t, c.Count.Holds[h], sums[h], "%s: %s", name, timing.Names[h][0])
			}
		}
	}
	for _, want := range []string{"tRCD", "tRP", "tRAS", "tFAW", "tCCD_L", "tRRD_S", "tRTW", "tWTR_L", "tWR", "data_bus", "tCS"} {
		require.True(t, met[want], "%s never bound: %s", want, fmt.Sprint(met))
	}
}

// Time in which the queues are full is counted once, however many bursts wait.
func TestFull(t *testing.T) {
	g, _ := standard.Find("ddr4_3200")
	cfg := DefaultConfig(g)
	cfg.ReadQueue, cfg.Refresh = 1, NoRefresh
	c, err := New(cfg, sink{})
	require.NoError(t, err)
	for i := range 3 {
		c.Push(0, uint32(i), address.Coord{address.Row: uint32(i)}, false)
	}
	for !c.Idle() {
		c.Run(c.Next())
	}
	// The first leaves the queue with its activation at once. The second is in it until that of
	// its own row, after tRC; the third finds room then.
	require.InDelta(t, g.Timing["RC"], c.Count.Full, 2)
}

// A limit is called by the timings of its formula that are no way of the data; that from a read to a write of the same
// rank, which only turns the bus, is tRTW, and one of nothing but the way of the data is the data bus.
func TestNamesOfLimits(t *testing.T) {
	g, _ := standard.Find("ddr4_3200")
	tm := timing.New(g, [standard.Commands]bool{})
	for _, c := range []struct {
		level      standard.Level
		prev, next standard.Command
		formula    string
		want       string
	}{
		{standard.BankLevel, standard.ACT, standard.RD, "RCD", "tRCD"},
		{standard.BankLevel, standard.WRA, standard.ACT, "CWL + BL + WR + RP", "tWR + tRP"},
		{standard.RankLevel, standard.WR, standard.RD, "CWL + BL + WTR_S", "tWTR_S"},
		{standard.RankLevel, standard.RD, standard.WR, "CL + BL + 2 - CWL", "tRTW"},
		{standard.RankLevel, standard.RDA, standard.WRA, "RTW", "tRTW"},
		{standard.OtherRanks, standard.RD, standard.WR, "CL + BL + RTR - CWL", "tRTR"},
		{standard.OtherRanks, standard.RD, standard.RD, "BL + RTR", "tRTR"},
		{standard.ChannelLevel, standard.RD, standard.RD, "BL", timing.DataBus},
	} {
		k := standard.Constraint{Level: c.level, Prev: []standard.Command{c.prev}, Next: []standard.Command{c.next}, Formula: c.formula}
		require.Equal(t, c.want, tm.LimitOf(&k, c.prev, c.next).Name, "%v", c)
	}
}

// A window of the user's own standard counts commands for all banks too: with at most two precharges of all banks in 500
// clocks the third goes 500 after the first, and one for one bank is bound by the two before it as well.
func TestWindowsCountCommandsForAllBanks(t *testing.T) {
	found, _ := standard.Find("ddr4_3200")
	g := *found
	all := []standard.Command{standard.PRE, standard.PREA}
	g.Constraints = append(slices.Clone(g.Constraints), standard.Constraint{Level: standard.RankLevel, Prev: all, Next: all, Clocks: 500, Window: 2, Formula: "W"})
	c, err := New(DefaultConfig(&g), sink{})
	require.NoError(t, err)
	tm, banks := c.timing, uint64(1<<16-1) // four groups of four
	tm.IssueAll(standard.PREA, banks, 1000)
	tm.IssueAll(standard.PREA, banks, 1300)
	require.EqualValues(t, 1500, tm.ReadyAll(standard.PREA, banks))
	require.EqualValues(t, 1500, tm.Ready(standard.PRE, lowest(banks)))
	tm.Issue(standard.PRE, lowest(banks), 1500)
	require.EqualValues(t, 1800, tm.ReadyAll(standard.PREA, banks))
}
