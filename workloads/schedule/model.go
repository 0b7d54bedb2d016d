package schedule

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/units"
)

// A Cost is the cost of an operator on an otherwise idle executor.
type Cost struct {
	Can  bool // the executor can carry it out
	Time units.Time
	// Fetch and Compute are its parts on an executor whose memory prefetches; both 0: not
	// separate.
	Fetch, Compute units.Time
	Energy         float64 // pJ; 0: no model
}

// An Operator is one operator of a model.
type Operator struct {
	Name string
	// After lists the operators of the model whose results it reads; all come before
	// it in the model.
	After []int32
	// Cost is indexed by executor, or by position in Model.Executors if that is shorter.
	Cost []Cost
	// Batch is the cost for several requests at once, from two on, each as Cost; with
	// Options.Batching.
	Batch [][]Cost
	// Period is the period of the model to which the operator belongs, from 0 and ascending; see
	// State.ByPeriod.
	Period int32
}

// A Model is a workload.
type Model struct {
	Name      string
	Ops       []Operator
	Deadline  units.Time // of a request, from its arrival; 0: none
	Priority  int        // more is more urgent, for policies that look at it
	Executors []int      // where it may run; nil: anywhere
	// After lists models whose request of the same number must be done before a request of this
	// model begins: a second network that uses the results of a first.
	After []int
	// Forms lists models that may replace this one, the largest first: smaller networks of one
	// supernet. They have no requests.
	Forms []int
	// Feet are the footprints of the operators, which run in order; used if Options.Batching
	// counts memory.
	Feet []Footprint

	next    [][]int32    // by operator: those that wait for it
	lane    []int32      // by executor: where its costs are; -1: nowhere
	places  []int        // executors that are allowed
	allowed []bool       // by executor, for at least one operator
	whole   []units.Time // by executor: all operators; of those that can carry out all
	all     []bool       // by executor: it can carry out all
	least   units.Time   // all operators, each where it is fastest
}

// where are the executors, of n, that may have costs.
func (m *Model) where(n int) (out []int, err error) {
	for _, e := range m.Executors {
		if e < 0 || e >= n {
			return nil, fmt.Errorf("%s: executor %d of %d", m.Name, e, n)
		}
	}
	if m.Executors != nil {
		return m.Executors, nil
	}
	for e := range n {
		out = append(out, e)
	}
	return out, nil
}

// prepare checks the model for n executors and finds what follows from it.
func (m *Model) prepare(n int, bound bool) error {
	m.next = make([][]int32, len(m.Ops))
	m.allowed, m.all, m.whole = make([]bool, n), make([]bool, n), make([]units.Time, n)
	where, err := m.where(n)
	if err != nil {
		return err
	}
	for _, e := range where {
		m.all[e] = true
	}
	defer m.allow()
	costs := m.lanes(n)
	for i := range m.Ops {
		op := &m.Ops[i]
		if len(op.Cost) != costs {
			return fmt.Errorf("%s: %s has %d costs for %d executors", m.Name, op.Name, len(op.Cost), costs)
		}
		for _, a := range op.After {
			if a < 0 || a >= int32(i) {
				return fmt.Errorf("%s: operator %d (%s) waits for operator %d, which does not come before it", m.Name, i, op.Name, a)
			}
			m.next[a] = append(m.next[a], int32(i))
		}
		somewhere, least := false, units.Time(0)
		for _, e := range where {
			if c := m.at(int32(i), e); c.Can {
				if !somewhere || c.Time < least {
					least = c.Time
				}
				m.allowed[e], somewhere = true, true
				m.whole[e] += c.Time
			} else {
				m.all[e] = false
			}
		}
		m.least += least
		if !somewhere {
			return fmt.Errorf("%s: no executor can carry out %s", m.Name, op.Name)
		}
	}
	if bound {
		m.allowed = m.all
		for e := range n {
			if m.all[e] {
				return nil
			}
		}
		return fmt.Errorf("%s: no executor can carry out all of it (grain operator shares it out)", m.Name)
	}
	return nil
}

// lanes finds where the costs of n executors are, and how many an operator has.
func (m *Model) lanes(n int) (costs int) {
	m.lane = make([]int32, n)
	sparse := m.Executors != nil && len(m.Executors) < n && (len(m.Ops) == 0 || len(m.Ops[0].Cost) != n)
	for e := range m.lane {
		if m.lane[e] = int32(e); sparse {
			m.lane[e] = -1
		}
	}
	if !sparse {
		return n
	}
	for i, e := range m.Executors {
		m.lane[e] = int32(i)
	}
	return len(m.Executors)
}

// allow lists the executors that are allowed.
func (m *Model) allow() {
	m.places = m.places[:0]
	for e, ok := range m.allowed {
		if ok {
			m.places = append(m.places, e)
		}
	}
}

// at is what an operator costs on an executor.
func (m *Model) at(op int32, e int) Cost {
	if k := m.lane[e]; k >= 0 {
		return m.Ops[op].Cost[k]
	}
	return Cost{}
}

// Least returns the time of all operators in sequence, each on its fastest executor.
func (m *Model) Least() units.Time { return m.least }

// Energy returns the energy of all operators on executor e, in picojoules.
func (m *Model) Energy(e int) (pj float64) {
	for i := range m.Ops {
		pj += m.at(int32(i), e).Energy
	}
	return pj
}

// Whole returns the time of all operators on executor e; ok is false if it cannot execute all of
// them.
func (m *Model) Whole(e int) (t units.Time, ok bool) { return m.whole[e], m.all[e] }

// Allowed reports whether executor e may execute operators of the model.
func (m *Model) Allowed(e int) bool { return m.allowed[e] }
