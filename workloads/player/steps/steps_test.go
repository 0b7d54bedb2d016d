package steps_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/workloads/player/steps"
	"github.com/causeway-sim/causeway/workloads/service"
)

var ps = clock.Hz(1e12)

// run plays a program on one ideal memory.
func run(t require.TestingT, s steps.Spec, p *service.Program, latency units.Time, bandwidth units.Bandwidth) map[string]float64 {
	e := engine.New()
	c, err := steps.New("GPU", e, s, p, rand.New(rand.NewPCG(1, 2)))
	require.NoError(t, err)
	c.Grow("mem", 1)
	m := ideal.DefaultSpec()
	m.Clock, m.Latency, m.Bandwidth = units.Frequency{Clock: ps}, units.InTime(latency), bandwidth
	far := ideal.New("Mem", e, m)
	w := engine.NewWire("Wire", e)
	w.Attach(c.GetPortByName("Mem[0]"), ps, engine.EndOptions{Buffer: 1024})
	w.Attach(far.GetPortByName("Top"), ps, engine.EndOptions{Buffer: 1024})
	homes, err := memory.NewMap(memory.Range{Size: 1 << 50, Ports: []sim.Port{far.GetPortByName("Top")}, Paths: make([]memory.Path, 1)})
	require.NoError(t, err)
	require.NoError(t, c.SetMap("mem[0]", homes))
	require.NoError(t, c.Start())
	require.NoError(t, e.Run())
	require.Empty(t, c.Stats().Verify())
	require.Empty(t, c.Waiting())
	out := map[string]float64{}
	for _, x := range c.Stats().Metrics() {
		out[x.Name] = x.Value
	}
	return out
}

// Steps that depend on each other take the sum of their latencies, transfers and
// computations; those that do not overlap all but the first reads.
func TestChainAndOverlap(t *testing.T) {
	const n = 10
	for _, free := range []bool{false, true} {
		p := &service.Program{Regions: []service.Region{{Name: "data", Size: 1 << 30}}, Items: n}
		for i := range n {
			p.Steps = append(p.Steps, service.Step{Free: free, Compute: 2000, Reads: []service.Read{{Count: 4, Bytes: 1000, At: uint64(i) * 4000}}})
		}
		s := steps.DefaultSpec()
		s.Compute = 1e9 // 2 us a step
		m := run(t, s, p, 100*units.Nanosecond, 8*4e9)
		one := 100. + 4000/4 // ns
		want := n * (one + 2000)
		if free {
			want = one + n*2000
		}
		require.InDelta(t, want, m["total_time"], 0.1, free)
		require.EqualValues(t, n*2000, m["compute_time"])
		require.InDelta(t, want/n, m["item_time"], 0.01)
	}
}

// The window holds back what the memory would take.
func TestWindowAgainstTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := uint64(rapid.IntRange(1, 400).Draw(t, "KB")) * 1000
		s := steps.DefaultSpec()
		s.Outstanding = rapid.IntRange(1, 40).Draw(t, "outstanding")
		s.Burst = units.Bytes(rapid.SampledFrom([]uint64{64, 500, 4096}).Draw(t, "burst"))
		p := &service.Program{Regions: []service.Region{{Name: "data", Size: 1 << 30}}, Items: 1,
			Steps: []service.Step{{Reads: []service.Read{{Count: 1, Bytes: size}}}}}
		m := run(t, s, p, 200*units.Nanosecond, 8*10e9)
		// the twin: one request after the other, in ns
		free, answers := 0., []float64{}
		for left := size; left > 0; {
			n := min(left, uint64(s.Burst))
			sent := 0.
			if k := len(answers) - s.Outstanding; k >= 0 {
				sent = answers[k]
			}
			free = max(free, sent) + float64(n)/10
			answers = append(answers, free+200)
			left -= n
		}
		require.InDelta(t, answers[len(answers)-1], m["total_time"], 0.005*float64(len(answers)+1))
		require.EqualValues(t, size, m["read_bytes"])
	})
}

// Every byte of a region is read once, whatever the bases; the twin keeps a set.
func TestBasesTakeTurns(t *testing.T) {
	p, err := service.New("rag", service.RAG{Queries: 2, Hops: 3, Degree: 5, Dim: 100, Vectors: 1000})
	require.NoError(t, err)
	s := steps.DefaultSpec()
	s.Place = []steps.Place{{Region: "vectors", Base: []units.Bytes{1 << 30, 2 << 30, 3 << 30}}}
	m := run(t, s, p, 10*units.Nanosecond, 0)
	require.EqualValues(t, 2*3*5*400, m["read_bytes_vectors"])
	require.EqualValues(t, 2*3*(1+5), m["reads"])
	// two reads that depend on each other per hop
	require.InDelta(t, 2*3*2*10, m["total_time"], 0.2)
}

func TestBad(t *testing.T) {
	p, err := service.New("rag", nil)
	require.NoError(t, err)
	s := steps.DefaultSpec()
	s.Place = []steps.Place{{Region: "vector", Base: []units.Bytes{0}}}
	_, err = steps.New("GPU", engine.New(), s, p, nil)
	require.ErrorContains(t, err, "there is no region vector (want one of: graph, vectors)")
	s.Place = nil
	e := engine.New()
	c, err := steps.New("GPU", e, s, p, nil)
	require.NoError(t, err)
	c.Grow("mem", 1)
	far := ideal.New("Mem", e, ideal.DefaultSpec())
	homes, err := memory.NewMap(memory.Range{Size: 1 << 30, Ports: []sim.Port{far.GetPortByName("Top")}, Paths: make([]memory.Path, 1)})
	require.NoError(t, err)
	require.ErrorContains(t, c.SetMap("mem[0]", homes), "leaves the memory at 0x40000000")
}

func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	run(b, steps.DefaultSpec(), &service.Program{Regions: []service.Region{{Name: "data", Size: 1 << 49}}, Items: 1,
		Steps: []service.Step{{Reads: []service.Read{{Count: b.N, Bytes: 4096}}}}}, 100*units.Nanosecond, 0)
}
