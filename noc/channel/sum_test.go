package channel_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// adding is a fat tree of two levels with 4 terminals at each of 4 leaves that adds up.
func adding(t require.TestingT, packet int, change func(*channel.Config)) (*channel.Network, topology.Topology) {
	tp, err := topology.New("fat_tree", topology.FatTreeSpec{K: 4, N: 2})
	require.NoError(t, err)
	alg, err := routing.New("nca", tp, nil)
	require.NoError(t, err)
	cfg := channel.Config{Topology: tp, Routing: alg, Width: 1, Packet: packet, Router: 5, Reduce: true,
		Terminal: channel.Link{Latency: 10, Rate: 2}, Local: channel.Link{Latency: 10, Rate: 2}}
	if change != nil {
		change(&cfg)
	}
	n, err := channel.New(cfg)
	require.NoError(t, err)
	return n, tp
}

// All members of a group give 1,000 B: each gets the sum when the last has given its own, a
// way up and down the tree and the bytes over a link later. Each link of the tree carries the
// bytes once each way, and no other link any.
func TestSumInTheNetwork(t *testing.T) {
	for _, packet := range []int{0, 100} {
		n, tp := adding(t, packet, nil)
		members := []int32{0, 1, 5, 14, 15}
		g, err := n.Tree(members)
		require.NoError(t, err)
		for i, m := range members {
			at := uint64(0)
			if m == 14 {
				n.Advance(300, func(channel.Arrival) { t.Fatal("too early") })
				at = 300
			}
			if m == 15 {
				at = 301
			}
			n.Send(channel.Message{ID: int32(i), Src: m, Dst: m, Bytes: 1000, Sum: network.Sum{Group: g + 1, Tag: 7}}, at)
		}
		at := drain(n)
		require.Len(t, at, len(members))
		for i := range members {
			require.EqualValues(t, 301+500+4*10+3*5, at[int32(i)].Cycle, "two channels up, two down, three routers")
		}
		require.NoError(t, n.Check())
		used := 0
		for r := range tp.Routers() {
			for p := range tp.Ports(r) {
				if b := n.Bytes(r, p); b > 0 {
					require.EqualValues(t, 1000, b, "router %d port %d", r, p)
					used++
				}
			}
		}
		require.Equal(t, 5+2*3, used, "to five terminals, and both ways between the root and three leaves")
	}
}

// Sums of several turns and groups at once, of any sizes, return to each member once.
func TestSumsAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, _ := adding(t, rapid.SampledFrom([]int{0, 64}).Draw(t, "packet"), func(c *channel.Config) {
			if c.Packet == 0 {
				c.Express = rapid.IntRange(0, 32).Draw(t, "express")
			}
		})
		id, got := int32(0), map[int32]int{}
		for range rapid.IntRange(1, 3).Draw(t, "groups") {
			members := rapid.SliceOfNDistinct(rapid.Int32Range(0, 15), 1, 16, rapid.ID[int32]).Draw(t, "members")
			g, err := n.Tree(members)
			require.NoError(t, err)
			for turn := range uint32(rapid.IntRange(1, 3).Draw(t, "turns")) {
				bytes := rapid.Int64Range(0, 300).Draw(t, "bytes")
				for _, m := range members {
					n.Send(channel.Message{ID: id, Src: m, Dst: m, Bytes: bytes, Sum: network.Sum{Group: g + 1, Turn: turn}}, 0)
					id++
				}
			}
		}
		for at := uint64(0); at != channel.None; {
			at = n.Advance(at, func(a channel.Arrival) { got[a.ID]++ })
		}
		require.Len(t, got, int(id))
		for _, times := range got {
			require.Equal(t, 1, times)
		}
		require.NoError(t, n.Check())
	})
}

// A network says why its routers do not add up.
func TestSumRefused(t *testing.T) {
	for want, change := range map[string]func(*channel.Config){
		"want reduce: true":      func(c *channel.Config) { c.Reduce = false },
		"want buffer 0":          func(c *channel.Config) { c.Packet, c.Buffer = 8, 64 },
		"want failed without at": func(c *channel.Config) { c.Outages = []channel.Outage{{Router: 0, Port: 4, At: 9}} },
	} {
		n, _ := adding(t, 0, change)
		_, err := n.Tree([]int32{0, 1})
		require.ErrorContains(t, err, want)
	}
}
