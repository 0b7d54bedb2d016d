package routing_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/routing/deadlock"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A shape is a topology to run everything on that runs on it.
type shape struct {
	name string
	spec any
}

var shapes = []shape{
	{"dragonfly", topology.DragonflySpec{P: 2, A: 4, H: 2}},
	{"dragonfly", topology.DragonflySpec{P: 1, A: 3, H: 1, Arrangement: topology.Palmtree}},
	{"dragonfly", topology.DragonflySpec{P: 1, A: 4, H: 2, G: 4, Arrangement: topology.Relative}},
	{"dragonfly", topology.DragonflySpec{P: 1, A: 2, H: 1, G: 2}},
	{"dragonfly", topology.DragonflySpec{P: 1, A: 3, H: 1, G: 1}},
	{"dragonfly", topology.DragonflySpec{P: 1, A: 4, H: 2, Arrangement: topology.Random, Seed: 3}},
	{"dragonfly_plus", topology.DragonflyPlusSpec{P: 2, Leaves: 3, Spines: 2, H: 2}},
	{"dragonfly_plus", topology.DragonflyPlusSpec{P: 1, Leaves: 2, Spines: 2, H: 2, G: 3}},
	{"file", topology.FileSpec{File: "../topology/testdata/house.txt"}},
	{"mesh", topology.GridSpec{Dims: []int{5, 4}}},
	{"mesh", topology.GridSpec{Dims: []int{3, 1, 4}, Concentration: 2}},
	{"torus", topology.GridSpec{Dims: []int{4, 5}}},
	{"torus", topology.GridSpec{Dims: []int{2, 3, 2}}},
	{"pod", topology.PodSpec{Cubes: []int{2, 1, 1}, Side: 2, Pod: 2, Hosts: 1}},
	{"ring", topology.RingSpec{Size: 8}},
	{"ring", topology.RingSpec{Size: 5}},
	{"hyperx", topology.HyperXSpec{Dims: []int{3, 4}}},
	{"fully_connected", topology.FullSpec{Routers: 5}},
	{"crossbar", topology.CrossbarSpec{Terminals: 5}},
	{"fat_tree", topology.FatTreeSpec{K: 2, N: 3}},
}

// pairs runs a test for every algorithm on every shape that it accepts.
func pairs(t *testing.T, f func(t *testing.T, top topology.Topology, name string, alg routing.Algorithm)) {
	for _, s := range shapes {
		top, err := topology.New(s.name, s.spec)
		require.NoError(t, err)
		runs := 0
		for _, name := range routing.All.Names() {
			alg, err := routing.New(name, top, nil)
			var not *routing.TopologyError
			if errors.As(err, &not) {
				continue
			}
			require.NoError(t, err)
			runs++
			t.Run(fmt.Sprintf("%s %v %s", s.name, s.spec, name), func(t *testing.T) { f(t, top, name, alg) })
		}
		require.NotZero(t, runs, "nothing routes %s", s.name)
	}
}

// Every pair that is shipped is free of deadlock and keeps its contract.
func TestEveryPairIsFreeOfDeadlock(t *testing.T) {
	pairs(t, func(t *testing.T, top topology.Topology, _ string, alg routing.Algorithm) {
		proof, err := deadlock.Check(top, alg, 0)
		require.NoError(t, err)
		require.True(t, proof.Free(), proof)
	})
}

// Every other choice of the specs is free of deadlock too.
func TestSpecsAreFreeOfDeadlock(t *testing.T) {
	top, err := topology.New("dragonfly", topology.DragonflySpec{P: 2, A: 4, H: 2, Arrangement: topology.Palmtree})
	require.NoError(t, err)
	var specs []struct {
		name string
		spec any
	}
	add := func(name string, spec any) {
		specs = append(specs, struct {
			name string
			spec any
		}{name, spec})
	}
	for _, ex := range []routing.Exclusion{routing.ExcludeNone, routing.ExcludeSource, routing.ExcludeBoth} {
		add("val_group", routing.ValiantSpec{Exclude: ex})
		add("val_router", routing.ValiantSpec{Exclude: ex})
		for _, via := range []string{"router", "group"} {
			add("ugal_l", routing.UGALSpec{Via: via, Exclude: ex, Hops: "actual", Queue: "vc"})
			add("ugal_g", routing.UGALSpec{Via: via, Exclude: ex})
		}
	}
	bound := map[string]int{"val_group": 5, "val_router": 6, "ugal_lgroup": 5, "ugal_lrouter": 6, "ugal_ggroup": 5, "ugal_grouter": 6}
	for _, s := range specs {
		t.Run(fmt.Sprintf("%s %v", s.name, s.spec), func(t *testing.T) {
			alg, err := routing.New(s.name, top, s.spec)
			require.NoError(t, err)
			proof, err := deadlock.Check(top, alg, 0)
			require.NoError(t, err)
			require.True(t, proof.Free(), proof)
			key := s.name
			if u, ok := s.spec.(routing.UGALSpec); ok {
				key += u.Via
			}
			require.Equal(t, bound[key], proof.MaxHops, "hops of the longest path")
		})
	}
}

// calm is a View with empty queues and seeded draws.
type calm struct {
	routing.Blind
	r   int
	rng *rand.Rand
}

func (c *calm) Router() int             { return c.r }
func (c *calm) Queue(int) int           { return 0 }
func (c *calm) QueueClass(int, int) int { return 0 }
func (c *calm) Remote(int, int) int     { return 0 }
func (c *calm) Intn(n int) int          { return c.rng.IntN(n) }

// walk takes a packet to its end and returns the routers that it passed.
func walk(t require.TestingT, top topology.Topology, alg routing.Algorithm, v *calm, src, dst int) []int {
	p := routing.Packet{Src: int32(src), Dst: int32(dst)}
	v.r, _ = top.Home(src)
	path := []int{v.r}
	for {
		hop := alg.Next(v, &p)
		to, _, ok := top.Peer(v.r, hop.Port)
		if !ok {
			r, port := top.Home(dst)
			require.Equal(t, [2]int{r, port}, [2]int{v.r, hop.Port})
			return path
		}
		v.r = to
		path = append(path, to)
		p.Hops++
		require.Less(t, len(path), 100)
	}
}

// A decision costs no allocation, and an empty network is crossed by the
// shortest way where the algorithm is minimal.
func TestMinimalPathsAreShortest(t *testing.T) {
	minimal := map[string]bool{"dor": true, "o1turn": true, "odd_even": true, "nca": true, "min": true, "ugal_l": true, "ugal_g": true}
	pairs(t, func(t *testing.T, top topology.Topology, name string, alg routing.Algorithm) {
		v := &calm{rng: rand.New(rand.NewPCG(1, 2))}
		_, fly := top.(topology.Dragonfly)
		for src := range top.Terminals() {
			from, _ := top.Home(src)
			dist := distances(top, from)
			for dst := range top.Terminals() {
				path := walk(t, top, alg, v, src, dst)
				home, _ := top.Home(dst)
				if !minimal[name] {
					continue
				}
				if fly { // the direct global channel, which may be longer than a way through a third group
					require.LessOrEqual(t, len(path)-1, 3)
					continue
				}
				require.Equal(t, dist[home], len(path)-1, "%d to %d by %v", src, dst, path)
			}
		}
		p := new(routing.Packet)
		require.Zero(t, testing.AllocsPerRun(20, func() {
			*p = routing.Packet{Dst: int32(top.Terminals() - 1)}
			v.r, _ = top.Home(0)
			alg.Next(v, p)
		}))
	})
}

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

// Failed channels: the others carry what goes, free of deadlock.
func TestUpDownAroundFailures(t *testing.T) {
	d, err := topology.NewDragonfly(topology.DragonflySpec{P: 1, A: 4, H: 2})
	require.NoError(t, err)
	top, err := topology.Without(d, [][2]int{{0, d.LocalPort(0, 3)}, {1, 5}, {8, 4}, {20, 1}})
	require.NoError(t, err)
	alg, err := routing.New("up_down", top, nil)
	require.NoError(t, err)
	proof, err := deadlock.Check(top, alg, 0)
	require.NoError(t, err)
	require.True(t, proof.Free(), proof)
	v := &calm{rng: rand.New(rand.NewPCG(1, 2))}
	for src := range top.Terminals() {
		for dst := range top.Terminals() {
			walk(t, top, alg, v, src, dst)
		}
	}

	var all [][2]int
	for p := range d.Ports(5) {
		if d.Class(5, p) != topology.Terminal {
			all = append(all, [2]int{5, p})
		}
	}
	top, err = topology.Without(d, all)
	require.NoError(t, err)
	_, err = routing.New("up_down", top, nil)
	require.EqualError(t, err, "routing: no channel leads to router 5")
}

// What is settled at the source stays so: from there on Onward is Next, also in what it
// writes into the packet.
func TestSettledIsNext(t *testing.T) {
	settled := map[string]bool{}
	pairs(t, func(t *testing.T, top topology.Topology, name string, alg routing.Algorithm) {
		on, ok := alg.(routing.SourceRouted)
		if !ok {
			return
		}
		settled[name] = true
		v := &calm{rng: rand.New(rand.NewPCG(3, 4))}
		for range 300 {
			src := v.rng.IntN(top.Terminals())
			p := routing.Packet{Src: int32(src), Dst: int32(v.rng.IntN(top.Terminals()))}
			v.r, _ = top.Home(src)
			for hop := alg.Next(v, &p); ; {
				to, _, more := top.Peer(v.r, hop.Port)
				if !more {
					break
				}
				v.r = to
				p.Hops++
				q := p
				hop = alg.Next(v, &p)
				port, class := on.Onward(to, &q)
				require.Equal(t, hop, routing.Hop{Port: port, Class: class})
				require.Equal(t, p, q)
			}
		}
	})
	require.True(t, settled["min"] && settled["val_router"] && settled["ugal_l"])
}
