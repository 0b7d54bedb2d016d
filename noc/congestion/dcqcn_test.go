package congestion_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
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

// A card with a monitor cuts at its own timer. Reference: the reaction point of the public HPCC simulator
// (rdma-hw.cc, commit 9f4be2a), with g = 1/4: the first notification sets alpha to 1 and starts both timers;
// alpha decays or grows at each of its events, just before a cut.
func TestDCQCNMonitor(t *testing.T) {
	a, err := congestion.New("dcqcn", congestion.DCQCN{
		Interval: units.Nanosecond, Gain: 0.25, Decay: 50 * units.Microsecond, Timer: 55 * units.Microsecond, Monitor: 50 * units.Microsecond,
		Counter: 1 << 40, Fast: 5, Additive: 40_000_000, Hyper: 400_000_000, Least: 100_000_000,
	})
	require.NoError(t, err)
	c := a.Start(congestion.Path{Rate: 8})
	n := c.(congestion.Notified)
	rate := func(us float64) float64 { _, r := c.Allow(us * 1000); return r }
	n.Notify(10_000)
	require.Equal(t, 8.0, rate(59.999)) // not before the timer
	require.Equal(t, 5.0, rate(60))     // alpha 0.75, since no second one came: 8 (1 - 0.375)
	n.Notify(70_000)
	n.Notify(80_000) // counts once
	require.Equal(t, 5.0, rate(109))
	require.Equal(t, 5*(1-0.8125/2), rate(110)) // alpha 0.75 x 0.75 + 0.25
	cut := 5 * (1 - 0.8125/2)
	require.Equal(t, cut, rate(164.9))
	require.Equal(t, (5+cut)/2, rate(165)) // 55 us after the cut
	require.Equal(t, ((5+cut)/2+5)/2, rate(220))
}
