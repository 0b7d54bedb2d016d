package assign

import (
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// An Operator is one operator as a search sees it.
type Operator struct {
	Name, Type string
	Class      string          // classes of a rule by input size, finer than Type
	Input      int64           // bytes of its first operand
	After      []int32         // operators before it whose results it reads
	Cost       []schedule.Cost // by executor
}

// A Problem holds the operators of one workload in topological order, and the objective to
// minimise.
type Problem struct {
	Ops       []Operator
	Executors int
	Objective string // Time, Energy or EDP; "" is Time
	// Handover is the additional delay of an operand from another executor.
	Handover units.Time
}

// The objectives.
const (
	Time   = "time"
	Energy = "energy"
	EDP    = "edp"
)

// A Total is the cost of a whole assignment.
type Total struct {
	Time   units.Time // from the start to the end of the last operator
	Energy float64    // pJ
}

// value is the objective's value of a total.
func (p *Problem) value(t Total) float64 {
	switch p.Objective {
	case Energy:
		return t.Energy
	case EDP:
		return t.Energy * float64(t.Time)
	}
	return float64(t.Time)
}

// better reports whether a is less than b by the objective; equal ones by the other part.
func (p *Problem) better(a, b Total) bool {
	if x, y := p.value(a), p.value(b); x != y {
		return x < y
	}
	if a.Time != b.Time {
		return a.Time < b.Time
	}
	return a.Energy < b.Energy
}

// Evaluate returns time and energy of an assignment. It panics for an operator on an executor that
// cannot run it.
func (p *Problem) Evaluate(on []int) Total {
	s := p.start()
	for i, e := range on {
		if !p.Ops[i].Cost[e].Can {
			panic("assign: " + p.Ops[i].Name + " is on an executor that cannot carry it out")
		}
		s.add(p, i, e)
	}
	return s.total
}

// A partial is an assignment of the first operators.
type partial struct {
	on    []int
	end   []units.Time // by operator
	free  []units.Time // by executor: end of its last operator
	total Total
}

func (p *Problem) start() partial {
	return partial{on: make([]int, 0, len(p.Ops)), end: make([]units.Time, 0, len(p.Ops)), free: make([]units.Time, p.Executors)}
}

// begin is when operator i could begin on executor e.
func (s *partial) begin(p *Problem, i, e int) units.Time {
	at := s.free[e]
	for _, a := range p.Ops[i].After {
		t := s.end[a]
		if s.on[a] != e {
			t += p.Handover
		}
		at = max(at, t)
	}
	return at
}

// add puts operator i, the next one, on executor e.
func (s *partial) add(p *Problem, i, e int) {
	c := p.Ops[i].Cost[e]
	end := s.begin(p, i, e) + c.Time
	s.on, s.end, s.free[e] = append(s.on, e), append(s.end, end), end
	s.total = Total{max(s.total.Time, end), s.total.Energy + c.Energy}
}
