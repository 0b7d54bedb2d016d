package bound_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/bound"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/synthetic"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// lineBytes of the caches here.
const lineBytes = 64

// count plays a layer, a line of each core in turn, on a fully associative cache.
func count(t require.TestingT, l synthetic.Layer, lines int, name string) (accesses, misses float64) {
	var as []policy.Access
	var rs []trace.Reader
	for c := range l.On() {
		r, err := synthetic.NewReader(l, c, lineBytes)
		require.NoError(t, err)
		rs = append(rs, r)
	}
	for open := true; open; {
		open = false
		for _, r := range rs {
			var rec trace.Record
			if r.Next(&rec) == nil {
				open = true
				as = append(as, policy.Access{Line: rec.Addr / lineBytes, Write: rec.Write})
			}
		}
	}
	last := map[uint64]int{}
	for i := len(as) - 1; i >= 0; i-- {
		as[i].Next = uint64(last[as[i].Line])
		last[as[i].Line] = i
	}
	p, err := policy.New(name, policy.Geometry{Sets: 1, Ways: lines}, nil)
	require.NoError(t, err)
	x, err := tagstore.NewIndex(1, 1, "linear")
	require.NoError(t, err)
	c := tagstore.New(x, lines, p)
	for _, a := range as {
		c.Access(a)
	}
	return float64(c.Counts().Accesses), float64(c.Counts().Misses)
}

// Closed forms against caches, where loops do not fit or fit with room to spare:
// LRU exactly, Best within what a byte more or less at the edges of passes makes.
func TestTrafficOfAttention(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sharers := rapid.IntRange(1, 3).Draw(t, "sharers")
		groups := rapid.IntRange(1, 2).Draw(t, "groups")
		h := &synthetic.Heads{
			KVHeads: groups, Heads: groups * sharers * rapid.IntRange(1, 2).Draw(t, "heads"), Dim: 32, Queries: 4 * rapid.IntRange(2, 6).Draw(t, "blocks"),
			Context: 64 * rapid.IntRange(1, 3).Draw(t, "context"), Block: 4, Tile: 16, Element: 2, Cores: groups * sharers, Sharers: sharers,
		}
		loops, err := bound.Loops(h)
		require.NoError(t, err)
		kv := loops[0].Unique / lineBytes
		for _, share := range []float64{0.4, 0.6, 1.6} {
			lines := int(share * kv)
			for _, c := range []struct {
				rule bound.Rule
				name string
				tol  float64
			}{{bound.LRU, "lru", 1e-9}, {bound.Best, "opt_bypass", 0.04}} {
				accesses, misses := count(t, h, lines, c.name)
				got := bound.Move(loops, float64(lines)*lineBytes, c.rule)
				require.InEpsilon(t, accesses*lineBytes, got.Cache, 1e-9)
				require.InEpsilon(t, misses*lineBytes, got.Memory, c.tol, "%s with %d lines", c.name, lines)
			}
		}
	})
}

func TestTrafficOfAProduct(t *testing.T) {
	for _, split := range []string{"row", "column"} {
		p := &synthetic.Product{M: 192, K: 64, N: 192, TileM: 8, TileK: 16, TileN: 16, Element: 4, Cores: 2, Split: split}
		loops, err := bound.Loops(p)
		require.NoError(t, err)
		b := 64.0 * 192 * 4 / lineBytes
		for _, share := range []float64{0.5, 0.7, 3} {
			lines := int(share * b)
			accesses, misses := count(t, p, lines, "lru")
			got := bound.Move(loops, float64(lines)*lineBytes, bound.LRU)
			require.InEpsilon(t, accesses*lineBytes, got.Cache, 1e-9)
			require.InEpsilon(t, misses*lineBytes, got.Memory, 0.01, "LRU, split by %s, %.1f of B", split, share)
			_, misses = count(t, p, lines, "opt_bypass")
			got = bound.Move(loops, float64(lines)*lineBytes, bound.Best)
			require.InEpsilon(t, misses*lineBytes, got.Memory, 0.06, "OPT, split by %s, %.1f of B", split, share)
		}
	}
}

// The order of the three times, and the bottleneck that halving finds.
func TestTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(1, 1e3)
		m := bound.Machine{Compute: f.Draw(t, "compute"), Cache: f.Draw(t, "cache"), Memory: f.Draw(t, "memory"), Latency: 0}
		tr := bound.Traffic{Cache: f.Draw(t, "asked")}
		tr.Protected = tr.Cache * rapid.Float64Range(0, 1).Draw(t, "protected")
		tr.Memory = (tr.Cache - tr.Protected) * rapid.Float64Range(0, 1).Draw(t, "missed")
		x := m.Times(tr)
		require.LessOrEqual(t, x.Overlap, x.Phased*(1+1e-12))
		require.LessOrEqual(t, x.Phased, x.Serial*(1+1e-12))
		m.Memory /= 2
		require.InEpsilon(t, 1+x.Memory, 1+m.Times(tr).Memory/2, 1e-9)
	})
}

// The ceilings of the closed forms: a cache of half of K and V, 16 passes.
func ExampleMove() {
	for _, c := range []struct{ sharers, context int }{{1, 1024}, {4, 3072}} {
		h := synthetic.Heads{
			Heads: 4, KVHeads: 4 / c.sharers, Dim: 128, Queries: 2048, Context: c.context, Block: 128, Tile: 128, Element: 2,
			Cores: 4, Sharers: c.sharers,
		}
		loops, err := bound.Loops(&h)
		if err != nil {
			panic(err)
		}
		kv := loops[:1] // without queries and results
		lru, best := bound.Move(kv, 1<<20, bound.LRU), bound.Move(kv, 1<<20, bound.Best)
		fmt.Printf("%d cores share: %.3f times less from memory\n", c.sharers, lru.Memory/best.Memory)
	}
	// Output:
	// 1 cores share: 1.882 times less from memory
	// 4 cores share: 2.667 times less from memory
}
