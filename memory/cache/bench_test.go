package cache_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// Accesses per second of the node, its requester, two wires and a memory: half of
// them miss.
func BenchmarkNode(b *testing.B) {
	for name, build := range map[string]func(e *engine.Engine) (node, error){
		"functional": func(e *engine.Engine) (node, error) { return cache.NewFunctional("LLC", e, cache.DefaultSpec()) },
		"timed":      func(e *engine.Engine) (node, error) { return cache.NewTimed("LLC", e, cache.DefaultTimedSpec()) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			e := engine.New()
			c, err := build(e)
			require.NoError(b, err)
			onMemory(b, e, c, newFlat(e, 50))
			r := memtest.New("Core", e, clock.GHz, c.GetPortByName("Top"))
			for i := range uint64(1 << 16) {
				r.List = append(r.List, memtest.Request{Bytes: 64, Addr: i * 2654435761 % (32 << 20) / 128 * 64, Write: i%4 == 3})
			}
			r.Window, r.Repeat = 64, b.N/len(r.List)+4
			memtest.Wire(e, c.GetPortByName("Top"), clock.GHz, r)
			r.Start()
			require.NoError(b, e.RunUntil(1e-4)) // slots and queues have grown
			start := r.Done()
			b.ResetTimer()
			require.NoError(b, e.Run())
			n := float64(r.Done() - start)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n, "ns/access")
			b.ReportMetric(n/b.Elapsed().Seconds()/1e6, "Maccess/s")
			m := metrics(c.Stats())
			b.ReportMetric(m["hits"]/m["accesses"], "hits/access")
		})
	}
}
