package congestion

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Reference: HPCC, SIGCOMM 2019, section 5.1: at 100 Gbit/s and T = 13 us the window begins at
// 162,500 B; W_AI is about 80 B for 100 flows and a utilization of 95 %.
func TestHPCCByHand(t *testing.T) {
	a, err := New("hpcc", nil)
	require.NoError(t, err)
	f := a.Start(Path{Rate: 12.5, Farthest: 13_000, RTT: 13_000, Packet: 1000, Payload: 1000}).(*hpcc)
	require.Equal(t, 162_500.0, f.window)
	require.InDelta(t, 81.25, f.more, 1e-9)
	ack := func(last, next uint64, now, queue, sent float64) {
		f.Acked(&Ack{Now: now, Bytes: 1000, Last: last, Next: next, Telemetry: []Hop{{Now: now, Queue: queue, Sent: sent, Rate: 12.5}}})
	}
	ack(0, 162, 0, 81_250, 0) // the first telemetry only fills L
	require.Equal(t, 162_500.0, f.window)
	// Algorithm 1, a round trip later: u = 81,250 / (12.5 x 13,000) + 12.5 / 12.5 = 1.5; tau = T, so U = 1.5.
	ack(1, 162, 13_000, 81_250, 162_500)
	require.InDelta(t, 1.5, f.use, 1e-12)
	want := 162_500/(1.5/0.95) + 81.25
	require.InDelta(t, want, f.window, 1e-6)
	require.InDelta(t, want, f.base, 1e-6, "the first acknowledgement of a round trip sets Wc")
	// Half a round trip later at 6.25 B/ns without a queue: u = 0.5, U = 0.5 x 1.5 + 0.5 x 0.5 = 1.
	ack(2, 200, 19_500, 0, 162_500+40_625)
	require.InDelta(t, 1, f.use, 1e-12)
	require.InDelta(t, want/(1/0.95)+81.25, f.window, 1e-6)
	require.InDelta(t, want, f.base, 1e-6, "sent before Wc was set")
	// Below the target: additive increase, at most maxStage times per Wc.
	ack(200, 300, 32_500, 0, 162_500+40_625+10_000)
	require.Less(t, f.use, 0.95)
	require.InDelta(t, want+81.25, f.base, 1e-6)
	require.Equal(t, 1, f.stage)
}

// The busiest channel counts, and a change of the path begins anew.
func TestHPCCTakesTheBusiestChannel(t *testing.T) {
	a, _ := New("hpcc", nil)
	f := a.Start(Path{Rate: 12.5, Farthest: 13_000, Packet: 1000}).(*hpcc)
	f.Acked(&Ack{Telemetry: []Hop{{Now: 0, Rate: 12.5}, {Now: 0, Rate: 12.5}}})
	f.Acked(&Ack{Last: 1, Next: 2, Telemetry: []Hop{{Now: 13_000, Sent: 81_250, Rate: 12.5}, {Now: 13_000, Sent: 130_000, Rate: 12.5}}})
	require.InDelta(t, 0.8, f.use, 1e-12)
	w := f.window
	f.Acked(&Ack{Last: 3, Next: 4, Telemetry: []Hop{{Now: 26_000, Sent: 500_000, Rate: 12.5}}})
	require.Equal(t, w, f.window)
}
