package relax

import "math"

// value is the logarithm of the cost, with what constraints are exceeded by on top.
func (m *model) value() float64 {
	m.passes++
	m.grad = false
	m.pass()
	return m.cost.v
}

// gradient is value, and leaves its derivatives in m.cost.d.
func (m *model) gradient() float64 {
	m.grads++
	m.grad = true
	m.pass()
	return m.cost.v
}

func (m *model) pass() {
	m.extents()
	m.reset(&m.energy)
	m.reset(&m.outside)
	m.reset(&m.steps)
	for i := range m.loops {
		m.steps.v += m.log(m.loops[i].place)
		if v := m.loops[i].v; m.grad && v >= 0 {
			m.steps.d[v] = 1
		}
	}
	for l := range m.nL {
		m.reset(&m.read[l])
		m.reset(&m.write[l])
	}
	for t := range m.nT {
		m.count(t)
	}
	m.pace()
	m.power()
	m.reset(&m.cost)
	switch m.objective {
	case "energy":
		m.logarithm(&m.energy, 1)
	case "edp":
		m.add(&m.cost, &m.cycles, 1)
		m.logarithm(&m.energy, 1)
	case "traffic":
		m.logarithm(m.outer(), 1)
	case "time":
		m.add(&m.cost, &m.cycles, 1)
		m.logarithm(m.outer(), tie)
	default:
		m.add(&m.cost, &m.cycles, 1)
	}
	m.limits()
}

// tie is the weight of words that decide among mappings of nearly equal time.
const tie = 1e-3

// outer are the words that move at the outermost level.
func (m *model) outer() *dual {
	m.set(&m.words, &m.read[0])
	m.add(&m.words, &m.write[0], 1)
	return &m.words
}

// logarithm adds that of a number to the cost.
func (m *model) logarithm(x *dual, times float64) {
	if x.v <= 0 {
		return
	}
	m.cost.v += times * math.Log(x.v)
	if m.grad {
		for i, d := range x.d {
			m.cost.d[i] += times * d / x.v
		}
	}
}

// count finds what tensor t moves at every level, from inside to outside.
func (m *model) count(t int) {
	written := m.p.Tensors[t].Written
	if written {
		m.portions(t)
	}
	m.set(&m.below, &m.steps)
	m.reset(&m.distinct)
	inside, over, pending := false, 0.0, m.nL // levels from pending on have their wires counted
	m.over = m.over[:0]
	for l := m.nL - 1; l >= 0; l-- {
		over = m.fan(l, over)
		if !inside && over > 0 {
			m.once(t, over)
		}
		if m.a.Levels[l].Wire > 0 {
			m.set(&m.wires[l], &m.below)
			m.add(&m.wires[l], &m.distinct, 1)
		}
		m.spread(&m.distinct, l, t)
		if !m.keep[l].Has(t) {
			continue
		}
		inside = true
		m.set(&m.traffic, &m.below)
		m.add(&m.traffic, &m.distinct, 1)
		m.tile(&m.filled, t, m.boxAt(l))
		m.fills(&m.filled, t, m.boxAt(l), m.from[l])
		m.set(&m.below, &m.filled)
		m.reset(&m.distinct)
		m.store(l, t, written)
		for pending > l {
			pending--
			m.wire(pending, l, written)
		}
	}
}

// fan adds the spatial loops of level l to those that lie inside it.
func (m *model) fan(l int, over float64) float64 {
	for d := range m.nD {
		at := (2*l+1)*m.nD + d
		over += m.log(at)
		if v := m.at[at]; v >= 0 {
			m.over = append(m.over, v)
		}
	}
	return over
}

// once says what compute takes of a tensor where a fan-out lies between: what stays is sent once.
func (m *model) once(t int, over float64) {
	w, slope := turns(over)
	m.reset(&m.tiled)
	m.fills(&m.tiled, t, box{}, 0)
	m.set(&m.below, &m.steps)
	m.below.v += w * (m.tiled.v - m.steps.v)
	if !m.grad {
		return
	}
	for i := range m.below.d {
		m.below.d[i] += w * (m.tiled.d[i] - m.steps.d[i])
	}
	if slope != 0 {
		for _, v := range m.over {
			m.below.d[v] += slope * (m.tiled.v - m.steps.v)
		}
	}
}

// portions finds how many elements of tensor t fall to an instance of every level.
func (m *model) portions(t int) {
	m.reset(&m.part[0])
	m.part[0].v = math.Log(m.n.Whole(t))
	for l := range m.nL - 1 {
		p := &m.part[l+1]
		m.set(p, &m.part[l])
		m.tile(&m.tiled, t, m.boxAt(l+1))
		m.add(p, &m.tiled, 1)
		m.tile(&m.tiled, t, m.boxMid(l))
		m.add(p, &m.tiled, -1)
	}
}

// store adds what moves at level l, which keeps tensor t: traffic with the levels inside, filled
// with those outside.
func (m *model) store(l, t int, written bool) {
	e := &m.a.Levels[l].Energy
	if l == 0 && m.memory != nil {
		m.fetch(t, written)
	}
	if !written {
		m.amount(l, &m.read[l], &m.traffic, 1, e.Read)
		if l > 0 {
			m.amount(l, &m.write[l], &m.filled, 1, e.Write)
		}
		return
	}
	part := &m.part[l]
	m.amount(l, &m.write[l], &m.traffic, 1, e.Update)
	if m.traffic.v > part.v {
		m.amount(l, &m.read[l], &m.traffic, 1, e.Read)
		m.amount(l, &m.read[l], part, -1, e.Read)
	}
	if l > 0 && m.filled.v > part.v {
		m.amount(l, &m.write[l], &m.filled, 1, e.Write)
		m.amount(l, &m.write[l], part, -1, e.Write)
	}
}

// amount adds words of an instance, given as a logarithm, and the energy of those of all.
func (m *model) amount(l int, to, log *dual, sign, energy float64) {
	w := sign * math.Exp(log.v)
	to.v += w
	lv := &m.a.Levels[l]
	used, shared := m.used[l], false
	if clusters := float64(lv.Mesh.Count() / lv.Cluster); lv.Cluster > 1 && used > clusters {
		used, shared = clusters, true
	}
	e := w * used * energy / lv.Block
	m.energy.v += e
	if !m.grad {
		return
	}
	for i, d := range log.d {
		to.d[i] += w * d
		m.energy.d[i] += e * d
	}
	if !shared {
		m.eachUsed(l, e, &m.energy)
	}
}

// eachUsed adds to derivatives by the variables that used[l] is a product of.
func (m *model) eachUsed(l int, g float64, to *dual) {
	for i := range m.vars {
		if x := &m.vars[i]; x.spatial && x.level < l {
			to.d[i] += g
		}
	}
}

// wire adds the energy of the wires below level l, to which sums come back as often as level
// keeper reads them.
func (m *model) wire(l, keeper int, written bool) {
	each := m.a.Levels[l].Wire
	if each == 0 {
		return
	}
	w := &m.wires[l]
	e := each * math.Exp(w.v) * m.used[l+1]
	part, back := &m.part[keeper], 0.0
	if written && m.traffic.v > part.v {
		back = 1 - math.Exp(part.v-m.traffic.v)
	}
	m.energy.v += e * (1 + back)
	if !m.grad {
		return
	}
	for i, d := range w.d {
		m.energy.d[i] += e * (1 + back) * d
	}
	m.eachUsed(l+1, e*(1+back), &m.energy)
	if back > 0 {
		for i := range part.d {
			m.energy.d[i] -= e * (1 - back) * (part.d[i] - m.traffic.d[i])
		}
	}
}

// pace finds the logarithm of the cycles: those of compute or of the slowest level.
func (m *model) pace() {
	top := m.steps.v
	for l := range m.nL {
		m.each(l, func(x *dual, b float64) { top = max(top, math.Log(x.v/b)) })
	}
	m.reset(&m.cycles)
	if math.IsInf(m.sharp, 1) {
		m.cycles.v = top
		if !m.grad {
			return
		}
		if m.steps.v == top {
			copy(m.cycles.d, m.steps.d)
			return
		}
		done := false
		for l := range m.nL {
			m.each(l, func(x *dual, b float64) {
				if !done && math.Log(x.v/b) == top {
					done = true
					for i, d := range x.d {
						m.cycles.d[i] = d / x.v
					}
				}
			})
		}
		return
	}
	weight := math.Exp(m.sharp * (m.steps.v - top))
	sum := weight
	m.add(&m.cycles, &m.steps, weight)
	for l := range m.nL {
		m.each(l, func(x *dual, b float64) {
			w := math.Exp(m.sharp * (math.Log(x.v/b) - top))
			sum += w
			if m.grad {
				for i, d := range x.d {
					m.cycles.d[i] += w * d / x.v
				}
			}
		})
	}
	m.cycles.v = top + math.Log(sum)/m.sharp
	if m.grad {
		for i := range m.cycles.d {
			m.cycles.d[i] /= sum
		}
	}
}

// each calls f with the words of level l that share a bandwidth, and with that.
func (m *model) each(l int, f func(x *dual, bandwidth float64)) {
	lv := &m.a.Levels[l]
	if lv.ReadBandwidth > 0 && m.read[l].v > 0 {
		f(&m.read[l], lv.ReadBandwidth)
	}
	if lv.WriteBandwidth > 0 && m.write[l].v > 0 {
		f(&m.write[l], lv.WriteBandwidth)
	}
	if lv.SharedBandwidth > 0 && m.read[l].v+m.write[l].v > 0 {
		m.set(&m.words, &m.read[l])
		m.add(&m.words, &m.write[l], 1)
		f(&m.words, lv.SharedBandwidth)
	}
	if l == 0 && m.outside.v > 0 {
		f(&m.outside, 1)
	}
}

// power adds the energy of compute and leakage to that of accesses.
func (m *model) power() {
	m.energy.v += m.p.MACs() * m.a.Compute.Energy
	cycles := math.Exp(m.cycles.v)
	for l := range m.nL {
		leak := m.a.Levels[l].Energy.Leak
		if leak == 0 {
			continue
		}
		e := leak * cycles * m.used[l]
		m.energy.v += e
		if m.grad {
			for i, d := range m.cycles.d {
				m.energy.d[i] += e * d
			}
			m.eachUsed(l, e, &m.energy)
		}
	}
}

// limits adds what capacities, fan-outs and largest factors are exceeded by.
func (m *model) limits() {
	for l := range m.nL {
		lv := &m.a.Levels[l]
		if lv.Words == 0 {
			continue
		}
		m.reset(&m.need)
		for t := range m.nT {
			if !m.keep[l].Has(t) {
				continue
			}
			m.tile(&m.tiled, t, m.boxAt(l))
			w := math.Exp(m.tiled.v)
			m.need.v += w
			if m.grad {
				for i, d := range m.tiled.d {
					m.need.d[i] += w * d
				}
			}
		}
		if m.need.v == 0 {
			continue
		}
		over := math.Log(m.need.v/math.Floor(lv.Words/lv.Buffering)) - slack
		if over <= 0 {
			continue
		}
		m.cost.v += m.penalty * over * (1 + over)
		if m.grad {
			for i, d := range m.need.d {
				m.cost.d[i] += m.penalty * (1 + 2*over) * d / m.need.v
			}
		}
	}
	m.fans()
}

// slack is what rounding of logarithms may add.
const slack = 1e-9

// fans adds what the fan-outs and largest factors are exceeded by.
func (m *model) fans() {
	for i := range m.bounds {
		b := &m.bounds[i]
		over := -b.most - slack
		for _, v := range b.vars {
			over += m.x[v]
		}
		if over <= 0 {
			continue
		}
		m.cost.v += m.penalty * over * (1 + over)
		for _, v := range b.vars {
			m.cost.d[v] += m.penalty * (1 + 2*over)
		}
	}
}
