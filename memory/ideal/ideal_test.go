package ideal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/memory/memtest"
)

func spec(t require.TestingT, freq, latency, bandwidth string) ideal.Spec {
	s := ideal.DefaultSpec()
	require.NoError(t, s.Clock.UnmarshalText([]byte(freq)))
	require.NoError(t, s.Latency.UnmarshalText([]byte(latency)))
	require.NoError(t, s.Bandwidth.UnmarshalText([]byte(bandwidth)))
	return s
}

func metrics(g *stats.Group) map[string]float64 {
	out := map[string]float64{}
	for _, m := range g.Metrics() {
		out[m.Name] = m.Value
	}
	return out
}

// Sent in cycle 0, a request is taken in cycle 1, its answer leaves L cycles
// later and is taken in the cycle after that: 2+L, on equal clocks.
func TestUnloadedLatencyIsExact(t *testing.T) {
	for _, l := range []uint64{0, 1, 10, 1000} {
		e := engine.New()
		m := ideal.New("Mem", e, spec(t, "1GHz", fmt.Sprintf("%dcycle", l), "0B/s"))
		r := memtest.New("Core", e, clock.GHz, m.GetPortByName("Top"), memtest.Request{Bytes: 64}, memtest.Request{Cycle: 5000, Bytes: 4096, Write: true})
		memtest.Wire(e, m.GetPortByName("Top"), clock.GHz, r)
		r.Start()
		require.NoError(t, e.Run())
		require.Equal(t, []uint64{2 + l, 5002 + l}, r.Answer)
		require.Empty(t, m.Stats().Verify())
	}
}

// Not at t-1, exactly at t: 64 bytes at 16 B per cycle pass in 4 cycles, so
// requests that come in cycles 1 and 2 are done in 5 and 9.
func TestBandwidthIsExact(t *testing.T) {
	e := engine.New()
	m := ideal.New("Mem", e, spec(t, "1GHz", "3ns", "16GB/s"))
	r := memtest.New("Core", e, clock.GHz, m.GetPortByName("Top"),
		memtest.Request{Bytes: 64}, memtest.Request{Bytes: 64, Write: true}, memtest.Request{Cycle: 20, Bytes: 8}, memtest.Request{Cycle: 21, Bytes: 24})
	memtest.Wire(e, m.GetPortByName("Top"), clock.GHz, r)
	r.Start()
	require.NoError(t, e.Run())
	// 20+1 taken; 8 B end in the middle of cycle 22 and 24 B at its end plus 1.5
	require.Equal(t, []uint64{5 + 3 + 1, 9 + 3 + 1, 22 + 3 + 1, 24 + 3 + 1}, r.Answer)
	got := metrics(m.Stats())
	require.Equal(t, 2.0+1, got["reads"])
	require.Equal(t, 1.0, got["writes"])
	require.Equal(t, 96.0, got["read_bytes"])
	require.Equal(t, 64.0, got["write_bytes"])
	require.InDelta(t, 160.0/26, got["bandwidth"], 1e-12) // cycles 1 to 27
	require.InDelta(t, 100*160.0/26/16, got["bandwidth_utilization"], 1e-9)
	require.Equal(t, float64(7+10+4+5)/4, got["latency_mean"])
	require.Equal(t, 10.0, got["latency_max"])
}

// A dumb twin recomputes every answer of a random list from the rule in the
// package's doc, for memories and requesters on odd clocks.
func TestTwin(t *testing.T) {
	clocks := []string{"1GHz", "940MHz", "416ps", "2GHz", "3.2GHz", "100MHz"}
	rapid.Check(t, func(t *rapid.T) {
		s := spec(t, rapid.SampledFrom(clocks).Draw(t, "memory"), fmt.Sprintf("%dcycle", rapid.IntRange(0, 40).Draw(t, "latency")),
			rapid.SampledFrom([]string{"0B/s", "1GB/s", "25.6GB/s", "51.2GB/s", "900GB/s", "7bit/s"}).Draw(t, "bandwidth"))
		rc := spec(t, rapid.SampledFrom(clocks).Draw(t, "core"), "0ns", "0B/s").Clock.Clock
		var list []memtest.Request
		at := uint64(0)
		for range rapid.IntRange(1, 30).Draw(t, "n") {
			at += rapid.Uint64Range(0, 20).Draw(t, "gap")
			list = append(list, memtest.Request{Cycle: at, Bytes: rapid.Uint64Range(0, 5000).Draw(t, "bytes"), Write: rapid.Bool().Draw(t, "write")})
		}
		e := engine.New()
		m := ideal.New("Mem", e, s)
		r := memtest.New("Core", e, rc, m.GetPortByName("Top"), list...)
		memtest.Wire(e, m.GetPortByName("Top"), s.Clock.Clock, r)
		r.Start()
		require.NoError(t, e.Run())
		c := s.Clock.Clock
		ch := memory.NewSerializer(s.Bandwidth, c)
		send := uint64(0)
		for i, q := range list {
			if i > 0 {
				send = max(send+1, q.Cycle)
			} else {
				send = q.Cycle
			}
			require.Equal(t, send, r.Send[i])
			taken := instant.After(c, instant.Of(rc, send))
			left := ch.Transfer(taken, q.Bytes) + s.Latency.In(c)
			require.Equal(t, instant.After(rc, instant.Of(c, left)), r.Answer[i], "request %d", i)
		}
	})
}

// Saturated, the memory moves its bandwidth and not a byte more; Little's law
// holds between the window, the throughput and the latency.
func TestSaturation(t *testing.T) {
	const n, window, bytes = 2000, 16, 4096
	e := engine.New()
	m := ideal.New("Mem", e, spec(t, "1GHz", "100ns", "25.6GB/s"))
	r := memtest.New("Core", e, clock.GHz, m.GetPortByName("Top"))
	for range n {
		r.List = append(r.List, memtest.Request{Bytes: bytes})
	}
	r.Window = window
	memtest.Wire(e, m.GetPortByName("Top"), clock.GHz, r)
	r.Start()
	require.NoError(t, e.Run())
	got := metrics(m.Stats())
	require.LessOrEqual(t, got["bandwidth"], 25.6)
	require.Greater(t, got["bandwidth"], 25.6*0.998) // the first and last 100 ns carry nothing
	span := float64(r.Answer[n-1] - r.Send[0])
	sum := 0.0
	for i := range n {
		sum += float64(r.Answer[i] - r.Send[i])
	}
	inFlight, throughput, latency := sum/span, n/span, sum/n
	require.InDelta(t, inFlight, throughput*latency, 1e-9)
	require.InDelta(t, window, inFlight, 0.15)
	require.InDelta(t, window*bytes/25.6, latency, 0.01*latency)
}

// The same bytes under every engine and every order of equal-time events.
func TestConformance(t *testing.T) {
	run := func(e sim.Engine) string {
		s := spec(t, "940MHz", "7cycle", "10GB/s")
		m := ideal.New("Mem", e, s)
		top := m.GetPortByName("Top")
		clocks := []clock.Clock{clock.GHz, clock.Period(416, 1e12), clock.Hz(940e6), clock.Hz(2e9)}
		var rs []*memtest.Requester
		for i, c := range clocks {
			r := memtest.New(fmt.Sprintf("Core[%d]", i), e, c, top)
			r.Window = i + 2
			for j := range 60 {
				r.List = append(r.List, memtest.Request{Cycle: uint64(j * (i + 3)), Bytes: uint64(16 + 48*(j%5)), Write: j%3 == i%3})
			}
			rs = append(rs, r)
		}
		memtest.Wire(e, top, s.Clock.Clock, rs...)
		for _, r := range rs {
			r.Start()
		}
		require.NoError(t, e.Run())
		var b strings.Builder
		for _, r := range rs {
			b.WriteString(r.Log())
		}
		require.Empty(t, m.Stats().Verify())
		fmt.Fprintln(&b, m.Stats().Metrics())
		return b.String()
	}
	want := run(engine.New())
	require.Equal(t, want, run(sim.NewSerialEngine()))
	for range 5 {
		require.Equal(t, want, run(sim.NewParallelEngine()))
	}
	for seed := range uint64(20) {
		require.Equal(t, want, run(engine.New(engine.Shuffle(seed))))
	}
}

// Answers that the requester does not take hold the memory back, and Waiting reports them;
// they are neither lost nor reordered.
func TestFullRequester(t *testing.T) {
	e := engine.New()
	m := ideal.New("Mem", e, spec(t, "1GHz", "0ns", "0B/s"))
	deaf := &deafRequester{}
	deaf.ComponentBase = sim.NewComponentBase("Deaf")
	deaf.port = engine.NewPort(deaf, "Deaf.Mem", 1)
	w := engine.NewWire("Link", e)
	w.Attach(m.GetPortByName("Top"), clock.GHz, engine.EndOptions{Buffer: 2})
	w.Attach(deaf.port, clock.GHz, engine.EndOptions{Buffer: 64})
	for i := range 10 {
		r := &mem.ReadReq{AccessByteSize: 64}
		r.ID, r.Src, r.Dst = fmt.Sprint(i), deaf.port, m.GetPortByName("Top")
		require.Nil(t, deaf.port.Send(r))
	}
	var stuck *engine.Stuck
	require.ErrorAs(t, e.Run(), &stuck)
	require.Len(t, m.Waiting(), 1)
	require.Equal(t, "Mem waits for Deaf.Mem: 7 answers are not sent", m.Waiting()[0].String())
	require.Len(t, m.Stats().Verify(), 1)
}

type deafRequester struct {
	*sim.ComponentBase
	port *engine.Port
}

func (*deafRequester) Handle(sim.Event) error                  { return nil }
func (*deafRequester) NotifyRecv(sim.VTimeInSec, sim.Port)     {}
func (*deafRequester) NotifyPortFree(sim.VTimeInSec, sim.Port) {}

func TestForeignMessageIsABug(t *testing.T) {
	e := engine.New()
	m := ideal.New("Mem", e, ideal.DefaultSpec())
	deaf := &deafRequester{ComponentBase: sim.NewComponentBase("Deaf")}
	deaf.port = engine.NewPort(deaf, "Deaf.Mem", 1)
	w := engine.NewWire("Link", e)
	w.Attach(m.GetPortByName("Top"), clock.GHz, engine.EndOptions{})
	w.Attach(deaf.port, clock.GHz, engine.EndOptions{})
	msg := &sim.GeneralRsp{}
	msg.Src, msg.Dst = deaf.port, m.GetPortByName("Top")
	require.Nil(t, deaf.port.Send(msg))
	require.PanicsWithValue(t, "inorder: Mem at cycle 1: *sim.GeneralRsp is no memory request", func() { _ = e.Run() })
}

func BenchmarkRequest(b *testing.B) {
	b.ReportAllocs()
	e := engine.New()
	s := ideal.DefaultSpec()
	s.Latency, s.Bandwidth = units.InCycles(100), units.Bandwidth(8*25.6e9)
	m := ideal.New("Mem", e, s)
	r := memtest.New("Core", e, clock.GHz, m.GetPortByName("Top"), memtest.Request{Bytes: 64}, memtest.Request{Bytes: 64, Write: true})
	r.Window, r.Repeat = 16, (b.N+2100)/2
	memtest.Wire(e, m.GetPortByName("Top"), clock.GHz, r)
	r.Start()
	if err := e.RunUntil(5e-6); err != nil { // 2000 requests to warm up
		b.Fatal(err)
	}
	start := r.Done()
	b.ResetTimer()
	if err := e.Run(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(r.Done()-start), "ns/request")
}

func TestUnlimitedBandwidthIsSaid(t *testing.T) {
	s := ideal.DefaultSpec()
	require.Equal(t, []string{"Mem has unlimited bandwidth (bandwidth: 0B/s)."}, ideal.New("Mem", engine.New(), s).Assumptions())
	s.Bandwidth = units.Bandwidth(8)
	require.Empty(t, ideal.New("Mem", engine.New(), s).Assumptions())
}
