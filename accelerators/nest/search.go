package nest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/search"
	"github.com/causeway-sim/causeway/components/integer"
)

// Objectives are what a search can minimise: cycles; energy in pJ; their product; words
// that move at the outermost level; time: cycles and, of equal ones, those words.
var Objectives = []string{"cycles", "energy", "edp", "traffic", "time"}

// A Space are the legal mappings of a nest that constraints allow: perfect
// factorisations, orders of the temporal loops, tensors kept or not. It implements
// search.Space.
type Space struct {
	n         *Nest
	c         Constraints
	objective int

	primes [][]int64 // of a dimension: what the fixed factors leave
	parts  [][]int64 // the divisors of that
	slots  [][]slot  // of a dimension: where its primes may go
	free   []toggle  // tensors that may be kept or not
	fixed  *Mapping  // orders, fixed factors, tensors that are kept
	fan    []Mesh
	begin  []int // of a level: the first place of its order that is free

	// Outside, where it is set, says how many cycles the memory outside takes for a mapping
	// that has been evaluated, in all and by tensor: a mapping takes as many at least. It
	// changes nothing else and may be called from several goroutines, each with a nest of
	// its own.
	Outside func(n *Nest, r *Result, moved []Moved) float64
	// Latency is how many cycles the memory outside takes to answer.
	Latency float64
}

// A slot is a place for factors of one dimension.
type slot struct {
	level   int
	spatial bool
	most    int64 // 0: no limit
	axis    Axis  // Time also where a spatial slot may take either axis
}

type toggle struct{ level, tensor int }

// NewSpace finds what there is to choose. A level that no mapping fits into is a Fault.
func NewSpace(n *Nest, c Constraints, objective string) (*Space, error) {
	s := &Space{n: n, c: c, objective: slices.Index(Objectives, objective)}
	if s.objective < 0 {
		return nil, fmt.Errorf("objective is %q (want one of: %v)", objective, Objectives)
	}
	var errs []error
	s.fixed = &Mapping{Levels: make([]Placed, n.nL)}
	for l := range n.nL {
		s.fan = append(s.fan, n.a.Fanout(l))
		s.level(l)
	}
	for d := range n.nD {
		if err := s.dimension(d); err != nil {
			errs = append(errs, err)
		}
	}
	if errs == nil {
		errs = append(errs, s.room())
	}
	return s, errors.Join(errs...)
}

// level lays out the orders and the tensors of a level.
func (s *Space) level(l int) {
	c, p := &s.c.Levels[l], &s.fixed.Levels[l]
	for _, x := range []*LoopConstraints{&c.Temporal, &c.Spatial} {
		for i, d := range x.Whole(s.n.nD) {
			loop := Loop{Dim: d, Factor: max(1, x.Factor[d])}
			if x == &c.Temporal {
				p.Temporal = append(p.Temporal, loop)
				continue
			}
			loop.Axis, _ = s.axis(l, x, i, d)
			if loop.Axis == Time {
				loop.Axis = SpaceX // until one is chosen
			}
			p.Spatial = append(p.Spatial, loop)
		}
	}
	begin := len(c.Temporal.Order)
	if l == s.n.nL-1 && s.fan[l].Count() == 1 {
		// Inside the innermost level nothing stays: Timeloop takes the order of the
		// problem there, whatever the constraints say.
		slices.SortFunc(p.Temporal, func(a, b Loop) int { return a.Dim - b.Dim })
		begin = s.n.nD
	}
	s.begin = append(s.begin, begin)
	p.Keep = everything(s.n.nT) &^ c.Bypass
	if l == 0 {
		p.Keep = everything(s.n.nT)
		return
	}
	for t := range s.n.nT {
		if !c.Keep.Has(t) && !c.Bypass.Has(t) {
			s.free = append(s.free, toggle{l, t})
		}
	}
}

// axis is where the spatial loop of dimension d at a place of the order has to run; Time
// is free. ok is false where it may run along neither axis.
func (s *Space) axis(l int, x *LoopConstraints, place, d int) (axis Axis, ok bool) {
	lv, fan := &s.n.a.Levels[l], s.fan[l]
	alongX := fan.X > 1 && lv.Unrolls(SpaceX, d) && (x.Split < 0 || place < x.Split)
	alongY := fan.Y > 1 && lv.Unrolls(SpaceY, d) && (x.Split < 0 || place >= x.Split)
	switch {
	case alongX && alongY:
		return Time, true
	case alongY:
		return SpaceY, true
	}
	return SpaceX, alongX
}

// dimension finds the primes of d that are to be placed, and where they may go.
func (s *Space) dimension(d int) error {
	name, left := s.n.p.Dims[d].Name, s.n.p.Dims[d].Size
	var slots, rest []slot
	for l := range s.n.nL {
		c := &s.c.Levels[l]
		for _, x := range []*LoopConstraints{&c.Temporal, &c.Spatial} {
			spatial := x == &c.Spatial
			if f := x.Factor[d]; f > 0 {
				if left%f != 0 {
					return fmt.Errorf("constraints fix factors of %s that do not divide its size of %d", name, s.n.p.Dims[d].Size)
				}
				left /= f
				continue
			}
			y := slot{level: l, spatial: spatial, most: x.Most[d]}
			if spatial {
				if s.fan[l].Count() == 1 {
					continue
				}
				i := slices.IndexFunc(s.fixed.Levels[l].Spatial, func(z Loop) bool { return z.Dim == d })
				var ok bool
				if y.axis, ok = s.axis(l, x, i, d); !ok {
					continue
				}
			}
			if x.Factor[d] == Rest {
				rest = append(rest, y)
			} else {
				slots = append(slots, y)
			}
		}
	}
	if rest != nil {
		slots = rest
	}
	if left > 1 && slots == nil {
		return fmt.Errorf("constraints fix every factor of %s to a product of %d, its size is %d", name, s.n.p.Dims[d].Size/left, s.n.p.Dims[d].Size)
	}
	s.slots = append(s.slots, slots)
	s.primes = append(s.primes, primes(left))
	s.parts = append(s.parts, integer.Products(s.primes[d]))
	return nil
}

// primes are the prime factors of n, largest first.
func primes(n int64) (out []int64) {
	for p := int64(2); p*p <= n; p++ {
		for ; n%p == 0; n /= p {
			out = append(out, p)
		}
	}
	if n > 1 {
		out = append(out, n)
	}
	slices.Reverse(out)
	return out
}

// Walker implements search.Space.
func (s *Space) Walker() search.Walker[Mapping] { return &Walker{s: s, n: s.n.Clone()} }

// Of a place in a mapping: the loop of dimension d.
func (x slot) loop(m *Mapping, d int) *Loop {
	loops := m.Levels[x.level].Temporal
	if x.spatial {
		loops = m.Levels[x.level].Spatial
	}
	for i := range loops {
		if loops[i].Dim == d {
			return &loops[i]
		}
	}
	panic("nest: a level of the search lacks a loop")
}

// A Walker implements search.Walker of a Space.
type Walker struct {
	s      *Space
	n      *Nest
	result Result
	opened bool // the mapping that fits was called for is laid out
	misses int  // draws in a row of which none fitted
	moved  [MaxTensors]Moved
}

// hidden divides what the memory is busy with, in what decides among mappings of nearly equal
// time. Since the memory is busy no longer than the whole takes, this costs half a percent of
// time at most, whatever the space.
const hidden = 200

// New implements search.Walker.
func (w *Walker) New() *Mapping { return w.s.fixed.Clone() }

// Copy implements search.Walker.
func (w *Walker) Copy(to, from *Mapping) {
	for i := range from.Levels {
		copy(to.Levels[i].Temporal, from.Levels[i].Temporal)
		copy(to.Levels[i].Spatial, from.Levels[i].Spatial)
		to.Levels[i].Keep = from.Levels[i].Keep
	}
}

// Random implements search.Walker: every prime goes to a place that has room for it,
// loops lie in any order that is free, tensors are kept or not.
func (w *Walker) Random(r *rand.Rand, m *Mapping) bool {
	s := w.s
	w.Copy(m, s.fixed)
	spread, begin := s.objective == 4 && r.IntN(2) == 0, 0 // busy units first
	if spread {
		begin = r.IntN(len(s.primes))
	}
	for i := range s.primes {
		d := (begin + i) % len(s.primes)
		slots := s.slots[d]
		for _, p := range s.primes[d] {
			placed := spread && w.unroll(r, m, slots, d, p)
			for k, at := 0, r.IntN(len(slots)); k < len(slots) && !placed; k++ {
				placed = w.put(r, m, slots[(at+k)%len(slots)], d, p)
			}
			if !placed {
				return false
			}
		}
	}
	for l := range m.Levels {
		t := m.Levels[l].Temporal[s.begin[l]:]
		for i := len(t) - 1; i > 0; i-- {
			j := r.IntN(i + 1)
			t[i], t[j] = t[j], t[i]
		}
	}
	for _, x := range s.free {
		if r.Uint64()&1 == 0 {
			m.Levels[x.level].Keep &^= 1 << uint(x.tensor)
		}
	}
	ok := w.fits(m) || w.misses > patience && w.shrink(r, m)
	if w.misses++; ok {
		w.misses = 0
	}
	return ok
}

// unroll puts a prime on a fan-out that has room for it, every other time.
func (w *Walker) unroll(r *rand.Rand, m *Mapping, slots []slot, d int, p int64) bool {
	if r.IntN(2) == 0 {
		return false
	}
	for k, at := 0, r.IntN(len(slots)); k < len(slots); k++ {
		if x := slots[(at+k)%len(slots)]; x.spatial && w.put(r, m, x, d, p) {
			return true
		}
	}
	return false
}

// patience is how many draws in a row may fail to fit before those that fail are shrunk:
// where levels are small, few do.
const patience = 2_000

// shrink moves primes of loops inside to the outermost level until every tile fits.
func (w *Walker) shrink(r *rand.Rand, m *Mapping) bool {
	s := w.s
	for range 64 * len(s.primes) {
		d := r.IntN(len(s.primes))
		slots := s.slots[d]
		if len(s.primes[d]) == 0 || len(slots) < 2 || slots[0].level != 0 || slots[0].spatial || slots[0].most > 0 {
			continue
		}
		from := slots[1+r.IntN(len(slots)-1)].loop(m, d)
		p := s.primes[d][r.IntN(len(s.primes[d]))]
		if from.Factor%p != 0 {
			continue
		}
		from.Factor /= p
		slots[0].loop(m, d).Factor *= p
		if w.fits(m) {
			return true
		}
	}
	return false
}

// put multiplies a factor by a prime if there is room for it.
func (w *Walker) put(r *rand.Rand, m *Mapping, x slot, d int, p int64) bool {
	loop := x.loop(m, d)
	if x.most > 0 && loop.Factor*p > x.most {
		return false
	}
	if !x.spatial {
		loop.Factor *= p
		return true
	}
	used, fan := Mesh{1, 1}, w.s.fan[x.level]
	for _, y := range m.Levels[x.level].Spatial {
		if y.Axis == SpaceX {
			used.X *= y.Factor
		} else {
			used.Y *= y.Factor
		}
	}
	axis := x.axis
	if axis == Time {
		axis = loop.Axis
		if loop.Factor == 1 {
			axis = SpaceX + Axis(r.UintN(2))
		}
	}
	if axis == SpaceX && used.X*p > fan.X || axis == SpaceY && used.Y*p > fan.Y {
		return false
	}
	loop.Axis = axis
	loop.Factor *= p
	return true
}

// Near implements search.Walker: one prime moves, or two loops change places, or a
// tensor is kept that was not.
func (w *Walker) Near(r *rand.Rand, m *Mapping) bool {
	s := w.s
	if s.objective == 4 && r.IntN(4) == 0 {
		return w.trade(r, m) && w.fits(m)
	}
	switch k := r.IntN(10); {
	case k < 6:
		if !w.move(r, m) {
			return false
		}
	case k < 9 || len(s.free) == 0:
		l := r.IntN(len(m.Levels))
		t := m.Levels[l].Temporal[s.begin[l]:]
		if len(t) < 2 {
			return false
		}
		i, j := r.IntN(len(t)), r.IntN(len(t))
		if t[i].Factor == t[j].Factor && t[i].Factor == 1 || i == j {
			return false
		}
		t[i], t[j] = t[j], t[i]
	default:
		x := s.free[r.IntN(len(s.free))]
		m.Levels[x.level].Keep ^= 1 << uint(x.tensor)
	}
	return w.fits(m)
}

// move takes a prime of a dimension from one place to another.
func (w *Walker) move(r *rand.Rand, m *Mapping) bool {
	s := w.s
	d := r.IntN(len(s.primes))
	slots := s.slots[d]
	if len(s.primes[d]) == 0 || len(slots) < 2 {
		return false
	}
	p := s.primes[d][r.IntN(len(s.primes[d]))]
	from := slots[r.IntN(len(slots))].loop(m, d)
	to := slots[r.IntN(len(slots))]
	if from.Factor%p != 0 || to.loop(m, d) == from {
		return false
	}
	from.Factor /= p
	return w.put(r, m, to, d, p)
}

// trade has a prime of one dimension and one of another change places: neither alone may
// have room in a fan-out that is full, or keep the units busy on its way.
func (w *Walker) trade(r *rand.Rand, m *Mapping) bool {
	s := w.s
	d, e := r.IntN(len(s.primes)), r.IntN(len(s.primes))
	if d == e || len(s.primes[d]) == 0 || len(s.primes[e]) == 0 {
		return false
	}
	p, q := s.primes[d][r.IntN(len(s.primes[d]))], s.primes[e][r.IntN(len(s.primes[e]))]
	a, b := s.slots[d][r.IntN(len(s.slots[d]))], s.slots[d][r.IntN(len(s.slots[d]))]
	from, ok := s.at(e, b)
	to, also := s.at(e, a)
	if a.level == b.level && a.spatial == b.spatial || !ok || !also {
		return false
	}
	x, y := a.loop(m, d), from.loop(m, e)
	if x.Factor%p != 0 || y.Factor%q != 0 {
		return false
	}
	x.Factor /= p
	y.Factor /= q
	return w.put(r, m, b, d, p) && w.put(r, m, to, e, q)
}

// at is where dimension d has the place that another has.
func (s *Space) at(d int, like slot) (slot, bool) {
	for _, x := range s.slots[d] {
		if x.level == like.level && x.spatial == like.spatial {
			return x, true
		}
	}
	return slot{}, false
}

// Fits reports whether every tile of a mapping fits that keeps the constraints of the space.
func (w *Walker) Fits(m *Mapping) bool { return w.fits(m) }

// fits reports whether every tile fits. It leaves the mapping open for Cost.
func (w *Walker) fits(m *Mapping) bool {
	w.n.open(m)
	l, _, _ := w.n.tooSmall(m)
	if l >= 0 {
		return false
	}
	w.opened = true
	for i := range w.n.a.Levels {
		if lv := &w.n.a.Levels[i]; lv.Utilization > 0 || lv.Metadata.Depth > 0 && w.n.sparse != nil {
			w.n.Evaluate(m, &w.result)
			ok := true
			w.n.otherLimits(m, &w.result, func(int, string, ...any) { ok = false })
			return ok
		}
	}
	return true
}

// Cost implements search.Walker.
func (w *Walker) Cost(m *Mapping) float64 {
	if w.opened {
		w.opened = false
		w.n.evaluate(m, w.n.sized(&w.result))
	} else {
		w.n.Evaluate(m, &w.result)
	}
	if w.s.Outside == nil {
		return w.s.objectiveOf(&w.result)
	}
	x := w.s.Outside(w.n, &w.result, w.moved[:w.n.nT])
	if w.s.objective == 4 { // of nearly equal ones that which hides less behind the units
		w.result.Cycles = w.n.Paced(m, &w.result, w.moved[:w.n.nT], w.s.Latency)
		return w.s.objectiveOf(&w.result) + x/hidden
	}
	w.result.Cycles = max(w.result.Cycles, x)
	return w.s.objectiveOf(&w.result)
}

func (s *Space) objectiveOf(r *Result) float64 {
	switch s.objective {
	case 0:
		return r.Cycles
	case 1:
		return r.Energy
	case 2:
		return r.Cycles * r.Energy
	}
	words := 0.0
	for t := range s.n.nT {
		a := &r.Counts[t].Actual
		words += a.Reads + a.Fills + a.Updates
	}
	if s.objective == 4 {
		return r.Cycles + words*1e-9
	}
	return words
}
