package topology_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/topology"
)

// meanDistance is the mean number of channels between two terminals, drawn
// independently, so that a terminal may draw itself.
func meanDistance(top topology.Topology) float64 {
	at := make([]int, top.Routers())
	for t := range top.Terminals() {
		r, _ := top.Home(t)
		at[r]++
	}
	var sum float64
	for r, n := range at {
		if n == 0 {
			continue
		}
		for q, d := range distances(top, r) {
			sum += float64(n * at[q] * d)
		}
	}
	n := float64(top.Terminals())
	return sum / n / n
}

// Every mean follows from counting along one dimension; for the dragonfly see
// the channels per packet below.
func TestMeanDistance(t *testing.T) {
	mesh := func(k float64) float64 { return (k*k - 1) / (3 * k) }
	for _, c := range []struct {
		name string
		spec any
		want float64
	}{
		{"mesh", topology.GridSpec{Dims: []int{8, 8}}, 2 * mesh(8)}, // 5.25
		{"mesh", topology.GridSpec{Dims: []int{3, 5, 2}}, mesh(3) + mesh(5) + mesh(2)},
		{"torus", topology.GridSpec{Dims: []int{8, 8}}, 4},              // k/4 per even dimension
		{"ring", topology.RingSpec{Size: 7}, (7*7 - 1) / 4. / 7},        // odd: (k^2-1)/4k
		{"hyperx", topology.HyperXSpec{Dims: []int{4, 5}}, 3./4 + 4./5}, // (k-1)/k per dimension
		{"fully_connected", topology.FullSpec{Routers: 9}, 8. / 9},
		{"crossbar", topology.CrossbarSpec{Terminals: 9}, 0},
		{"fat_tree", topology.FatTreeSpec{K: 2, N: 3}, 2*(1./4) + 4*(1./2)}, // up and down by the digits that differ
	} {
		top, err := topology.New(c.name, c.spec)
		require.NoError(t, err)
		require.InDelta(t, c.want, meanDistance(top), 1e-12, "%s %+v", c.name, c.spec)
	}
}

// Channels of a minimal path, uniform traffic with self:
//
//	local  ((a-1)p + (g-1)ap * 2(a-1)/a) / N
//	global (N-ap) / N
//
// A minimal path takes the one direct global channel; a shortest path in the
// graph may be shorter by passing a third group, so the paths are walked here.
func TestDragonflyChannelsPerPacket(t *testing.T) {
	for _, c := range []struct {
		p, a, h       int
		local, global float64
	}{{2, 4, 2, 1.41667, .88889}, {3, 6, 3, 1.62281, .94737}, {4, 8, 4, 1.72348, .96970}} {
		for _, arr := range []topology.Arrangement{topology.Absolute, topology.Palmtree, topology.Relative} {
			t.Run(fmt.Sprint(c, arr), func(t *testing.T) {
				d, err := topology.NewDragonfly(topology.DragonflySpec{P: c.p, A: c.a, H: c.h, Arrangement: arr})
				require.NoError(t, err)
				var local, global float64
				for r := range d.Routers() {
					for q := range d.Routers() {
						at := r
						if d.Group(r) != d.Group(q) {
							x, port := d.Exit(d.Group(r), d.Group(q), 0)
							if x != r {
								local++
							}
							at, _, _ = d.Peer(x, port)
							global++
						}
						if at != q {
							local++
						}
					}
				}
				n := float64(d.Routers() * d.Routers())
				require.InDelta(t, c.local, local/n, 1e-5)
				require.InDelta(t, c.global, global/n, 1e-5)
			})
		}
	}
}

func TestBadSpecsNameTheParameter(t *testing.T) {
	for _, c := range []struct {
		name string
		spec any
		want string
	}{
		{"dragonfly", topology.DragonflySpec{P: 0, A: -1, H: 2}, "topology dragonfly: p is 0 (want 1 to 4096); a is -1 (want 1 to 4096)"},
		{"dragonfly", topology.DragonflySpec{P: 2, A: 4, H: 2, G: 10}, "topology dragonfly: g is 10 (want 1 to 9)"},
		{"dragonfly", topology.DragonflySpec{P: 2, A: 4, H: 2, G: 6, Links: 2}, "topology dragonfly: links 2: 6 groups need 10 global ports each, a*h is 8"},
		{"dragonfly", topology.DragonflySpec{P: 2, A: 4, H: 2, Arrangement: "x"}, `topology dragonfly: arrangement "x" (want one of: absolute palm_tree relative random file)`},
		{"dragonfly", topology.DragonflySpec{P: 4096, A: 4096, H: 4096}, "topology dragonfly: more than 67108864 ports"},
		{"dragonfly", topology.GridSpec{}, "topology dragonfly: spec is a topology.GridSpec, want a topology.DragonflySpec"},
		{"mesh", topology.GridSpec{}, "topology mesh: number of dims is 0 (want 1 to 8)"},
		{"torus", topology.GridSpec{Dims: []int{4, 0}}, "topology torus: dims[1] is 0 (want 1 to 1048576)"},
		{"mesh", topology.GridSpec{Dims: []int{1 << 20, 1 << 20, 1 << 20, 1 << 20}}, "topology mesh: more than 67108864 ports"},
		{"hyperx", topology.HyperXSpec{Dims: []int{4096, 4096, 4096}}, "topology hyperx: more than 67108864 ports"},
		{"dragonfly", topology.DragonflySpec{P: 1, A: 2, H: 1, Seed: 3}, `topology dragonfly: seed is 3 (goes with arrangement random)`},
		{"dragonfly", topology.DragonflySpec{P: 1, A: 2, H: 1, Arrangement: topology.FromFile}, `topology dragonfly: arrangement file lacks its file`},
		{"dragonfly", topology.DragonflySpec{P: 1, A: 2, H: 1, File: "x"}, `topology dragonfly: file "x" (goes with arrangement file)`},
		{"dragonfly_plus", topology.DragonflyPlusSpec{P: 1, Leaves: 0, Spines: 2, H: 1}, "topology dragonfly_plus: leaves is 0 (want 1 to 4096)"},
		{"dragonfly_plus", topology.DragonflyPlusSpec{P: 1, Leaves: 1, Spines: 2, H: 1, G: 4}, "topology dragonfly_plus: g is 4 (want 0 to 3)"},
		{"file", nil, "topology file: file is not set"},
		{"crossbar", topology.CrossbarSpec{}, "topology crossbar: terminals is 0 (want 1 to 4096)"},
		{"fat_tree", topology.FatTreeSpec{K: 1, N: 0}, "topology fat_tree: k is 1 (want 2 to 4096); n is 0 (want 1 to 24)"},
		{"fat_tree", topology.FatTreeSpec{K: 4096, N: 24}, "topology fat_tree: more than 67108864 ports"},
		{"moebius", nil, `unknown topology "moebius" (want one of: crossbar, dragonfly, dragonfly_plus, fat_tree, file, fully_connected, hyperx, mesh, pod, ring, torus)`},
		{"pod", topology.PodSpec{Cubes: []int{4, 4, 4}, Side: 4, Pod: 64, FailedCubes: 1, Hosts: 16}, "topology pod: the slice needs 64 cubes, and 63 of 64 are up"},
		{"pod", topology.PodSpec{Cubes: []int{1, 1}, Side: 2, Pod: 1, Hosts: 0, HostAvailability: 1.5, FailedSwitches: []int{12}}, "topology pod: number of cubes is 2 (want 3 to 3); hosts is 0 (want 1 to 65536); host_availability is 1.5 (want 0 to 1); failed_switches[0] is 12 (want 0 to 11)"},
	} {
		_, err := topology.New(c.name, c.spec)
		require.EqualError(t, err, c.want)
	}
}

func ExampleNewDragonfly() {
	d, _ := topology.NewDragonfly(topology.DragonflySpec{P: 2, A: 4, H: 2})
	fmt.Println(d.Groups(), "groups,", d.Routers(), "routers,", d.Terminals(), "terminals")
	r, p := d.Exit(0, 5, 0)
	to, _, _ := d.Peer(r, p)
	fmt.Println("group 0 reaches group", d.Group(to), "by router", r, "port", p)
	// Output:
	// 9 groups, 36 routers, 72 terminals
	// group 0 reaches group 5 by router 2 port 5
}
