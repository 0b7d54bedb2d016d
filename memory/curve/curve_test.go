package curve_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
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
	"github.com/causeway-sim/causeway/memory/curve"
	"github.com/causeway-sim/causeway/memory/memtest"
)

var update = flag.Bool("update", false, "rewrite testdata")

func metrics(g *stats.Group) map[string]float64 {
	out := map[string]float64{}
	for _, m := range g.Metrics() {
		out[m.Name] = m.Value
	}
	return out
}

func load(t testing.TB, keys string) *curve.Comp {
	t.Helper()
	m, err := loadErr(keys)
	require.NoError(t, err)
	return m
}

// loadErr makes a memory from its keys alone.
func loadErr(keys string) (*curve.Comp, error) {
	v, err := configs.ParseValue("t.yaml", []byte(keys))
	if err != nil {
		return nil, err
	}
	e, _ := system.Kinds.Entry("memory/curve")
	spec, err := e.New.Decode(v)
	if err != nil {
		return nil, err
	}
	env := &system.Env{Engine: engine.New(), File: func(v system.Value) (string, error) {
		path := filepath.Join("testdata", v.Text())
		if _, err := os.Stat(path); err != nil {
			return "", v.Errorf(nil, "no file %q", v.Text())
		}
		return path, nil
	}}
	n, err := e.New.New(env, "Mem", spec, v)
	if err != nil {
		return nil, err
	}
	return n.(*curve.Comp), nil
}

// Nominal values are what an analytic model computes with.
func TestNominal(t *testing.T) {
	for _, c := range []struct {
		keys      string
		latency   uint64
		bandwidth float64 // GB/s
	}{
		{"curve: ddr5_4800_graviton3", 99 - 1, 284.524},
		{"{curve: hbm2_a64fx, latency: 40ns, bandwidth: 256GB/s}", 40 - 1, 256 * 942.607 / 1024},
		{"{clock: 2GHz, latency: 40ns, bandwidth: 25.6GB/s}", 80 - 6, 25.6 * 284.524 / 307.2}, // 64 B take 5.4 cycles at the end of the curve
		{"{bandwidth: 10GB/s, curve: [{reads: 1, points: [{load: 0, latency: 80ns}, {load: 0.5, latency: 90ns}]}]}", 80 - 13, 5},
		{"curve: [{reads: 0.9, file: r90.csv}, {reads: 0.58, file: r58.csv}]", 108 - 3, 29.49687763},
	} {
		l, b := load(t, c.keys).Nominal()
		require.Equal(t, c.latency, l, c.keys)
		require.InDelta(t, c.bandwidth, float64(b)/8e9, 1e-6, c.keys)
	}
	require.EqualValues(t, 8<<30, load(t, "size: 8GiB").Home())
}

// An idle memory answers a line after exactly the unloaded latency, and a burst
// later by what its bytes take beyond a line's.
func TestUnloadedLatencyIsExact(t *testing.T) {
	for _, c := range []struct{ bytes, want uint64 }{{64, 80}, {1, 80 - 13 + 1}, {4096, 80 - 13 + 820}} {
		e := engine.New()
		m := build(t, e, 5e9, 80)
		r := memtest.New("Core", e, clock.GHz, m.GetPortByName("Top"), memtest.Request{Bytes: c.bytes})
		memtest.Wire(e, m.GetPortByName("Top"), clock.GHz, r)
		r.Start()
		require.NoError(t, e.Run())
		require.Equal(t, max(c.want, 80)+2, r.Answer[0], "%d bytes", c.bytes)
	}
}

// build makes a memory of 2 x rate B/s peak whose curves end at half load.
func build(t testing.TB, e sim.Engine, rate float64, ns uint64) *curve.Comp {
	s := curve.DefaultSpec()
	l := units.InCycles(ns)
	s.Latency = &l
	s.Bandwidth = units.Bandwidth(2 * 8 * rate)
	s.Curve = curve.Of(curve.Line{Reads: 1, Points: []curve.Point{{Load: 0, NS: 50}, {Load: 0.3, NS: 60}, {Load: 0.5, NS: 200}}})
	m, err := curve.New("Mem", e, s)
	require.NoError(t, err)
	return m
}

// Offered more than it can carry, the memory carries what the end of the curve
// says and not a byte more. Little's law holds.
func TestSaturation(t *testing.T) {
	for _, window := range []int{16, 64, 200} {
		const n, bytes = 4000, 256
		e := engine.New()
		m := build(t, e, 10e9, 80)
		r := memtest.New("Core", e, clock.GHz, m.GetPortByName("Top"))
		for range n {
			r.List = append(r.List, memtest.Request{Bytes: bytes})
		}
		r.Window = window
		memtest.Wire(e, m.GetPortByName("Top"), clock.GHz, r)
		r.Start()
		require.NoError(t, e.Run())
		got := metrics(m.Stats())
		require.LessOrEqual(t, got["bandwidth"], 10.0)
		require.LessOrEqual(t, got["bandwidth_utilization"], 50.0)
		require.Greater(t, got["bandwidth"], 9.8)
		span, sum := float64(r.Answer[n-1]-r.Send[0]), 0.0
		for i := range n {
			sum += float64(r.Answer[i] - r.Send[i])
		}
		require.InDelta(t, sum/span, n/span*(sum/n), 1e-9)
		require.InEpsilon(t, float64(window), sum/span, 0.06)
		require.Empty(t, m.Stats().Verify())
	}
}

// A window of requests that the memory could carry settles where the curve
// crosses it: latency and bandwidth obey Little's law and the curve at once.
func TestClosedLoopSettlesOnTheCurve(t *testing.T) {
	const n, window = 20000, 6
	e := engine.New()
	m := build(t, e, 10e9, 50) // load 0.3 of 20 GB/s at 60 ns, 0.5 at 200 ns
	r := memtest.New("Core", e, clock.Hz(10e9), m.GetPortByName("Top"), memtest.Request{Bytes: 64})
	r.Window, r.Repeat = window, n
	memtest.Wire(e, m.GetPortByName("Top"), clock.GHz, r)
	r.Start()
	require.NoError(t, e.Run())
	got := metrics(m.Stats())
	load := got["bandwidth"] / 20
	want := 50 + 10*load/0.3
	if load > 0.3 {
		want = 60 + 140*(load-0.3)/0.2
	}
	require.InEpsilon(t, want, got["latency_mean"], 0.03)
	require.InDelta(t, load*100/0.5, got["load_mean"], 2)
}

func TestNewRefuses(t *testing.T) {
	flat := curve.Line{Reads: 1, Points: []curve.Point{{Load: 0, NS: 50}, {Load: 1, NS: 50}}}
	for want, change := range map[string]func(*curve.Spec){
		"no curves": func(s *curve.Spec) { s.Curve = curve.Of() },
		"a memory with curves has a peak bandwidth": func(s *curve.Spec) { s.Curve = curve.Of(flat) },
		"two curves for a share of reads of 1":      func(s *curve.Spec) { s.Curve = curve.Of(flat, flat) },
		"a curve of 0 points (want at least 2)":     func(s *curve.Spec) { s.Curve = curve.Of(curve.Line{}) },
		"a window of 2s (want at most 1s)":          func(s *curve.Spec) { s.Window = units.InTime(2 * units.Second) },
		`no built-in curves "x" (want one of: cxl_expander, ddr4_3200_icelake, ddr5_4800_graviton3, hbm2_a64fx)`: func(s *curve.Spec) { s.Curve = curve.Named("x") },
	} {
		s := curve.DefaultSpec()
		change(&s)
		_, err := curve.New("Mem", engine.New(), s)
		require.EqualError(t, err, want)
	}
}

// The same bytes under every engine and every order of equal-time events.
func TestConformance(t *testing.T) {
	run := func(e sim.Engine) string {
		m := build(t, e, 10e9, 80)
		var rs []*memtest.Requester
		for i, c := range []clock.Clock{clock.GHz, clock.Period(416, 1e12), clock.Hz(940e6)} {
			r := memtest.New(fmt.Sprintf("Core[%d]", i), e, c, m.GetPortByName("Top"))
			r.Window = 3 + i
			for j := range 100 {
				r.List = append(r.List, memtest.Request{Cycle: uint64(j * i), Bytes: uint64(16 + 48*(j%5)), Write: j%3 == i%3})
			}
			rs = append(rs, r)
		}
		memtest.Wire(e, m.GetPortByName("Top"), clock.GHz, rs...)
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

// testdata/bad.txt is a transcript: the keys of a memory, a line of dashes, and
// what is said about them.
func TestBadKeys(t *testing.T) {
	const file = "testdata/bad.txt"
	src, err := os.ReadFile(file)
	require.NoError(t, err)
	var out strings.Builder
	for part := range strings.SplitSeq(string(src), "=== ") {
		if part == "" {
			continue
		}
		name, rest, _ := strings.Cut(part, "\n")
		keys, want, ok := strings.Cut(rest, "---\n")
		require.True(t, ok, name)
		_, err := loadErr(keys)
		require.Error(t, err, name)
		got := err.Error() + "\n\n"
		out.WriteString("=== " + name + "\n" + keys + "---\n" + got)
		if !*update {
			require.Equal(t, want, got, name)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o644))
	}
}

func BenchmarkRequest(b *testing.B) {
	b.ReportAllocs()
	e := engine.New()
	m := build(b, e, 12.8e9, 80)
	r := memtest.New("Core", e, clock.GHz, m.GetPortByName("Top"), memtest.Request{Bytes: 64}, memtest.Request{Bytes: 64, Write: true})
	r.Window, r.Repeat = 16, (b.N+2100)/2
	memtest.Wire(e, m.GetPortByName("Top"), clock.GHz, r)
	r.Start()
	if err := e.RunUntil(10e-6); err != nil {
		b.Fatal(err)
	}
	start := r.Done()
	b.ResetTimer()
	if err := e.Run(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(r.Done()-start), "ns/request")
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		load(b, "curve: ddr5_4800_graviton3")
	}
}
