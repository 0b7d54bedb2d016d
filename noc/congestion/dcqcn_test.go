package congestion_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/congestion"
)

// Reference: DCQCN, SIGCOMM 2015, section 3.3: equations 1 to 4 with g = 1/256, F = 5, K = T = 55 us,
// R_AI = 40 Mbit/s, at 40 Gbit/s.
func TestDCQCNByHand(t *testing.T) {
	c := start(t, "dcqcn", nil, congestion.Path{Rate: 5})
	rate := func(us float64) float64 { _, r := c.Allow(us * 1000); return r }
	n := c.(congestion.Notified)
	require.Equal(t, 5.0, rate(0)) // line rate
	n.Notify(0)                    // alpha is 1: half of it
	require.Equal(t, 2.5, rate(0))
	n.Notify(0) // R_T = 2.5
	require.Equal(t, 1.25, rate(54.9))
	for i, want := range []float64{1.875, 2.1875, 2.34375, 2.421875, 2.4609375} { // fast recovery, 5 times
		require.Equal(t, want, rate(55*float64(i+1)))
	}
	require.InDelta(t, (2.505+2.4609375)/2, rate(330), 1e-12) // additive increase, R_T = 2.505
	require.InDelta(t, (2.51+(2.505+2.4609375)/2)/2, rate(385), 1e-12)
	n.Notify(385_000) // alpha has decayed 7 times: (255/256)^7 = 0.97297
	require.InDelta(t, (2.51+(2.505+2.4609375)/2)/2*(1-0.972972/2), rate(385), 1e-5)
}

// The byte counter raises the rate by itself, and after F events of both the increase is hyper:
// i R_HAI, i the least of both counts less F.
func TestDCQCNHyperIncrease(t *testing.T) {
	a, err := congestion.New("dcqcn", nil)
	require.NoError(t, err)
	c := a.Start(congestion.Path{Rate: 5})
	n := c.(congestion.Notified)
	for range 4 {
		n.Notify(0) // 5, 2.5, 1.25, 0.625; R_C = 0.3125
	}
	rate := func(us float64) float64 { _, r := c.Allow(us * 1000); return r }
	for range 5 {
		c.Sent(1000, 10_000_000) // BC = 1 to 5: fast recovery
	}
	target, current := 0.625, 0.625-0.3125/32
	require.InDelta(t, current, rate(1), 1e-12)
	for i := range 5 { // T = 1 to 5, BC = 5: still fast recovery
		current = (target + current) / 2
		require.InDelta(t, current, rate(55*float64(i+1)), 1e-12)
	}
	c.Sent(275_000, 10_000_000) // BC = 6, T = 5: additive
	target += 0.005
	current = (target + current) / 2
	require.InDelta(t, current, rate(275), 1e-12)
	target += 0.05 // T = 6, BC = 6: hyper, 1 x 400 Mbit/s
	require.InDelta(t, (target+current)/2, rate(330), 1e-12)
}

// A flow that was cut to the least rate keeps it, and a flow at line rate has no timers.
func TestDCQCNBounds(t *testing.T) {
	c := start(t, "dcqcn", nil, congestion.Path{Rate: 5})
	for range 40 {
		c.(congestion.Notified).Notify(0)
	}
	_, r := c.Allow(0)
	require.Equal(t, 0.0125, r) // 100 Mbit/s
	_, r = c.Allow(1e9)         // a second later
	require.LessOrEqual(t, r, 5.0)
	require.Greater(t, r, 4.9)
}
