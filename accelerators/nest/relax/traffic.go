package relax

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/nest"
)

// turns is how much of a loop turns, by the logarithm of its factor: none at 1, all from 2 on.
// slope is its derivative.
func turns(log float64) (w, slope float64) {
	switch t := log / math.Ln2; {
	case t <= 0:
		return 0, 0
	case t >= 1:
		return 1, 0
	default:
		return t * t * (3 - 2*t), 6 * t * (1 - t) / math.Ln2
	}
}

// reset makes x the number 1 of logarithms.
func (m *model) reset(x *dual) {
	x.v = 0
	if m.grad {
		clear(x.d)
	}
}

func (m *model) set(x, y *dual) {
	x.v = y.v
	if m.grad {
		copy(x.d, y.d)
	}
}

func (m *model) add(x, y *dual, times float64) {
	x.v += times * y.v
	if !m.grad {
		return
	}
	to := x.d[:len(y.d)]
	for i, d := range y.d {
		to[i] += times * d
	}
}

// extents multiplies the factors of every dimension up, and those over instances.
func (m *model) extents() {
	for d := range m.nD {
		run := 0.0
		m.mid[m.nL*m.nD+d], m.ext[m.nL*m.nD+d] = 1, 1
		for l := m.nL - 1; l >= 0; l-- {
			run += m.log((2*l+1)*m.nD + d)
			m.mid[l*m.nD+d] = math.Exp(run)
			if x := m.log(2*l*m.nD + d); x != 0 {
				run += x
				m.ext[l*m.nD+d] = math.Exp(run)
			} else {
				m.ext[l*m.nD+d] = m.mid[l*m.nD+d]
			}
		}
	}
	m.used[0] = 1
	log := 0.0
	for l := range m.nL {
		for d := range m.nD {
			log += m.log((2*l+1)*m.nD + d)
		}
		m.used[l+1] = math.Exp(log)
	}
}

func (m *model) boxAt(l int) box {
	return box{m.ext[l*m.nD : (l+1)*m.nD], m.nExt[l*m.nD : (l+1)*m.nD]}
}

func (m *model) boxMid(l int) box {
	return box{m.mid[l*m.nD : (l+1)*m.nD], m.nMid[l*m.nD : (l+1)*m.nD]}
}

// tile is the logarithm of the elements of tensor t in a box.
func (m *model) tile(out *dual, t int, b box) {
	m.reset(out)
	all := 1.0
	for i := range m.rank[t] {
		r := &m.rank[t][i]
		span := r.span(b.ext)
		all *= span
		if !m.grad {
			continue
		}
		for k, d := range r.dim {
			g := r.coef[k] * b.ext[d] / span
			for _, v := range m.inner[d][:b.n[d]] {
				out.d[v] += g
			}
		}
	}
	out.v = math.Log(all)
}

func (r *rank) span(ext []float64) float64 {
	s := 1.0
	for k, d := range r.dim {
		s += r.coef[k] * (ext[d] - 1)
	}
	return s
}

// kept is the share of a tile that the tile after it has too, where the loop over dim moves it
// by step elements; ratio gets the derivatives of its logarithm.
func (m *model) kept(t int, b box, dim int, step float64, n int) float64 {
	share := 1.0
	m.reset(&m.ratio)
	for i := range m.rank[t] {
		r := &m.rank[t][i]
		shift := 0.0
		for k, d := range r.dim {
			if d == dim {
				shift += r.coef[k] * step
			}
		}
		if shift == 0 {
			continue
		}
		span := r.span(b.ext)
		rest := span - shift
		if rest <= 0 {
			return 0
		}
		share *= rest / span
		if !m.grad {
			continue
		}
		for k, d := range r.dim {
			g := r.coef[k] * b.ext[d] * (1/rest - 1/span)
			for _, v := range m.inner[d][:b.n[d]] {
				m.ratio.d[v] += g
			}
			if d == dim {
				for _, v := range m.inner[d][:n] {
					m.ratio.d[v] -= r.coef[k] * step / rest
				}
			}
		}
	}
	return share
}

// fills multiplies out, the logarithm of a tile of tensor t in a box, by how often the loops
// from first on change it: those inside the innermost one that moves it leave it in place.
func (m *model) fills(out *dual, t int, b box, first int) {
	moved, any := 0.0, 0.0
	m.inside, m.all = m.inside[:0], m.all[:0]
	for i := first; i < len(m.loops); i++ {
		y := &m.loops[i]
		x := m.log(y.place)
		if !m.dims[t].Has(y.dim) {
			w, slope := turns(moved)
			out.v += w * x
			if m.grad {
				if y.v >= 0 {
					out.d[y.v] += w
					m.all = append(m.all, y.v)
				}
				if slope != 0 {
					for _, v := range m.inside {
						out.d[v] += x * slope
					}
				}
			}
			any += x
			continue
		}
		m.move(out, t, b, y, x, moved, any)
		moved, any = moved+x, any+x
		if m.grad && y.v >= 0 {
			m.inside, m.all = append(m.inside, y.v), append(m.all, y.v)
		}
	}
}

// move multiplies out by what a loop that moves the tile brings: the whole tile each time, or
// less what two tiles in a row share.
func (m *model) move(out *dual, t int, b box, y *loop, x, moved, any float64) {
	share, stays, slope := 0.0, 0.0, 0.0
	list := m.all
	if b.ext != nil && m.halo[t].Has(y.dim) {
		if m.later {
			any, list = moved, m.inside
		}
		if stays, slope = turns(any); stays < 1 {
			at := y.level*m.nD + y.dim
			share = m.kept(t, b, y.dim, m.mid[at], m.nMid[at])
		}
	}
	if share == 0 {
		out.v += x
		if m.grad && y.v >= 0 {
			out.d[y.v]++
		}
		return
	}
	f, h := math.Exp(x), 1-stays
	times := f - h*(f-1)*share
	out.v += math.Log(times)
	if !m.grad {
		return
	}
	if y.v >= 0 {
		out.d[y.v] += f * (1 - h*share) / times
	}
	for _, v := range list {
		out.d[v] += slope * (f - 1) * share / times
	}
	for v, g := range m.ratio.d {
		out.d[v] -= h * (f - 1) * share * g / times
	}
}

// spread multiplies out by the different tiles of tensor t among the instances below level l.
func (m *model) spread(out *dual, l, t int) {
	lv := &m.a.Levels[l]
	apart := m.p.Tensors[t].Written && lv.NoReduction || !m.p.Tensors[t].Written && lv.NoMulticast
	var done nest.Mask
	if !apart && !m.twice[t] {
		for i := range m.rank[t] {
			if r := &m.rank[t][i]; len(r.dim) > 1 && m.sums(out, l, r) {
				for _, d := range r.dim {
					done |= 1 << uint(d)
				}
			}
		}
	}
	for d := range m.nD {
		if done.Has(d) || !apart && !m.dims[t].Has(d) {
			continue
		}
		at := (2*l+1)*m.nD + d
		out.v += m.log(at)
		if v := m.at[at]; m.grad && v >= 0 {
			out.d[v]++
		}
	}
}

// sums multiplies out by the different sums of the offsets of two spatial loops, where a rank
// has two that turn; false where it has not.
func (m *model) sums(out *dual, l int, r *rank) bool {
	var at [2]int
	var c [2]float64
	k := 0
	for i, d := range r.dim {
		if p := (2*l+1)*m.nD + d; m.log(p) > 0 {
			if k == 2 {
				return false
			}
			at[k], c[k] = d, r.coef[i]*m.ext[(l+1)*m.nD+d]
			k++
		}
	}
	if k < 2 {
		return false
	}
	if c[1] < c[0] { // the second has the longer step
		at[0], at[1] = at[1], at[0]
		c[0], c[1] = c[1], c[0]
	}
	p0, p1 := (2*l+1)*m.nD+at[0], (2*l+1)*m.nD+at[1]
	f0, f1, q := math.Exp(m.log(p0)), math.Exp(m.log(p1)), c[1]/c[0]
	twice := max(0, f0-q) * (f1 - 1)
	n := f0*f1 - twice
	out.v += math.Log(n)
	if !m.grad {
		return true
	}
	g0, g1 := f0*f1, f0*f1
	if f0 > q {
		g0 -= f0 * (f1 - 1)
		g1 -= (f0 - q) * f1
		g := (f1 - 1) * q / n
		for _, v := range m.inner[at[1]][:m.nExt[(l+1)*m.nD+at[1]]] {
			out.d[v] += g
		}
		for _, v := range m.inner[at[0]][:m.nExt[(l+1)*m.nD+at[0]]] {
			out.d[v] -= g
		}
	}
	if v := m.at[p0]; v >= 0 {
		out.d[v] += g0 / n
	}
	if v := m.at[p1]; v >= 0 {
		out.d[v] += g1 / n
	}
	return true
}
