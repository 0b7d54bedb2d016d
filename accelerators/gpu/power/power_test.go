package power

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func chip(t require.TestingT) Chip {
	f, ok := FiguresOf("4n")
	require.True(t, ok)
	f.Memory, f.Link = 31.36, 10.4
	return Chip{Figures: f, Idle: 205, Active: 175, SMs: 148, Clock: 2.062e9, Limit: 1200}
}

// Each event takes its figure, and nothing else.
func TestEventsTakeTheirFigures(t *testing.T) {
	c := chip(t)
	p := c.Dynamic(Counts{MACs: 10, Type: "fp8", Vector: 100, Near: 1000, Far: 1e4, Link: 1e5, Busy: 1e-6})
	for i, want := range map[int]float64{Matrix: 10 * 0.264, Vector: 306, Shared: 2125, L2: 53600, Memory: 313600, Link: 1.04e6, Issue: 1e-6 * 2.062e9 * 148 * 654, Clocks: 0, Static: 0} {
		require.InDelta(t, want, p[i], 1e-6*want, Names[i][0])
	}
	all := c.At(p, 2e-6, 1)
	require.InDelta(t, 350e6, all[Clocks], 1)
	require.InDelta(t, 410e6, all[Static], 1)
	require.InEpsilon(t, p.Total()+760e6, all.Total(), 1e-9)
	require.InEpsilon(t, all.Total()/2e-6/1e12, c.Watts(p, 2e-6, 1), 1e-9)
	c.MAC = nil
	require.Zero(t, c.Dynamic(Counts{MACs: 10, Type: "fp8"})[Matrix], "no figures")
}

// Types that there are no figures for take those of fp16, narrower ones never more than wider ones.
func TestTypes(t *testing.T) {
	c := chip(t)
	require.Equal(t, c.mac("fp16"), c.mac("fp64"))
	for _, w := range [][2]string{{"nvfp4", "fp8"}, {"fp8", "bf16"}, {"bf16", "fp32"}, {"int4", "int8"}} {
		require.Less(t, c.mac(w[0]), c.mac(w[1]), w)
	}
	for _, name := range Processes() {
		f, ok := FiguresOf(name)
		require.True(t, ok)
		require.InEpsilon(t, c.L2/c.Issue, f.L2/f.Issue, 1e-9, name)
	}
	_, ok := FiguresOf("2n")
	require.False(t, ok)
}

// The voltage rises with the clock, from its floor on to that of the full clock.
func TestVoltage(t *testing.T) {
	require.Equal(t, 1.0, Voltage(1))
	require.Equal(t, floor, Voltage(0))
	require.InEpsilon(t, 1-slope/2, Voltage(0.5), 1e-9)
	for x := 0.0; x < 1; x += 0.01 {
		require.LessOrEqual(t, Voltage(x), Voltage(x+0.01))
	}
}

// A chip above its limit goes at the clock at which it takes the limit, one below it at the full
// clock. The twin walks down in small steps.
func TestThrottle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := chip(t)
		compute := rapid.Float64Range(1e-6, 1e-3).Draw(t, "compute")
		memory := rapid.Float64Range(1e-6, 1e-3).Draw(t, "memory")
		seconds := func(share float64) float64 { return max(compute/share, memory) }
		p := c.Dynamic(Counts{MACs: rapid.Float64Range(0, 1.2e15).Draw(t, "rate") * compute, Type: "bf16", Near: 9e12 * memory, Far: 7e12 * memory, Busy: compute})
		twin := 1.0
		for twin > Slowest && c.Watts(p, seconds(twin), twin) > held*c.Limit {
			twin -= 1e-4
		}
		share := c.Throttle(p, seconds)
		require.InDelta(t, max(twin, Slowest), share, 3e-4)
		if share > Slowest {
			require.LessOrEqual(t, c.Watts(p, seconds(share), share), held*c.Limit)
		}
		if share < 1 {
			require.Greater(t, c.Watts(p, seconds(share+2e-4), share+2e-4), held*c.Limit)
		}
		c.Limit = 0
		require.Equal(t, 1.0, c.Throttle(p, seconds), "no limit")
	})
}

// What was measured at the limit takes the limit; the memory takes what it takes.
func TestCapped(t *testing.T) {
	c := chip(t)
	p := c.Dynamic(Counts{MACs: 0.8e15, Type: "bf16", Near: 4e12, Far: 1e12, Busy: 1})
	require.Greater(t, c.Watts(p, 1, 1), c.Limit)
	got := c.Capped(p, 1)
	require.InEpsilon(t, 1176e12, got.Total(), 1e-9)
	require.Equal(t, p[Memory], got[Memory])
	require.InEpsilon(t, 205e12, got[Static], 1e-9)
	require.Equal(t, c.At(p, 2, 1), c.Capped(p, 2), "below the limit nothing changes")
	c.Limit = 0
	require.Equal(t, c.At(p, 1, 1), c.Capped(p, 1))
	require.False(t, math.IsNaN(c.Watts(p, 0, 1)))
}

// The voltage is that of the clock in GHz: the same chip that is sold with a lower full clock takes the energy
// there that the faster one takes when it is slowed down to it.
func TestVoltageFollowsTheClock(t *testing.T) {
	fast, slow := chip(t), chip(t)
	slow.Clock = 0.9 * fast.Clock
	slow.Active = fast.Active * 0.9 * Voltage(0.9) * Voltage(0.9)
	p := fast.Dynamic(Counts{MACs: 1e12, Type: "bf16", Near: 1e10, Far: 1e9, Link: 1e8})
	for _, share := range []float64{1, 0.8, 0.5} {
		a, b := fast.At(p, 1e-3, 0.9*share), slow.At(p, 1e-3, share)
		for i := range a {
			require.InEpsilon(t, a[i]+1, b[i]+1, 1e-9, "%s at %g", Names[i][0], share)
		}
	}
	require.Equal(t, p[Memory], slow.At(p, 1e-3, 0.5)[Memory], "the memory has a voltage of its own")
}

// Kernels of a workload that repeats have one clock, at which their mean power is the limit. The twin walks down.
func TestPace(t *testing.T) {
	at := func(k int) float64 { return 1 - 0.05*float64(k) }
	rapid.Check(t, func(t *rapid.T) {
		c := chip(t)
		hot, cold := rapid.Float64Range(1e-4, 1e-3).Draw(t, "hot"), rapid.Float64Range(0, 1e-2).Draw(t, "cold")
		seconds := func(share float64) float64 { return hot/share + cold }
		p := c.Dynamic(Counts{MACs: 1.2e15 * hot, Type: "bf16", Near: 9e12 * hot, Far: 3e12 * cold, Busy: hot + cold/8})
		var all []float64
		for k := range 17 {
			all = append(all, seconds(at(k)))
		}
		share := c.Pace(p, all, at)
		twin := 1.0
		for twin > Slowest && c.Watts(p, seconds(twin), twin) > held*c.Limit {
			twin -= 1e-4
		}
		require.InDelta(t, twin, share, 3e-3)
		alone := c.Throttle(c.Dynamic(Counts{MACs: 1.2e15 * hot, Type: "bf16", Near: 9e12 * hot, Busy: hot}), func(s float64) float64 { return hot / s })
		require.GreaterOrEqual(t, share, alone-3e-3, "what is cold lends its power to what is hot")
		c.Limit = 0
		require.Equal(t, 1.0, c.Pace(p, all, at), "no limit")
	})
}
