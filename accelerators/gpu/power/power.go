package power

import "math"

// A Chip is what the power of a chip follows from.
type Chip struct {
	Figures
	Idle, Active float64 // W: always, and more while a kernel runs at the full clock
	SMs          int
	Clock        float64 // Hz, the full one
	Limit        float64 // W; 0: none
}

// Counts is what a kernel does.
type Counts struct {
	MACs      float64 // multiply-accumulates of the matrix units
	Type      string  // of their elements
	Vector    float64 // operations of the vector units
	Near, Far float64 // bytes between the L2 and SMs, and of the memory
	Link      float64 // bytes that leave over links
	Busy      float64 // s in which SMs work, all of them
}

// The parts of a kernel's energy.
const (
	Matrix = iota
	Vector
	Shared // shared memory
	L2
	Memory
	Link
	Issue  // SMs that work
	Clocks // Chip.Active
	Static // Chip.Idle
	Count
)

// Names are those of parts, with what they are.
var Names = [Count][2]string{
	{"mac", "Energy of the matrix units."},
	{"vector", "Energy of the vector units."},
	{"shared", "Energy of shared memory."},
	{"l2", "Energy between L2 and SMs."},
	{"memory", "Energy of the chip's own memory."},
	{"link", "Energy of links to other chips."},
	{"issue", "Energy of instructions: fetch, schedule, wait."},
	{"clock", "Energy of clock trees and what is awake."},
	{"static", "Energy of the chip at rest, board included."},
}

// Parts is the energy of a kernel, in picojoules.
type Parts [Count]float64

// Total is the sum.
func (p *Parts) Total() (pj float64) {
	for _, x := range p {
		pj += x
	}
	return pj
}

// Dynamic is the energy of what a kernel does, at the voltage of the clock that figures belong to.
func (c *Chip) Dynamic(x Counts) (p Parts) {
	f := &c.Figures
	p[Matrix] = x.MACs * f.mac(x.Type)
	p[Vector] = x.Vector * f.Vector
	p[Shared] = x.Near * f.Shared
	p[L2] = x.Near * f.L2
	p[Memory] = x.Far * f.Memory
	p[Link] = x.Link * f.Link
	p[Issue] = x.Busy * c.Clock * float64(c.SMs) * f.Issue
	return p
}

// At is the energy of a kernel of some seconds at a share of the full clock; dynamic is that of Dynamic.
// The memory and links have a voltage of their own.
func (c *Chip) At(dynamic Parts, seconds, share float64) Parts {
	v, full := c.voltage(share), c.voltage(1)
	v *= v
	for i := range dynamic {
		if i != Memory && i != Link {
			dynamic[i] *= v
		}
	}
	dynamic[Clocks] = c.Active * share * v / (full * full) * seconds * 1e12
	dynamic[Static] = c.Idle * seconds * 1e12
	return dynamic
}

// Watts is the power of a kernel at a share of the full clock, at which it takes seconds.
func (c *Chip) Watts(dynamic Parts, seconds, share float64) float64 {
	if seconds <= 0 {
		return 0
	}
	p := c.At(dynamic, seconds, share)
	return p.Total() / seconds / 1e12
}

// Capped is the energy of a kernel whose seconds were measured on a chip at its limit: its voltage is
// the one at which the power is at most the limit.
func (c *Chip) Capped(dynamic Parts, seconds float64) Parts {
	p := c.At(dynamic, seconds, 1)
	most := held * c.Limit * seconds * 1e12
	all := p.Total()
	if c.Limit == 0 || all <= most {
		return p
	}
	fixed := p[Memory] + p[Link] + p[Static]
	scale := max(most-fixed, 0) / (all - fixed)
	for i := range p {
		if i != Memory && i != Link && i != Static {
			p[i] *= scale
		}
	}
	return p
}

// Spent is the energy of a kernel in so many seconds at a share of the full clock; capped says that they
// were measured on a chip at its limit.
func (c *Chip) Spent(dynamic Parts, seconds, share float64, capped bool) float64 {
	p := c.At(dynamic, seconds, share)
	if capped {
		p = c.Capped(dynamic, seconds)
	}
	return p.Total()
}

// Slowest is the least share of the full clock.
const Slowest = 0.2

// Throttle is the greatest share of the full clock at which a chip is held below its limit;
// seconds is its time at a share.
func (c *Chip) Throttle(dynamic Parts, seconds func(share float64) float64) float64 {
	over := func(share float64) bool { return c.Watts(dynamic, seconds(share), share) > held*c.Limit }
	if c.Limit == 0 || !over(1) {
		return 1
	}
	low, high := Slowest, 1.0
	if over(low) {
		return low
	}
	for high-low > 1e-4 {
		mid := (low + high) / 2
		if over(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return low
}

// Pace is the greatest share of the full clock at which the mean power of kernels is held below the limit;
// dynamic is their energy and seconds[k] the time of all at the k-th clock, falling, at of the full one.
func (c *Chip) Pace(dynamic Parts, seconds []float64, at func(k int) float64) float64 {
	most, above := held*c.Limit, 0.0
	for k, s := range seconds {
		w := c.Watts(dynamic, s, at(k))
		switch {
		case c.Limit == 0 || w <= most && k == 0:
			return 1
		case w <= most:
			return at(k) + (at(k-1)-at(k))*(most-w)/(above-w)
		}
		above = w
	}
	return at(len(seconds) - 1)
}

// voltage is that of the chip at a share of its full clock.
func (c *Chip) voltage(share float64) float64 { return Voltage(share * c.Clock / reference) }

// Voltage is the voltage at a clock over that of the figures, over the voltage there.
func Voltage(share float64) float64 { return math.Max(floor, 1-slope*(1-share)) }
