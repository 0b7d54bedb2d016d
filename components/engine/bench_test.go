package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
)

// busy is Akita's own ticking component, which has something to do for some
// cycles.
type busy struct {
	*sim.TickingComponent
	left int
}

func (b *busy) Tick(sim.VTimeInSec) bool {
	b.left--
	return b.left > 0
}

// busyOwn is the same on our Ticker.
type busyOwn struct {
	tick *Ticker
	left int
}

func (b *busyOwn) Handle(e sim.Event) error {
	b.left--
	if b.left > 0 {
		b.tick.WakeAfter(e.Time())
	}
	return nil
}

// benchClocks are the clocks of the components, in turn.
var benchClocks = map[string][]clock.Clock{
	"one-clock":    {clock.GHz},
	"three-clocks": {clock.GHz, clock.Hz(940e6), clock.Period(416, 1e12)},
}

// A load builds components that tick so many cycles each.
type load func(e sim.Engine, clocks []clock.Clock, components, cycles int)

func akitaTickers(e sim.Engine, clocks []clock.Clock, components, cycles int) {
	for i := range components {
		b := &busy{left: cycles}
		b.TickingComponent = sim.NewTickingComponent(fmt.Sprintf("T[%d]", i), e, instant.Freq(clocks[i%len(clocks)]), b)
		b.TickLater(0)
	}
}

func ownTickers(e sim.Engine, clocks []clock.Clock, components, cycles int) {
	for i := range components {
		b := &busyOwn{left: cycles}
		b.tick = NewTicker(e, clocks[i%len(clocks)], b)
		b.tick.WakeAt(1)
	}
}

// perEvent runs about n events and returns the time that one took.
func perEvent(b *testing.B, e sim.Engine, l load, clocks []clock.Clock, n int) float64 {
	const components = 1000
	cycles := max(1, n/components)
	l(e, clocks, components, cycles)
	start := time.Now()
	require.NoError(b, e.Run())
	return float64(time.Since(start).Nanoseconds()) / float64(components*cycles)
}

// ratio compares two ways to do the same, in slices of one run that take turns;
// each way counts with its fastest slice, which other work on the machine
// disturbed least.
func ratio(b *testing.B, unit string, slice int, ours, serial func(n int) float64) {
	best, bestSerial := math.Inf(1), math.Inf(1)
	rounds := 0
	for done := 0; done < b.N || rounds < 10; done += slice {
		best = min(best, ours(slice))
		bestSerial = min(bestSerial, serial(slice))
		rounds++
	}
	b.ReportMetric(best, "ns/"+unit)
	b.ReportMetric(bestSerial, "serial-ns/"+unit)
	b.ReportMetric(bestSerial/best, "x-serial")
	b.ReportMetric(0, "ns/op") // means nothing here: hide it
}

// BenchmarkAkitaTickers runs 1,000 unchanged Akita ticking components.
func BenchmarkAkitaTickers(b *testing.B) { benchTickers(b, akitaTickers) }

// BenchmarkTickers runs 1,000 components on the reusable Ticker; the ratio is
// against Akita's ticking components on SerialEngine.
func BenchmarkTickers(b *testing.B) { benchTickers(b, ownTickers) }

func benchTickers(b *testing.B, l load) {
	for _, name := range []string{"one-clock", "three-clocks"} {
		clocks := benchClocks[name]
		b.Run(name+"/engine", func(b *testing.B) {
			b.ReportAllocs()
			b.ReportMetric(perEvent(b, New(), l, clocks, b.N), "ns/event")
		})
		b.Run(name+"/serial", func(b *testing.B) {
			b.ReportAllocs()
			b.ReportMetric(perEvent(b, sim.NewSerialEngine(), l, clocks, b.N), "ns/event")
		})
		b.Run(name+"/ratio", func(b *testing.B) {
			ratio(b, "event", 200_000,
				func(n int) float64 { return perEvent(b, New(), l, clocks, n) },
				func(n int) float64 { return perEvent(b, sim.NewSerialEngine(), akitaTickers, clocks, n) })
		})
	}
}

// holder schedules itself at random later times.
type holder struct {
	note
	e    sim.Engine
	rnd  *rand.Rand
	left int
}

func (h *holder) Handler() sim.Handler { return h }
func (h *holder) Handle(sim.Event) error {
	if h.left--; h.left > 0 {
		h.t += sim.VTimeInSec(h.rnd.Float64() * 1e-6)
		h.e.Schedule(h)
	}
	return nil
}

// BenchmarkHold is the hold model (Jones 1986): 1,000 events at times that are
// all different, the worst case for a queue of instants.
func BenchmarkHold(b *testing.B) {
	hold := func(b *testing.B, e sim.Engine) {
		b.ReportAllocs()
		for i := range 1000 {
			h := &holder{e: e, rnd: rand.New(rand.NewPCG(uint64(i), 0)), left: b.N/1000 + 1}
			e.Schedule(h)
		}
		b.ResetTimer()
		require.NoError(b, e.Run())
	}
	b.Run("engine", func(b *testing.B) { hold(b, New()) })
	b.Run("serial", func(b *testing.B) { hold(b, sim.NewSerialEngine()) })
}

// akitaPinger is pinger the way Akita's examples do it.
type akitaPinger struct {
	*sim.TickingComponent
	port   sim.Port
	peer   sim.Port
	toSend int
	got    int
	limit  int
}

func (p *akitaPinger) Tick(now sim.VTimeInSec) bool {
	moved := false
	for p.port.Peek() != nil {
		p.port.Retrieve(now)
		p.got++
		moved = true
		if p.got < p.limit {
			p.toSend++
		}
	}
	for p.toSend > 0 {
		m := new(pingMsg)
		m.ID = sim.GetIDGenerator().Generate()
		m.Src, m.Dst, m.SendTime = p.port, p.peer, now
		if p.port.Send(m) != nil {
			break
		}
		p.toSend--
		moved = true
	}
	return moved
}

func akitaPingPair(e sim.Engine, limit, idle int) (a, b *akitaPinger) {
	w := sim.NewDirectConnection("Conn", e, sim.GHz)
	pair := []*akitaPinger{{limit: limit}, {limit: limit}}
	for i, p := range pair {
		p.TickingComponent = sim.NewTickingComponent(fmt.Sprintf("P[%d]", i), e, sim.GHz, p)
		p.port = sim.NewLimitNumMsgPort(p, 16, fmt.Sprintf("P[%d].Port", i))
		w.PlugIn(p.port, 16)
	}
	for i := range idle {
		w.PlugIn(sim.NewLimitNumMsgPort(nil, 1, fmt.Sprintf("Idle[%d]", i)), 1)
	}
	a, b = pair[0], pair[1]
	a.peer, b.peer, a.toSend = b.port, a.port, 1
	a.TickNow(0)
	return a, b
}

func pingOurs(b *testing.B, idle, n int) float64 {
	e := New()
	x, y := pingPair(e, n/2+1, idle)
	start := time.Now()
	require.NoError(b, e.Run())
	return float64(time.Since(start).Nanoseconds()) / float64(x.got+y.got)
}

func pingSerial(b *testing.B, idle, n int) float64 {
	e := sim.NewSerialEngine()
	x, y := akitaPingPair(e, n/2+1, idle)
	start := time.Now()
	require.NoError(b, e.Run())
	return float64(time.Since(start).Nanoseconds()) / float64(x.got+y.got)
}

// BenchmarkPingPong sends one message to and fro: over Port, Wire and Ticker
// on our engine, and over Akita's own on SerialEngine. With 64 ends only two
// of them are busy.
func BenchmarkPingPong(b *testing.B) {
	for _, ends := range []int{2, 64} {
		name := fmt.Sprintf("ends=%d", ends)
		b.Run(name+"/engine", func(b *testing.B) {
			b.ReportAllocs()
			b.ReportMetric(pingOurs(b, ends-2, b.N), "ns/msg")
		})
		b.Run(name+"/serial", func(b *testing.B) {
			b.ReportAllocs()
			b.ReportMetric(pingSerial(b, ends-2, b.N), "ns/msg")
		})
		b.Run(name+"/ratio", func(b *testing.B) {
			ratio(b, "msg", 50_000,
				func(n int) float64 { return pingOurs(b, ends-2, n) },
				func(n int) float64 { return pingSerial(b, ends-2, n) })
		})
	}
}

// echo sends one message per cycle back to where it came from.
type echo struct {
	*sim.ComponentBase
	tick *Ticker
	port *Port
}

func (p *echo) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { p.tick.WakeAfter(now) }
func (p *echo) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { p.tick.WakeAfter(now) }

func (p *echo) Handle(e sim.Event) error {
	if p.port.Peek() == nil || !p.port.CanSend() {
		return nil // a notification wakes us
	}
	m := p.port.Retrieve(e.Time()).(*pingMsg)
	m.Src, m.Dst = m.Dst, m.Src
	p.port.Send(m)
	p.tick.WakeAfter(e.Time())
	return nil
}

// BenchmarkNToOne is 64 sources with four messages each to and fro on one wire
// to one sink that answers one per cycle: 60 sources are held back at any time.
func BenchmarkNToOne(b *testing.B) {
	for name, opts := range map[string]EndOptions{"plain": {}, "latency-bandwidth": {Latency: 5, Bandwidth: 64e9 * 8}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			const n = 64
			e := New()
			w := NewWire("Wire", e)
			hub := &echo{ComponentBase: sim.NewComponentBase("Hub")}
			hub.tick = NewTicker(e, clock.GHz, hub)
			hub.port = NewPort(hub, "Hub.Port", 4)
			w.Attach(hub.port, clock.GHz, opts)
			pingers := make([]*pinger, n)
			for i := range pingers {
				p := newPinger(e, fmt.Sprintf("P[%d]", i))
				p.peer, p.toSend, p.limit = hub.port, 4, b.N/n+4
				w.Attach(p.port, clock.GHz, opts)
				p.tick.WakeAt(0)
				pingers[i] = p
			}
			b.ResetTimer()
			require.NoError(b, e.Run())
			b.StopTimer()
			got := 0
			for _, p := range pingers {
				got += p.got
			}
			require.GreaterOrEqual(b, got, b.N)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(2*got), "ns/msg")
		})
	}
}
