package channel_test

import (
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

// Buffers with an end are refused.
func TestOutageErrors(t *testing.T) {
	tp, alg := build(t, "ring", topology.RingSpec{Size: 4, Concentration: 1}, "dor")
	_, err := channel.New(channel.Config{Topology: tp, Routing: alg, Width: 1, Packet: 8, Buffer: 64, Outages: []channel.Outage{between(t, 0, 1, 5, 0)}})
	require.ErrorContains(t, err, "buffers with an end and channels that fail during the run (want buffer 0")
}
