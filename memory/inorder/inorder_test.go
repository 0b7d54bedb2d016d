package inorder_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/inorder"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// due answers each request a time after its acceptance that its size says, in order.
type due struct {
	latency func(at, bytes uint64, write bool) uint64
	last    uint64
	peak    units.Bandwidth
}

func (d *due) Due(at, bytes uint64, write bool) uint64 {
	d.last = max(d.last, at+d.latency(at, bytes, write))
	return d.last
}

func (d *due) Nominal() (uint64, units.Bandwidth) { return 7, gbps(3) }

func (d *due) Peak() units.Bandwidth { return d.peak }

var ghz = clock.Hz(1e9)

// gbps is GB/s.
func gbps(n float64) units.Bandwidth { return units.Bandwidth(8e9 * n) }

// run sends requests to a memory and returns the cycles in which they were answered.
func run(t require.TestingT, d *due, window int, list ...memtest.Request) (*memtest.Requester, *inorder.Comp, map[string]float64) {
	e := engine.New()
	m := inorder.New("Mem", e, ghz, 4096, d)
	r := memtest.New("Host", e, ghz, m.PortSpecs()[0].Ports[0], list...)
	r.Window = window
	memtest.Wire(e, m.PortSpecs()[0].Ports[0], ghz, r)
	r.Start()
	require.NoError(t, e.Run())
	require.Equal(t, len(list), r.Done())
	require.Empty(t, m.Stats().Verify())
	out := map[string]float64{}
	for _, x := range m.Stats().Metrics() {
		out[x.Name] = x.Value
	}
	return r, m, out
}

// A request spends a cycle on the link, its time in the memory, a cycle on the way back.
// Answers keep the order of arrival, and a zero time is answered in the same cycle.
func TestAnswersInOrder(t *testing.T) {
	wait := func(_, bytes uint64, _ bool) uint64 { return bytes }
	r, _, m := run(t, &due{latency: wait}, 0,
		memtest.Request{Cycle: 10, Bytes: 5}, memtest.Request{Cycle: 20, Bytes: 100, Write: true}, memtest.Request{Cycle: 21, Bytes: 1}, memtest.Request{Cycle: 500})
	require.Equal(t, []uint64{10, 20, 21, 500}, r.Send)
	require.Equal(t, []uint64{17, 122, 122, 502}, r.Answer)
	require.Equal(t, 3., m["reads"])
	require.Equal(t, 1., m["writes"])
	require.Equal(t, 6., m["read_bytes"])
	require.Equal(t, 100., m["write_bytes"])
	require.Equal(t, 100., m["latency_max"])
	require.Equal(t, (5.+100+99+0)/4, m["latency_mean"])
	require.InDelta(t, 106./(501-11), m["bandwidth"], 1e-12)
	require.NotContains(t, m, "bandwidth_utilization", "there is no peak")
}

// Utilisation is bandwidth over the timing's peak; with one request there is no time
// over which either could be counted.
func TestUtilisation(t *testing.T) {
	still := func(uint64, uint64, bool) uint64 { return 0 }
	_, _, m := run(t, &due{latency: still, peak: gbps(16)}, 0, memtest.Request{Bytes: 64}, memtest.Request{Cycle: 15, Bytes: 64})
	require.InDelta(t, 128./15, m["bandwidth"], 1e-12)
	require.InDelta(t, 100*128./15/16, m["bandwidth_utilization"], 1e-9)
	_, _, m = run(t, &due{latency: still, peak: gbps(16)}, 0, memtest.Request{Bytes: 64})
	require.NotContains(t, m, "bandwidth")
	require.NotContains(t, m, "bandwidth_utilization")
	require.Contains(t, m, "latency_mean")
}

// Any times and any arrivals: each answer is there at its due cycle, one cycle of link
// later, and requests that wait do not hold up those that arrive.
func TestDueIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "requests")
		var list []memtest.Request
		at := uint64(0)
		for range n {
			at += rapid.Uint64Range(1, 9).Draw(t, "gap")
			list = append(list, memtest.Request{Cycle: at, Bytes: rapid.Uint64Range(0, 60).Draw(t, "bytes"), Write: rapid.Bool().Draw(t, "write")})
		}
		r, _, _ := run(t, &due{latency: func(_, bytes uint64, _ bool) uint64 { return bytes }}, 0, list...)
		last := uint64(0)
		for i, q := range list {
			last = max(last, q.Cycle+1+q.Bytes)
			require.Equal(t, last+1, r.Answer[i], "request %d", i)
		}
	})
}

// What the system asks of a node.
func TestNode(t *testing.T) {
	_, m, _ := run(t, &due{latency: func(uint64, uint64, bool) uint64 { return 1 }}, 0, memtest.Request{Bytes: 64})
	var _ system.Home = m
	p := m.PortSpecs()
	require.Len(t, p, 1)
	require.Equal(t, "top", p[0].Name)
	require.Equal(t, system.Responds, p[0].Role)
	require.True(t, p[0].Many)
	require.Equal(t, ghz, p[0].Clock)
	latency, bandwidth := m.Nominal()
	require.EqualValues(t, 7, latency)
	require.Equal(t, gbps(3), bandwidth)
	require.EqualValues(t, 4096, m.Home())
	require.Empty(t, m.Waiting())
}

// A deaf requester takes no answers: the memory says who does not, and the check of the
// metrics fails.
type deaf struct {
	*sim.ComponentBase
	port *engine.Port
}

func (*deaf) Handle(sim.Event) error                    { return nil }
func (*deaf) NotifyRecv(sim.VTimeInSec, sim.Port)       {}
func (d *deaf) NotifyPortFree(sim.VTimeInSec, sim.Port) {}

func TestWhoIsWaitedFor(t *testing.T) {
	e := engine.New()
	m := inorder.New("Mem", e, ghz, 0, &due{latency: func(uint64, uint64, bool) uint64 { return 50 }})
	r := memtest.New("Host", e, ghz, m.PortSpecs()[0].Ports[0], memtest.Request{Bytes: 64}, memtest.Request{Bytes: 64})
	memtest.Wire(e, m.PortSpecs()[0].Ports[0], ghz, r)
	r.Start()
	require.NoError(t, e.RunUntil(20e-9))
	w := m.Waiting()
	require.Len(t, w, 1)
	require.Equal(t, "Mem", w[0].Who)
	require.Equal(t, "Host.Mem", w[0].For)
	require.Equal(t, "2 answers are not sent", w[0].Why)
	require.Equal(t, "[2 requests, 0 answers]", fmt.Sprint(errors(m.Stats().Verify())))
}

func errors(list []error) (out []string) {
	for _, err := range list {
		out = append(out, err.Error()[strings.LastIndex(err.Error(), ": ")+2:])
	}
	return out
}

// Something that is no request is a fault of the program.
func TestNoRequest(t *testing.T) {
	e := engine.New()
	m := inorder.New("Mem", e, ghz, 0, &due{latency: func(uint64, uint64, bool) uint64 { return 0 }})
	d := &deaf{ComponentBase: sim.NewComponentBase("Deaf")}
	d.port = engine.NewPort(d, "Deaf.Mem", 4)
	d.AddPort("Mem", d.port)
	w := engine.NewWire("Link", e)
	w.Attach(m.PortSpecs()[0].Ports[0], ghz, engine.EndOptions{Buffer: 4})
	w.Attach(d.port, ghz, engine.EndOptions{Buffer: 4})
	odd := &oddMsg{}
	odd.ID, odd.Src, odd.Dst = "odd", d.port, m.PortSpecs()[0].Ports[0]
	require.Nil(t, d.port.Send(odd))
	require.PanicsWithValue(t, "inorder: Mem at cycle 1: *inorder_test.oddMsg is no memory request", func() { _ = e.Run() })
}

type oddMsg struct{ sim.MsgMeta }

func (m *oddMsg) Meta() *sim.MsgMeta { return &m.MsgMeta }

// Nothing per request allocates once the queue has grown.
func BenchmarkRequests(b *testing.B) {
	e := engine.New()
	m := inorder.New("Mem", e, ghz, 0, &due{latency: func(uint64, uint64, bool) uint64 { return 20 }})
	r := memtest.New("Host", e, ghz, m.PortSpecs()[0].Ports[0], memtest.Request{Bytes: 64})
	r.Repeat = b.N
	memtest.Wire(e, m.PortSpecs()[0].Ports[0], ghz, r)
	b.ReportAllocs()
	r.Start()
	if err := e.Run(); err != nil {
		b.Fatal(err)
	}
}
