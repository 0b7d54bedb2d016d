package stats

import "math"

// A TimeSeries is an amount over time, such as bytes or operations of a node. Each amount is spread
// evenly over the time that it took. A node has a nil TimeSeries until an observer calls Watch; Add
// and Pass of a nil TimeSeries do nothing.
type TimeSeries struct {
	own   Pace
	width float64 // of a bin, ns
	bins  []float64
	late  float64 // ns: the most by which anything passed later than it was known to be done
	times float64 // of which each amount is one; 0 is 1
}

// A Pace is a channel of a time series: amounts pass one after the other, at most Peak per ns.
type Pace struct {
	Peak  float64 // per ns; 0: no limit
	until float64 // when what has passed so far has passed, ns
	gaps  []gap   // earlier times in which nothing passed, for Before
}

// A gap is a time in which a channel is free, ns.
type gap struct{ from, to float64 }

// maxGaps bounds the gaps that a channel keeps: the latest.
const maxGaps = 1024

// Skip moves the end of the channel's traffic by ns, for traffic that was not simulated, and
// returns when that traffic began.
func (p *Pace) Skip(ns float64) (from float64) {
	from = p.until
	p.until += ns
	return from
}

// seriesBins is the number of bins of a time series; they double in width as time goes on.
const seriesBins = 1024

// Add spreads n evenly from begin to end, in ns. If end is not after begin, n is added at begin.
func (c *TimeSeries) Add(n, begin, end float64) { c.spread(n, begin, end, exact) }

func exact(n float64) float64 { return n }

// spread is Add, with what is done by the end of each bin rounded.
func (c *TimeSeries) spread(n, begin, end float64, round func(float64) float64) {
	if c == nil || n <= 0 || begin < 0 || !finite(begin) || !finite(end) {
		return
	}
	if c.bins == nil {
		c.bins, c.width = make([]float64, seriesBins), 1
	}
	end = max(end, begin)
	for end >= c.width*seriesBins {
		c.fold()
	}
	times := max(c.times, 1)
	first, last := int(begin/c.width), int(end/c.width)
	rate, before := n/max(end-begin, math.SmallestNonzeroFloat64), 0.0
	for i := first; i < last; i++ {
		until := round(rate * (float64(i+1)*c.width - begin))
		c.bins[i] += times * (until - before)
		before = until
	}
	c.bins[last] += times * (round(n) - before)
}

// Times makes each later amount count so often, for equal channels of which one is simulated.
func (c *TimeSeries) Times(n float64) {
	if c != nil {
		c.times = n
	}
}

// grained is the nearest multiple of 1/65,536: sums of such do not depend on their order.
func grained(n float64) float64 {
	const grain = 1 << 16
	return math.Round(n*grain) / grain
}

// Pass adds n that has passed by the time at, in ns, at the peak rate and after all earlier
// amounts. If it does not fit before at, Late has the delay; a node that keeps its peak shows no
// more than the rounding of a clock.
func (c *TimeSeries) Pass(n, at float64) {
	if c != nil {
		c.Through(&c.own, n, at)
	}
}

// Through is like Pass, on a channel with its own peak.
func (c *TimeSeries) Through(p *Pace, n, at float64) {
	if c == nil || n <= 0 {
		return
	}
	if p.Peak <= 0 {
		c.Add(n, at, at)
		return
	}
	span := n / p.Peak
	begin := max(p.until, at-span, 0)
	p.until = begin + span
	c.late = max(c.late, p.until-at)
	c.Add(n, begin, p.until)
}

// Before adds n that has passed channel p by the time at, in ns, among other traffic. It is placed
// at the peak rate, in the latest free times before at. Times at must not fall from call to call.
// If there is not enough free time the rest is placed after at, and Late has the delay. Bins do
// not depend on the order in which channels add.
func (c *TimeSeries) Before(p *Pace, n, at float64) {
	if c == nil || n <= 0 {
		return
	}
	if p.Peak <= 0 {
		c.Add(n, at, at)
		return
	}
	if at > p.until {
		if len(p.gaps) == maxGaps {
			p.gaps = p.gaps[:copy(p.gaps, p.gaps[maxGaps/2:])]
		}
		p.gaps, p.until = append(p.gaps, gap{p.until, at}), at
	}
	span := n / p.Peak
	for last := len(p.gaps) - 1; last >= 0 && span > 0; last-- {
		g := &p.gaps[last]
		take := min(span, g.to-g.from)
		c.spread(take*p.Peak, g.to-take, g.to, grained)
		span -= take
		if g.to -= take; g.to <= g.from {
			p.gaps = p.gaps[:last]
		}
	}
	if span > 0 {
		c.spread(span*p.Peak, p.until, p.until+span, grained)
		p.until += span
		c.late = max(c.late, p.until-at)
	}
}

// fold makes one bin of two.
func (c *TimeSeries) fold() {
	for i := range seriesBins / 2 {
		c.bins[i] = c.bins[2*i] + c.bins[2*i+1]
	}
	clear(c.bins[seriesBins/2:])
	c.width *= 2
}

// Peak is the peak rate per ns; 0 for no limit.
func (c *TimeSeries) Peak() float64 { return c.own.Peak }

// Late is the greatest delay in ns by which an amount was placed after its known time.
func (c *TimeSeries) Late() float64 { return c.late }

// Sum returns the sum of all amounts.
func (c *TimeSeries) Sum() (n float64) {
	for _, v := range c.bins {
		n += v
	}
	return n
}

// Between returns the amount from one time to another, in ns.
func (c *TimeSeries) Between(from, to float64) (n float64) {
	if len(c.bins) == 0 || to <= from {
		return 0
	}
	last := min(int(math.Ceil(to/c.width)), len(c.bins))
	for i := int(from / c.width); i < last; i++ {
		a, b := float64(i)*c.width, float64(i+1)*c.width
		n += c.bins[i] * (min(b, to) - max(a, from)) / c.width
	}
	return n
}

// A Watched is a time series that a node offers to observers.
type Watched struct {
	Column
	Peak func() float64 // per ns; 0: no limit
	at   **TimeSeries
}

// TimeSeries offers observers an amount over time. Watch sets *at to a time series; peak is its limit per
// ns, 0 for none.
func (g *Group) TimeSeries(name string, unit Unit, text string, peak func() float64, at **TimeSeries) {
	g.offered = append(g.offered, Watched{Column{name, unit, text}, peak, at})
}

// Observable lists the time series that the node offers.
func (g *Group) Observable() []Watched { return g.offered }

// Watch makes the node record the time series, and returns it.
func (w Watched) Watch() *TimeSeries {
	*w.at = NewTimeSeries(w.Peak())
	return *w.at
}

// NewTimeSeries makes a time series with a peak rate per ns, 0 for no limit.
func NewTimeSeries(peak float64) *TimeSeries {
	if !finite(peak) || peak < 0 {
		peak = 0
	}
	return &TimeSeries{own: Pace{Peak: peak}}
}
