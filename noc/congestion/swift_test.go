package congestion_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/congestion"
)

// plain has no flow scaling, a target of 25 us and a window of 10 packets.
var plain = congestion.Swift{Base: 25 * units.Microsecond, Increase: 1, Beta: 0.8, Most: 0.5, MinScale: 0.1, Initial: 10, Least: 0.01, Largest: 1000, Resets: 5}

func swiftAck(c congestion.Control, us, rtt, packets float64) {
	c.Acked(&congestion.Ack{Now: us * 1000, RTT: rtt * 1000, Bytes: packets * 4160})
}

// Reference: Swift, SIGCOMM 2020, algorithm 1.
func TestSwiftByHand(t *testing.T) {
	c := start(t, "swift", plain, leafSpine)
	require.Equal(t, 10*4160.0, window(c))
	swiftAck(c, 100, 20, 1) // below the target: + ai / cwnd per packet
	require.InDelta(t, 10.1*4160, window(c), 1e-6)
	swiftAck(c, 110, 50, 1) // 1 - 0.8 (50 - 25) / 50 = 0.6
	require.InDelta(t, 6.06*4160, window(c), 1e-6)
	swiftAck(c, 111, 50, 1) // once per round trip
	require.InDelta(t, 6.06*4160, window(c), 1e-6)
	swiftAck(c, 200, 1000, 1) // 1 - 0.8 x 0.975 = 0.22, at least 1 - max_mdf
	require.InDelta(t, 3.03*4160, window(c), 1e-6)
}

// Below a packet the window grows by ai per packet, and packets are paced: rtt / cwnd.
func TestSwiftBelowAPacket(t *testing.T) {
	s := plain
	s.Initial = 0.5
	c := start(t, "swift", s, leafSpine)
	w, rate := c.Allow(0)
	require.Equal(t, 4160.0, w)
	require.InDelta(t, 0.5*4160/9351.68, rate, 1e-12)
	swiftAck(c, 100, 20, 0.25)
	w, rate = c.Allow(0)
	require.Equal(t, 4160.0, w)
	require.InDelta(t, 0.75*4160/20000, rate, 1e-12)
}

// Reference: section 3.5 and the same algorithm: a timeout and a fast recovery cut by max_mdf, once
// per round trip; RETX_RESET_THRESHOLD timeouts in a row leave the least window.
func TestSwiftLosses(t *testing.T) {
	c := start(t, "swift", plain, leafSpine)
	c.Lost(&congestion.Loss{Now: 1e5})
	c.Lost(&congestion.Loss{Now: 1e5})
	require.InDelta(t, 5*4160, window(c), 1e-6)
	for i := range 5 {
		c.Lost(&congestion.Loss{Now: 1e5 + float64(i), Timeout: true})
	}
	_, rate := c.Allow(0)
	require.InDelta(t, 0.01*4160/9351.68, rate, 1e-12)
}

// Reference: section 3.5: fs_range 100 us from 0.1 packets, none from 100: alpha = 32.66 us, and a
// target of 29.39 us more for one packet; a hop adds its share.
func TestSwiftTarget(t *testing.T) {
	s := plain
	s.Range, s.MaxScale, s.Hop = 100*units.Microsecond, 100, units.Microsecond
	grows := func(initial, rtt float64) bool {
		s.Initial = initial
		c := start(t, "swift", s, leafSpine)
		swiftAck(c, 1000, rtt, 1)
		return window(c) > initial*4160
	}
	require.True(t, grows(1, 25+4+29.38))
	require.False(t, grows(1, 25+4+29.40))
	require.True(t, grows(100, 25+4-0.01))
	require.False(t, grows(100, 25+4+0.01))
}
