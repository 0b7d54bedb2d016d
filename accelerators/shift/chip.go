package shift

import (
	"fmt"
	"slices"
	"sort"
)

// A Choice is the plan of one operator of a program.
type Choice struct {
	Plan
	// Kept: the window of B stays in place during the whole program; otherwise B is spread evenly
	// over all cores.
	Kept bool
	// Setup is the bytes that a core receives before the first step: its window of A and the
	// missing part of its window of B.
	Setup int64
	// After is the index of the operator whose end the loading of B waits for; -1 is none. Stream
	// sets it.
	After int
}

// spread returns the bytes of B on a core if B is spread evenly.
func (q *Product) spread(m *Machine) int64 {
	if !q.Stored {
		return 0
	}
	return (int64(q.Batch)*int64(q.K)*int64(q.N)*q.Element + int64(m.Cores) - 1) / int64(m.Cores)
}

// setup returns the bytes that a core receives before the first step of a plan.
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

// time returns the seconds of a plan with its setup.
func (p *Plan) time(m *Machine, kept bool) float64 {
	t := p.Time(m)
	if n := p.setup(m, kept); n > 0 {
		t += float64(n)/m.Link + m.Sync
	}
	return t
}

// A TooLarge error names a product that no plan fits into Room bytes per core.
type TooLarge struct {
	Product string
	Room    int64
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("%s: no plan fits into %d B per core", e.Product, e.Room)
}

// Choose returns the plans of products that run one after the other and whose stored operands all
// stay on the chip. Each starts with its operand spread evenly and the fastest plan for the rest
// of the memory. With keep, Choose then keeps the windows that save the most time per byte, one
// at a time, as long as all products fit; after each, products without a kept window get new
// plans. With loads, cores load all operands from a global memory instead of shifting. The error
// is a *TooLarge.
func Choose(q []Product, m *Machine, loads, keep bool) ([]Choice, error) {
	out, s := make([]Choice, len(q)), searched{m: m, loads: loads, found: map[planKey][]Plan{}}
	var lying int64 // of stored operands, per core
	for i := range q {
		lying += q[i].spread(m)
	}
	for i := range q {
		c, ok := s.fastest(q[i], m.Memory-lying+own(&q[i], m, loads), false)
		if !ok {
			return nil, &TooLarge{q[i].Name, m.Memory - lying}
		}
		out[i] = c
	}
	if keep && !loads {
		k := windowKeeper{searched: s, q: q, out: out, lying: lying, refused: make([]bool, len(q))}
		for k.next() {
		}
		out = k.out
	}
	return out, nil
}

// A windowKeeper finds which windows to keep in place.
type windowKeeper struct {
	searched
	q       []Product
	out     []Choice
	lying   int64  // bytes per core of stored operands
	refused []bool // windows that would cost more than they save
}

// next keeps one more window, or refuses one; false: there is none left.
func (k *windowKeeper) next() bool {
	best, gain, more := -1, 0.0, int64(0)
	var with Choice
	for i := range k.q {
		if k.out[i].Kept || k.refused[i] || !k.q[i].Stored {
			continue
		}
		spread := k.q[i].spread(k.m)
		c, ok := k.fastest(k.q[i], k.m.Memory-k.lying+spread, true)
		if !ok {
			continue
		}
		_, b := c.Windows()
		extra := max(0, b-spread)
		saved := (k.out[i].time(k.m, false) - c.time(k.m, true)) / float64(extra+1)
		if saved > gain && k.fit(i, k.lying+extra) {
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
			next[i], _ = k.fastest(k.q[i], k.m.Memory-k.lying-more+own(&k.q[i], k.m, false), false)
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

// own returns the bytes of an operator's evenly spread operand that its window replaces; with
// loads none, since both are needed.
func own(q *Product, m *Machine, loads bool) int64 {
	if loads {
		return 0
	}
	return q.spread(m)
}

// fit reports whether every operator but one has a plan while lying bytes are taken.
func (k *windowKeeper) fit(but int, lying int64) bool {
	for i := range k.q {
		room := k.m.Memory - lying
		if k.out[i].Kept && i != but && k.out[i].Working(k.m) > room {
			return false
		}
		if _, ok := k.fastest(k.q[i], room+k.q[i].spread(k.m), false); !ok && !k.out[i].Kept && i != but {
			return false
		}
	}
	return true
}

// searched keeps the plans of products: models repeat theirs.
type searched struct {
	m     *Machine
	loads bool
	found map[planKey][]Plan
}

// planKey is the key of searched: all that a product's plans depend on, without its name.
type planKey struct {
	Product
	kept bool
}

// fastest returns the plan with the least time, and of equal ones the least memory, that fits
// room bytes.
func (s *searched) fastest(q Product, room int64, kept bool) (Choice, bool) {
	key := planKey{q, kept}
	key.Name = ""
	plans, ok := s.found[key]
	if !ok {
		plans = pareto(q, s.m, s.loads, func(p *Plan) float64 { return p.time(s.m, kept) - p.Time(s.m) })
		s.found[key] = plans
	}
	n := sort.Search(len(plans), func(i int) bool { return plans[i].Memory(s.m) > room })
	if n == 0 {
		return Choice{}, false
	}
	p := plans[n-1]
	p.Name = q.Name
	return Choice{Plan: p, Kept: kept, Setup: p.setup(s.m, kept), After: -1}, true
}
