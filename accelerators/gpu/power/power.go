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
	v := c.voltage(share)
	v *= v
	for i := range dynamic {
		if i != Memory && i != Link {
			dynamic[i] *= v
		}
	}
	dynamic[Clocks] = c.Active * share * c.scale(share) * seconds * 1e12
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

// Measured is the energy of a kernel whose seconds were measured in a burst of milliseconds, and the share of the full
// clock that belongs to it. A chip above its limit lowers its clock until it is held there, though not below least, the
// share of their peak that products reached in that time. A kernel that takes more than the limit even there is over it.
func (c *Chip) Measured(dynamic Parts, seconds, least float64) (p Parts, share float64) {
	p = c.At(dynamic, seconds, 1)
	most, all := Held*c.Limit*seconds*1e12, p.Total()
	if c.Limit == 0 || all <= most {
		return p, 1
	}
	low := c.At(dynamic, seconds, least)
	part := 0.0
	if fewest := low.Total(); fewest < most {
		part = (most - fewest) / (all - fewest)
	}
	for i := range p {
		p[i] = low[i] + (p[i]-low[i])*part
	}
	return p, least + (1-least)*part
}

// voltage is that of the chip at a share of its full clock. A chip that skips cycles has that of its slowest clock.
func (c *Chip) voltage(share float64) float64 {
	return Voltage(max(share, Slowest) * c.Clock / reference)
}

// Voltage is the voltage at a clock over that of the figures, over the voltage there.
func Voltage(share float64) float64 { return math.Max(floor, 1-slope*(1-share)) }
