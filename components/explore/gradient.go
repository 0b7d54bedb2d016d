package explore

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

func init() {
	oneObjective("gradient", "Follows the slopes of all axes at once to the best value of one objective, and exchanges one axis for another where a constraint binds.",
		"steepest descent with slopes from differences; Hooke and Jeeves, JACM 8(2), 1961, for its shrinking steps",
		func(s *Space, spec DescentSpec) Method {
			return &gradient{space: s, spec: spec, outcomes: map[int]Outcome{}}
		})
}

// gradient is a search that is played again from its start on each call of Next, over the outcomes
// known by then, up to the first designs without one. So it is written as one loop.
type gradient struct {
	space    *Space
	spec     DescentSpec
	outcomes map[int]Outcome // of the designs of earlier calls
	asked    []int           // designs of the call before
}

// Most implements Method.
func (x *gradient) Most() int { return x.spec.Points }

// Next implements Method.
func (x *gradient) Next(known func(int) Outcome) []int {
	for _, p := range x.asked {
		x.outcomes[p] = known(p)
	}
	d := descent{gradient: x, seen: map[int]bool{}, rng: rand.New(rand.NewPCG(x.spec.Seed, 0x736c6f7065))}
	for d.start() {
		for d.step() {
		}
		if len(d.fresh) > 0 {
			break
		}
	}
	slices.Sort(d.fresh)
	x.asked = d.fresh
	return d.fresh
}

// descent is one play of the search.
type descent struct {
	*gradient
	seen  map[int]bool // designs asked for
	fresh []int        // those without an outcome, which end the play
	rng   *rand.Rand
	best  int
	reach []int // steps on each axis to the neighbours that are looked at
}

// ask asks for designs. It reports whether all of them have an outcome.
func (d *descent) ask(points ...int) bool {
	for _, p := range points {
		if d.seen[p] || len(d.seen) >= d.spec.Points {
			continue
		}
		d.seen[p] = true
		if _, ok := d.outcomes[p]; !ok {
			d.fresh = append(d.fresh, p)
		}
	}
	return len(d.fresh) == 0
}

// of is the outcome of a design; one beyond the number of designs has failed.
func (d *descent) of(point int) Outcome {
	if o, ok := d.outcomes[point]; ok && d.seen[point] {
		return o
	}
	return Failed
}

// start begins anew, see Space.begin. It reports whether the search goes on from there.
func (d *descent) start() bool {
	if len(d.seen) >= d.spec.Points {
		return false
	}
	d.reach = make([]int, len(d.space.Sizes))
	for k, n := range d.space.Sizes {
		d.reach[k] = max((n+1)/4, 1)
	}
	var ok bool
	d.best, ok = d.space.begin(d.seen, d.rng)
	delete(d.seen, d.best)
	return ok && d.ask(d.best)
}

// A side is a neighbour of the best design on one axis.
type side struct {
	axis, move int
	point      int
	allowed    bool
	gain       float64 // of the objective; where the design has no outcome, what the other side loses
	miss       float64
}

// step goes to a better design, or makes the steps shorter. It reports whether the search goes on from
// there: not at an end, and not where designs have no outcome yet.
func (d *descent) step() bool {
	sides, ok := d.look()
	if !ok {
		return false
	}
	for _, propose := range []func([]side) []int{d.along, d.exchanges} {
		points := propose(sides)
		if !d.ask(points...) {
			return false
		}
		if d.take(points) {
			return true
		}
	}
	return d.shrink()
}

// take goes to the best of some designs. It reports whether one is better than the best so far.
func (d *descent) take(points []int) (better bool) {
	for _, p := range points {
		if less(d.of(p), d.of(d.best)) {
			d.best, better = p, true
		}
	}
	return better
}

// shrink halves the steps on all axes. It reports false where none is longer than one.
func (d *descent) shrink() (longer bool) {
	for k, n := range d.reach {
		d.reach[k] = (n + 1) / 2
		longer = longer || n > 1
	}
	return longer
}

func (d *descent) ordered(axis int) bool { return d.space.Ordered == nil || d.space.Ordered[axis] }

// look asks for the neighbours of the best design: one to each side of an ordered axis, all values of another.
func (d *descent) look() (sides []side, ok bool) {
	at := make([]int, len(d.space.Sizes))
	d.space.At(d.best, at)
	var points []int
	for k, n := range d.space.Sizes {
		here := at[k]
		for v := range n {
			low, high := max(here-d.reach[k], 0), min(here+d.reach[k], n-1)
			if v == here || d.ordered(k) && v != low && v != high {
				continue
			}
			at[k] = v
			p := d.space.Point(at)
			s := side{axis: k, move: v - here, point: p, allowed: d.space.allowed(p)}
			if s.allowed {
				points = append(points, p)
			}
			sides = append(sides, s)
		}
		at[k] = here
	}
	if !d.ask(points...) {
		return nil, false
	}
	d.weigh(sides)
	return sides, true
}

// weigh fills in what sides gain. One without an outcome, as of a design that is not allowed, gains what the
// other side of its axis loses.
func (d *descent) weigh(sides []side) {
	here := d.of(d.best)
	for i := range sides {
		o := d.of(sides[i].point)
		sides[i].gain, sides[i].miss = math.NaN(), o.Miss
		if len(o.Values) > 0 && len(here.Values) > 0 {
			sides[i].gain = here.Values[0] - o.Values[0]
		}
	}
	for i := range sides {
		if !math.IsNaN(sides[i].gain) {
			continue
		}
		for j := range sides {
			if sides[j].axis == sides[i].axis && d.ordered(sides[i].axis) && (sides[j].move < 0) != (sides[i].move < 0) {
				sides[i].gain = -sides[j].gain
			}
		}
	}
}

// along are the neighbours, and the designs along the two best axes and along all that are better, by one and by two
// steps.
func (d *descent) along(sides []side) (points []int) {
	var better []side // the best of each axis
	for _, s := range sides {
		if s.allowed {
			points = append(points, s.point)
		}
		if !less(d.of(s.point), d.of(d.best)) {
			continue
		}
		i := slices.IndexFunc(better, func(b side) bool { return b.axis == s.axis })
		switch {
		case i < 0:
			better = append(better, s)
		case less(d.of(s.point), d.of(better[i].point)):
			better[i] = s
		}
	}
	slices.SortStableFunc(better, func(a, b side) int {
		switch {
		case less(d.of(a.point), d.of(b.point)):
			return -1
		case less(d.of(b.point), d.of(a.point)):
			return 1
		}
		return 0
	})
	for n := 2; n <= len(better); n += max(len(better)-2, 1) {
		for times := 1; times <= 2; times++ {
			points = d.add(points, times, better[:n]...)
		}
	}
	return points
}

// mostExchanges is how many exchanges are tried.
const mostExchanges = 8

// exchanges are designs that take a side which constraints forbid, and pay for it by another that meets them, the most promising first.
func (d *descent) exchanges(sides []side) (points []int) {
	type pair struct {
		gain float64
		a, b side
	}
	var pairs []pair
	miss := d.of(d.best).Miss
	for _, a := range sides {
		if a.allowed && a.miss <= miss || a.gain <= 0 {
			continue
		}
		for _, b := range sides {
			if b.axis != a.axis && b.allowed && b.miss <= miss && !math.IsNaN(b.gain) {
				gain := b.gain
				if !math.IsNaN(a.gain) {
					gain += a.gain
				}
				pairs = append(pairs, pair{gain, a, b})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.gain, a.gain) })
	for _, p := range pairs {
		if len(points) >= mostExchanges {
			break
		}
		points = d.add(points, 1, p.a, p.b)
	}
	return points
}

// add adds the design that so many times the moves of some sides lead to, if it is allowed.
func (d *descent) add(points []int, times int, moves ...side) []int {
	at := make([]int, len(d.space.Sizes))
	d.space.At(d.best, at)
	for _, s := range moves {
		move := s.move
		if d.ordered(s.axis) {
			move *= times
		}
		at[s.axis] = min(max(at[s.axis]+move, 0), d.space.Sizes[s.axis]-1)
	}
	if p := d.space.Point(at); d.space.allowed(p) && !slices.Contains(points, p) {
		return append(points, p)
	}
	return points
}
