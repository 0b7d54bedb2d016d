package nest

// All implements search.Walker: every factorisation of every dimension over its places,
// for each all choices of kept tensors, for each all orders of the loops that turn.
// Parts take factorisations in turn.
func (w *Walker) All(part, parts int, m *Mapping, yield func(*Mapping) bool) {
	w.Copy(m, w.s.fixed)
	e := enumeration{w: w, m: m, part: part, parts: parts, yield: yield}
	e.dimension(0)
}

type enumeration struct {
	w           *Walker
	m           *Mapping
	part, parts int
	seen        int // factorisations
	yield       func(*Mapping) bool
}

// dimension places the dimensions from d on; false ends it.
func (e *enumeration) dimension(d int) bool {
	s := e.w.s
	if d == len(s.slots) {
		e.seen++
		if (e.seen-1)%e.parts != e.part {
			return true
		}
		return e.keep(0)
	}
	left := int64(1)
	for _, p := range s.primes[d] {
		left *= p
	}
	return e.place(d, 0, left)
}

// place distributes what is left of dimension d over place i and the places after it.
func (e *enumeration) place(d, i int, left int64) bool {
	slots := e.w.s.slots[d]
	if i == len(slots) {
		return left > 1 || e.dimension(d+1)
	}
	x := slots[i]
	axes := []Axis{Time}
	if x.spatial {
		axes = []Axis{x.axis}
		if x.axis == Time {
			axes = []Axis{SpaceX, SpaceY}
		}
	}
	old := *x.loop(e.m, d)
	defer func() { *x.loop(e.m, d) = old }()
	for _, f := range e.w.s.parts[d] {
		if left%f != 0 || x.most > 0 && f > x.most || i == len(slots)-1 && f != left {
			continue
		}
		for k, axis := range axes {
			if f == 1 && k > 0 {
				continue // one iteration runs nowhere
			}
			loop := x.loop(e.m, d)
			loop.Factor, loop.Axis = f, axis
			if x.spatial && !e.inMesh(x.level) {
				continue
			}
			if !e.place(d, i+1, left/f) {
				return false
			}
		}
	}
	return true
}

func (e *enumeration) inMesh(l int) bool {
	used := Mesh{1, 1}
	for _, y := range e.m.Levels[l].Spatial {
		if y.Axis == SpaceX {
			used.X = saturate(used.X, y.Factor)
		} else {
			used.Y = saturate(used.Y, y.Factor)
		}
	}
	return used.X <= e.w.s.fan[l].X && used.Y <= e.w.s.fan[l].Y
}

// keep goes through the choices of kept tensors from the i-th on.
func (e *enumeration) keep(i int) bool {
	free := e.w.s.free
	if i == len(free) {
		return !e.w.fits(e.m) || e.order(0)
	}
	at := &e.m.Levels[free[i].level]
	old := at.Keep
	defer func() { at.Keep = old }()
	bit := Mask(1) << uint(free[i].tensor)
	at.Keep = old | bit
	if !e.keep(i + 1) {
		return false
	}
	at.Keep = old &^ bit
	return e.keep(i + 1)
}

// order goes through the orders of the levels from l on. Loops of one iteration stay
// where they are.
func (e *enumeration) order(l int) bool {
	if l == len(e.m.Levels) {
		e.w.opened = false // another order than fits saw
		return e.yield(e.m)
	}
	t := e.m.Levels[l].Temporal[e.w.s.begin[l]:]
	var turning [MaxDims]int
	k := 0
	for i := range t {
		if t[i].Factor > 1 {
			turning[k] = i
			k++
		}
	}
	return e.permute(l, t, turning[:k], 0)
}

func (e *enumeration) permute(l int, t []Loop, at []int, i int) bool {
	if i >= len(at)-1 {
		return e.order(l + 1)
	}
	for j := i; j < len(at); j++ {
		t[at[i]], t[at[j]] = t[at[j]], t[at[i]]
		ok := e.permute(l, t, at, i+1)
		t[at[i]], t[at[j]] = t[at[j]], t[at[i]]
		if !ok {
			return false
		}
	}
	return true
}
