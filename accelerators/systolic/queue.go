package systolic

import (
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/task"
)

// stages is how many steps the walker of one job holds at once: the one that
// computes, the next one whose loads are under way, and the last one whose
// stores wait for their turn; a power of two.
const stages = 4

// A stage holds a copy of one step while it is on its way.
type stage struct {
	loads, stores []mapping.Transfer
	cycles, macs  uint64
	pending       int             // loads issued and not answered
	ready         [buffers]uint64 // when the last load of each buffer was answered
	tile, compute task.ID         // of the step; 0: not begun, or the stream has no listener
}

// A queue is the static order of a job's transfers, one transfer after the
// other: at position i the stores of step i-2, then the loads of step i. Two
// positions after the last step hold the last stores.
type queue struct {
	steps  walker
	step   mapping.Step // the walker's
	stage  [stages]stage
	at     int  // position
	loaded int  // steps pulled so far
	ended  bool // all steps are pulled
	inLoad bool // past the stores of this position
	i      int  // transfer within the list
}

func (q *queue) open(steps walker) {
	q.steps = steps
	q.at, q.loaded, q.ended, q.inLoad, q.i = 0, 0, false, false, 0
	for i := range q.stage {
		s := &q.stage[i]
		s.loads, s.stores, s.cycles, s.pending = s.loads[:0], s.stores[:0], 0, 0
	}
	q.pull()
}

// pull copies the step of the current position, if there is one.
func (q *queue) pull() {
	s := &q.stage[q.at%stages]
	s.loads, s.stores, s.cycles, s.pending, s.ready = s.loads[:0], s.stores[:0], 0, 0, [buffers]uint64{}
	s.tile, s.compute = 0, 0
	if q.ended {
		return
	}
	if !q.steps.Next(&q.step) {
		q.ended = true
		return
	}
	q.loaded++
	s.loads = append(s.loads, q.step.Loads...)
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
func (q *queue) head(finished int) (t *mapping.Transfer, store bool) {
	for !q.done() && finished >= q.at-1 {
		list := q.stage[q.at%stages].loads
		if !q.inLoad {
			list = nil
			if q.at >= 2 {
				list = q.stage[(q.at-2)%stages].stores
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

// advance leaves the transfer that head returned behind.
func (q *queue) advance() { q.i++ }
