package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/memory/policy/dco"
	"github.com/causeway-sim/causeway/workloads/synthetic/tracetest"
)

// reference returns one of the reference traces.
func reference(t testing.TB, name string) tracetest.Trace {
	for _, tr := range tracetest.Reference() {
		if tr.Name == name {
			return tr
		}
	}
	t.Fatalf("no reference trace %q", name)
	return tracetest.Trace{}
}

var mib = policy.Geometry{Sets: 1024, Ways: 16}

// told is g with what the trace says of its tensors.
func told(g policy.Geometry, tr tracetest.Trace) policy.Geometry {
	g.Tensors = tr.Tensors
	return g
}

// The attention streams: 0.99 of OPT with bypass when the tensors are described,
// more than protection of 15 of 16 ways when they must be learned. Closed forms:
// OPT hits C(P-1) = 245,760 and (G-1)NP + C(P-1) = 1,425,408.
func TestDCOOnAttention(t *testing.T) {
	for _, c := range []struct {
		trace            string
		best, told, bare uint64
	}{
		{"fa_mha4", 245_760, 245_000, 230_400},
		{"fa_gqa4", 1_425_408, 1_416_000, 1_410_048},
	} {
		tr := reference(t, c.trace)
		as := collect(tr)
		got := run(newCore(t, "dco", told(mib, tr), nil), as).Hits
		require.GreaterOrEqual(t, float64(got), 0.99*float64(c.best))
		require.GreaterOrEqual(t, got, c.told, c.trace)
		require.LessOrEqual(t, got, c.best)
		got = run(newCore(t, "dco", mib, nil), collect(tr.Plain())).Hits
		require.GreaterOrEqual(t, got, c.bare, c.trace)
	}
}

// quarter is the phase mix for a cache of 256 KiB.
func quarter() (tracetest.Trace, policy.Geometry) {
	return tracetest.Mix(tracetest.Phases{Layers: 4, Own: 2048, Shared: 6144, Blocks: 4, Weights: 3072, Rereads: 6, Window: 512, Outputs: 2048}),
		policy.Geometry{Sets: 256, Ways: 16}
}

// The phase mix: what no single stream shows. At least 5% fewer misses than the
// best of the others, told or not.
func TestDCOOnThePhaseMix(t *testing.T) {
	tr, g := quarter()
	as := collect(tr.Plain())
	best := uint64(len(as))
	for _, name := range []string{"lru", "mru", "dip", "drrip", "ship", "hawkeye"} {
		best = min(best, run(newCore(t, name, g, nil), as).Misses)
	}
	bare := run(newCore(t, "dco", g, nil), as).Misses
	with := run(newCore(t, "dco", told(g, tr), nil), collect(tr)).Misses
	opt := run(newCore(t, "opt_bypass", g, nil), as).Misses
	t.Logf("misses: best of the others %d, dco %d, with descriptors %d, OPT with bypass %d", best, bare, with, opt)
	require.LessOrEqual(t, float64(bare), 0.80*float64(best))
	require.LessOrEqual(t, float64(with), 0.80*float64(best))
	require.LessOrEqual(t, float64(with), 1.03*float64(opt))
}

// Never far below LRU, on the reference traces that have it well above 0.
func TestDCOKeepsUpWithLRU(t *testing.T) {
	peer := map[string]uint64{}
	for _, f := range readFigures(t, "hits_1MB_16way.csv", mib) {
		if f.policy == "lru" {
			peer[f.trace] = f.hits
		}
	}
	for _, name := range []string{"cyc16384x20", "scanreuse", "uniform32768", "zipf1.0_131072"} {
		as := collect(reference(t, name).Plain())
		hits, ok := peer[name]
		if !ok {
			hits = run(newCore(t, "lru", mib, nil), as).Hits
		}
		lru := float64(hits)
		dco := float64(run(newCore(t, "dco", mib, nil), as).Hits)
		require.GreaterOrEqual(t, dco, lru-0.002*float64(len(as)), name)
	}
}

// Each mechanism is worth something somewhere.
func TestDCOLosesWithoutEachMechanism(t *testing.T) {
	for _, c := range []struct {
		trace string
		off   func(*dco.Spec)
		share float64 // of the hits that may be left
	}{
		{"mixed3", func(s *dco.Spec) { s.DeadBlock = false }, 0.95},
		{"fa_mha4", func(s *dco.Spec) { s.AntiThrash = false }, 0.5},
		{"cyc32768x20", func(s *dco.Spec) { s.Bypass = false }, 0.99},
	} {
		as := first(reference(t, c.trace).Plain(), 1_000_000)
		spec := dco.DefaultSpec()
		on := run(newCore(t, "dco", mib, spec), as).Hits
		c.off(&spec)
		require.Less(t, float64(run(newCore(t, "dco", mib, spec), as).Hits), c.share*float64(on), c.trace)
	}
}

// warm is a dco that has seen accesses enough to risk a line, and forgotten them.
func warm(t *testing.T, g policy.Geometry, spec dco.Spec) *tagstore.Store {
	c := newCore(t, "dco", g, spec)
	for range 1024 {
		c.Access(policy.Access{Line: 1 << 20})
	}
	c.Invalidate(1 << 20)
	return c
}

// Descriptors pay by themselves: tensors whose lines are read twice and then
// never again leave room at once for those that come after. Learning needs the
// lines to grow old first.
func TestDCODeadTilesLeaveFirst(t *testing.T) {
	g := policy.Geometry{Sets: 1, Ways: 4, Tensors: []policy.Tensor{
		{Base: 0, Bytes: 2 * 64, Tile: 64, Uses: 2},
		{Base: 128, Bytes: 64 * 64, Tile: 64, Uses: 3},
	}}
	c := warm(t, g, dco.DefaultSpec())
	for _, a := range []policy.Access{
		{Line: 2, Tensor: 2}, {Line: 0, Tensor: 1}, {Line: 3, Tensor: 2}, {Line: 4, Tensor: 2}, // full
		{Line: 0, Tensor: 1}, // its tile has had both accesses
	} {
		c.Access(a)
	}
	r := c.Access(policy.Access{Line: 5, Tensor: 2})
	require.True(t, r.Evicted)
	require.EqualValues(t, 0, r.Victim, "not line 2, which is older")

	spec := dco.DefaultSpec()
	spec.DeadBlock = false
	c = warm(t, g, spec)
	for _, l := range []uint64{2, 0, 3, 4} {
		c.Access(policy.Access{Line: l, Tensor: uint16(min(l/2, 1) + 1)})
	}
	c.Access(policy.Access{Line: 0, Tensor: 1})
	require.NotEqualValues(t, 0, c.Access(policy.Access{Line: 5, Tensor: 2}).Victim)
}

// A write-once output is not filled.
func TestDCOKeepsWriteOnceOutputsOut(t *testing.T) {
	g := policy.Geometry{Sets: 1, Ways: 1, Tensors: []policy.Tensor{{Base: 64 * 64, Bytes: 64 * 64, Uses: 1, WriteOnce: true}}}
	c := warm(t, g, dco.DefaultSpec())
	c.Access(policy.Access{Line: 1})
	require.True(t, c.Access(policy.Access{Line: 64, Tensor: 1, Write: true}).Bypassed)
	require.True(t, c.Access(policy.Access{Line: 1}).Hit)
}
