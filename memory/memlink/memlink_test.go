package memlink_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/memory/memlink"
	"github.com/causeway-sim/causeway/memory/memtest"
)

var ps = clock.Hz(1e12)

func homes(t require.TestingT, top sim.Port) *memory.Map {
	m, err := memory.NewMap(memory.Range{Size: 1 << 40, Ports: []sim.Port{top}, Paths: make([]memory.Path, 1)})
	require.NoError(t, err)
	return m
}

// run sends requests over a link to a memory without limits and of no latency. Wires
// take a picosecond each.
func run(t require.TestingT, s memlink.Spec, window int, list ...memtest.Request) (*memtest.Requester, map[string]float64) {
	return watched(t, s, window, nil, list...)
}

// A watcher is called for each request that comes to a port.
type watcher func(addr, bytes uint64, write bool)

func (w watcher) Func(ctx sim.HookCtx) {
	if ctx.Pos != sim.HookPosPortMsgRecvd {
		return
	}
	switch m := ctx.Item.(type) {
	case *mem.ReadReq:
		w(m.Address, m.AccessByteSize, false)
	case *mem.WriteReq:
		w(m.Address, uint64(len(m.Data)), true)
	}
}

// watched is run with a look at what comes to the memory.
func watched(t require.TestingT, s memlink.Spec, window int, look watcher, list ...memtest.Request) (*memtest.Requester, map[string]float64) {
	e := engine.New()
	c, err := memlink.New("Link", e, s)
	require.NoError(t, err)
	far := ideal.DefaultSpec()
	far.Clock = units.Frequency{Clock: ps}
	m := ideal.New("Mem", e, far)
	if look != nil {
		m.GetPortByName("Top").AcceptHook(look)
	}
	w := engine.NewWire("Lower", e)
	w.Attach(c.GetPortByName("Bottom"), ps, engine.EndOptions{Buffer: 1024})
	w.Attach(m.GetPortByName("Top"), ps, engine.EndOptions{Buffer: 1024})
	require.NoError(t, c.SetMap("bottom", homes(t, m.GetPortByName("Top"))))
	r := memtest.New("Core", e, ps, c.GetPortByName("Top"), list...)
	r.Window = window
	memtest.Wire(e, c.GetPortByName("Top"), ps, r)
	r.Start()
	require.NoError(t, e.Run())
	require.Empty(t, c.Stats().Verify())
	require.Empty(t, c.Waiting())
	out := map[string]float64{}
	for _, x := range c.Stats().Metrics() {
		out[x.Name] = x.Value
	}
	return r, out
}

func list(n int, bytes uint64, write bool) []memtest.Request {
	out := make([]memtest.Request, n)
	for i := range out {
		out[i] = memtest.Request{Addr: uint64(i) * bytes, Bytes: bytes, Write: write}
	}
	return out
}

func ualink() memlink.Spec {
	s := memlink.DefaultSpec()
	s.Flit, s.Granule, s.Latency = memlink.Flit{Size: 640, Payload: 628}, 16, units.InTime(400*units.Nanosecond)
	return s
}

func nvlink() memlink.Spec {
	s := memlink.DefaultSpec()
	s.Bandwidth, s.Granule, s.Least, s.Latency = 400e9, 16, 48, units.InTime(200*units.Nanosecond)
	return s
}

func rdma() memlink.Spec {
	s := memlink.DefaultSpec()
	s.Bandwidth, s.Packet, s.Header, s.Outstanding = 400e9, 4096, memlink.Header{Request: 42, Response: 30}, 128
	ns := func(n units.Time) units.Latency { return units.InTime(n * units.Nanosecond) }
	s.Latency = ns(350)
	s.Operation = memlink.Operation{Size: 16 << 20, Threads: 14, Software: ns(150), Issue: ns(250), Interval: ns(3), Access: ns(500), Complete: ns(250)}
	return s
}

// Payload efficiency by its closed form: data over packet, and payload over flit.
// References: 640 B with 628 B of payload; packets of 48 to 272 B. UALink's own
// figure for the whole is 93%.
func TestPayloadEfficiency(t *testing.T) {
	for _, x := range []struct {
		name  string
		spec  memlink.Spec
		bytes uint64
		want  float64
	}{
		{"ualink 256", ualink(), 256, 256. / 272 * 628 / 640},
		{"ualink 64", ualink(), 64, 64. / 80 * 628 / 640},
		{"nvlink 256", nvlink(), 256, 256. / 272},
		{"nvlink 64", nvlink(), 64, 64. / 80},
		{"nvlink 32", nvlink(), 32, 32. / 48},
		{"nvlink 8", nvlink(), 8, 8. / 48},
		{"rdma 4096", rdma(), 4096, 4096. / 4126},
	} {
		x.spec.Operation.Software, x.spec.Operation.Threads, x.spec.Operation.Interval = units.Latency{}, 1, units.Latency{}
		x.spec.Outstanding = 1 << 20
		const n = 4000
		r, m := run(t, x.spec, 0, list(n, x.bytes, false)...)
		require.InEpsilon(t, 100*x.want, m["response_efficiency"], 4e-3, x.name)
		// and so long it takes: from the first answer to the last
		rate := float64(n-1) * float64(x.bytes) / (float64(r.Answer[n-1]-r.Answer[0]) / 1000)
		require.InEpsilon(t, x.want*float64(x.spec.Bandwidth)/8e9, rate, 5e-3, x.name)
		// away goes the same header and nothing else
		least := max(uint64(x.spec.Header.Request), uint64(x.spec.Least))
		require.InEpsilon(t, float64(n*least)*float64(x.spec.Flit.Size)/float64(x.spec.Flit.Payload), m["request_bytes"], 0.02, x.name) // the first and the last flit are not full
		_, m = run(t, x.spec, 0, list(n, x.bytes, true)...)
		require.InEpsilon(t, 100*float64(x.bytes)/float64(max(uint64(x.spec.Header.Request)+x.bytes+uint64(x.spec.Granule)-1, uint64(x.spec.Least))/uint64(x.spec.Granule)*uint64(x.spec.Granule))*
			float64(x.spec.Flit.Payload)/float64(x.spec.Flit.Size), m["request_efficiency"], 4e-3, x.name)
	}
}

// Unloaded latency is the sum of its parts: flits are sent whole.
func TestUnloadedLatency(t *testing.T) {
	const wires = 5 // two from the requester and two to the memory, one cycle between
	for _, x := range []struct {
		name  string
		spec  memlink.Spec
		bytes uint64
		want  uint64 // ps
	}{
		{"ualink", ualink(), 64, 2*400_000 + 2*6_400},
		{"nvlink", nvlink(), 64, 2*200_000 + 48*20 + 80*20},
		{"rdma", rdma(), 64, 150_000 + 250_000 + 42*20 + 350_000 + 500_000 + (30+64)*20 + 350_000 + 250_000},
		// two packets, the second after the first
		{"rdma 8 KiB", rdma(), 8192, 150_000 + 250_000 + 42*20 + 350_000 + 500_000 + 2*(30+4096)*20 + 350_000 + 250_000},
	} {
		r, m := run(t, x.spec, 1, memtest.Request{Bytes: x.bytes})
		require.InDelta(t, float64(x.want), float64(r.Answer[0]-r.Send[0]), wires, x.name)
		sum := 0.
		for _, p := range []string{"wait", "software", "issue", "request", "access", "memory", "response", "complete"} {
			sum += m["operation_latency_"+p]
		}
		require.InDelta(t, m["operation_latency_mean"], sum, 1e-9)
	}
}

// What binds: the link, the outstanding, the threads, the card.
func TestThroughputIsTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rdma()
		s.Operation.Threads = rapid.IntRange(1, 20).Draw(t, "threads")
		s.Outstanding = rapid.IntRange(1, 200).Draw(t, "outstanding")
		s.Operation.Interval = units.InTime(units.Time(rapid.IntRange(0, 100).Draw(t, "interval")) * units.Nanosecond)
		bytes := uint64(rapid.SampledFrom([]int{64, 512, 4096}).Draw(t, "bytes"))
		const n = 2000
		r, _ := run(t, s, 0, list(n, bytes, false)...)
		got := float64(r.Answer[n-1]-r.Answer[0]) / (n - 1) // ps per operation
		packet := float64(30+bytes) * 20
		trip := 1_850_000 + 42*20 + packet // unloaded
		want := max(packet, trip/float64(s.Outstanding), 150_000/float64(s.Operation.Threads), float64(s.Operation.Interval.In(ps)))
		require.InEpsilon(t, want, got, 0.16) // they bind together near where they meet
		require.GreaterOrEqual(t, got, want*0.97)
	})
}

// Whole pages are carried, each once per request.
func TestPages(t *testing.T) {
	s := rdma()
	s.Operation.Page = 4096
	_, m := run(t, s, 1, memtest.Request{Addr: 100, Bytes: 64}, memtest.Request{Addr: 4000, Bytes: 200})
	require.EqualValues(t, 264, m["read_bytes"])
	require.EqualValues(t, 2*42, m["request_bytes"])
	require.EqualValues(t, 3*(4096+30), m["response_bytes"])
}

// Two links carry twice as much, and a packet is no faster.
func TestLinks(t *testing.T) {
	one, two := nvlink(), nvlink()
	two.Links = 2
	a, _ := run(t, one, 0, list(1000, 256, false)...)
	b, _ := run(t, two, 0, list(1000, 256, false)...)
	span := func(r *memtest.Requester) float64 { return float64(r.Answer[999] - r.Answer[0]) }
	require.InEpsilon(t, 2, span(a)/span(b), 0.01)
	require.Equal(t, a.Answer[0]-a.Send[0], b.Answer[0]-b.Send[0])
}

// Requests of any size and alignment are answered once, what the memory moves is what
// was asked for, and it sees the requests to an address in the order in which they came.
func TestEverythingIsAnswered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom([]memlink.Spec{ualink(), nvlink(), rdma()}).Draw(t, "kind")
		s.Links = rapid.IntRange(1, 4).Draw(t, "links")
		s.Outstanding = rapid.IntRange(1, 30).Draw(t, "outstanding")
		s.Credits = memlink.Credits{Request: rapid.IntRange(0, 9).Draw(t, "credits"), Response: rapid.IntRange(0, 9).Draw(t, "credits back")}
		s.Packet = units.Bytes(rapid.Uint64Range(1, 600).Draw(t, "packet"))
		s.Operation.Size = units.Bytes(uint64(1) << rapid.IntRange(4, 12).Draw(t, "size"))
		var list []memtest.Request
		var bytes [2]float64
		for range rapid.IntRange(1, 60).Draw(t, "n") {
			q := memtest.Request{
				Addr: rapid.Uint64Range(0, 5000).Draw(t, "addr"), Bytes: rapid.Uint64Range(1, 3000).Draw(t, "bytes"), Write: rapid.Bool().Draw(t, "write"),
			}
			list = append(list, q)
			if q.Write {
				bytes[1] += float64(q.Bytes)
			} else {
				bytes[0] += float64(q.Bytes)
			}
		}
		seen := map[uint64]int{} // of each byte, the request that came last
		at, off := 0, uint64(0)
		r, m := watched(t, s, rapid.IntRange(0, 9).Draw(t, "window"), func(addr, n uint64, write bool) {
			// requests are cut and never interleaved on the way there
			for list[at].Addr+off != addr || list[at].Write != write {
				t.Fatalf("%d bytes at %d, write %v: want request %d from %d on", n, addr, write, at, off)
			}
			seen[addr] = at
			if off += n; off == list[at].Bytes {
				at, off = at+1, 0
			}
		}, list...)
		require.Equal(t, len(list), at)
		require.Equal(t, len(list), r.Done())
		require.Equal(t, bytes[0], m["read_bytes"])
		require.Equal(t, bytes[1], m["write_bytes"])
	})
}

func TestBadSpecs(t *testing.T) {
	for name, f := range map[string]func(*memlink.Spec){
		"bandwidth": func(s *memlink.Spec) { s.Bandwidth = 0 }, "links": func(s *memlink.Spec) { s.Links = 0 },
		"packet": func(s *memlink.Spec) { s.Packet = 0 }, "granule": func(s *memlink.Spec) { s.Granule = 0 },
		"flit":        func(s *memlink.Spec) { s.Flit.Payload = 2 },
		"credits":     func(s *memlink.Spec) { s.Credits.Request = -1 },
		"outstanding": func(s *memlink.Spec) { s.Outstanding = 0 },
		"size":        func(s *memlink.Spec) { s.Operation.Size = 100 },
		"page":        func(s *memlink.Spec) { s.Operation.Page = 100 },
		"threads":     func(s *memlink.Spec) { s.Operation.Threads = 3 },
		"cycles":      func(s *memlink.Spec) { s.Latency = units.InCycles(3) },
	} {
		s := memlink.DefaultSpec()
		f(&s)
		_, err := memlink.New("Link", engine.New(), s)
		require.Error(t, err, name)
	}
}

func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	run(b, ualink(), 64, list(b.N, 256, false)...)
}
