package channel_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/noc/traffic"
)

// A lone stream over one channel runs at full rate, and a buffer that is one packet
// smaller holds it back.
func TestCoverIsTight(t *testing.T) {
	for _, store := range []bool{false, true} {
		for _, latency := range []int{1, 9, 30, 300} {
			for _, rate := range []float64{16, 2.56, 40} {
				tp, alg := build(t, "dragonfly", topology.DragonflySpec{P: 1, A: 1, H: 1}, "min")
				l := channel.Link{Latency: latency, Rate: rate}
				cfg := channel.Config{Topology: tp, Routing: alg, Width: 16, Packet: 64, Router: 4, Store: store,
					Terminal: channel.Link{Latency: 1, Rate: rate}, Local: channel.Link{Latency: 5000}, Global: l}
				last := func(cfg channel.Config) uint64 {
					n, err := channel.New(cfg)
					require.NoError(t, err)
					n.Send(channel.Message{Src: 0, Dst: 1, Bytes: 64 * 2000}, 0)
					return drain(n)[0].Cycle
				}
				free := last(cfg)
				cfg.Buffer = cfg.Cover()
				require.Less(t, cfg.Buffer, 2000, "there are no local channels")
				require.Equal(t, free, last(cfg), "%d cycles, %g B", latency, rate)
				if cfg.Buffer > 8 {
					cfg.Buffer -= 4
					require.Greater(t, last(cfg), free+free/1000, "%d cycles, %g B, %d flits", latency, rate, cfg.Buffer)
				}
			}
		}
	}
}

// At ADV+1 UGAL has only back-pressure to see the full channels of its neighbours
// by. BookSim, with as much buffer, accepts 0.45 at most.
func TestCoveredBuffersLetRoutersFeel(t *testing.T) {
	tp, alg := build(t, "dragonfly", df72, "ugal_l")
	cfg := channel.Config{Topology: tp, Routing: alg, Width: 16, Router: 2, Packet: 64,
		Terminal: channel.Link{Latency: 1, Rate: 16}, Local: channel.Link{Latency: 10, Rate: 16}, Global: channel.Link{Latency: 100, Rate: 16}}
	accepted := func() float64 {
		n, err := channel.New(cfg)
		require.NoError(t, err)
		adv, err := traffic.New("adv+1", tp, 1)
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(3, 4))
		got := 0
		for cycle := range uint64(9000) {
			for s := range tp.Terminals() {
				if rng.Float64() < 0.45/4 {
					n.Send(channel.Message{Src: int32(s), Dst: int32(adv.Dst(s, rng)), Bytes: 64}, cycle)
				}
			}
			n.Advance(cycle, func(channel.Arrival) {
				if cycle >= 5000 {
					got += 4
				}
			})
		}
		return float64(got) / 4000 / 72
	}
	require.Less(t, accepted(), 0.28)
	cfg.Buffer = cfg.Cover()
	require.Equal(t, 208, cfg.Buffer)
	require.Greater(t, accepted(), 0.40)
}
