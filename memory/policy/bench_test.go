package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/synthetic/tracetest"
)

// Accesses per second of the functional cache, 1 MiB of 16 ways.
func BenchmarkAccess(b *testing.B) {
	for _, trace := range []tracetest.Trace{tracetest.Zipf(17, 1.0, 1_000_000), reference(b, "fa_mha4"), reference(b, "fa_gqa4")} {
		as := collect(trace)
		for _, name := range policy.All.Names() {
			b.Run(trace.Name+"/"+name, func(b *testing.B) {
				c := newCore(b, name, told(mib, trace), nil)
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					c.Access(as[i])
					if i++; i == len(as) {
						i = 0
					}
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Maccess/s")
			})
		}
	}
}

// No policy allocates per access.
func TestAccessDoesNotAllocate(t *testing.T) {
	tr, g := quarter()
	as := collect(tr)[:20_000]
	each(t, func(t *testing.T, name string) {
		c := newCore(t, name, told(g, tr), nil)
		require.Zero(t, testing.AllocsPerRun(2, func() { run(c, as) }))
	})
	c := newCore(t, "dco", policy.Geometry{Sets: 16, Ways: 256}, nil)
	require.Zero(t, testing.AllocsPerRun(2, func() { run(c, as) }), "sets of many ways")
}
