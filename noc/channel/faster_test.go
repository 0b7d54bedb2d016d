package channel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Packets pass a faster channel while they come: in packets a message takes as long as whole,
// over slow, fast and slow channels. Eight messages that come at an eighth of a channel's rate
// share it, and take as long as one.
func TestPacketsPassFasterChannels(t *testing.T) {
	tp, alg := build(t, "ring", topology.RingSpec{Size: 4, Concentration: 8}, "dor")
	for _, bytes := range []int64{1, 100, 256, 512, 5000} {
		run := func(packet, messages int) (last uint64) {
			n, err := channel.New(channel.Config{
				Topology: tp, Routing: alg, Width: 16, Packet: packet, Router: 4,
				Terminal: channel.Link{Latency: 1, Rate: 2}, Local: channel.Link{Latency: 1, Rate: 16},
			})
			require.NoError(t, err)
			for i := range messages {
				n.Send(channel.Message{ID: int32(i), Src: int32(i), Dst: int32(8 + i), Bytes: bytes}, 0)
			}
			for _, a := range drain(n) {
				last = max(last, a.Cycle)
			}
			require.NoError(t, n.Check())
			return last
		}
		whole := run(0, 1)
		require.EqualValues(t, 1+4+1+4+1+(bytes+1)/2, whole)
		require.Equal(t, whole, run(256, 1), "%d B", bytes)
		require.InDelta(t, whole, run(256, 8), 130, "%d B: at most a packet's time on the channel for each of the others", bytes)
	}
}
