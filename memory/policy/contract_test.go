package policy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
)

// each runs a test per registered policy.
func each(t *testing.T, f func(t *testing.T, name string)) {
	for _, name := range policy.All.Names() {
		t.Run(name, func(t *testing.T) { f(t, name) })
	}
}

// drawTrace draws a trace of a few streams with all that a policy may look at.
func drawTrace(t *rapid.T, g policy.Geometry) []policy.Access {
	as := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) policy.Access {
		a := policy.Access{
			Line: rapid.Uint64Range(0, uint64(2*g.Sets*g.Ways)).Draw(t, "line"),
			PC:   rapid.Uint64Range(0, 4).Draw(t, "pc"),
			Core: rapid.Uint16Range(0, 3).Draw(t, "core"),
		}
		a.Write = rapid.Bool().Draw(t, "write")
		return a
	}), 1, 120).Draw(t, "trace")
	nextUses(as)
	return as
}

// twin is a set-associative cache in a map per set, which checks every answer of
// a policy as it drives it.
type twin struct {
	g    policy.Geometry
	p    policy.Policy
	sets []map[uint64]int
	set  func(line uint64) int // nil: its number modulo the sets
}

func (w *twin) access(t require.TestingT, a policy.Access) (hit bool) {
	set := int(a.Line % uint64(w.g.Sets))
	if w.set != nil {
		set = w.set(a.Line)
	}
	lines := w.sets[set]
	if way, ok := lines[a.Line]; ok {
		w.p.Hit(set, way, a)
		return true
	}
	way := -1
	taken := map[int]uint64{}
	for l, x := range lines {
		taken[x] = l
	}
	for x := range w.g.Ways {
		if _, ok := taken[x]; !ok {
			way = x
			break
		}
	}
	if way < 0 {
		if way = w.p.Victim(set, a); way == policy.Bypass {
			return false
		}
		require.True(t, way >= 0 && way < w.g.Ways, "way %d", way)
		w.p.Evict(set, way)
		delete(lines, taken[way])
	}
	lines[a.Line] = way
	w.p.Fill(set, way, a)
	return false
}

// The contract: ways are in range, decisions repeat, and the core of the cache
// does what the dumb twin does, invalidations included.
func TestContract(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		rapid.Check(t, func(t *rapid.T) {
			g := policy.Geometry{Sets: rapid.IntRange(1, 5).Draw(t, "sets"), Ways: 1 << rapid.IntRange(0, 4).Draw(t, "ways"), Seed: 7}
			as := drawTrace(t, g)
			p, err := policy.New(name, g, nil)
			require.NoError(t, err)
			w := &twin{g: g, p: p}
			for range g.Sets {
				w.sets = append(w.sets, map[uint64]int{})
			}
			x, err := tagstore.NewIndex(g.Sets, 1, "linear")
			require.NoError(t, err)
			p, err = policy.New(name, g, nil)
			require.NoError(t, err)
			c := tagstore.New(x, g.Ways, p)
			for i, a := range as {
				require.Equal(t, w.access(t, a), c.Access(a).Hit, "access %d", i)
				if i%37 == 36 {
					set := int(a.Line % uint64(g.Sets))
					way, there := w.sets[set][a.Line]
					if there {
						w.p.Evict(set, way)
						delete(w.sets[set], a.Line)
					}
					present, _ := c.Invalidate(a.Line)
					require.Equal(t, there, present)
				}
			}
			n := c.Counts()
			require.Equal(t, n.Accesses, n.Hits+n.Misses)
		})
	})
}

// The bounds: OPT with bypass is best, OPT the best of those that always fill.
func TestNothingBeatsOPT(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		rapid.Check(t, func(t *rapid.T) {
			g := policy.Geometry{Sets: 2, Ways: 4}
			as := drawTrace(t, g)
			hits := func(name string) tagstore.Counts {
				x, _ := tagstore.NewIndex(g.Sets, 1, "linear")
				p, err := policy.New(name, g, nil)
				require.NoError(t, err)
				return run(tagstore.New(x, g.Ways, p), as)
			}
			got, best := hits(name), hits("opt_bypass")
			require.LessOrEqual(t, got.Hits, best.Hits)
			if got.Bypasses == 0 {
				require.LessOrEqual(t, got.Hits, hits("opt").Hits)
			}
		})
	})
}

// With one way there is nothing to choose for a policy that always fills.
func TestOneWayIsNoChoice(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		rapid.Check(t, func(t *rapid.T) {
			g := policy.Geometry{Sets: 4, Ways: 1}
			as := drawTrace(t, g)
			x, _ := tagstore.NewIndex(g.Sets, 1, "linear")
			p, err := policy.New(name, g, nil)
			require.NoError(t, err)
			l, err := policy.New("lru", g, nil)
			require.NoError(t, err)
			got := run(tagstore.New(x, 1, p), as)
			if got.Bypasses == 0 {
				require.Equal(t, run(tagstore.New(x, 1, l), as).Hits, got.Hits)
			}
		})
	})
}

// Inclusion: a larger cache of a stack algorithm never hits less.
func TestStackAlgorithmsIncludeSmallerCaches(t *testing.T) {
	for _, name := range []string{"lru", "opt"} {
		rapid.Check(t, func(t *rapid.T) {
			as := drawTrace(t, policy.Geometry{Sets: 2, Ways: 8})
			last := uint64(0)
			for ways := 1; ways <= 8; ways++ {
				x, _ := tagstore.NewIndex(2, 1, "linear")
				p, err := policy.New(name, policy.Geometry{Sets: 2, Ways: ways}, nil)
				require.NoError(t, err)
				got := run(tagstore.New(x, ways, p), as).Hits
				require.GreaterOrEqual(t, got, last, "%s, %d ways", name, ways)
				last = got
			}
		})
	}
}

// Policies whose sets are large find their victim in another structure; it
// agrees with the scan.
func TestManyWaysEqualFew(t *testing.T) {
	g := policy.Geometry{Sets: 1, Ways: 70}
	rapid.Check(t, func(t *rapid.T) {
		as := append(append(drawTrace(t, g), drawTrace(t, g)...), drawTrace(t, g)...)
		nextUses(as)
		x, _ := tagstore.NewIndex(1, 1, "linear")
		p, err := policy.New("opt", g, nil)
		require.NoError(t, err)
		c := tagstore.New(x, g.Ways, p)
		in := map[uint64]uint64{} // line to next use
		for _, a := range as {
			next := a.Next
			if next == 0 {
				next = 1 << 63
			}
			_, had := in[a.Line]
			require.Equal(t, had, c.Access(a).Hit)
			if !had && len(in) == g.Ways {
				far := uint64(0)
				for _, n := range in {
					far = max(far, n)
				}
				gone := 0
				for l, n := range in {
					if n == far && far < 1<<63 || n == far && !contains(c.Lines(0), l) {
						delete(in, l)
						gone++
					}
				}
				require.Equal(t, 1, gone)
			}
			in[a.Line] = next
		}
	})
}

func contains(lines []uint64, l uint64) bool {
	for _, x := range lines {
		if x == l {
			return true
		}
	}
	return false
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		g    policy.Geometry
		spec any
		want string
	}{
		{"plru", policy.Geometry{Sets: 1, Ways: 12}, nil, "replacement policy plru: 12 ways (want a power of two)"},
		{"lru", policy.Geometry{Sets: 0, Ways: 4}, nil, "replacement policy lru: 0 sets of 4 ways (want at least 1 set, and 1 to 65535 ways)"},
		{"bip", policy.Geometry{Sets: 1, Ways: 4}, policy.Bimodal{}, "every: 0 (want at least 1)"},
		{"bip", policy.Geometry{Sets: 1, Ways: 4}, 3, "spec is a int, want a policy.Bimodal"},
	} {
		_, err := policy.New(c.name, c.g, c.spec)
		require.EqualError(t, err, c.want)
	}
	_, err := policy.New("lur", policy.Geometry{Sets: 1, Ways: 1}, nil)
	require.ErrorContains(t, err, `unknown replacement policy "lur" (want one of: arc, bip, brrip, `)
}

func ExampleNew() {
	p, err := policy.New("lip", policy.Geometry{Sets: 1, Ways: 4}, nil)
	if err != nil {
		panic(err)
	}
	x, _ := tagstore.NewIndex(1, 1, "linear")
	c := tagstore.New(x, 4, p)
	for range 4 {
		for line := range uint64(5) {
			c.Access(policy.Access{Line: line})
		}
	}
	fmt.Println(c.Counts().Hits, "of", c.Counts().Accesses)
	// Output: 9 of 20
}

// blind hands hits to a policy without their accesses.
type blind struct{ policy.HitAnyPolicy }

func (b blind) Hit(set, way int, _ policy.Access) { b.HitAny(set, way) }

// recent does hits of a policy by its orders alone.
type recent struct{ policy.Recent }

func (r recent) Hit(set, way int, _ policy.Access) {
	o := r.Orders()
	o[set] = policy.ToFront(o[set], way)
}

// A policy that offers HitAny, or orders, decides as it does by Hit.
func TestIndifferentPolicies(t *testing.T) {
	var names, recents []string
	each(t, func(t *testing.T, name string) {
		g := policy.Geometry{Sets: 3, Ways: 8, Seed: 7}
		build := func() policy.Policy {
			p, err := policy.New(name, g, nil)
			require.NoError(t, err)
			return p
		}
		if _, ok := build().(policy.HitAnyPolicy); !ok {
			return
		}
		names = append(names, name)
		sees, does := &twin{g: g, p: build()}, &twin{g: g, p: blind{build().(policy.HitAnyPolicy)}}
		orders := &twin{g: g}
		if p, ok := build().(policy.Recent); ok {
			recents, orders.p = append(recents, name), recent{p}
		}
		for range g.Sets {
			sees.sets, does.sets, orders.sets = append(sees.sets, map[uint64]int{}), append(does.sets, map[uint64]int{}), append(orders.sets, map[uint64]int{})
		}
		rng := rand.New(rand.NewPCG(3, 4))
		for range 2000 {
			a := policy.Access{Line: rng.Uint64N(40), PC: rng.Uint64N(4), Write: rng.IntN(2) == 0}
			want := sees.access(t, a)
			require.Equal(t, want, does.access(t, a))
			if _, ok := orders.p.(recent); ok {
				require.Equal(t, want, orders.access(t, a))
			}
		}
		require.Equal(t, sees.sets, does.sets)
	})
	require.Subset(t, names, []string{"fifo", "lru", "nru", "plru", "random", "sieve"})
	require.Equal(t, []string{"lru"}, recents)
}
