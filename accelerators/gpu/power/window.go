package power

import "math"

// Window is the time constant, in seconds, of the mean of power that a governor keeps below the limit: the mean
// is exponential, as that of a running average power limit.
//
// assumption: 25 ms. The power sensors of an A100 and an H100 average over 25 ms (Yang, Adamek and Armour, Part-time
// Power Measurements, arXiv:2312.02741, SC24), and a governor sees no more than its sensor. What supports it: products
// of a GB200 in loops of milliseconds are over the limit, and those in loops of over 0.2 s are held at it (study power).
const Window = 25e-3

// A Governor is a chip's mean power over the window of its limit. It rests until the first Add.
type Governor struct {
	Chip Chip
	mean float64 // W at time at
	at   float64 // s
	ran  bool
}

// Mean is the mean of power over the window at a time in s, not before the end of what was added.
func (g *Governor) Mean(at float64) float64 {
	if !g.ran {
		return g.Chip.Idle
	}
	return g.Chip.Idle + (g.mean-g.Chip.Idle)*math.Exp(-max(0, at-g.at)/Window)
}

// Free is the share of the work of a burst that begins at a time in s which is done before the mean of power is at
// the limit: 1 where the limit does not bind. The rest of it is held.
func (g *Governor) Free(at float64, burst State) float64 { return g.Chip.free(g.Mean(at), burst) }

// Add adds work that began at a time in s; held says that the limit bound at its end.
func (g *Governor) Add(at float64, x State, held bool) {
	w := x.watts()
	mean := w + (g.Mean(at)-w)*math.Exp(-x.Seconds/Window)
	if most := Held * g.Chip.Limit; g.Chip.Limit > 0 && (held || mean > most) {
		mean = most
	}
	g.mean, g.at, g.ran = mean, at+x.Seconds, true
}

// Free is the share of the work of a burst, begun at rest, that is done before the mean of power is at the limit.
//
// The energy of any interval is at most that of the limit and (Held*Limit-Idle)*Window joules more: a chip that has
// rested has saved them. So a loop much longer than Window is held at the limit on average, and one much shorter is not.
// The share is continuous in the limit and in the duration.
func (c *Chip) Free(burst State) float64 { return c.free(c.Idle, burst) }

// free is that from a mean of power on.
func (c *Chip) free(mean float64, burst State) float64 {
	w, most := burst.watts(), Held*c.Limit
	switch {
	case c.Limit == 0 || w <= most:
		return 1
	case mean >= most:
		return 0
	}
	return min(1, Window*math.Log((w-mean)/(w-most))/burst.Seconds)
}

// Part is the share of work that is done as a burst where the limit binds after a free share. After it the mean of power
// is at the limit: held takes less where kernels wait for memory, and what it leaves goes to bursts.
func (c *Chip) Part(free float64, burst, held State) float64 {
	most := Held * c.Limit * 1e12
	over, under := burst.Energy-most*burst.Seconds, most*held.Seconds-held.Energy
	if over <= 0 {
		return 1
	}
	return free + (1-free)*max(0, under)/(over+max(0, under))
}

// FreeIn is Free of a loop that lasts so many seconds in all, of which one pass takes burst, or held at the limit.
func (c *Chip) FreeIn(seconds float64, burst, held State) float64 {
	one := burst.Seconds
	if one <= 0 || held.Seconds <= 0 {
		return 1
	}
	burst.Energy, burst.Seconds = burst.Energy/one*seconds, seconds
	quick := c.Free(burst) * seconds // of the time
	passes, slow := quick/one, (seconds-quick)/held.Seconds
	return passes / (passes + slow)
}
