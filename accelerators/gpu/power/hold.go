package power

// Slowest is the least clock over the full one. A chip that takes more than its limit at that clock skips cycles of it.
//
// assumption: 0.2; an H100 goes from 345 to 1,980 MHz.
const Slowest = 0.2

// Held is the share of its limit at which a chip is held: rows at the limit read 1,160 to 1,183 W of 1,200 W.
const Held = 0.98

// Least is the least limit that a chip can be given: it holds what the chip takes at rest and its full clock with
// nothing to do.
func (c *Chip) Least() float64 { return (c.Idle + c.Active) / Held }

// A State is what a chip does at a clock: seconds and energy of a kernel, or of all of a workload.
type State struct {
	Share           float64 // of the full clock
	Seconds, Energy float64 // s, pJ
}

// Times is the state of a chip that does so many times as much.
func (x State) Times(n float64) State { return State{x.Share, n * x.Seconds, n * x.Energy} }

// watts is the power of a state.
func (x *State) watts() float64 {
	if x.Seconds <= 0 {
		return 0
	}
	return x.Energy / x.Seconds / 1e12
}

// steps is how often Hold halves the range of clocks: to less than a thousandth of the full one.
const steps = 10

// Hold is the greatest share of the full clock at which a chip is held at its limit.
//
// The clocks that are tried do not depend on the limit. A higher limit never has a lower clock, since a state that
// is over it is over a lower one too.
func (c *Chip) Hold(at func(share float64) State) float64 {
	full := at(1)
	if !c.over(&full) {
		return 1
	}
	low, high := at(Slowest), full
	if c.over(&low) {
		return c.skips(&low)
	}
	for range steps {
		if mid := at((low.Share + high.Share) / 2); c.over(&mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return c.between(&low, &high)
}

// Among is Hold for states that are known already. Their clocks fall, from the full one or from one that is over the
// limit. The share lies between low and high; both are equal if further states would not narrow it.
func (c *Chip) Among(states []State) (low, share, high float64) {
	for k := range states {
		switch x := &states[k]; {
		case c.over(x):
		case k == 0:
			return x.Share, x.Share, x.Share
		default:
			return x.Share, c.between(x, &states[k-1]), states[k-1].Share
		}
	}
	share = c.skips(&states[len(states)-1])
	return share, share, share
}

func (c *Chip) over(x *State) bool { return c.Limit > 0 && x.watts() > Held*c.Limit }

// between is the clock of the limit between two of which only the higher one is over it.
func (c *Chip) between(low, high *State) float64 {
	w := low.watts()
	return low.Share + (high.Share-low.Share)*(Held*c.Limit-w)/(high.watts()-w)
}

// skips is the share of the full clock that a chip has if it skips cycles of its slowest clock, at which it takes
// more than its limit. All but its power at rest goes with the cycles that are left.
func (c *Chip) skips(slowest *State) float64 {
	return slowest.Share * (Held*c.Limit - c.Idle) / (slowest.watts() - c.Idle)
}

// Rate is the share of its peak at which products go at the limit, where they go at rate with a limit of was.
// With the limit was and the clock of that rate, products use all power above Idle and Active. That power
// changes with the clock as that of all events.
func (c *Chip) Rate(rate, was float64) float64 {
	if c.Limit == was || was == 0 {
		return rate
	}
	events := c.events(rate, was)
	over := func(share float64) bool { return c.rest(share)+share*c.scale(share)*events > Held*c.Limit }
	if c.Limit == 0 || !over(1) {
		return 1
	}
	low, high := 0.0, 1.0
	for range 50 {
		if mid := (low + high) / 2; over(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return low
}

// events is the power of products' events at the full clock, W, of a chip whose products go at rate with a limit.
func (c *Chip) events(rate, limit float64) float64 {
	return (Held*limit - c.rest(rate)) / (rate * c.scale(rate))
}

// Explains reports whether a limit leaves power for products at that rate.
func (c *Chip) Explains(rate, limit float64) bool { return c.events(rate, limit) > 0 }

// rest is the power at a share of the full clock without what kernels do.
func (c *Chip) rest(share float64) float64 { return c.Idle + c.Active*share*c.scale(share) }

// scale is the energy of an event at a share of the full clock over that at the full clock.
func (c *Chip) scale(share float64) float64 {
	v := c.voltage(share) / c.voltage(1)
	return v * v
}
