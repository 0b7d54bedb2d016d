package systolic

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// stages is how many steps the walker of one job holds at once: the one that
// computes, the next one whose loads are under way, and the last one whose
// stores wait for their turn; a power of two.
const stages = 4

// A stage holds a copy of one step while it is on its way.
type stage struct {
	loads, stores []dma.Transfer
	cycles, macs  uint64
	pending       int              // loads issued and not answered
	ready         [buffers]uint64  // when the last load of each buffer was answered
	last          [buffers]task.ID // burst of the load that was answered then
	tile, compute task.ID          // of the step; 0: not begun, or the stream has no listener
}

// A queue is the static order of a job's transfers, one transfer after the
// other: at position i the stores of step i-2, then the loads of step i. Two
// positions after the last step hold the last stores.
type queue struct {
	steps  walker
	roles  []graph.Role // by tensor
	step   dma.Step     // the walker's
	stage  [stages]stage
	at     int        // position
	loaded int        // steps pulled so far
	ended  bool       // all steps are pulled
	ahead  *lookahead // of the job that comes next; nil: nothing
	base   int        // stage of step 0
	here   int        // of how many of the first steps the job before has fetched the weights
	inLoad bool       // past the stores of this position
	i      int        // transfer within the list
}

// open begins with the steps of a job whose tensors have these roles; ahead is what it may
// fetch for the next one. The places after the last step of the job before are the first
// of this one.
func (q *queue) open(steps walker, roles []graph.Role, ahead *lookahead) {
	q.here = 0
	if q.ahead != nil {
		q.here = q.ahead.steps
		q.base = (q.base + q.loaded) % stages
	}
	q.steps, q.roles, q.ahead = steps, roles, ahead
	q.at, q.loaded, q.ended, q.inLoad, q.i = 0, 0, false, false, 0
	for i := range q.stage {
		s := q.of(i)
		s.loads, s.stores, s.cycles = s.loads[:0], s.stores[:0], 0
		if !q.carries(i) {
			s.pending = 0
		}
	}
	q.pull()
}

// of is the stage of step i.
func (q *queue) of(i int) *stage { return &q.stage[q.slot(i)] }

// slot is the number of the stage of step i.
func (q *queue) slot(i int) int { return (q.base + i) % stages }

// carries reports whether the job before has fetched weights of step i.
func (q *queue) carries(i int) bool { return i < q.here }

// fetching is how many requests for the next job have no answer, once all steps are pulled.
func (q *queue) fetching() (n int) {
	if q.ahead != nil {
		for i := range aheadSteps {
			n += q.of(q.loaded + i).pending
		}
	}
	return n
}

// pull copies the step of the current position, if there is one.
func (q *queue) pull() {
	s := q.of(q.at)
	s.loads, s.stores, s.cycles = s.loads[:0], s.stores[:0], 0
	if !q.carries(q.at) {
		s.pending, s.ready = 0, [buffers]uint64{}
	}
	s.tile, s.compute = 0, 0
	if !q.ended && !q.steps.Next(&q.step) {
		q.ended = true
		q.ahead = q.ahead.after(q.of(max(q.loaded-1, 0)).cycles)
	}
	if q.ended {
		if i := q.at - q.loaded; q.ahead != nil && i < aheadSteps {
			s.loads = append(s.loads, q.ahead.loads[i]...)
		}
		return
	}
	q.loaded++
	for i := range q.step.Loads {
		if t := &q.step.Loads[i]; !q.carries(q.at) || !fetchedAhead(t, q.roles) {
			s.loads = append(s.loads, *t)
		}
	}
	s.stores = append(s.stores, q.step.Stores...)
	s.cycles, s.macs = uint64(q.step.Cycles), uint64(q.step.MACs)
}

// done reports whether every transfer of the job has been passed.
func (q *queue) done() bool { return q.ended && q.at >= q.loaded+2 }

// passed reports whether all loads of step i have been issued.
func (q *queue) passed(i int) bool { return q.at > i }

// head is the transfer to walk now, once the first finished steps have been
// computed: nil where the queue waits for compute or is done. It passes what
// is empty.
func (q *queue) head(finished int) (t *dma.Transfer, store bool) {
	for !q.done() && finished >= q.at-1 {
		list := q.of(q.at).loads
		if !q.inLoad {
			list = nil
			if q.at >= 2 {
				list = q.of(q.at - 2).stores
			}
		}
		if q.i < len(list) {
			return &list[q.i], !q.inLoad
		}
		q.i = 0
		if !q.inLoad {
			q.inLoad = true
			continue
		}
		q.inLoad = false
		q.at++
		q.pull()
	}
	return nil, false
}

// beyond reports whether the transfer that head returned is for the next job.
func (q *queue) beyond() bool { return q.inLoad && q.ended && q.at >= q.loaded }

// advance leaves the transfer that head returned behind.
func (q *queue) advance() { q.i++ }
