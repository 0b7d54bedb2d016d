package topology_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/noc/topology"
)

// shapes lists specs per topology: the smallest, odd and partial ones. A
// topology that is not listed is tested with its defaults.
var shapes = map[string][]any{
	"dragonfly": {
		topology.DragonflySpec{P: 1, A: 1, H: 1}, topology.DragonflySpec{P: 1, A: 2, H: 1}, topology.DragonflySpec{P: 2, A: 4, H: 2},
		topology.DragonflySpec{P: 3, A: 5, H: 2, Arrangement: topology.Palmtree}, topology.DragonflySpec{P: 2, A: 4, H: 2, G: 5, Arrangement: topology.Relative},
		topology.DragonflySpec{P: 2, A: 4, H: 2, G: 4, Arrangement: topology.Palmtree}, topology.DragonflySpec{P: 1, A: 4, H: 2, G: 4, Links: 1},
		topology.DragonflySpec{P: 4, A: 3, H: 0}, topology.DragonflySpec{P: 1, A: 4, H: 2, G: 3, Arrangement: topology.Random, Seed: 7},
	},
	"dragonfly_plus": {
		topology.DragonflyPlusSpec{P: 1, Leaves: 1, Spines: 1, H: 1}, topology.DragonflyPlusSpec{P: 2, Leaves: 3, Spines: 2, H: 2},
		topology.DragonflyPlusSpec{P: 1, Leaves: 2, Spines: 3, H: 2, G: 4}, topology.DragonflyPlusSpec{P: 2, Leaves: 2, Spines: 2, H: 0},
	},
	"file":  {topology.FileSpec{File: "testdata/house.txt"}},
	"mesh":  {topology.GridSpec{Dims: []int{1}}, topology.GridSpec{Dims: []int{3, 2}}, topology.GridSpec{Dims: []int{2, 3, 4}, Concentration: 2}},
	"torus": {topology.GridSpec{Dims: []int{1, 2}}, topology.GridSpec{Dims: []int{2, 2}}, topology.GridSpec{Dims: []int{5, 4, 3}}},
	"pod": {
		topology.PodSpec{Cubes: []int{1, 1, 1}, Side: 4, Pod: 1, Hosts: 16}, topology.PodSpec{Cubes: []int{2, 1, 3}, Side: 2, Pod: 8, FailedCubes: 2, Hosts: 2, HostAvailability: 0.9},
		topology.PodSpec{Cubes: []int{2, 2, 1}, Side: 3, Pod: 4, FailedSwitches: []int{0, 13, 26}, Hosts: 1},
	},
	"ring":            {topology.RingSpec{Size: 1}, topology.RingSpec{Size: 2}, topology.RingSpec{Size: 7, Concentration: 3}},
	"hyperx":          {topology.HyperXSpec{Dims: []int{1, 3, 1}}, topology.HyperXSpec{Dims: []int{3, 4}, Concentration: 2}},
	"fully_connected": {topology.FullSpec{Routers: 2}, topology.FullSpec{Routers: 9, Concentration: 3}},
	"crossbar":        {topology.CrossbarSpec{Terminals: 1}},
	"fat_tree":        {topology.FatTreeSpec{K: 2, N: 1}, topology.FatTreeSpec{K: 2, N: 4}, topology.FatTreeSpec{K: 3, N: 3}},
}

func TestContract(t *testing.T) {
	for _, e := range topology.All.Entries() {
		specs := append([]any{e.Spec, nil}, shapes[e.Name]...)
		if e.Name == "file" { // has no default
			specs = shapes[e.Name]
		}
		for _, spec := range specs {
			t.Run(fmt.Sprintf("%s %+v", e.Name, spec), func(t *testing.T) {
				require.NotEmpty(t, e.Source)
				top, err := e.New(spec)
				require.NoError(t, err)
				contract(t, top)
			})
		}
	}
}

// contract checks what every topology promises.
func contract(t require.TestingT, top topology.Topology) {
	homes := map[[2]int]bool{}
	for term := range top.Terminals() {
		r, p := top.Home(term)
		require.True(t, r >= 0 && r < top.Routers() && p >= 0 && p < top.Ports(r))
		require.Equal(t, topology.Terminal, top.Class(r, p))
		require.False(t, homes[[2]int{r, p}], "two terminals at one port")
		homes[[2]int{r, p}] = true
		if term > 0 && p > 0 {
			pr, pp := top.Home(term - 1)
			require.Equal(t, [2]int{r, p - 1}, [2]int{pr, pp}, "terminals of a router are consecutive")
		}
	}
	terminals := 0
	for r := range top.Routers() {
		for p := range top.Ports(r) {
			c := top.Class(r, p)
			if c == topology.Terminal {
				terminals++
			}
			r2, p2, ok := top.Peer(r, p)
			require.Equal(t, c == topology.Local || c == topology.Global, ok, "router %d port %d is %s", r, p, c)
			if !ok {
				continue
			}
			require.NotEqual(t, r, r2, "router %d port %d faces its own router", r, p)
			r3, p3, back := top.Peer(r2, p2)
			require.True(t, back)
			require.Equal(t, [2]int{r, p}, [2]int{r3, p3}, "the peer of the peer")
			require.Equal(t, c, top.Class(r2, p2))
		}
	}
	require.Equal(t, top.Terminals(), terminals)
	for _, d := range distances(top, 0) {
		require.GreaterOrEqual(t, d, 0, "a router that nobody reaches")
	}
}

// distances counts channels from a router to all others; -1 is out of reach.
func distances(top topology.Topology, from int) []int {
	out := make([]int, top.Routers())
	for i := range out {
		out[i] = -1
	}
	out[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		for p := range top.Ports(queue[0]) {
			if r, _, ok := top.Peer(queue[0], p); ok && out[r] < 0 {
				out[r] = out[queue[0]] + 1
				queue = append(queue, r)
			}
		}
	}
	return out
}

func TestAnyDragonfly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := topology.DragonflySpec{
			P: rapid.IntRange(1, 4).Draw(t, "p"), A: rapid.IntRange(1, 7).Draw(t, "a"), H: rapid.IntRange(1, 4).Draw(t, "h"),
			Arrangement: rapid.SampledFrom([]topology.Arrangement{topology.Absolute, topology.Palmtree, topology.Relative, topology.Random}).Draw(t, "arrangement"),
		}
		s.G = rapid.IntRange(1, s.A*s.H+1).Draw(t, "g")
		d, err := topology.NewDragonfly(s)
		require.NoError(t, err)
		contract(t, d)
		pairs := map[[2]int]int{}
		for r := range d.Routers() {
			for p := range d.Ports(r) {
				if r2, _, ok := d.Peer(r, p); ok && d.Class(r, p) == topology.Global {
					pairs[[2]int{d.Group(r), d.Group(r2)}]++
				}
			}
		}
		require.Len(t, pairs, s.G*(s.G-1), "every pair of groups is joined")
		if s.G > 1 {
			require.Equal(t, s.A*s.H/(s.G-1), d.Links(), "as many parallel channels as the ports allow")
		}
		for from := range s.G {
			for to := range s.G {
				if from == to {
					continue
				}
				require.Equal(t, d.Links(), pairs[[2]int{from, to}])
				for k := range d.Links() {
					r, p := d.Exit(from, to, k)
					require.Equal(t, from, d.Group(r))
					r2, _, ok := d.Peer(r, p)
					require.True(t, ok)
					require.Equal(t, to, d.Group(r2))
				}
			}
		}
	})
}

// Two routers of one group face each other at the ports that LocalPort says.
func TestLocalPort(t *testing.T) {
	d, err := topology.NewDragonfly(topology.DragonflySpec{P: 2, A: 5, H: 1})
	require.NoError(t, err)
	for x := range 5 {
		for y := range 5 {
			if x != y {
				r, p, ok := d.Peer(5+x, d.LocalPort(5+x, 5+y))
				require.True(t, ok)
				require.Equal(t, [2]int{5 + y, d.LocalPort(5+y, 5+x)}, [2]int{r, p})
			}
		}
	}
}

// The largest network of the plan answers without tables.
func TestLargeDragonflyIsArithmetic(t *testing.T) {
	d, err := topology.NewDragonfly(topology.DragonflySpec{P: 8, A: 16, H: 8})
	require.NoError(t, err)
	require.Equal(t, 16512, d.Terminals())
	require.Zero(t, testing.AllocsPerRun(100, func() {
		r, p, _ := d.Peer(1000, 30)
		d.Peer(r, p)
	}))
}
