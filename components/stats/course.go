package stats

import "math"

// A Course is how much of something a node did when: work and bytes are spread evenly over
// the time that they took, so that no interval holds more than its time allows. A node has
// one for what an observer asks of it, and a nil Course where no observer does: Add and Pass
// do nothing then.
type Course struct {
	own   Pace
	width float64 // of a bin, ns
	bins  []float64
	late  float64 // ns: the most by which anything passed later than it was known to be done
}

// A Pace is what passes at most per ns, one after the other: a channel of a course.
type Pace struct {
	Peak  float64 // per ns; 0: no limit
	until float64 // when what has passed so far has passed, ns
	gaps  []gap   // earlier times in which nothing passed, for Before
}

// A gap is a time in which a channel is free, ns.
type gap struct{ from, to float64 }

// maxGaps bounds the gaps that a channel keeps: the latest.
const maxGaps = 1024

// Skip moves what has passed so many ns on, since as much passed in between, and returns when
// that began.
func (p *Pace) Skip(ns float64) (from float64) {
	from = p.until
	p.until += ns
	return from
}

// courseBins is the number of bins of a course; they double in width as time goes on.
const courseBins = 1024

// Add spreads n evenly over the time from begin to end, in ns. What takes no time is done
// at its begin.
func (c *Course) Add(n, begin, end float64) { c.spread(n, begin, end, exact) }

func exact(n float64) float64 { return n }

// spread is Add, with what is done by the end of each bin rounded.
func (c *Course) spread(n, begin, end float64, round func(float64) float64) {
	if c == nil || n <= 0 || begin < 0 || !finite(begin) || !finite(end) {
		return
	}
	if c.bins == nil {
		c.bins, c.width = make([]float64, courseBins), 1
	}
	end = max(end, begin)
	for end >= c.width*courseBins {
		c.fold()
	}
	first, last := int(begin/c.width), int(end/c.width)
	rate, before := n/max(end-begin, math.SmallestNonzeroFloat64), 0.0
	for i := first; i < last; i++ {
		until := round(rate * (float64(i+1)*c.width - begin))
		c.bins[i] += until - before
		before = until
	}
	c.bins[last] += round(n) - before
}

// grained is the nearest multiple of 1/65,536: sums of such do not depend on their order.
func grained(n float64) float64 {
	const grain = 1 << 16
	return math.Round(n*grain) / grain
}

// Pass adds n that is known to have passed by the time at, in ns, at the peak, after what was
// passed before. By how much it would have to be later than that is kept for Late: where the
// peak holds it is the rounding of a clock.
func (c *Course) Pass(n, at float64) {
	if c != nil {
		c.Through(&c.own, n, at)
	}
}

// Through is Pass on a channel with a peak of its own.
func (c *Course) Through(p *Pace, n, at float64) {
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

// Before adds n that has passed a channel by the time at, in ns, mixed with what else passed
// it: at the peak, in the latest times that nothing else has taken. What n's are known to have
// passed by rises from call to call. A channel that kept its peak has room for all of it; for
// what has none, Late says by how much. Bins do not depend on the order in which channels add.
func (c *Course) Before(p *Pace, n, at float64) {
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
func (c *Course) fold() {
	for i := range courseBins / 2 {
		c.bins[i] = c.bins[2*i] + c.bins[2*i+1]
	}
	clear(c.bins[courseBins/2:])
	c.width *= 2
}

// Peak is the most per ns; 0 is no limit.
func (c *Course) Peak() float64 { return c.own.Peak }

// Late is by how many ns something passed later than it was known to be done.
func (c *Course) Late() float64 { return c.late }

// Sum is all that was added.
func (c *Course) Sum() (n float64) {
	for _, v := range c.bins {
		n += v
	}
	return n
}

// Between is how much was done from one time to another, in ns.
func (c *Course) Between(from, to float64) (n float64) {
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

// A Watched is a course that a node offers, with its name, unit and peak.
type Watched struct {
	Column
	Peak func() float64 // per ns; 0: no limit
	at   **Course
}

// Course offers an observer the course of something; at is where the node finds it when an
// observer has asked, and peak is the most of it per ns, 0 where it has no limit.
func (g *Group) Course(name string, unit Unit, text string, peak func() float64, at **Course) {
	g.courses = append(g.courses, Watched{Column{name, unit, text}, peak, at})
}

// Courses lists what the node offers.
func (g *Group) Courses() []Watched { return g.courses }

// Watch has the node keep the course, and returns it.
func (w Watched) Watch() *Course {
	*w.at = NewCourse(w.Peak())
	return *w.at
}

// NewCourse makes a course with a peak per ns, 0 for none.
func NewCourse(peak float64) *Course {
	if !finite(peak) || peak < 0 {
		peak = 0
	}
	return &Course{own: Pace{Peak: peak}}
}
