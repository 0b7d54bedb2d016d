package collectives

import (
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// A Schedule makes the schedule of a collective; root is a position among the ranks. It returns an
// error if the algorithm cannot do it.
type Schedule func(c comm.Coll, ranks int, bytes uint64, root int) (*collective.Schedule, error)

// A plan is the schedule of collectives that are alike.
type plan struct {
	schedule *collective.Schedule
	first    [][]int32 // of each member: operations that wait for nothing
	idle     []*Instance
	steps    []steps // of each member; nil where its sends keep to none
}

// planKey is what makes collectives alike.
type planKey struct {
	coll  comm.Coll
	n     int
	bytes uint64
	root  int
}

func newPlan(s *collective.Schedule) *plan {
	p := &plan{schedule: s, first: make([][]int32, len(s.Ops))}
	collective.NewTracker(s).Start(func(rank, op int32) { p.first[rank] = append(p.first[rank], op) })
	if s.Steps == collective.StepsOrdered || s.Steps == collective.StepsStrict {
		for _, ops := range s.Ops {
			p.steps = append(p.steps, stepsOf(ops))
		}
	}
	return p
}
