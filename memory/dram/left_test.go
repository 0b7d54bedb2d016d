package dram

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// served is a memory, and its requester, before a run.
func served(t *testing.T, s Spec, list ...memtest.Request) (*engine.Engine, *Comp) {
	e := engine.New()
	m, err := NewComp("Mem", e, s)
	require.NoError(t, err)
	r := memtest.New("Core", e, m.clock, m.top, list...)
	memtest.Wire(e, m.top, m.clock, r)
	r.Start()
	return e, m
}

// Requests that are not answered are waited for, by the port that sent them; a check finds those that a run leaves, and
// bursts that are counted twice or never.
func TestWhatIsLeftIsReported(t *testing.T) {
	e, m := served(t, DefaultSpec(), memtest.Request{Bytes: 64}, memtest.Request{Bytes: 64, Addr: 1 << 20})
	require.Empty(t, m.Waiting(), "nothing has come")
	require.NoError(t, e.RunUntil(instant.Of(m.clock, 10)))
	require.Equal(t, []engine.Wait{{Who: "Mem", For: "Core.Mem", Why: "2 requests are not answered"}}, m.Waiting())
	found := m.Stats().Verify()
	require.Len(t, found, 1)
	require.ErrorContains(t, found[0], "every request is answered once")
	require.ErrorContains(t, found[0], "2 requests, 0 answers")
	require.NoError(t, e.Run())
	require.Empty(t, m.Waiting())
	require.Empty(t, m.Stats().Verify())
	for _, lost := range []int{1, -1} {
		m.count.bursts += uint64(lost)
		found := m.Stats().Verify()
		require.Len(t, found, 1)
		require.ErrorContains(t, found[0], "every burst is a hit, a miss, a conflict, forwarded or merged")
		m.count.bursts -= uint64(lost)
	}
}

// A row is open from its ACT in clock 1 to the last answer; of the time that was counted by repetition no clock counts.
func TestRowsAreOpenAfterWhatWasRepeated(t *testing.T) {
	s := DefaultSpec()
	s.Refresh.Mode, s.Map = "none", "Ro-Ba-BG-Ra-Co-Ch"
	list := []memtest.Request{{Bytes: 64}, {Cycle: 1000, Bytes: 64}}
	const last = 1000 + 1 + 26 // the answer of the hit
	for until, want := range map[uint64]uint64{0: last - 1, 1: last - 1, 400: last - 400, last: 0, 2 * last: 0} {
		e, m := served(t, s, list...)
		require.NoError(t, e.Run())
		m.TrimEnd(units.Time(m.clock.Nanoseconds(until) * float64(units.Nanosecond)))
		n := m.total()
		require.EqualValues(t, want, n.OpenClocks, "until clock %d", until)
		require.EqualValues(t, want, n.BankClocks, "until clock %d", until)
	}
}

// Queues, watermarks and caps at their bounds.
func TestBoundsOfAConfig(t *testing.T) {
	for _, c := range []struct {
		set  func(s *Spec)
		want string // "": it is valid
	}{
		{func(s *Spec) { s.ReadQueue = 1 }, ""},
		{func(s *Spec) { s.ReadQueue = 0 }, "queues of 0 reads"},
		{func(s *Spec) { s.ReadQueue, s.WriteQueue = 4096, 4096 }, ""},
		{func(s *Spec) { s.ReadQueue = 4097 }, "queues of 4097 reads"},
		{func(s *Spec) { s.WriteQueue = 4097 }, "and 4097 writes (want 1 to 4096)"},
		{func(s *Spec) { s.WriteQueue, s.WriteHigh, s.WriteLow = 0, 0, -1 }, "and 0 writes"},
		{func(s *Spec) { s.WriteQueue, s.WriteHigh, s.WriteLow = 1, 1, 0 }, ""},
		{func(s *Spec) { s.WriteHigh, s.WriteLow = 32, 31 }, ""},
		{func(s *Spec) { s.WriteHigh, s.WriteLow = 32, 32 }, "write watermarks 32 and 32 in a queue of 32"},
		{func(s *Spec) { s.WriteHigh = 33 }, "write watermarks 33"},
		{func(s *Spec) { s.WriteLow = -1 }, "and -1 in a queue"},
		{func(s *Spec) { s.RowPolicy, s.Cap = "capped", 1 }, ""},
		{func(s *Spec) { s.RowPolicy, s.Cap = "capped", 0 }, "a cap of 0"},
		{func(s *Spec) { s.RowPolicy, s.Cap = "capped", 1<<20+1 }, "a cap of 1048577"},
		{func(s *Spec) { s.RowPolicy, s.Cap = "capped", 1<<20 }, ""},
		{func(s *Spec) { s.Cap = 0 }, ""},
		{func(s *Spec) { s.Channels = 1024 }, ""},
		{func(s *Spec) { s.Channels = 2048 }, "2048 channels"},
		{func(s *Spec) { s.Channels, s.Refresh.Mode = 3, "hourly" }, "3 channels"},
		{func(s *Spec) { s.Channels, s.Refresh.Mode = 3, "hourly" }, `unknown refresh "hourly"`},
		{func(s *Spec) { s.Map, s.ReadQueue = "Ro", 0 }, "map: "},
		{func(s *Spec) { s.Map, s.ReadQueue = "Ro", 0 }, "queues of 0 reads"},
		{func(s *Spec) { s.Refresh.Mode = "same_bank" }, "ddr4_3200 has no refresh of the same bank of every group"},
		{func(s *Spec) { s.Refresh.Mode = "per_bank" }, "ddr4_3200 has no refresh of one bank"},
		{func(s *Spec) { s.WCK = "on_access" }, "wck: "},
		{func(s *Spec) { s.WCK = "now" }, `unknown wck "now"`},
		{func(s *Spec) { s.Refresh.Hammer.Mitigation = "rfm" }, "ddr4_3200 has no RFM command, which rfm needs"},
	} {
		s := DefaultSpec()
		c.set(&s)
		_, err := NewComp("Mem", engine.New(), s)
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, c.want)
	}
}

// A grade that has a command of refresh but not its interval, or the interval but not the command, has no such refresh.
func TestRefreshNeedsCommandAndInterval(t *testing.T) {
	for _, c := range []struct {
		grade    string
		mode     RefreshMode
		command  standard.Command
		interval string
		want     string
	}{
		{"ddr5_4800", SameBank, standard.REFS, "REFI_S", "has no refresh of the same bank of every group"},
		{"hbm3", PerBank, standard.REFB, "REFI_B", "has no refresh of one bank"},
	} {
		found, ok := standard.Find(c.grade)
		require.True(t, ok)
		for _, leave := range []string{"", "command", "interval"} {
			none := map[string]int{}
			if leave == "interval" {
				none[c.interval] = 0
			}
			g, err := found.With(none)
			require.NoError(t, err)
			if leave == "command" {
				g.Slots[c.command] = 0
			}
			cfg := DefaultConfig(g)
			cfg.Refresh = c.mode
			if err := cfg.Check(); leave == "" {
				require.NoError(t, err, c.grade)
			} else {
				require.ErrorContains(t, err, c.want, "%s without %s", c.grade, leave)
			}
		}
	}
}

// Bandwidth is that from the first request to the last answer, whenever the first comes; latencies are counted from each
// request, and the longest is that of a conflict: 22 + 22 + 26 clocks after it is taken, a hit takes 26.
func TestBandwidthBeginsWithTheFirstRequest(t *testing.T) {
	for _, first := range []uint64{0, 5000} {
		s := DefaultSpec()
		s.Refresh.Mode, s.Map = "none", "Ro-Ba-BG-Ra-Co-Ch"
		e, m := served(t, s, memtest.Request{Cycle: first, Bytes: 64}, memtest.Request{Cycle: first + 1000, Bytes: 64, Addr: 128 << 10}, memtest.Request{Cycle: first + 2000, Bytes: 64, Addr: 128<<10 + 64})
		require.NoError(t, e.Run())
		got := map[string]float64{}
		for _, x := range m.Stats().Metrics() {
			got[x.Name] = x.Value
		}
		ns := m.clock.Nanoseconds(1)
		require.InEpsilon(t, 3*64/((2000+26)*ns), got["bandwidth"], 1e-9, "first request in clock %d", first)
		require.InEpsilon(t, (22+22+26)*ns, got["latency_max"], 1e-9)
		require.InEpsilon(t, (22+26+22+22+26+26)*ns/3, got["latency_mean"], 1e-9)
	}
}
