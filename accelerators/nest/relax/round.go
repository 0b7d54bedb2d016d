package relax

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/nest"
)

// stiff is the penalty of exceeded limits once factors are whole.
const stiff = 100

// round gives every prime factor to the place that lacks most of what the descent gave it, within
// fan-outs and largest factors; false where there is no room.
func (m *model) round() bool {
	copy(m.target, m.x)
	for i := range m.factor {
		m.factor[i], m.axis[i], m.x[i] = 1, m.vars[i].axis, 0
		if m.vars[i].spatial && m.axis[i] == nest.Time {
			m.axis[i] = nest.SpaceX
		}
	}
	for d, list := range m.inner {
		for _, p := range m.s.Primes(d) {
			if !m.give(list, p) {
				return false
			}
		}
	}
	return true
}

func (m *model) give(list []int, p int64) bool {
	best, most := -1, math.Inf(-1)
	for _, v := range list {
		if lacks := m.target[v] - m.x[v]; lacks > most && m.room(v, p) {
			best, most = v, lacks
		}
	}
	return best >= 0 && m.times(best, p)
}

// room reports whether a factor may be p times as large.
func (m *model) room(v int, p int64) bool {
	_, ok := m.axisFor(v, p)
	return ok
}

// axisFor is the axis along which a factor may be p times as large.
func (m *model) axisFor(v int, p int64) (nest.Axis, bool) {
	x := &m.vars[v]
	if x.most > 0 && m.factor[v]*p > x.most {
		return nest.Time, false
	}
	if !x.spatial {
		return nest.Time, true
	}
	fan, used := m.a.Fanout(x.level), nest.Mesh{X: 1, Y: 1}
	for _, y := range m.s.Fixed().Levels[x.level].Spatial {
		f, axis := y.Factor, y.Axis
		if i := m.at[place(x.level, true)*m.nD+y.Dim]; i >= 0 {
			f, axis = f*m.factor[i], m.axis[i]
		}
		if axis == nest.SpaceX {
			used.X *= f
		} else {
			used.Y *= f
		}
	}
	inX, inY := used.X*p <= fan.X, used.Y*p <= fan.Y
	if x.axis == nest.Time && m.factor[v] == 1 {
		if inX && (!inY || fan.X/used.X >= fan.Y/used.Y) {
			return nest.SpaceX, true
		}
		return nest.SpaceY, inY
	}
	return m.axis[v], m.axis[v] == nest.SpaceX && inX || m.axis[v] == nest.SpaceY && inY
}

// times makes a factor p times as large, where there is room.
func (m *model) times(v int, p int64) bool {
	axis, ok := m.axisFor(v, p)
	if ok {
		m.axis[v] = axis
		m.put(v, m.factor[v]*p)
	}
	return ok
}

func (m *model) put(v int, f int64) {
	m.factor[v], m.x[v] = f, math.Log(float64(f))
}

// settle moves prime factors one at a time from place to place, and changes orders and kept
// tensors, as long as the relaxed cost sinks.
func (m *model) settle() {
	least := m.value()
	for round := 0; round < settleRounds; round++ {
		before := least
		least = m.moves(least)
		if m.choose() {
			least = m.value()
		}
		if least > before-gain {
			if least = m.shares(least); least > before-gain {
				least = m.trades(least)
			}
		}
		if least > before-gain {
			least = m.swaps(least)
		}
		if least > before-gain {
			return
		}
	}
}

// settleRounds bounds the rounds of settle, each of which lowers the cost.
const settleRounds = 30

// moves tries to move every prime of every dimension between every two places.
func (m *model) moves(least float64) float64 {
	for d, list := range m.inner {
		for i, p := range m.s.Primes(d) {
			if i > 0 && p == m.s.Primes(d)[i-1] {
				continue
			}
			for _, from := range list {
				for _, to := range list {
					if from == to || m.factor[from]%p != 0 {
						continue
					}
					least = m.try(least, from, to, p)
				}
			}
		}
	}
	return least
}

// try moves a prime and keeps it there if that costs less.
func (m *model) try(least float64, from, to int, p int64) float64 {
	axis, was := m.axis[to], m.axis[from]
	m.put(from, m.factor[from]/p)
	if m.times(to, p) {
		if c := m.value(); c < least-gain {
			return c
		}
		m.put(to, m.factor[to]/p)
	}
	m.put(from, m.factor[from]*p)
	m.axis[from], m.axis[to] = was, axis
	return least
}

// shares tries every way to share out what two places have of a dimension.
func (m *model) shares(least float64) float64 {
	for d, list := range m.inner {
		for i, a := range list {
			for _, b := range list[:i] {
				for _, f := range m.divisors[d] {
					if f != m.factor[a] && m.factor[a]*m.factor[b]%f == 0 {
						least = m.share(least, a, b, f)
					}
				}
			}
		}
	}
	return least
}

// share gives a place a factor, and what it has had more or less of it to another.
func (m *model) share(least float64, a, b int, f int64) float64 {
	fa, fb, xa, xb := m.factor[a], m.factor[b], m.axis[a], m.axis[b]
	m.put(a, 1)
	m.put(b, 1)
	if m.times(a, f) && m.times(b, fa*fb/f) {
		if c := m.value(); c < least-gain {
			return c
		}
	}
	m.put(a, fa)
	m.put(b, fb)
	m.axis[a], m.axis[b] = xa, xb
	return least
}

// trades tries to have primes of two dimensions change places: neither alone may have room in a
// level or in a fan-out that is full.
func (m *model) trades(least float64) float64 {
	for a := range m.vars {
		for _, b := range m.inner[m.vars[a].dim] {
			if a == b {
				continue
			}
			for e := range m.nD {
				if e == m.vars[a].dim || m.factor[a] == 1 {
					continue
				}
				to, from := m.at[place(m.vars[a].level, m.vars[a].spatial)*m.nD+e], m.at[place(m.vars[b].level, m.vars[b].spatial)*m.nD+e]
				if to >= 0 && from >= 0 && m.factor[from] > 1 {
					least = m.trade(least, a, b, from, to)
				}
			}
		}
	}
	return least
}

// trade moves the largest common kind of prime from a to b and from one place to another.
func (m *model) trade(least float64, a, b, from, to int) float64 {
	for i, p := range m.s.Primes(m.vars[a].dim) {
		if i > 0 && p == m.s.Primes(m.vars[a].dim)[i-1] || m.factor[a]%p != 0 {
			continue
		}
		for j, q := range m.s.Primes(m.vars[to].dim) {
			if j > 0 && q == m.s.Primes(m.vars[to].dim)[j-1] || m.factor[from]%q != 0 {
				continue
			}
			fa, fb, ff, ft := m.factor[a], m.factor[b], m.factor[from], m.factor[to]
			xa, xb, xf, xt := m.axis[a], m.axis[b], m.axis[from], m.axis[to]
			m.put(a, fa/p)
			m.put(from, ff/q)
			if m.times(b, p) && m.times(to, q) {
				if c := m.value(); c < least-gain {
					least = c
					if m.factor[a]%p != 0 {
						break
					}
					continue
				}
			}
			m.put(a, fa)
			m.put(b, fb)
			m.put(from, ff)
			m.put(to, ft)
			m.axis[a], m.axis[b], m.axis[from], m.axis[to] = xa, xb, xf, xt
		}
	}
	return least
}

// swaps tries to have two loops of a level change places.
func (m *model) swaps(least float64) float64 {
	for l := range m.nL {
		order := m.order[l]
		for i := m.s.Begin(l); i < len(order); i++ {
			for j := i + 1; j < len(order); j++ {
				if m.log(place(l, false)*m.nD+order[i]) == 0 || m.log(place(l, false)*m.nD+order[j]) == 0 {
					continue
				}
				order[i], order[j] = order[j], order[i]
				m.lay()
				if c := m.value(); c < least-gain {
					least = c
					continue
				}
				order[i], order[j] = order[j], order[i]
				m.lay()
			}
		}
	}
	return least
}
