package dram_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// Reference: JESD209-5B, WCK2CK synchronization. LPDDR5-6400 has RL 17, WL 9, BL/n_max 4, and
// a burst of 2 clocks: the data clock runs until 21 clocks after a read command, 13 after a
// write command. Where it stands still a CAS takes the slot before the access.
func TestDataClockByHand(t *testing.T) {
	type arrival struct {
		at    int64
		write bool
		// what the data clock costs, and commands CAS so far
		more int64
		cas  uint64
		why  string
	}
	for _, c := range []struct {
		name string
		all  []arrival
	}{
		{"reads", []arrival{
			{0, false, 0, 1, "the CAS goes out while the row opens"},
			{1000, false, 1, 2, "an open row: the CAS takes the slot before the read, which goes at 1001"},
			{1022, false, 0, 2, "1001 + 17 + 4: the data clock runs"},
			{1044, false, 1, 3, "one clock later than 1022 + 21, it does not"},
			{1050, false, 0, 3, "it runs, since 1045"},
		}},
		{"writes", []arrival{
			{0, true, 0, 1, "the row opens"},
			{1000, true, 1, 2, "an open row"},
			{1014, true, 0, 2, "1001 + 9 + 4"},
			{1028, true, 1, 3, "one clock later"},
		}},
	} {
		done := map[standard.WCK][]int64{}
		for _, mode := range []standard.WCK{standard.AlwaysOn, standard.OnAccess} {
			s := noRefresh("lpddr5_6400")
			cfg := s.config()
			if mode == standard.OnAccess {
				var err error
				cfg.Grade, err = cfg.Grade.Synced()
				require.NoError(t, err)
			}
			reqs := make([]request, len(c.all))
			h := &ends{harness: newHarness(reqs), done: make([]int64, len(reqs))}
			ctl, err := dram.New(cfg, h)
			require.NoError(t, err)
			m := s.parse()
			for i, a := range c.all {
				reqs[i].write = a.write
				ctl.Run(a.at - 1)
				ctl.Push(a.at, uint32(i), m.Decode(uint64(i)*4), a.write) // another burst of the same row
				for !ctl.Idle() {
					ctl.Run(ctl.Next())
				}
				if mode == standard.OnAccess {
					require.Equal(t, a.cas, ctl.Count.Commands[standard.CAS], "%s %d: %s", c.name, i, a.why)
				}
			}
			done[mode] = h.done
		}
		for i, a := range c.all {
			require.Equal(t, a.more, done[standard.OnAccess][i]-done[standard.AlwaysOn][i], "%s %d: %s", c.name, i, a.why)
			if i > 0 && !a.write {
				require.Equal(t, a.at+17+2, done[standard.AlwaysOn][i], "RL and the burst")
			}
		}
	}
}

// ends notes when the last beat of every burst passes.
type ends struct {
	*harness
	done []int64
}

func (e *ends) Done(tag uint32, at int64) { e.done[tag] = at }

func TestCheckerWatchesTheDataClock(t *testing.T) {
	g, ok := standard.Find("lpddr5_6400")
	require.True(t, ok)
	synced, err := g.Synced()
	require.NoError(t, err)
	for _, c := range []struct {
		g          *standard.Grade
		text, want string
	}{
		{synced, "0 ACT 0 0 0 5 0\n15 CAS 0 0 0 0 0\n16 RD 0 0 0 5 0\n37 RD 0 0 0 5 0", ""},
		{synced, "0 ACT 0 0 0 5 0\n16 RD 0 0 0 5 0", "x:2: 16 RD 0 0 0 5 0: the data clock has stood still since 0"},
		{synced, "0 ACT 0 0 0 5 0\n15 CAS 0 0 0 0 0\n16 RD 0 0 0 5 0\n38 RD 0 0 0 5 0", "x:4: 38 RD 0 0 0 5 0: the data clock has stood still since 38"},
		{synced, "0 ACT 0 0 0 5 0\n15 CAS 0 0 0 0 0\n17 RD 0 0 0 5 0", "x:3: 17 RD 0 0 0 5 0: the access of 15 CAS 0 0 0 0 0 has to come in the next clock"},
		{synced, "0 ACT 0 0 0 5 0\n15 CAS 0 0 0 0 0\n16 RD 0 0 0 5 0\n30 CAS 0 0 0 0 0", "x:4: 30 CAS 0 0 0 0 0: the data clock runs until 37"},
		{g, "0 CAS 0 0 0 0 0", "x:1: 0 CAS 0 0 0 0 0: the data clock runs all the time"},
	} {
		err := buslog.Read("x", strings.NewReader(c.text), buslog.NewChecker(c.g).Check)
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.want)
		}
	}
}

// A device whose data clock stops writes its CAS commands, which the checker of its log
// follows; what has no such clock refuses the key.
func TestKeyOfTheDataClock(t *testing.T) {
	var reqs []request
	for i := range uint64(200) {
		reqs = append(reqs, request{addr: i * 0x9e3779b97f4a7c15 >> 40 << 6, write: i%3 == 0})
	}
	on := memoryMetrics(t, reqs, "closed:1", "preset: lpddr5_6400, wck: on_access")
	require.Greater(t, on["commands_cas"], 10.0)
	always := memoryMetrics(t, reqs, "closed:1", "preset: lpddr5_6400, wck: always_on")
	require.NotContains(t, always, "commands_cas")
	require.GreaterOrEqual(t, on["read_latency_from_accept_mean"], always["read_latency_from_accept_mean"])

	for keys, want := range map[string]string{
		"preset: ddr4_3200, wck: on_access":     "ddr4_3200 has no data clock of its own (used by: lpddr5_6400, lpddr5x)",
		"preset: ddr4_3200, wck: always_on":     "ddr4_3200 has no data clock of its own (used by: lpddr5_6400, lpddr5x)",
		"preset: lpddr5_6400, wck: on_accesses": `"on_accesses" is not known (want one of: always_on, on_access; did you mean "on_access"?)`,
	} {
		d, err := configs.Parse("t.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Mem, kind: memory, "+keys+"}\n"), configs.Options{Dir: "."})
		require.NoError(t, err)
		_, err = system.Build(d, &system.Env{Engine: engine.New()})
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "t.yaml:3:")
	}
}
