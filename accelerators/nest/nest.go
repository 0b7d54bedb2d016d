package nest

import (
	"errors"
	"fmt"
	"slices"
)

// Rules are the year of the Timeloop whose rule for halos is followed.
type Rules int

// The rules. Of 2024: what two tiles that follow each other share is kept only
// where the loop that moves the tile is the innermost one above it. Of 2025: also
// after loops that do not move the tile.
const (
	Rules2024 Rules = 2024
	Rules2025 Rules = 2025
)

// A Nest evaluates mappings of one problem on one machine. It holds scratch memory:
// each goroutine needs one of its own (Clone).
type Nest struct {
	p      *Problem
	a      *Arch
	sparse *Sparse
	rules  Rules
	wired  bool // fan-outs have wires that take energy

	nD, nT, nL int
	size       []float64 // of dimensions
	dims       []Mask    // that index a tensor
	rank       [][]terms // of a tensor
	shared     []bool    // a dimension is in two ranks of the tensor
	whole      []float64 // elements of a tensor

	// Scratch, of the mapping at hand. Extents are those of one instance: mid of the
	// loops below the temporal ones of a level, ext with them, [level*nD+dim]. The
	// nominal ones are products of factors; avg divides the dimension evenly, which is
	// the same unless factors are imperfect.
	nominal        []float64
	ext, mid       []float64
	extMax, midMax []float64
	perfect        bool
	loops          []turn // temporal, innermost first
	from           []int  // of a level: the first of loops that is above it
	spread         []turn // spatial, innermost first
	spreadAt       []int  // of a level: its first spatial loop; spreadAt[l-1] ends it
	used, active   []float64
	points         []bool // scratch of distinct sums
	sp             sparseScratch
}

// terms are one rank of a tensor.
type terms struct {
	dim  []int
	coef []float64
}

// A turn is a loop of the mapping at hand.
type turn struct {
	dim    int
	level  int
	trips  float64 // on average
	factor float64
	step   float64 // elements of the dimension from one iteration to the next
}

// New prepares to evaluate mappings. sparse may be nil.
func New(p *Problem, a *Arch, sparse *Sparse, rules Rules) (*Nest, error) {
	if rules != Rules2024 && rules != Rules2025 {
		return nil, fmt.Errorf("rules are %d (want one of: 2024, 2025)", rules)
	}
	if err := errors.Join(p.Check(), a.Check(len(p.Tensors))); err != nil {
		return nil, err
	}
	n := &Nest{p: p, a: a, sparse: sparse, rules: rules, nD: len(p.Dims), nT: len(p.Tensors), nL: len(a.Levels), wired: a.wired()}
	for _, d := range p.Dims {
		n.size = append(n.size, float64(d.Size))
	}
	for i := range p.Tensors {
		t := &p.Tensors[i]
		var rs []terms
		var seen Mask
		shared := false
		for _, r := range t.Ranks {
			var x terms
			for _, term := range r {
				shared = shared || seen.Has(term.Dim)
				seen |= 1 << uint(term.Dim)
				x.dim = append(x.dim, term.Dim)
				x.coef = append(x.coef, float64(term.Coef))
			}
			rs = append(rs, x)
		}
		n.rank, n.shared, n.dims = append(n.rank, rs), append(n.shared, shared), append(n.dims, seen)
		n.whole = append(n.whole, n.tile(i, n.size))
	}
	if sparse != nil {
		if err := sparse.check(p, a); err != nil {
			return nil, err
		}
	}
	n.scratch()
	return n, nil
}

// Clone shares the problem and the machine, not the scratch memory.
func (n *Nest) Clone() *Nest {
	c := *n
	c.scratch()
	return &c
}

// Problem is what is mapped.
func (n *Nest) Problem() *Problem { return n.p }

// Arch is the machine.
func (n *Nest) Arch() *Arch { return n.a }

func (n *Nest) scratch() {
	extents := func() []float64 { return make([]float64, (n.nL+1)*n.nD) }
	n.nominal = make([]float64, n.nD)
	n.ext, n.mid, n.extMax, n.midMax = extents(), extents(), extents(), extents()
	n.from, n.spreadAt = make([]int, n.nL+1), make([]int, n.nL+1)
	n.used, n.active = make([]float64, n.nL+1), make([]float64, n.nL+1)
	n.loops, n.spread = make([]turn, 0, n.nL*n.nD), make([]turn, 0, n.nL*n.nD)
	n.points = nil
	n.sp = newSparseScratch(n)
}

// tile is how many elements of tensor t a box of the given extents touches.
func (n *Nest) tile(t int, ext []float64) float64 {
	size := 1.0
	for i := range n.rank[t] {
		size *= n.rank[t][i].span(ext)
	}
	return size
}

func (r *terms) span(ext []float64) float64 {
	s := 1.0
	for k, d := range r.dim {
		s += r.coef[k] * (ext[d] - 1)
	}
	return s
}

func (n *Nest) extAt(l int) []float64    { return n.ext[l*n.nD : (l+1)*n.nD] }
func (n *Nest) midAt(l int) []float64    { return n.mid[l*n.nD : (l+1)*n.nD] }
func (n *Nest) extMaxAt(l int) []float64 { return n.extMax[l*n.nD : (l+1)*n.nD] }

// open lays out the loops of a mapping: extents of every level, temporal loops in
// one list, instances in use.
func (n *Nest) open(m *Mapping) {
	n.loops, n.spread = n.loops[:0], n.spread[:0]
	for d := range n.nominal {
		n.nominal[d] = 1
		n.ext[n.nL*n.nD+d], n.extMax[n.nL*n.nD+d] = 1, 1
	}
	n.perfect = n.divides(m)
	for l := n.nL - 1; l >= 0; l-- {
		n.spreadAt[l] = len(n.spread)
		n.spread = n.lay(n.spread, m.Levels[l].Spatial, l)
		n.keepExtents(n.mid, n.midMax, l)
		n.loops = n.lay(n.loops, m.Levels[l].Temporal, l)
		n.keepExtents(n.ext, n.extMax, l)
		n.from[l] = len(n.loops)
	}
	n.used[0], n.active[0] = 1, 1
	for l := range n.nL {
		u, v := n.used[l], n.active[l]
		for _, x := range n.spreadOf(l) {
			u *= x.factor
			v *= x.trips / x.factor
		}
		n.used[l+1], n.active[l+1] = u, v
	}
}

// spreadOf are the spatial loops of level l.
func (n *Nest) spreadOf(l int) []turn {
	if l == 0 {
		return n.spread[n.spreadAt[0]:]
	}
	return n.spread[n.spreadAt[l]:n.spreadAt[l-1]]
}

func (n *Nest) divides(m *Mapping) bool {
	for d := range n.nominal {
		n.nominal[d] = 1
	}
	for l := range m.Levels {
		for _, x := range m.Levels[l].Spatial {
			n.nominal[x.Dim] *= float64(x.Factor)
		}
		for _, x := range m.Levels[l].Temporal {
			n.nominal[x.Dim] *= float64(x.Factor)
		}
	}
	same := slices.Equal(n.nominal, n.size)
	for d := range n.nominal {
		n.nominal[d] = 1
	}
	return same
}

// lay appends loops to a list. The trips of an imperfect loop are the tiles inside
// it over those that it makes up: on average as many iterations as it begins.
func (n *Nest) lay(list []turn, loops []Loop, level int) []turn {
	for _, x := range loops {
		if x.Factor == 1 {
			continue
		}
		f, e := float64(x.Factor), n.nominal[x.Dim]
		t := turn{dim: x.Dim, level: level, factor: f, trips: f, step: e}
		if !n.perfect {
			t.trips = tiles(n.size[x.Dim], e) / tiles(n.size[x.Dim], e*f)
		}
		n.nominal[x.Dim] = e * f
		if k := len(list) - 1; k >= 0 && list[k].dim == t.dim && list[k].level == level {
			list[k].trips *= t.trips // two loops in a row are one
			list[k].factor *= f
			continue
		}
		list = append(list, t)
	}
	return list
}

// tiles is how many tiles of e a dimension falls into.
func tiles(size, e float64) float64 {
	k := float64(int64(size / e))
	if k*e < size {
		k++
	}
	return k
}

func (n *Nest) keepExtents(avg, most []float64, l int) {
	at := l * n.nD
	for d, e := range n.nominal {
		if n.perfect {
			avg[at+d], most[at+d] = e, e
			continue
		}
		avg[at+d], most[at+d] = n.size[d]/tiles(n.size[d], e), min(e, n.size[d])
	}
}
