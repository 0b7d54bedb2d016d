package relax

import (
	"math"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/components/integer"
)

// A model is the relaxed cost of mappings of a space. Variables are logarithms of factors; orders
// of loops and the tensors that levels keep are chosen beside them. It holds scratch memory: each
// goroutine needs one of its own.
type model struct {
	s          *nest.Space
	n          *nest.Nest
	p          *nest.Problem
	a          *nest.Arch
	memory     *Memory // nil: what lies outside is no limit
	nD, nT, nL int
	later      bool // halos stay also after loops that do not move the tile (nest.Rules2025)
	objective  string

	vars     []variable
	at       []int     // [place*nD+dim], place = 2 x level, +1 for spatial: the variable there; -1: none
	fixed    []float64 // the same: logarithm of the factor that constraints fix
	inner    [][]int   // of a dimension: its variables, innermost first
	divisors [][]int64 // of a dimension: of the product of its variables
	nMid     []int     // [level*nD+dim]: how many of them lie inside the temporal loops of a level,
	nExt     []int     // and inside the level
	bounds   []bound   // of fan-outs and of single factors
	left     []float64 // of a dimension: logarithm of the product of its variables

	chain [][]int // of a tensor: its ranks as they follow each other in the memory outside
	rank  [][]rank
	dims  []nest.Mask // that index a tensor
	halo  []nest.Mask // of those: in sums of two dimensions and more alone
	twice []bool      // a dimension is in two ranks of the tensor

	// What is chosen.
	x     []float64 // logarithms of the variable factors
	order [][]int   // of a level: dimensions of its temporal loops, innermost first
	keep  []nest.Mask

	sharp   float64 // of the smooth maximum of cycles; +Inf is the maximum
	penalty float64 // of the square of what constraints are exceeded by, as a logarithm
	passes  int64   // values
	grads   int64   // values with derivatives

	orders [][][]int // of a level: orders that leave one tensor after the other in place
	descent
	scratch
}

// A descent is the state of one.
type descent struct {
	theta, mean, square, target []float64
	factor                      []int64
	axis                        []nest.Axis // of spatial factors
	old                         []int
	adapt                       bool // orders and kept tensors are chosen anew on the way
}

// A variable is a factor of a dimension at a place.
type variable struct {
	dim, level int
	spatial    bool
	most       int64 // 0: no limit
	axis       nest.Axis
}

// A bound is what the product of some variables may be at most, as a logarithm.
type bound struct {
	vars []int
	most float64
}

// A rank is one rank of a tensor.
type rank struct {
	dim  []int
	coef []float64
}

// A dual is a number with its derivatives by all variables.
type dual struct {
	v float64
	d []float64
}

// A loop is a temporal loop: its place in at and its variable.
type loop struct {
	dim, level, place, v int
}

// A box is what the loops inside some place reach of each dimension.
type box struct {
	ext []float64 // elements; nil: one of each
	n   []int     // how many variables of a dimension multiply to it
}

type scratch struct {
	grad     bool
	loops    []loop // innermost first
	from     []int  // of a level: the first of loops above it
	mid, ext []float64
	inside   []int // variables of the loops passed, of a tensor or of all
	all      []int
	used     []float64 // of a level: instances in use
	over     []int     // variables of spatial loops

	steps, below, distinct, traffic, filled, tiled, ratio dual
	part                                                  []dual // of a level: elements that fall to an instance
	read, write                                           []dual // of a level: words of an instance
	wires                                                 []dual
	energy, words, cycles, cost, outside                  dual
	need                                                  dual
	one                                                   []int
}

// newModel prepares the relaxed cost of a space, before a memory outside or nil. Its first point has all factors at the outermost
// places and keeps every tensor that may be kept.
func newModel(s *nest.Space, outside *Memory) *model {
	n := s.Nest()
	p, a := n.Problem(), n.Arch()
	m := &model{s: s, n: n, p: p, a: a, nD: len(p.Dims), nT: len(p.Tensors), nL: len(a.Levels), memory: outside,
		later: n.Rules() >= nest.Rules2025, objective: s.Objective(), sharp: math.Inf(1), penalty: 1}
	m.places()
	m.fanouts()
	for t := range p.Tensors {
		m.tensor(&p.Tensors[t])
	}
	fixed := s.Fixed()
	for l := range m.nL {
		m.keep = append(m.keep, fixed.Levels[l].Keep)
		var order []int
		for _, x := range fixed.Levels[l].Temporal {
			order = append(order, x.Dim)
		}
		m.order = append(m.order, order)
	}
	m.chains()
	for l := range m.nL {
		m.orders = append(m.orders, m.stationary(l))
	}
	m.makeScratch()
	m.lay()
	return m
}

// stationary lists orders of the temporal loops of a level: for every sequence of tensors (of more
// than three for every tensor alone) that in which loops that leave the first in place lie
// innermost, among these and the rest those that leave the next one in place, and so on. Those
// whose tiles overlap come before those whose tiles do not.
func (m *model) stationary(l int) (out [][]int) {
	begin := m.s.Begin(l)
	if m.nD-begin < 2 {
		return [][]int{m.order[l]}
	}
	for _, list := range sequences(m.nT) {
		order := slices.Clone(m.order[l])
		slices.SortStableFunc(order[begin:], func(a, b int) int {
			for _, t := range list {
				for _, set := range []nest.Mask{m.dims[t], m.dims[t] &^ m.halo[t]} {
					if set.Has(a) != set.Has(b) {
						if set.Has(b) {
							return -1
						}
						return 1
					}
				}
			}
			return 0
		})
		if !slices.ContainsFunc(out, func(x []int) bool { return slices.Equal(x, order) }) {
			out = append(out, order)
		}
	}
	return out
}

// sequences are the orders of up to three things; of more, one that begins with each.
func sequences(n int) (out [][]int) {
	if n == 3 {
		return [][]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}}
	}
	for i := range n {
		list := make([]int, n)
		for k := range list {
			list[k] = (i + k) % n
		}
		out = append(out, list)
	}
	return out
}

// places finds variables and fixed factors.
func (m *model) places() {
	fixed := m.s.Fixed()
	m.at, m.fixed = make([]int, 2*m.nL*m.nD), make([]float64, 2*m.nL*m.nD)
	for i := range m.at {
		m.at[i] = -1
	}
	for l := range m.nL {
		for k, loops := range [2][]nest.Loop{fixed.Levels[l].Temporal, fixed.Levels[l].Spatial} {
			for _, x := range loops {
				m.fixed[(2*l+k)*m.nD+x.Dim] = math.Log(float64(x.Factor))
			}
		}
	}
	for d := range m.nD {
		left := 0.0
		for _, p := range m.s.Primes(d) {
			left += math.Log(float64(p))
		}
		m.left, m.divisors = append(m.left, left), append(m.divisors, integer.Products(m.s.Primes(d)))
		if left == 0 {
			continue
		}
		for _, x := range m.s.Places(d) {
			v := variable{dim: d, level: x.Level, spatial: x.Spatial, most: x.Most, axis: x.Axis}
			if x.Most > 0 {
				m.bounds = append(m.bounds, bound{[]int{len(m.vars)}, math.Log(float64(x.Most))})
			}
			m.at[place(x.Level, x.Spatial)*m.nD+d] = len(m.vars)
			m.vars = append(m.vars, v)
		}
	}
	m.x = make([]float64, len(m.vars))
	m.inner = make([][]int, m.nD)
	m.nMid, m.nExt = make([]int, (m.nL+1)*m.nD), make([]int, (m.nL+1)*m.nD)
	for d := range m.nD {
		for l := m.nL - 1; l >= 0; l-- {
			if v := m.at[place(l, true)*m.nD+d]; v >= 0 {
				m.inner[d] = append(m.inner[d], v)
			}
			m.nMid[l*m.nD+d] = len(m.inner[d])
			if v := m.at[place(l, false)*m.nD+d]; v >= 0 {
				m.inner[d] = append(m.inner[d], v)
			}
			m.nExt[l*m.nD+d] = len(m.inner[d])
		}
		if k := len(m.inner[d]); k > 0 {
			m.x[m.inner[d][k-1]] = m.left[d]
		}
	}
}

// fanouts bounds the spatial loops of every level: along each axis, and those that may run along
// either with the rest.
func (m *model) fanouts() {
	for l := range m.nL {
		fan := m.a.Fanout(l)
		if fan.Count() == 1 {
			continue
		}
		most := [3]float64{math.Log(float64(fan.Count())), math.Log(float64(fan.X)), math.Log(float64(fan.Y))}
		var vars [3][]int
		for _, x := range m.s.Fixed().Levels[l].Spatial {
			f := math.Log(float64(x.Factor))
			most[0] -= f
			most[x.Axis] -= f
			if v := m.at[place(l, true)*m.nD+x.Dim]; v >= 0 {
				vars[0] = append(vars[0], v)
				if a := m.vars[v].axis; a != nest.Time {
					vars[a] = append(vars[a], v)
				}
			}
		}
		for i := range vars {
			if len(vars[i]) > 0 {
				m.bounds = append(m.bounds, bound{vars[i], most[i]})
			}
		}
	}
}

func place(level int, spatial bool) int {
	if spatial {
		return 2*level + 1
	}
	return 2 * level
}

// tensor takes over the ranks of a tensor.
func (m *model) tensor(t *nest.Tensor) {
	var ranks []rank
	var seen, plain nest.Mask
	twice := false
	for _, r := range t.Ranks {
		var x rank
		for _, y := range r {
			x.dim, x.coef = append(x.dim, y.Dim), append(x.coef, float64(y.Coef))
			bit := nest.Mask(1) << uint(y.Dim)
			twice = twice || seen&bit != 0
			seen |= bit
			if len(r) == 1 {
				plain |= bit
			}
		}
		ranks = append(ranks, x)
	}
	m.rank, m.dims, m.halo, m.twice = append(m.rank, ranks), append(m.dims, seen), append(m.halo, seen&^plain), append(m.twice, twice)
}

func (m *model) makeScratch() {
	number := func() dual { return dual{d: make([]float64, len(m.vars))} }
	list := func() (out []dual) {
		for range m.nL + 1 {
			out = append(out, number())
		}
		return out
	}
	m.mid, m.ext, m.one = make([]float64, (m.nL+1)*m.nD), make([]float64, (m.nL+1)*m.nD), make([]int, m.nD)
	m.inside, m.all, m.over = make([]int, 0, len(m.vars)), make([]int, 0, len(m.vars)), make([]int, 0, len(m.vars))
	m.used = make([]float64, m.nL+1)
	m.loops, m.from = make([]loop, 0, m.nL*m.nD), make([]int, m.nL+1)
	for _, x := range []*dual{&m.steps, &m.below, &m.distinct, &m.traffic, &m.filled, &m.tiled, &m.ratio, &m.energy, &m.words, &m.cycles, &m.cost, &m.need, &m.outside} {
		*x = number()
	}
	m.theta, m.mean, m.square, m.target = make([]float64, len(m.vars)), make([]float64, len(m.vars)), make([]float64, len(m.vars)), make([]float64, len(m.vars))
	m.factor, m.axis, m.old = make([]int64, len(m.vars)), make([]nest.Axis, len(m.vars)), make([]int, m.nD)
	m.part, m.read, m.write, m.wires = list(), list(), list(), list()
}

// lay lists the temporal loops in the chosen orders.
func (m *model) lay() {
	m.loops = m.loops[:0]
	for l := m.nL - 1; l >= 0; l-- {
		for _, d := range m.order[l] {
			at := place(l, false)*m.nD + d
			if m.at[at] >= 0 || m.fixed[at] > 0 {
				m.loops = append(m.loops, loop{d, l, at, m.at[at]})
			}
		}
		m.from[l] = len(m.loops)
	}
}

// log is the logarithm of the factor at a place.
func (m *model) log(at int) float64 {
	if v := m.at[at]; v >= 0 {
		return m.fixed[at] + m.x[v]
	}
	return m.fixed[at]
}

// copyTo gives a mapping with the orders and kept tensors that are chosen, and such factors.
func (m *model) copyTo(p *nest.Mapping, factor []int64, axis []nest.Axis) {
	fixed := m.s.Fixed()
	for l := range p.Levels {
		p.Levels[l].Keep = m.keep[l]
		copy(p.Levels[l].Spatial, fixed.Levels[l].Spatial)
		for i, d := range m.order[l] {
			k := slices.IndexFunc(fixed.Levels[l].Temporal, func(x nest.Loop) bool { return x.Dim == d })
			x := fixed.Levels[l].Temporal[k]
			if v := m.at[place(l, false)*m.nD+d]; v >= 0 {
				x.Factor *= factor[v]
			}
			p.Levels[l].Temporal[i] = x
		}
		for i := range p.Levels[l].Spatial {
			x := &p.Levels[l].Spatial[i]
			if v := m.at[place(l, true)*m.nD+x.Dim]; v >= 0 {
				x.Factor, x.Axis = x.Factor*factor[v], axis[v]
			}
		}
	}
}
