package channel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// near is how many times the distance bound an all-to-all may take by the best of the
// routings that a topology has, each rank sending to the next ones in turn.
var near = map[string]float64{
	"crossbar": 1.02, "ring": 1.02, "dragonfly_plus": 1.03, "fully_connected": 1.05, "hyperx": 1.05,
	"fat_tree": 1.25, "dragonfly": 1.35, "file": 1.4, "torus": 1.45, "mesh": 1.5, "pod": 1.6,
}

// No all-to-all beats the distance bound, on any registered topology of any size and by any
// routing; and by the best of them it comes within a factor of it.
func TestAllToAllBound(t *testing.T) {
	for _, e := range topology.All.Entries() {
		worst := 0.0
		for _, spec := range boundSpecs(e.Name, e.Spec) {
			worst = max(worst, farFromBound(t, e, spec))
		}
		t.Logf("%s: the best routing takes up to %.2f times the bound", e.Name, worst)
		require.NotZero(t, near[e.Name], "no factor for %s", e.Name)
		require.Less(t, worst, near[e.Name], e.Name)
	}
}

// boundSpecs are sizes of a topology, small enough for all routings.
func boundSpecs(name string, def any) []any {
	switch name {
	case "file":
		return []any{topology.FileSpec{File: "../topology/testdata/house.txt"}}
	case "pod":
		return []any{topology.PodSpec{Cubes: []int{1, 1, 2}, Side: 2, Pod: 2, Hosts: 1}}
	case "mesh", "torus":
		return []any{topology.GridSpec{Dims: []int{4, 4}}, topology.GridSpec{Dims: []int{3, 5}}, topology.GridSpec{Dims: []int{4, 3, 2}}}
	case "dragonfly":
		return []any{topology.DragonflySpec{P: 1, A: 3, H: 1}, topology.DragonflySpec{P: 1, A: 2, H: 2}, topology.DragonflySpec{P: 2, A: 2, H: 1}}
	case "dragonfly_plus":
		return []any{topology.DragonflyPlusSpec{P: 1, Leaves: 2, Spines: 2, H: 1}, topology.DragonflyPlusSpec{P: 2, Leaves: 2, Spines: 2, H: 1}}
	case "fat_tree":
		return []any{topology.FatTreeSpec{K: 2, N: 3}, topology.FatTreeSpec{K: 3, N: 2}}
	case "crossbar":
		return []any{topology.CrossbarSpec{Terminals: 5}, topology.CrossbarSpec{Terminals: 16}}
	}
	return []any{def}
}

// farFromBound plays an all-to-all by every routing, each no faster than the bound, and
// returns how many times the bound the best of them takes.
func farFromBound(t *testing.T, e registry.Entry[topology.Factory], spec any) float64 {
	const bytes, width = 4096, 16
	rate := func(c topology.Class) float64 {
		if c == topology.Terminal {
			return 4 * width
		}
		return width
	}
	top, err := e.New(spec)
	require.NoError(t, err)
	bound := topology.AllToAllBound(top, bytes, rate)
	require.Positive(t, bound, e.Name)
	best := 0.0
	for _, name := range routing.All.Names() {
		alg, err := routing.New(name, top, nil)
		if err != nil {
			continue
		}
		link := func(c topology.Class) channel.Link { return channel.Link{Latency: 1, Rate: rate(c)} }
		n, err := channel.New(channel.Config{
			Topology: top, Routing: alg, Width: width, Router: 1, Packet: 256,
			Terminal: link(topology.Terminal), Local: link(topology.Local), Global: link(topology.Global),
		})
		require.NoError(t, err)
		id := int32(0)
		for far := 1; far < top.Terminals(); far++ {
			for from := range top.Terminals() {
				n.Send(channel.Message{ID: id, Src: int32(from), Dst: int32((from + far) % top.Terminals()), Bytes: bytes}, 0)
				id++
			}
		}
		last := uint64(0)
		for _, a := range drain(n) {
			last = max(last, a.Cycle)
		}
		require.GreaterOrEqual(t, float64(last), bound, "%s by %s", e.Name, name)
		if best == 0 || float64(last) < best {
			best = float64(last)
		}
	}
	require.Positive(t, best, e.Name)
	return best / bound
}

// Nor with channels that have failed, by any routing that then exists, whatever the rates and
// lengths of the channels, the sizes of packets and the order of the messages. What fails
// takes capacity and makes no way shorter, so the bound never falls.
func TestAllToAllBoundWithFailures(t *testing.T) {
	for _, e := range topology.All.Entries() {
		specs := boundSpecs(e.Name, e.Spec)
		if e.Name == "hyperx" { // its default is large for so many runs
			specs = []any{topology.HyperXSpec{Dims: []int{3, 4}}, topology.HyperXSpec{Dims: []int{2, 3, 2}}}
		}
		t.Run(e.Name, rapid.MakeCheck(func(t *rapid.T) {
			whole, err := e.New(specs[rapid.IntRange(0, len(specs)-1).Draw(t, "spec")])
			require.NoError(t, err)
			top := without(t, whole)
			rates := [...]float64{
				topology.Terminal: float64(rapid.IntRange(4, 64).Draw(t, "terminal")),
				topology.Local:    float64(rapid.IntRange(4, 64).Draw(t, "local")),
				topology.Global:   float64(rapid.IntRange(4, 64).Draw(t, "global")),
			}
			rate := func(c topology.Class) float64 { return rates[c] }
			bytes := int64(rapid.IntRange(1, 1000).Draw(t, "bytes"))
			bound := topology.AllToAllBound(top, float64(bytes), rate)
			require.GreaterOrEqual(t, bound, topology.AllToAllBound(whole, float64(bytes), rate), "failures")

			var algs []routing.Algorithm
			var names []string
			for _, name := range routing.All.Names() {
				if alg, err := routing.New(name, top, nil); err == nil {
					algs, names = append(algs, alg), append(names, name)
				}
			}
			require.NotEmpty(t, algs)
			by := rapid.IntRange(0, len(algs)-1).Draw(t, "routing")
			link := func(c topology.Class) channel.Link {
				return channel.Link{Latency: rapid.IntRange(1, 20).Draw(t, "latency"), Rate: rate(c)}
			}
			n, err := channel.New(channel.Config{
				Topology: top, Routing: algs[by], Width: 16, Router: 1, Packet: 16 * rapid.IntRange(1, 16).Draw(t, "packet"),
				Terminal: link(topology.Terminal), Local: link(topology.Local), Global: link(topology.Global),
			})
			require.NoError(t, err)
			pairs := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 1)).Perm(top.Terminals() * top.Terminals())
			for _, at := range pairs {
				if from, to := at/top.Terminals(), at%top.Terminals(); from != to {
					n.Send(channel.Message{ID: int32(at), Src: int32(from), Dst: int32(to), Bytes: bytes}, 0)
				}
			}
			last, came := uint64(0), 0
			for _, a := range drain(n) {
				last = max(last, a.Cycle)
				came++
			}
			require.Equal(t, top.Terminals()*(top.Terminals()-1), came)
			require.GreaterOrEqual(t, float64(last), bound, "by %s", names[by])
		}))
	}
}

// without draws channels that fail, of those that leave the network in one piece.
func without(t *rapid.T, whole topology.Topology) topology.Topology {
	top := whole
	var failed [][2]int
	for range rapid.IntRange(0, 4).Draw(t, "failures") {
		r := rapid.IntRange(0, whole.Routers()-1).Draw(t, "router")
		p := rapid.IntRange(0, whole.Ports(r)-1).Draw(t, "port")
		left, err := topology.Without(whole, append(failed, [2]int{r, p}))
		if err != nil {
			continue // no channel of two routers
		}
		if _, err := routing.New("shortest", left, nil); err != nil { // it falls apart
			require.True(t, math.IsInf(topology.AllToAllBound(left, 1, func(topology.Class) float64 { return 1 }), 1))
		} else {
			top, failed = left, append(failed, [2]int{r, p})
		}
	}
	return top
}
