package engine

import (
	"fmt"
	"testing"
	"time"

	"github.com/causeway-sim/causeway/components/clock"
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
		b.TickingComponent = sim.NewTickingComponent(fmt.Sprintf("T[%d]", i), e, clocks[i%len(clocks)].Freq(), b)
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

// ratio compares a load on our engine with Akita's tickers on SerialEngine, in
// slices of one run that take turns, so that both see the same machine.
func ratio(b *testing.B, l load, clocks []clock.Clock) {
	const slice = 200_000
	var ours, serial float64
	rounds := 0
	for done := 0; done < b.N || rounds < 3; done += slice {
		ours += perEvent(b, New(), l, clocks, slice)
		serial += perEvent(b, sim.NewSerialEngine(), akitaTickers, clocks, slice)
		rounds++
	}
	b.ReportMetric(ours/float64(rounds), "ns/event")
	b.ReportMetric(serial/float64(rounds), "serial-ns/event")
	b.ReportMetric(serial/ours, "x-serial")
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
		b.Run(name+"/ratio", func(b *testing.B) { ratio(b, l, clocks) })
	}
}
