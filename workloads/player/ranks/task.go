package ranks

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/workloads/player/ranks/collectives"
)

// tasks report a collective per rank that takes part in it, from its entry to the end of
// its own part. Messages of the collective belong to it.
type tasks struct {
	task.Source
	of [][]task.ID // by instance and member
}

// begin reports that a member enters a collective.
func (t *tasks) begin(at sim.VTimeInSec, in *collectives.Instance, member int32) {
	if !t.On() {
		return
	}
	for len(t.of) <= int(in.Number) {
		t.of = append(t.of, nil)
	}
	if t.of[in.Number] == nil {
		t.of[in.Number] = make([]task.ID, in.Members())
	}
	t.of[in.Number][member] = t.Begin(at, task.Collective, t.What(in.Op.Coll.String()), 0, in.Op.Bytes)
}

// member is the task of a member, 0 if nobody listens.
func (t *tasks) member(in *collectives.Instance, member int32) task.ID {
	if int(in.Number) >= len(t.of) || t.of[in.Number] == nil {
		return 0
	}
	return t.of[in.Number][member]
}
