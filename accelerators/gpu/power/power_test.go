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

// A chip above its limit has the clock at which it takes the limit, one below it the full clock. The twin walks down in
// small steps.
func TestHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, at := kernelOf(t)
		twin := 1.0
		for x := at(twin); twin > Slowest && x.watts() > Held*c.Limit; x = at(twin) {
			twin -= 1e-4
		}
		share := c.Hold(at)
		held := at(share)
		if twin > Slowest {
			require.InDelta(t, twin, share, 3e-4)
		} else {
			require.LessOrEqual(t, share, Slowest+3e-4)
		}
		require.LessOrEqual(t, held.watts(), Held*c.Limit*(1+5e-4))
		if share < 1 {
			require.InEpsilon(t, Held*c.Limit, held.watts(), 5e-4, "a chip above its limit is held there")
		}
		c.Limit *= 1.05
		require.GreaterOrEqual(t, c.Hold(at), share, "a higher limit never has a lower clock")
		c.Limit = 0
		require.Equal(t, 1.0, c.Hold(at), "no limit")
	})
}

// kernelOf is a chip with a limit that it can be given, and a kernel on it.
func kernelOf(t *rapid.T) (c Chip, at func(share float64) State) {
	c = chip(t)
	c.Limit = rapid.Float64Range(c.Least(), 2000).Draw(t, "limit")
	compute := rapid.Float64Range(1e-6, 1e-3).Draw(t, "compute")
	memory := rapid.Float64Range(1e-6, 1e-3).Draw(t, "memory")
	p := c.Dynamic(Counts{MACs: rapid.Float64Range(0, 1.2e15).Draw(t, "rate") * compute, Type: "bf16", Near: 9e12 * memory, Far: 7e12 * memory, Busy: compute})
	return c, func(share float64) State {
		clock := max(share, Slowest)
		seconds := max(compute/clock, memory) * clock / share // cycles are skipped
		all := c.At(p, seconds, share)
		return State{share, seconds, all.Total()}
	}
}

// A burst has its time. Above the limit its clock falls, though not below what its time allows: it takes the limit in
// between, and more where that clock takes more. Its events take no less than at that clock, however fast the chip.
func TestMeasured(t *testing.T) {
	c := chip(t)
	p := c.Dynamic(Counts{MACs: 0.8e15, Type: "bf16", Near: 4e12, Far: 1e12, Busy: 1})
	require.Greater(t, c.Watts(p, 1, 1), c.Limit)
	got, share := c.Measured(p, 1, 0.6)
	require.InEpsilon(t, 1176e12, got.Total(), 1e-9)
	require.InDelta(t, 0.8, share, 0.2)
	require.Equal(t, p[Memory], got[Memory])
	require.InEpsilon(t, 205e12, got[Static], 1e-9)
	got, share = c.Measured(p, 2, 0.6)
	require.Equal(t, c.At(p, 2, 1), got, "below the limit nothing changes")
	require.Equal(t, 1.0, share)
	got, share = c.Measured(p, 0.5, 0.6)
	require.Equal(t, c.At(p, 0.5, 0.6), got)
	require.Equal(t, 0.6, share)
	require.Greater(t, got.Total()/0.5e12, c.Limit, "a burst may be over the limit")
	faster, _ := c.Measured(p, 0.25, 0.6)
	require.Equal(t, got[Matrix], faster[Matrix], "a faster chip does the same work with the same energy")
	c.Limit = 0
	got, _ = c.Measured(p, 1, 0.6)
	require.Equal(t, c.At(p, 1, 1), got)
	require.False(t, math.IsNaN(c.Watts(p, 0, 1)))
}

// Products reach another share of their peak with another limit, and the one that was measured with that one.
func TestRate(t *testing.T) {
	c := chip(t)
	require.Equal(t, 0.63, c.Rate(0.63, 1200), "as measured")
	last := 0.0
	for c.Limit = 400; c.Limit < 4000; c.Limit += 100 {
		x := c.Rate(0.63, 1200)
		if last < 1 {
			require.Greater(t, x, last)
			require.LessOrEqual(t, c.rest(x)+x*c.scale(x)*c.events(0.63, 1200), Held*c.Limit*(1+1e-9))
		}
		last = x
	}
	require.Equal(t, 1.0, last)
	require.Equal(t, 0.63, c.Rate(0.63, 0), "no matter of power")
	c.Limit = 0
	require.Equal(t, 1.0, c.Rate(0.63, 1200), "no limit")
	require.True(t, c.Explains(0.63, 1200))
	require.False(t, c.Explains(0.63, 250))
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

// Among finds what Hold finds, from states at all clocks and then at those between two.
func TestAmong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, at := kernelOf(t)
		low, share, high := Slowest, 0.0, 1.0
		for range 2 {
			if low == high {
				break
			}
			var states []State
			for k := range 17 {
				states = append(states, at(high-(high-low)*float64(k)/16))
			}
			low, share, high = c.Among(states)
			require.LessOrEqual(t, low, share)
			require.LessOrEqual(t, share, high)
		}
		require.InDelta(t, c.Hold(at), share, 1e-3)
	})
}
