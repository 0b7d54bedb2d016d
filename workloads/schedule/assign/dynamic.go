package assign

import (
	"slices"
	"sort"

	"github.com/causeway-sim/causeway/components/units"
)

// mostStates bounds the states that dynamic programming keeps at a time.
const mostStates = 1 << 10

// Dynamic assigns by dynamic programming over the operators in order. A state is a choice of
// executors for the operators whose results are still to be read. On a chain there is one state
// per executor, and the result is optimal for time and for energy. Otherwise only the best
// mostStates states are kept, and the result is an approximation.
func (p *Problem) Dynamic() []int {
	live := p.live()
	states := []state{{free: make([]units.Time, p.Executors), from: -1}}
	var steps [][]step
	for i := range p.Ops {
		next := map[string]int{}
		var made []state
		var how []step
		for at := range states {
			for e, c := range p.Ops[i].Cost {
				if !c.Can {
					continue
				}
				n := states[at].with(p, i, e, live[i])
				k := n.key()
				if j, ok := next[k]; !ok {
					next[k] = len(made)
					made, how = append(made, n), append(how, step{at, e})
				} else if p.better(n.total, made[j].total) {
					made[j], how[j] = n, step{at, e}
				}
			}
		}
		if len(made) > mostStates {
			order := make([]int, len(made))
			for j := range order {
				order[j] = j
			}
			sort.SliceStable(order, func(a, b int) bool { return p.better(made[order[a]].total, made[order[b]].total) })
			kept, steps := make([]state, mostStates), make([]step, mostStates)
			for j := range kept {
				kept[j], steps[j] = made[order[j]], how[order[j]]
			}
			made, how = kept, steps
		}
		states, steps = made, append(steps, how)
	}
	best := 0
	for j := range states {
		if p.better(states[j].total, states[best].total) {
			best = j
		}
	}
	on := make([]int, len(p.Ops))
	for i := len(p.Ops) - 1; i >= 0; i-- {
		s := steps[i][best]
		on[i], best = s.executor, s.from
	}
	return on
}

// A step is the predecessor of a state, with the executor of its last operator.
type step struct{ from, executor int }

// A state describes a partial assignment: the executors and times of the results that are still to
// be read.
type state struct {
	free  []units.Time
	live  []made // by operator, ascending
	total Total
	from  int
}

// made is an operator whose result is still to be read.
type made struct {
	op, executor int
	end          units.Time
}

// live is, by operator, which results are still to be read once it is done: a bit per
// earlier operator would be too many, so the last reader of each.
func (p *Problem) live() [][]int {
	last := make([]int, len(p.Ops))
	for i := range p.Ops {
		last[i] = i
		for _, a := range p.Ops[i].After {
			last[a] = i
		}
	}
	out := make([][]int, len(p.Ops)) // those that are dead after operator i
	for i, l := range last {
		out[l] = append(out[l], i)
	}
	return out
}

// with is the state after operator i on executor e; dead are the results that no later
// operator reads.
func (s *state) with(p *Problem, i, e int, dead []int) state {
	at := s.free[e]
	for _, a := range p.Ops[i].After {
		j, _ := slices.BinarySearchFunc(s.live, int(a), func(m made, op int) int { return m.op - op })
		t := s.live[j].end
		if s.live[j].executor != e {
			t += p.Handover
		}
		at = max(at, t)
	}
	c := p.Ops[i].Cost[e]
	n := state{free: slices.Clone(s.free), total: Total{max(s.total.Time, at+c.Time), s.total.Energy + c.Energy}}
	n.free[e] = at + c.Time
	for _, m := range s.live {
		if !slices.Contains(dead, m.op) {
			n.live = append(n.live, m)
		}
	}
	if !slices.Contains(dead, i) {
		n.live = append(n.live, made{i, e, at + c.Time})
	}
	return n
}

// key is the executors of the live results.
func (s *state) key() string {
	b := make([]byte, 0, 2*len(s.live))
	for _, m := range s.live {
		b = append(b, byte(m.executor), byte(m.executor>>8))
	}
	return string(b)
}
