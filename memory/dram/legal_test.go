package dram_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// Random traffic on every grade, with every policy, breaks no constraint, keeps
// the states of banks and serves every burst once.
func TestSchedulerObeysChecker(t *testing.T) {
	for _, name := range standard.Grades() {
		t.Run(name, func(t *testing.T) {
			g, _ := standard.Find(name)
			rapid.Check(t, func(t *rapid.T) { obeys(t, g) })
		})
	}
}

func obeys(t *rapid.T, g *standard.Grade) {
	cfg := dram.DefaultConfig(g)
	cfg.Policy = dram.RowPolicy(rapid.IntRange(0, 3).Draw(t, "policy"))
	cfg.Scheduler = dram.Scheduler(rapid.IntRange(0, 1).Draw(t, "scheduler"))
	cfg.Refresh = dram.RefreshMode(rapid.SampledFrom([]int{0, 1, 2, 3}).Draw(t, "refresh"))
	if cfg.Refresh == dram.SameBank && g.Slots[standard.REFS] == 0 || cfg.Refresh == dram.PerBank && g.Slots[standard.REFB] == 0 {
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
	check := buslog.NewChecker(cfg.Grade)
	refreshes := 0
	c.Observe(func(r buslog.Record) {
		require.NoError(t, check.Check(r))
		if r.Cmd == standard.REF || r.Cmd == standard.REFS || r.Cmd == standard.REFB {
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

// Data of two bursts are never on the pins at once, whatever their ranks and kinds: a write of one rank waits for the data of a
// read of another.
func TestDataDoNotOverlap(t *testing.T) {
	for _, grade := range standard.Grades() {
		g, _ := standard.Find(grade)
		two := *g
		two.Organisation.Pseudo, two.Organisation.Ranks = 1, 2
		ranks := slices.ContainsFunc(g.Constraints, func(k standard.Constraint) bool { return k.Level == standard.OtherRanks })
		if !ranks || two.Organisation.Check() != nil {
			continue // there is one rank, or no more than 64 banks
		}
		h := newHarness(pattern("rand_1r1w")[:600])
		c, err := dram.New(dram.DefaultConfig(&two), h)
		require.NoError(t, err)
		var begins []int64
		c.Observe(func(r buslog.Record) {
			switch at := r.At + int64(g.Timing["LEAD"]); r.Cmd {
			case standard.RD:
				begins = append(begins, at+int64(g.Timing["CL"]+g.Timing["DQSCK"]))
			case standard.WR:
				begins = append(begins, at+int64(g.Timing["CWL"]))
			}
		})
		h.run(c, address.New("Ro-Ba-BG-Ra-Co-Ch", two.Organisation.Geometry(1)), "closed:32")
		slices.Sort(begins)
		require.Greater(t, len(begins), 500)
		for i := range begins[1:] {
			require.GreaterOrEqual(t, begins[i+1]-begins[i], int64(g.Timing["BL"]), grade)
		}
	}
}
