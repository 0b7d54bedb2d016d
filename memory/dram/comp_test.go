package dram_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/memtest"
)

func metrics(g *stats.Group) map[string]float64 {
	out := map[string]float64{}
	for _, m := range g.Metrics() {
		out[m.Name] = m.Value
	}
	return out
}

// drive runs a list of requests on the memory's own clock.
func drive(t testing.TB, s dram.Spec, window int, list ...memtest.Request) (*memtest.Requester, map[string]float64) {
	t.Helper()
	m, r := memory(t, s, window, list...)
	return r, metrics(m.Stats())
}

// memory drives a list of requests to the end.
func memory(t testing.TB, s dram.Spec, window int, list ...memtest.Request) (*dram.Comp, *memtest.Requester) {
	t.Helper()
	e := engine.New()
	m, err := dram.NewComp("Mem", e, s)
	require.NoError(t, err)
	c := m.PortSpecs()[0].Clock
	r := memtest.New("Core", e, c, m.GetPortByName("Top"), list...)
	r.Window = window
	memtest.Wire(e, m.GetPortByName("Top"), c, r)
	r.Start()
	require.NoError(t, e.Run())
	require.Empty(t, m.Stats().Verify())
	return m, r
}

// plainMap has no permutation: neighbours share a row of one bank, and rows are highest.
const plainMap = "Ro-Ba-BG-Ra-Co-Ch"

// One cycle on the link each way besides the unloaded latencies: a closed row, a
// hit, a conflict, a posted write, and a burst of 4 KiB, at the rate of tCCD_L.
func TestUnloadedLatency(t *testing.T) {
	s := dram.DefaultSpec()
	s.Refresh.Mode, s.Map = "none", plainMap
	r, got := drive(t, s, 0,
		memtest.Request{Bytes: 64},
		memtest.Request{Cycle: 1000, Bytes: 1, Addr: 4095},
		memtest.Request{Cycle: 2000, Bytes: 64, Addr: 128 << 10},
		memtest.Request{Cycle: 3000, Bytes: 64, Addr: 128 << 10, Write: true},
		memtest.Request{Cycle: 4000, Bytes: 4096, Addr: 128 << 10},
		memtest.Request{Cycle: 5000, Bytes: 2, Addr: 128<<10 + 63},
	)
	for i, want := range []uint64{48, 26, 70, 0, 63*8 + 26, 8 + 26} {
		require.Equal(t, want+2, r.Answer[i]-r.Send[i], "request %d", i)
	}
	require.Equal(t, 4.0+64+2, got["bursts"])
	require.Equal(t, 1.0, got["row_conflicts"])
	require.Equal(t, 1.0, got["row_misses"])
	require.Equal(t, 68.0, got["row_hits"])
	require.Positive(t, got["energy"])
}

// A write that is not posted is answered after its last beat: tRCD + tCWL + BL.
func TestWriteThatIsNotPosted(t *testing.T) {
	s := dram.DefaultSpec()
	s.Posted, s.Latency = false, units.InCycles(5)
	r, _ := drive(t, s, 0, memtest.Request{Bytes: 64, Write: true})
	require.Equal(t, uint64(22+16+4+5+2), r.Answer[0])
}

// What the node does between wakes is what the bare controller does: a long
// random list is answered in the same clocks as in the harness.
func TestNodeEqualsController(t *testing.T) {
	for _, pat := range []string{"rand_r", "rand_2r1w", "seq_2r1w"} {
		for _, gap := range []int{5, 16} {
			reqs := pattern(pat)[:4000]
			var list []memtest.Request
			for i, q := range reqs {
				list = append(list, memtest.Request{Cycle: uint64(i * gap), Bytes: 64, Addr: q.addr, Write: q.write})
			}
			spec := dram.DefaultSpec()
			spec.Map = plainMap
			r, got := drive(t, spec, 0, list...)
			h := newHarness(reqs)
			s := settings["c_open"]
			s.queue = dram.DefaultSpec().ReadQueue
			c, err := dram.New(s.config(), h)
			require.NoError(t, err)
			m := s.parse()
			for i := range reqs {
				// one clock on the link
				c.Push(int64(i*gap+1), uint32(i), m.Decode(reqs[i].addr/64), reqs[i].write)
			}
			for !c.Idle() {
				c.Run(c.Next())
			}
			for i := range reqs {
				require.Equal(t, uint64(h.done[i]+1), r.Answer[i], "%s %d: request %d", pat, gap, i)
			}
			require.Equal(t, got["row_hits"], float64(c.Count.Hits[0]+c.Count.Hits[1]))
		}
	}
}

// Sequential bursts over many channels reach close to the peak; nothing exceeds
// it; Little's law holds.
func TestSaturation(t *testing.T) {
	s := dram.DefaultSpec()
	s.Grade, s.Channels, s.Map = "hbm2e", 8, "Ro-Ba^Ro-Co-BG-Ch"
	var list []memtest.Request
	for i := range 8000 {
		list = append(list, memtest.Request{Bytes: 4096, Addr: uint64(i) * 4096})
	}
	r, got := drive(t, s, 64, list...)
	require.LessOrEqual(t, got["bandwidth"], 409.6)
	require.Greater(t, got["bandwidth"], 0.85*409.6)
	require.InEpsilon(t, 100*got["bandwidth"]/409.6, got["bandwidth_utilization"], 1e-9)
	sum := 0.0
	for i := range list {
		sum += float64(r.Answer[i] - r.Send[i])
	}
	span := float64(r.Answer[len(list)-1] - r.Send[0])
	require.InDelta(t, 64, sum/span, 1.5)
}

// The same bytes under every engine and every order of equal-time events.
func TestConformance(t *testing.T) {
	run := func(e sim.Engine) string {
		s := dram.DefaultSpec()
		s.Channels, s.Ranks, s.RowPolicy = 2, 2, "capped"
		m, err := dram.NewComp("Mem", e, s)
		require.NoError(t, err)
		var rs []*memtest.Requester
		for i, c := range []clock.Clock{clock.GHz, clock.Period(416, 1e12), clock.Hz(940e6)} {
			r := memtest.New(fmt.Sprintf("Core[%d]", i), e, c, m.GetPortByName("Top"))
			r.Window = 3 + i
			for j := range 150 {
				r.List = append(r.List, memtest.Request{Cycle: uint64(j * i), Addr: uint64(j*j*997*64+i<<20) % (1 << 30), Bytes: uint64(16 + 480*(j%5)), Write: j%3 == i%3})
			}
			rs = append(rs, r)
		}
		memtest.Wire(e, m.GetPortByName("Top"), m.PortSpecs()[0].Clock, rs...)
		for _, r := range rs {
			r.Start()
		}
		require.NoError(t, e.Run())
		var b strings.Builder
		for _, r := range rs {
			b.WriteString(r.Log())
		}
		fmt.Fprintln(&b, m.Stats().Metrics())
		return b.String()
	}
	want := run(engine.New())
	require.Equal(t, want, run(sim.NewSerialEngine()))
	for range 3 {
		require.Equal(t, want, run(sim.NewParallelEngine()))
	}
	for seed := range uint64(20) {
		require.Equal(t, want, run(engine.New(engine.Shuffle(seed))))
	}
}

func TestNominal(t *testing.T) {
	for grade, want := range map[string]struct {
		latency   uint64
		bandwidth float64 // GB/s
		size      uint64
	}{
		"ddr4_3200": {48, 25.6, 8 << 30}, "ddr5_4800": {80, 8 * 4 / 1.664, 8 << 30}, "ddr3_1600": {26, 12.8, 4 << 30},
		"lpddr4_3200": {65, 6.4, 1 << 30}, "lpddr5_6400": {34, 12.8, 2 << 30}, "hbm2": {30, 32, 1 << 30}, "hbm2e": {48, 51.2, 2 << 30}, "hbm3": {53, 51.2, 1 << 30},
	} {
		s := dram.DefaultSpec()
		s.Grade = standard.Name(grade)
		m, err := dram.NewComp("Mem", engine.New(), s)
		require.NoError(t, err)
		l, b := m.Nominal()
		require.Equal(t, want.latency, l, grade)
		require.InEpsilon(t, want.bandwidth, float64(b)/8e9, 1e-6, grade)
		require.Equal(t, want.size, m.Home(), grade)
	}
}

func TestBadKeys(t *testing.T) {
	for keys, want := range map[string]string{
		"{channels: 3}":                           "t.yaml:1:12: channels: 3 channels (want a power of two, at most 1024)",
		"{map: Ro-Co}":                            `t.yaml:1:7: map: "Ro-Co" places 0 of the 2 bits of BG`,
		"{ranks: 3, channels: 6}":                 "t.yaml:1:22: channels: 6 channels",
		"{timing: {XYZ: 3}}":                      `t.yaml:1:10: timing: ddr4_3200 has no timing "XYZ" (want one of: BL, CCD_L,`,
		"{refresh: same_bank}":                    "ddr4_3200 has no refresh of the same bank of every group",
		"{write_high: 40}":                        "write watermarks 40 and 6 in a queue of 32 (want low < high <= queue)",
		"{grade: ddr6}":                           "ddr6",
		"{row_policy: ajar}":                      "ajar",
		"{row_policy: capped, cap: 0}":            "cap",
		"{grade: ddr4_3200, channels: 1, way: 1}": "way",
	} {
		v, err := configs.ParseValue("t.yaml", []byte(keys))
		require.NoError(t, err)
		e, ok := system.Kinds.Entry("memory/bank")
		require.True(t, ok)
		spec, err := e.New.Decode(v)
		if err == nil {
			_, err = e.New.New(&system.Env{Engine: engine.New()}, "Mem", spec, v)
		}
		require.ErrorContains(t, err, want, keys)
		require.Contains(t, err.Error(), "t.yaml:1:", keys)
	}
}

func TestForeignMessageIsABug(t *testing.T) {
	e := engine.New()
	m, err := dram.NewComp("Mem", e, dram.DefaultSpec())
	require.NoError(t, err)
	r := memtest.New("Core", e, clock.GHz, m.GetPortByName("Top"))
	memtest.Wire(e, m.GetPortByName("Top"), clock.GHz, r)
	msg := &sim.GeneralRsp{}
	msg.Src, msg.Dst = r.Port, m.GetPortByName("Top")
	require.Nil(t, r.Port.Send(msg))
	require.Panics(t, func() { _ = e.Run() })
}

func BenchmarkNode(b *testing.B) {
	b.ReportAllocs()
	e := engine.New()
	s := dram.DefaultSpec()
	s.Grade, s.Channels, s.Map = "hbm2e", 8, "Ro-Ba^Ro-Co-BG-Ch"
	m, err := dram.NewComp("Mem", e, s)
	require.NoError(b, err)
	r := memtest.New("Core", e, clock.GHz, m.GetPortByName("Top"))
	for i := range 64 {
		r.List = append(r.List, memtest.Request{Bytes: 4096, Addr: uint64(i) * 4096, Write: i%4 == 3})
	}
	r.Window, r.Repeat = 16, (b.N+2064)/64
	memtest.Wire(e, m.GetPortByName("Top"), clock.GHz, r)
	r.Start()
	if err := e.RunUntil(5e-6); err != nil {
		b.Fatal(err)
	}
	start := r.Done()
	b.ResetTimer()
	if err := e.Run(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(r.Done()-start)/128, "ns/burst")
}
