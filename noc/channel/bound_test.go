package channel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// No all-to-all beats the distance bound, on any registered topology and by any
// algorithm; on symmetric ones a spread schedule comes near it.
func TestAllToAllBound(t *testing.T) {
	near := map[string]float64{"crossbar": 1.1, "fully_connected": 1.2, "ring": 1.5, "torus": 2, "pod": 2, "hyperx": 1.6}
	const bytes, width = 4096, 16
	rate := func(c topology.Class) float64 {
		if c == topology.Terminal {
			return 4 * width
		}
		return width
	}
	for _, e := range topology.All.Entries() {
		spec := e.Spec
		switch e.Name {
		case "file":
			spec = topology.FileSpec{File: "../topology/testdata/house.txt"}
		case "pod":
			spec = topology.PodSpec{Cubes: []int{1, 1, 2}, Side: 2, Pod: 2, Hosts: 1}
		case "mesh", "torus":
			spec = topology.GridSpec{Dims: []int{4, 4}}
		case "dragonfly":
			spec = topology.DragonflySpec{P: 1, A: 3, H: 1}
		case "dragonfly_plus":
			spec = topology.DragonflyPlusSpec{P: 1, Leaves: 2, Spines: 2, H: 1}
		case "fat_tree":
			spec = topology.FatTreeSpec{K: 2, N: 3}
		}
		top, err := e.New(spec)
		require.NoError(t, err)
		bound := topology.AllToAllBound(top, bytes, rate)
		require.Positive(t, bound, e.Name)
		ran := 0
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
			if limit := near[e.Name]; limit > 0 && name == "shortest" {
				require.Less(t, float64(last), limit*bound, "%s by %s", e.Name, name)
			}
			ran++
		}
		require.NotZero(t, ran, e.Name)
	}
}
