package channel_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// square is a ring of four routers with a terminal each, 1 B per cycle, 10 cycles a channel.
func square(t require.TestingT, packet int, outages ...channel.Outage) *channel.Network {
	tp, err := topology.New("ring", topology.RingSpec{Size: 4, Concentration: 1})
	require.NoError(t, err)
	alg, err := routing.New("dor", tp, nil)
	require.NoError(t, err)
	n, err := channel.New(channel.Config{
		Topology: tp, Routing: alg, Width: 1, Packet: packet, Outages: outages,
		Terminal: channel.Link{Latency: 10}, Local: channel.Link{Latency: 10, Rate: 1},
	})
	require.NoError(t, err)
	return n
}

// between is the outage of the channel from router a to b.
func between(t require.TestingT, a, b int, at, until uint64) channel.Outage {
	tp, err := topology.New("ring", topology.RingSpec{Size: 4, Concentration: 1})
	require.NoError(t, err)
	return channel.Outage{Router: a, Port: topology.Between(tp, a, b)[0], At: at, Until: until}
}

// A message of 1,000 B goes from 0 to 1 in 1,030 cycles. What a channel carries when it goes
// down starts again, whole, the long way round; what waits does so, too; what has passed does
// not; and a channel that is up again is taken.
func TestOutageTimes(t *testing.T) {
	one := func(outages ...channel.Outage) uint64 {
		n := square(t, 0, outages...)
		n.Send(channel.Message{ID: 1, Src: 0, Dst: 1, Bytes: 1000}, 0)
		return drain(n)[1].Cycle
	}
	require.EqualValues(t, 1030, one())
	require.EqualValues(t, 1050, one(between(t, 0, 1, 0, 0)), "three channels from the beginning")
	require.EqualValues(t, 500+1000+40, one(between(t, 0, 1, 500, 0)), "from router 0 again, in cycle 500")
	require.EqualValues(t, 500+1000+40, one(between(t, 1, 0, 500, 0)), "named from its other end")
	require.EqualValues(t, 1030, one(between(t, 0, 1, 1010, 0)), "the tail has left router 0")
	require.EqualValues(t, 1030, one(between(t, 2, 3, 500, 0)), "another channel")
	require.EqualValues(t, 1030, one(between(t, 0, 1, 0, 5)), "up again before the message comes")
	both := []channel.Outage{between(t, 0, 1, 500, 800), between(t, 0, 3, 500, 0)}
	require.EqualValues(t, 800+1000+20, one(both...), "nowhere to go until 800")
}

// Whatever goes down and comes up again, each message arrives once, in whole messages and in
// packets, and the order of the list is none.
func TestOutagesLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var outages []channel.Outage
		for r := range 4 {
			at := rapid.Uint64Range(0, 3000).Draw(t, "at")
			if rapid.Bool().Draw(t, "fails") {
				outages = append(outages, between(t, r, (r+1)%4, at, at+rapid.Uint64Range(1, 2000).Draw(t, "for")))
			}
		}
		packet := rapid.SampledFrom([]int{0, 64}).Draw(t, "packet")
		type msg struct {
			m  channel.Message
			at uint64
		}
		var list []msg
		for i := range rapid.IntRange(1, 30).Draw(t, "messages") {
			list = append(list, msg{channel.Message{ID: int32(i), Src: rapid.Int32Range(0, 3).Draw(t, "src"), Dst: rapid.Int32Range(0, 3).Draw(t, "dst"),
				Bytes: rapid.Int64Range(0, 2000).Draw(t, "bytes")}, rapid.Uint64Range(0, 4000).Draw(t, "sent")})
		}
		slices.SortStableFunc(list, func(a, b msg) int { return int(a.at) - int(b.at) })
		run := func(outages []channel.Outage) map[int32]channel.Arrival {
			n := square(t, packet, outages...)
			out := map[int32]channel.Arrival{}
			arrived := func(a channel.Arrival) {
				require.NotContains(t, out, a.ID)
				out[a.ID] = a
			}
			for _, m := range list {
				n.Advance(m.at, arrived)
				n.Send(m.m, m.at+1)
			}
			for at := uint64(4001); at != channel.None; {
				at = n.Advance(at, arrived)
			}
			require.Len(t, out, len(list))
			require.NoError(t, n.Check())
			return out
		}
		first := run(outages)
		slices.Reverse(outages)
		require.Equal(t, first, run(outages))
	})
}

// A packet of 64 B takes 94 cycles from 0 to 1. Out of a channel that goes down it starts
// again, with buffers that have an end as without: the long way round, or, if there is none,
// when the channel is up.
func TestOutageTimesInBuffers(t *testing.T) {
	tp, alg := build(t, "ring", topology.RingSpec{Size: 4, Concentration: 1}, "dor")
	for _, buffer := range []int{0, 64, 200} {
		one := func(outages ...channel.Outage) uint64 {
			n, err := channel.New(channel.Config{
				Topology: tp, Routing: alg, Width: 1, Packet: 64, Buffer: buffer, Outages: outages,
				Terminal: channel.Link{Latency: 10}, Local: channel.Link{Latency: 10, Rate: 1},
			})
			require.NoError(t, err)
			n.Send(channel.Message{ID: 1, Src: 0, Dst: 1, Bytes: 64}, 0)
			at := drain(n)[1].Cycle
			require.NoError(t, n.Check())
			return at
		}
		require.EqualValues(t, 94, one())
		require.EqualValues(t, 94, one(between(t, 0, 1, 75, 0)), "its tail has left")
		require.EqualValues(t, 40+64+40, one(between(t, 0, 1, 40, 0)))
		require.EqualValues(t, 60+64+20, one(between(t, 0, 1, 40, 60), between(t, 0, 3, 40, 0)))
	}
}

// Buffers with an end: whatever fails, wherever packets wait for room, each message arrives
// once, all room is free again, and the order of the list of failures is none.
func TestOutagesLoseNothingInBuffers(t *testing.T) {
	resent := 0
	rapid.Check(t, func(rt *rapid.T) {
		shape := rapid.SampledFrom([]struct {
			name, alg string
			spec      any
		}{
			{"ring", "dor", topology.RingSpec{Size: 5, Concentration: 2}}, {"mesh", "dor", topology.GridSpec{Dims: []int{3, 3}}},
			{"torus", "dor", topology.GridSpec{Dims: []int{3, 3}}}, {"dragonfly", "ugal_l", topology.DragonflySpec{P: 2, A: 2, H: 1}},
			{"dragonfly", "par", topology.DragonflySpec{P: 2, A: 2, H: 1}}, {"fat_tree", "nca", topology.FatTreeSpec{K: 2, N: 3}},
		}).Draw(rt, "shape")
		tp, err := topology.New(shape.name, shape.spec)
		require.NoError(rt, err)
		alg, err := routing.New(shape.alg, tp, nil)
		require.NoError(rt, err)
		cfg := channel.Config{
			Topology: tp, Routing: alg, Width: 4, Packet: 64, Buffer: 16 * rapid.IntRange(1, 3).Draw(rt, "packets"), Outages: failures(rt, tp),
			Networks: rapid.IntRange(1, 2).Draw(rt, "networks"), Router: 2, Store: rapid.Bool().Draw(rt, "store"),
			Terminal: channel.Link{Latency: 3, Rate: 4}, Local: channel.Link{Latency: 10, Rate: rapid.SampledFrom([]float64{1, 4}).Draw(rt, "rate")}, Global: channel.Link{Latency: 30, Rate: 2},
		}
		seed := rapid.Uint64().Draw(rt, "seed")
		run := func() map[int32]channel.Arrival {
			n, err := channel.New(cfg)
			require.NoError(rt, err)
			out := map[int32]channel.Arrival{}
			arrived := func(a channel.Arrival) {
				require.NotContains(rt, out, a.ID)
				out[a.ID] = a
			}
			rng := rand.New(rand.NewPCG(seed, 1))
			id := int32(0)
			for at := uint64(0); at < 800; at += 20 {
				n.Advance(at, arrived)
				for src := range tp.Terminals() {
					if rng.IntN(2) == 0 {
						n.Send(channel.Message{ID: id, Src: int32(src), Dst: int32(rng.IntN(tp.Terminals())), Bytes: int64(rng.IntN(300)), Network: int(id) % cfg.Networks}, at+1)
						id++
					}
				}
			}
			for at := uint64(800); at != channel.None; {
				at = n.Advance(at, arrived)
			}
			require.Len(rt, out, int(id))
			require.NoError(rt, n.Check())
			resent += int(n.Resent())
			return out
		}
		first := run()
		slices.Reverse(cfg.Outages)
		require.Equal(rt, first, run())
	})
	require.Positive(t, resent)
}

// failures draws channels that fail and come up again.
func failures(rt *rapid.T, tp topology.Topology) (out []channel.Outage) {
	for r := range tp.Routers() {
		for p := range tp.Ports(r) {
			to, _, ok := tp.Peer(r, p)
			if !ok || to < r || rapid.IntRange(0, 3).Draw(rt, "fails") > 0 {
				continue
			}
			at := rapid.Uint64Range(0, 1200).Draw(rt, "at")
			out = append(out, channel.Outage{Router: r, Port: p, At: at, Until: at + rapid.Uint64Range(1, 2000).Draw(rt, "for")})
		}
	}
	return out
}

// Queues without an end: whatever fails and comes up again, under whatever routing, each
// message arrives once, and the order of the list of failures is none.
func TestOutagesConserve(t *testing.T) {
	dragonfly := topology.DragonflySpec{P: 1, A: 4, H: 1}
	resent := 0
	rapid.Check(t, func(rt *rapid.T) {
		shape := rapid.SampledFrom([]struct {
			name string
			spec any
			algs []string
		}{
			{"ring", topology.RingSpec{Size: 6, Concentration: 1}, []string{"dor", "up_down", "shortest"}},
			{"mesh", topology.GridSpec{Dims: []int{3, 3}}, []string{"dor", "up_down"}},
			{"torus", topology.GridSpec{Dims: []int{3, 3}}, []string{"dor", "up_down"}},
			{"dragonfly", dragonfly, []string{"min", "val_group", "ugal_l", "par", "olm", "rlm", "up_down"}},
			{"fat_tree", topology.FatTreeSpec{K: 2, N: 3}, []string{"nca", "up_down"}},
		}).Draw(rt, "shape")
		name := rapid.SampledFrom(shape.algs).Draw(rt, "routing")
		tp, err := topology.New(shape.name, shape.spec)
		require.NoError(rt, err)
		cfg := channel.Config{
			Topology: tp, Width: 4, Packet: rapid.SampledFrom([]int{0, 64}).Draw(rt, "packet"), Outages: failures(rt, tp), Router: 2,
			Terminal: channel.Link{Latency: 3, Rate: 4}, Local: channel.Link{Latency: 10, Rate: 4}, Global: channel.Link{Latency: 30, Rate: 2},
		}
		seed := rapid.Uint64().Draw(rt, "seed")
		run := func() map[int32]channel.Arrival {
			cfg.Routing, err = routing.New(name, tp, nil)
			require.NoError(rt, err)
			n, err := channel.New(cfg)
			require.NoError(rt, err)
			out := map[int32]channel.Arrival{}
			arrived := func(a channel.Arrival) {
				require.NotContains(rt, out, a.ID)
				out[a.ID] = a
			}
			rng := rand.New(rand.NewPCG(seed, 1))
			id := int32(0)
			for at := uint64(0); at < 1200; at += 40 {
				n.Advance(at, arrived)
				for src := range tp.Terminals() {
					n.Send(channel.Message{ID: id, Src: int32(src), Dst: int32(rng.IntN(tp.Terminals())), Bytes: int64(rng.IntN(300))}, at+1)
					id++
				}
			}
			for at := uint64(1200); at != channel.None; {
				at = n.Advance(at, arrived)
			}
			require.Len(rt, out, int(id))
			require.NoError(rt, n.Check())
			resent += int(n.Resent())
			return out
		}
		first := run()
		slices.Reverse(cfg.Outages)
		require.Equal(rt, first, run())
	})
	require.Positive(t, resent)
}
