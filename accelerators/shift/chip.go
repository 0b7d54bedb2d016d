package shift

import (
	"fmt"
	"slices"
)

// A Choice is how an operator of a program is carried out.
type Choice struct {
	Plan
	// Kept says that the window of B lies in place all the time, not spread evenly.
	Kept bool
	// Setup is the bytes that a core gets before the first step: its window of A, and of
	// B what it does not have.
	Setup int64
	// After is the operator whose end the loading of B waits for; -1: nothing. Stream sets it.
	After int
}

// spread is the bytes of B that a core has where it is spread evenly.
func (q *Product) spread(m *Machine) int64 {
	if !q.Stored {
		return 0
	}
	return (int64(q.Batch)*int64(q.K)*int64(q.N)*q.Element + int64(m.Cores) - 1) / int64(m.Cores)
}

// setup is the bytes that a core gets before the first step of a plan.
func (p *Plan) setup(m *Machine, kept bool) int64 {
	if p.Slices > 0 {
		return 0
	}
	a, b := p.Windows()
	switch {
	case kept:
		b = 0
	case p.Stored:
		b = max(0, b-p.spread(m))
	}
	return a + b
}

// time is that of a plan with what comes before it.
func (p *Plan) time(m *Machine, kept bool) float64 {
	t := p.Time(m)
	if n := p.setup(m, kept); n > 0 {
		t += float64(n)/m.Link + m.Sync
	}
	return t
}

// A TooLarge error says which product no plan has room for.
type TooLarge struct {
	Product string
	Room    int64
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("%s: no plan fits into %d B per core", e.Product, e.Room)
}

// Choose picks the plans of products that are carried out one after the other and whose
// stored operands all stay on the chip. First each is spread evenly and has the fastest
// plan for the rest of the memory. Then, with keep, the window is kept in place whose
// saving per byte is largest, as long as one saves and all still fit; those that are not
// kept get new plans each time. loads plans what loads all operands from a global memory.
func Choose(q []Product, m *Machine, loads, keep bool) ([]Choice, error) {
	out := make([]Choice, len(q))
	var lying int64 // of stored operands, per core
	for i := range q {
		lying += q[i].spread(m)
	}
	for i := range q {
		c, ok := fastest(q[i], m, m.Memory-lying+own(&q[i], m, loads), loads, false)
		if !ok {
			return nil, &TooLarge{q[i].Name, m.Memory - lying}
		}
		out[i] = c
	}
	if keep && !loads {
		k := keeper{q: q, m: m, out: out, lying: lying, refused: make([]bool, len(q))}
		for k.next() {
		}
		out = k.out
	}
	return out, nil
}

// A keeper finds which windows to keep in place.
type keeper struct {
	q       []Product
	m       *Machine
	out     []Choice
	lying   int64  // bytes per core of stored operands
	refused []bool // windows that would cost more than they save
}

// next keeps one more window, or refuses one; false: there is none left.
func (k *keeper) next() bool {
	best, gain, more := -1, 0.0, int64(0)
	var with Choice
	for i := range k.q {
		if k.out[i].Kept || k.refused[i] || !k.q[i].Stored {
			continue
		}
		spread := k.q[i].spread(k.m)
		c, ok := fastest(k.q[i], k.m, k.m.Memory-k.lying+spread, false, true)
		if !ok {
			continue
		}
		_, b := c.Windows()
		extra := max(0, b-spread)
		saved := (k.out[i].time(k.m, false) - c.time(k.m, true)) / float64(extra+1)
		if saved > gain && fit(k.q, k.out, k.m, i, k.lying+extra) {
			best, gain, more, with = i, saved, extra, c
		}
	}
	if best < 0 {
		return false
	}
	next := slices.Clone(k.out)
	next[best] = with
	for i := range k.q {
		if !next[i].Kept {
			next[i], _ = fastest(k.q[i], k.m, k.m.Memory-k.lying-more+own(&k.q[i], k.m, false), false, false)
		}
	}
	if total(next, k.m) < total(k.out, k.m) {
		k.out, k.lying = next, k.lying+more
	} else {
		k.refused[best] = true
	}
	return true
}

// total is the time of operators one after the other.
func total(c []Choice, m *Machine) (t float64) {
	for i := range c {
		t += c[i].time(m, c[i].Kept)
	}
	return t
}

// own is the room that an operator's stored operand leaves to its window; what loads needs
// both.
func own(q *Product, m *Machine, loads bool) int64 {
	if loads {
		return 0
	}
	return q.spread(m)
}

// fit says whether every operator but one has a plan where so many bytes lie about.
func fit(q []Product, out []Choice, m *Machine, but int, lying int64) bool {
	for i := range q {
		switch {
		case i == but:
		case out[i].Kept:
			if out[i].Working(m)+lying > m.Memory {
				return false
			}
		case smallest(q[i], m) > m.Memory-lying+q[i].spread(m):
			return false
		}
	}
	return true
}

// smallest is the least memory of a plan.
func smallest(q Product, m *Machine) (n int64) {
	all(q, m, false, func(p Plan) {
		if x := p.Memory(m); n == 0 || x < n {
			n = x
		}
	})
	return n
}

// fastest is the plan with the least time, and of equal ones the least memory, in a room
// of so many bytes.
func fastest(q Product, m *Machine, room int64, loads, kept bool) (Choice, bool) {
	r := *m
	r.Memory = room
	plans := pareto(q, &r, loads, func(p *Plan) float64 { return p.time(m, kept) - p.Time(m) })
	if len(plans) == 0 {
		return Choice{}, false
	}
	p := plans[len(plans)-1]
	return Choice{Plan: p, Kept: kept, Setup: p.setup(m, kept), After: -1}, true
}
