package topology_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/topology"
)

func pod(t *testing.T, s topology.PodSpec) topology.Topology {
	p, err := topology.New("pod", s)
	require.NoError(t, err)
	return p
}

// A pod of 4,096 chips has 48 switches; each carries a channel of every cube.
// Reference: ISCA 2023, section 2.2 (48 switches of 128 ports, 64 cubes, two sides).
func TestSwitchesOfAPod(t *testing.T) {
	whole := topology.PodSpec{Cubes: []int{4, 4, 4}, Side: 4, Pod: 64, Hosts: 16}
	count := func(top topology.Topology) (local, global int) {
		for r := range top.Routers() {
			for p := range top.Ports(r) {
				switch top.Class(r, p) {
				case topology.Local:
					local++
				case topology.Global:
					global++
				}
			}
		}
		return local, global
	}
	local, global := count(pod(t, whole))
	require.Equal(t, 64*144*2, local, "144 electrical channels in each cube")
	require.Equal(t, 64*96, global, "96 optical ports of each cube")
	lost := map[int]bool{}
	for s := range 48 {
		whole.FailedSwitches = []int{s}
		l, g := count(pod(t, whole))
		require.Equal(t, local, l)
		require.Equal(t, global-128, g, "switch %d", s)
		lost[s] = true
	}
	require.Len(t, lost, 48)
	all := topology.PodSpec{Cubes: []int{1, 1, 2}, Side: 4, Pod: 2, Hosts: 16}
	for s := range 48 {
		all.FailedSwitches = append(all.FailedSwitches, s)
	}
	_, g := count(pod(t, all))
	require.Zero(t, g, "all switches carry all optical channels")
}

// Reference: ISCA 2023, figure 4: with hosts up for 99.0 and 99.5% of the time slices of
// 1,024 and 3,072 chips use 75% of the pod, those of 2,048 half of it. A dumb twin draws
// the cubes one by one.
func TestGoodput(t *testing.T) {
	figures := func(host float64, cubes ...int) map[string]float64 {
		out := map[string]float64{}
		for _, f := range pod(t, topology.PodSpec{Cubes: cubes, Side: 4, Pod: 64, Hosts: 16, HostAvailability: host}).(topology.Figured).Figures() {
			out[f.Name] = f.Value
		}
		return out
	}
	for _, host := range []float64{.99, .995} {
		require.InDelta(t, 75, figures(host, 4, 4, 1)["pod_goodput"], 1)
		require.InDelta(t, 50, figures(host, 4, 4, 2)["pod_goodput"], 1)
		require.InDelta(t, 75, figures(host, 4, 4, 3)["pod_goodput"], 1)
	}
	require.Equal(t, 100., figures(1, 4, 4, 4)["slice_availability"])
	// All subsets of four cubes, one by one.
	up := math.Pow(.9, 3)
	want, available := 0., 0.
	for set := range 1 << 4 {
		p, n := 1., 0
		for i := range 4 {
			if set>>i&1 == 1 {
				p *= up
				n++
			} else {
				p *= 1 - up
			}
		}
		want += p * float64(n/2*2) / 4
		if n >= 2 {
			available += p
		}
	}
	f := pod(t, topology.PodSpec{Cubes: []int{2, 1, 1}, Side: 2, Pod: 4, Hosts: 3, HostAvailability: .9}).(topology.Figured).Figures()
	require.InDelta(t, 100*available, f[0].Value, 1e-9)
	require.InDelta(t, 100*want, f[1].Value, 1e-9)
	require.InDelta(t, 100*up*up, f[2].Value, 1e-9)
}

// Distances are those of the dumb search; the bound of symmetric topologies is a formula.
func TestAllToAllBound(t *testing.T) {
	one := func(topology.Class) int { return 1 }
	for _, e := range topology.All.Entries() {
		for _, spec := range shapes[e.Name] {
			top, err := e.New(spec)
			require.NoError(t, err)
			n := float64(top.Terminals())
			require.InDelta(t, meanDistance(top)*n*n, float64(topology.PairDistances(top, one)), 1e-6, "%s %+v", e.Name, spec)
		}
	}
	rate := func(c topology.Class) float64 { return 2 }
	ring, err := topology.New("ring", topology.RingSpec{Size: 8})
	require.NoError(t, err)
	require.InDelta(t, 8*16*100/(16*2.), topology.AllToAllBound(ring, 100, rate), 1e-9, "16 channels, distances 1 1 2 2 3 3 4")
	bar, err := topology.New("crossbar", topology.CrossbarSpec{Terminals: 5})
	require.NoError(t, err)
	require.InDelta(t, 4*100/2., topology.AllToAllBound(bar, 100, rate), 1e-9, "only terminals")
	d, err := topology.New("dragonfly", topology.DragonflySpec{P: 2, A: 4, H: 2})
	require.NoError(t, err)
	slow := func(c topology.Class) float64 {
		if c == topology.Global {
			return 0.1
		}
		return 100
	}
	require.InDelta(t, 72*64*100/(72*0.1), topology.AllToAllBound(d, 100, slow), 1e-6, "each message to another group takes one of 72 global ports")
}
