package relax

import (
	"math"
	"math/rand/v2"
)

// Adam's constants: decay of the mean of derivatives and of their squares.
// Source: Kingma and Ba, Adam: A Method for Stochastic Optimization, ICLR 2015, algorithm 1.
const (
	decay, decaySquare = 0.9, 0.999
	tiny               = 1e-8
)

// assumption: the number of steps and their rate were not swept. Products found in 72 layers
// change by 2% or less in the mean where a start is rounded without a descent (see the package).
const (
	descentSteps = 96
	rate         = 0.12
	every        = 12 // steps between choices of orders and of kept tensors
)

// start chooses a point between whole ones, orders and kept tensors. The first starts keep all
// tensors that may be kept and leave one tensor in place at every level.
func (m *model) start(r *rand.Rand, number int) {
	for i := range m.theta {
		m.theta[i] = r.NormFloat64()
	}
	m.adapt = number%2 == 0
	for l := range m.nL {
		m.keep[l] = m.s.Fixed().Levels[l].Keep
		if free := m.s.FreeTensors(l); number/len(m.orders[l])%2 == 1 {
			for t := range m.nT {
				if free.Has(t) && r.IntN(2) == 0 {
					m.keep[l] &^= 1 << uint(t)
				}
			}
		}
		k := number % len(m.orders[l])
		if number >= len(m.orders[l]) {
			k = r.IntN(len(m.orders[l]))
		}
		copy(m.order[l], m.orders[l][k])
	}
	m.lay()
}

// distribute sets the factors of every dimension from theta: shares of the logarithm of its size,
// which are positive and add up to 1.
func (m *model) distribute() {
	for d, list := range m.inner {
		sum := 0.0
		for _, v := range list {
			m.x[v] = math.Exp(m.theta[v])
			sum += m.x[v]
		}
		for _, v := range list {
			m.x[v] *= m.left[d] / sum
		}
	}
}

// descend follows the derivatives from the start. The smooth maximum of cycles becomes sharper
// and the penalty of exceeded limits higher as it goes.
func (m *model) descend() {
	clear(m.mean)
	clear(m.square)
	for step := 1; step <= descentSteps; step++ {
		far := float64(step) / descentSteps
		m.sharp, m.penalty = 4+12*far, 0.5+4*far
		m.distribute()
		if m.adapt && step%every == 0 {
			m.choose()
		}
		m.gradient()
		m.step(step)
	}
	m.distribute()
	m.sharp, m.penalty = math.Inf(1), stiff
}

// step is one of Adam's along the derivatives by theta.
func (m *model) step(k int) {
	fix, fixSquare := 1-math.Pow(decay, float64(k)), 1-math.Pow(decaySquare, float64(k))
	for d, list := range m.inner {
		if m.left[d] == 0 {
			continue
		}
		mean := 0.0
		for _, v := range list {
			mean += m.x[v] / m.left[d] * m.cost.d[v]
		}
		for _, v := range list {
			g := m.x[v] * (m.cost.d[v] - mean)
			m.mean[v] = decay*m.mean[v] + (1-decay)*g
			m.square[v] = decaySquare*m.square[v] + (1-decaySquare)*g*g
			m.theta[v] -= rate * (m.mean[v] / fix) / (math.Sqrt(m.square[v]/fixSquare) + tiny)
		}
	}
}

// choose takes, level by level, the order of loops and the kept tensors that cost least where the
// factors are now.
func (m *model) choose() (better bool) {
	least := m.value()
	for l := range m.nL {
		best := -1
		copy(m.old, m.order[l])
		for k, order := range m.orders[l] {
			copy(m.order[l], order)
			m.lay()
			if c := m.value(); c < least-gain {
				least, best = c, k
			}
		}
		if best >= 0 {
			copy(m.order[l], m.orders[l][best])
			better = true
		} else {
			copy(m.order[l], m.old)
		}
		m.lay()
		free := m.s.FreeTensors(l)
		for t := range m.nT {
			if !free.Has(t) {
				continue
			}
			m.keep[l] ^= 1 << uint(t)
			if c := m.value(); c < least-gain {
				least, better = c, true
			} else {
				m.keep[l] ^= 1 << uint(t)
			}
		}
	}
	return better
}

// gain is by how much a logarithm has to be less to be better.
const gain = 1e-9
