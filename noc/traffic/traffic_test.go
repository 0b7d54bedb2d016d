package traffic_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/noc/traffic"
)

func make2(t testing.TB, name string, spec any) topology.Topology {
	top, err := topology.New(name, spec)
	require.NoError(t, err)
	return top
}

// Every pattern draws terminals that exist, the same again for the same seed,
// and without allocation.
func TestContract(t *testing.T) {
	tops := map[string]topology.Topology{
		"mesh 4x4": make2(t, "mesh", topology.GridSpec{Dims: []int{4, 4}}), "torus 3x5x2": make2(t, "torus", topology.GridSpec{Dims: []int{3, 5}, Concentration: 2}),
		"dragonfly": make2(t, "dragonfly", nil), "fat tree": make2(t, "fat_tree", topology.FatTreeSpec{K: 2, N: 4}),
	}
	for _, e := range traffic.All.Entries() {
		require.NotEmpty(t, e.Source)
		runs := 0
		for where, top := range tops {
			name := strings.Replace(e.Name, "+i", "+1", 1)
			p, err := traffic.New(name, top, 7)
			if err != nil {
				continue
			}
			runs++
			t.Run(name+" on "+where, func(t *testing.T) {
				again, err := traffic.New(name, top, 7)
				require.NoError(t, err)
				a, b := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
				for i := range 20 * top.Terminals() {
					src := i % top.Terminals()
					dst := p.Dst(src, a)
					require.True(t, dst >= 0 && dst < top.Terminals() || dst == traffic.Silent && name == "stencil")
					require.Equal(t, dst, again.Dst(src, b))
				}
				require.Zero(t, testing.AllocsPerRun(10, func() { p.Dst(0, a) }))
			})
		}
		require.NotZero(t, runs, e.Name)
	}
}

// Permutations, destination by destination. Reference: Dally and Towles, table
// 3.1.
func TestPermutations(t *testing.T) {
	mesh := make2(t, "mesh", topology.GridSpec{Dims: []int{4, 4}})
	torus := make2(t, "torus", topology.GridSpec{Dims: []int{8, 5}, Concentration: 2})
	for _, c := range []struct {
		name     string
		top      topology.Topology
		src, dst int
	}{
		{"bitcomp", mesh, 0b0110, 0b1001}, {"bitrev", mesh, 0b0011, 0b1100}, {"bitrev", mesh, 0b0001, 0b1000}, {"shuffle", mesh, 0b1010, 0b0101},
		{"transpose", mesh, 1*4 + 3, 3*4 + 1}, {"neighbor", mesh, 3*4 + 3, 0}, {"neighbor", mesh, 1, 4 + 2},
		{"tornado", mesh, 0, 4 + 1},                      // ceil(4/2)-1 = 1
		{"tornado", torus, 2 * (4*8 + 6), 2 * (1*8 + 1)}, // 3 of 8 and 2 of 5
		{"tornado", torus, 2*(4*8+6) + 1, 2*(1*8+1) + 1},
	} {
		p, err := traffic.New(c.name, c.top, 0)
		require.NoError(t, err)
		require.Equal(t, c.dst, p.Dst(c.src, nil), "%s of %d", c.name, c.src)
	}
	for _, name := range []string{"bitcomp", "bitrev", "shuffle", "transpose", "neighbor", "tornado", "randperm"} {
		p, err := traffic.New(name, mesh, 3)
		require.NoError(t, err)
		seen := map[int]bool{}
		for s := range 16 {
			seen[p.Dst(s, nil)] = true
		}
		require.Len(t, seen, 16, "%s is a permutation", name)
	}
	a, _ := traffic.New("randperm", mesh, 3)
	b, _ := traffic.New("randperm", mesh, 4)
	require.NotEqual(t, a, b)
}

// Random patterns reach their set of destinations evenly, and nothing else.
func TestRandomPatterns(t *testing.T) {
	d := make2(t, "dragonfly", nil) // p2 a4 h2: groups of 8, 9 groups
	span := func(lo, n int) (out []int) {
		for i := range n {
			out = append(out, (lo+i)%72)
		}
		return out
	}
	for _, c := range []struct {
		name string
		src  int
		want []int
	}{
		{"uniform", 5, span(0, 72)}, {"uniform_other", 5, span(6, 71)},
		{"adv+1", 5, span(8, 8)}, {"adv+1", 70, span(0, 8)}, {"adv+8", 5, span(64, 8)}, {"adv+4", 70, span(24, 8)},
		{"advc", 5, span(8, 16)}, {"advc", 57, span(64, 16)}, {"adv_local+1", 6, span(0, 2)}, {"adv_local+2", 8, span(12, 2)},
	} {
		t.Run(fmt.Sprint(c.name, c.src), func(t *testing.T) {
			p, err := traffic.New(c.name, d, 0)
			require.NoError(t, err)
			rng := rand.New(rand.NewPCG(1, 2))
			count := map[int]int{}
			n := 1000 * len(c.want)
			for range n {
				count[p.Dst(c.src, rng)]++
			}
			require.Len(t, count, len(c.want))
			for _, w := range c.want {
				require.InDelta(t, 1000, count[w], 5*32, "terminal %d", w)
			}
		})
	}
}

// A group or a router that is no other one is refused, and so is a way around.
func TestAdversariesOfThemselves(t *testing.T) {
	d := make2(t, "dragonfly", nil) // groups of 4 routers, 9 groups
	for name, want := range map[string]string{
		"adv+0":       "of 9 groups none is another one that is 0 further on (want 1 to 8)",
		"adv+9":       "of 9 groups none is another one that is 9 further on (want 1 to 8)",
		"adv+10":      "want 1 to 8",
		"adv_local+4": "of 4 routers none is another one that is 4 further on (want 1 to 3)",
	} {
		_, err := traffic.New(name, d, 0)
		require.ErrorContains(t, err, want, name)
	}
}

// Groups of a dragonfly+ are those of its leaves.
func TestAdversaryOfDragonflyPlus(t *testing.T) {
	d := make2(t, "dragonfly_plus", topology.DragonflyPlusSpec{P: 3, Leaves: 2, Spines: 2, H: 2}) // five groups of 6
	rng := rand.New(rand.NewPCG(1, 2))
	for _, i := range []int{1, 3} {
		p, err := traffic.New(fmt.Sprintf("adv+%d", i), d, 0)
		require.NoError(t, err)
		for src := range d.Terminals() {
			seen := map[int]bool{}
			for range 200 {
				dst := p.Dst(src, rng)
				seen[dst] = true
				require.Equal(t, (src/6+i)%5, dst/6)
			}
			require.Len(t, seen, 6)
		}
	}
}

// Gaps are geometric: mean 1/p, P(gap = 1) = p.
func TestBernoulli(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, p := range []float64{.9, .5, .1, .01} {
		b := traffic.NewBernoulli(p)
		const n = 200000
		var sum, ones float64
		for range n {
			g := b.Gap(rng)
			require.GreaterOrEqual(t, g, int64(1))
			sum += float64(g)
			if g == 1 {
				ones++
			}
		}
		require.InDelta(t, 1/p, sum/n, 5/p*math.Sqrt((1-p)/n))
		require.InDelta(t, p, ones/n, 5*math.Sqrt(p*(1-p)/n))
	}
	require.EqualValues(t, 1, traffic.NewBernoulli(1).Gap(rng))
	require.EqualValues(t, 1, traffic.NewBernoulli(2).Gap(rng))
	require.EqualValues(t, traffic.Never, traffic.NewBernoulli(0).Gap(rng))
	require.EqualValues(t, traffic.Never, traffic.NewBernoulli(-1).Gap(rng))
	require.EqualValues(t, traffic.Never, traffic.NewBernoulli(math.NaN()).Gap(rng))
	require.Greater(t, traffic.NewBernoulli(1e-300).Gap(rng), int64(1e15))
}

func TestBadNames(t *testing.T) {
	d := make2(t, "dragonfly", nil)
	mesh := make2(t, "mesh", topology.GridSpec{Dims: []int{4, 2}})
	for _, c := range []struct {
		name string
		top  topology.Topology
		want string
	}{
		{"adv+x", d, `traffic pattern adv+x: "x" is no number (want for example adv+1)`},
		{"adv+01", d, `traffic pattern adv+01: "01" is no number (want for example adv+1)`},
		{"adv", d, `unknown traffic pattern "adv" (want one of: adv+i, adv_local+i, advc, all_to_all, bitcomp, bitrev, hotspot, neighbor, randperm, shuffle, stencil, tornado, transpose, uniform, uniform_other, uniform_remote)`},
		{"adv+1", mesh, "traffic pattern adv+1: goes with dragonfly and dragonfly_plus only"},
		{"tornado", d, "traffic pattern tornado: goes with mesh, torus and ring only"},
		{"bitcomp", d, "traffic pattern bitcomp: 72 terminals (want a power of two)"},
		{"transpose", mesh, "traffic pattern transpose: 8 terminals (want a power of four)"},
		{"uniform_other", make2(t, "crossbar", topology.CrossbarSpec{Terminals: 1}), "traffic pattern uniform_other: there is no other terminal"},
		{"advc", make2(t, "dragonfly", topology.DragonflySpec{P: 1, A: 2, H: 2, G: 2}), "traffic pattern advc: wants 1 to g-1 global ports per router, h is 2 and g 2"},
	} {
		_, err := traffic.New(c.name, c.top, 0)
		require.EqualError(t, err, c.want)
	}
}

func FuzzNew(f *testing.F) {
	f.Add("adv+1")
	f.Add("uniform")
	f.Add("+")
	d := make2(f, "dragonfly", nil)
	f.Fuzz(func(t *testing.T, name string) {
		p, err := traffic.New(name, d, 1)
		if err == nil {
			require.Less(t, p.Dst(0, rand.New(rand.NewPCG(1, 2))), 72)
		}
	})
}

func ExampleNew() {
	mesh, _ := topology.New("mesh", topology.GridSpec{Dims: []int{8, 8}})
	p, _ := traffic.New("transpose", mesh, 0)
	fmt.Println(p.Dst(1*8+6, nil) == 6*8+1)
	// Output: true
}
