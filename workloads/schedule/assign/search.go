package assign

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
)

// Greedy assigns each operator in order to the executor that ends it first, or for objectives with
// energy adds least.
func (p *Problem) Greedy() []int {
	s := p.start()
	for i := range p.Ops {
		best, least := -1, Total{}
		for e, c := range p.Ops[i].Cost {
			if !c.Can {
				continue
			}
			t := Total{s.begin(p, i, e) + c.Time, s.total.Energy + c.Energy}
			if best < 0 || p.better(t, least) {
				best, least = e, t
			}
		}
		s.add(p, i, best)
	}
	return s.on
}

// mostNodes bounds the work of Exhaustive: partial assignments, some seconds.
const mostNodes = 1 << 22

// Exhaustive finds the optimum by branch and bound. It returns an error if the search is too
// large.
func (p *Problem) Exhaustive() ([]int, error) {
	b := bound{p: p, tail: p.tails(), energy: p.leastEnergy(), state: p.start()}
	b.best = p.Dynamic()
	b.total = p.Evaluate(b.best)
	if g := p.Greedy(); p.better(p.Evaluate(g), b.total) {
		b.best, b.total = g, p.Evaluate(g)
	}
	if !b.search(0) {
		return nil, fmt.Errorf("has too many assignments to try all: %d operators on %d executors (want search: dp)", len(p.Ops), p.Executors)
	}
	return b.best, nil
}

// A bound is a search by branch and bound.
type bound struct {
	p      *Problem
	tail   []units.Time // by operator: least time from its begin to the end of all that wait for it
	energy []float64    // by operator: least energy of it and those after
	state  partial
	nodes  int
	best   []int
	total  Total
}

// search assigns operators from i on; false: it took too long.
func (b *bound) search(i int) bool {
	if b.nodes++; b.nodes > mostNodes {
		return false
	}
	p, s := b.p, &b.state
	if i == len(p.Ops) {
		if p.better(s.total, b.total) {
			b.best, b.total = slices.Clone(s.on), s.total
		}
		return true
	}
	for e, c := range p.Ops[i].Cost {
		if !c.Can {
			continue
		}
		// No operator after this one can end sooner than its longest remaining path.
		least := Total{max(s.total.Time, s.begin(p, i, e)+c.Time+b.tail[i]), s.total.Energy + c.Energy + b.energy[i+1]}
		if !p.better(least, b.total) {
			continue
		}
		total, free := s.total, s.free[e]
		s.add(p, i, e)
		ok := b.search(i + 1)
		s.on, s.end, s.free[e], s.total = s.on[:i], s.end[:i], free, total
		if !ok {
			return false
		}
	}
	return true
}

// tails is, by operator, the least time of the longest chain of those that wait for it.
func (p *Problem) tails() []units.Time {
	out := make([]units.Time, len(p.Ops))
	for i := len(p.Ops) - 1; i >= 0; i-- {
		for _, a := range p.Ops[i].After {
			out[a] = max(out[a], out[i]+p.least(i).Time)
		}
	}
	return out
}

// least is the least time and the least energy of an operator, of any executor each.
func (p *Problem) least(i int) (t Total) {
	first := true
	for _, c := range p.Ops[i].Cost {
		if !c.Can {
			continue
		}
		if first || c.Time < t.Time {
			t.Time = c.Time
		}
		if first || c.Energy < t.Energy {
			t.Energy = c.Energy
		}
		first = false
	}
	return t
}

func (p *Problem) leastEnergy() []float64 {
	out := make([]float64, len(p.Ops)+1)
	for i := len(p.Ops) - 1; i >= 0; i-- {
		out[i] = out[i+1] + p.least(i).Energy
	}
	return out
}
