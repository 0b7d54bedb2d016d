package channel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/topology"
)

// line is two routers with two terminals each; messages go whole.
func line(t *testing.T, terminal, local float64, express int) *channel.Network {
	tp, alg := build(t, "fully_connected", topology.FullSpec{Routers: 2, Concentration: 2}, "min")
	n, err := channel.New(channel.Config{
		Topology: tp, Routing: alg, Width: 1, Express: express,
		Terminal: channel.Link{Latency: 10, Rate: terminal}, Local: channel.Link{Latency: 10, Rate: local},
	})
	require.NoError(t, err)
	return n
}

// A message takes as long over a channel that is faster than its own as over one of the same
// rate, and two share one of twice the rate; a third waits for half of one.
func TestFasterChannels(t *testing.T) {
	one := func(local float64) uint64 {
		n := line(t, 1, local, 0)
		n.Send(channel.Message{ID: 1, Src: 0, Dst: 2, Bytes: 1000}, 0)
		return drain(n)[1].Cycle
	}
	require.EqualValues(t, 1030, one(1))
	require.EqualValues(t, 1030, one(4))
	require.EqualValues(t, 2030, one(.5))

	n := line(t, 1, 2, 0)
	n.Send(channel.Message{ID: 1, Src: 0, Dst: 2, Bytes: 1000}, 0)
	n.Send(channel.Message{ID: 2, Src: 1, Dst: 3, Bytes: 1000}, 0)
	at := drain(n)
	require.EqualValues(t, []uint64{1030, 1030}, []uint64{at[1].Cycle, at[2].Cycle})

	n = line(t, 1, 1, 0)
	n.Send(channel.Message{ID: 1, Src: 0, Dst: 2, Bytes: 1000}, 0)
	n.Send(channel.Message{ID: 2, Src: 1, Dst: 3, Bytes: 1000}, 0)
	require.EqualValues(t, 2030, drain(n)[2].Cycle, "one after the other")
}

// A short message passes a long one, which it delays by its own time on each channel that
// both want; without express it waits.
func TestExpress(t *testing.T) {
	for _, c := range []struct {
		express     int
		short, long uint64
	}{{0, 1066, 1030}, {16, 101 + 16 + 30, 1030}, {8, 1066, 1030}} {
		n := line(t, 1, 1, c.express)
		n.Send(channel.Message{ID: 1, Src: 0, Dst: 2, Bytes: 1000}, 0)
		n.Advance(100, func(channel.Arrival) { t.Fatal("too early") })
		n.Send(channel.Message{ID: 2, Src: 0, Dst: 3, Bytes: 16}, 101)
		at := drain(n)
		require.Equal(t, c.long, at[1].Cycle)
		if c.express == 16 {
			require.Equal(t, c.short, at[2].Cycle)
		} else {
			require.Greater(t, at[2].Cycle, uint64(1000))
		}
		require.NoError(t, n.Check())
	}
	// What comes after both waits for both.
	n := line(t, 1, 1, 16)
	n.Send(channel.Message{ID: 1, Src: 0, Dst: 2, Bytes: 1000}, 0)
	n.Send(channel.Message{ID: 2, Src: 0, Dst: 3, Bytes: 16}, 0)
	n.Send(channel.Message{ID: 3, Src: 0, Dst: 3, Bytes: 1000}, 0)
	require.EqualValues(t, 2046, drain(n)[3].Cycle)
	_, err := channel.New(channel.Config{Topology: nil, Packet: 64, Express: 16, Width: 1})
	require.ErrorContains(t, err, "express has no effect on packets")
}
