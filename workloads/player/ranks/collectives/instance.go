package collectives

import (
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// An Instance is a collective in progress. Members enter it one by one.
type Instance struct {
	// Number identifies it among the collectives in progress.
	Number int32
	// Op is the operation of the first member that entered.
	Op comm.Op

	plan    *plan
	tracker *collective.Tracker
	turn    turn
	entry   []int32 // the program's operation of each member; -1: not there yet
	left    []int32 // parts of each member that are not done
	open    int     // members that have not left
	missing int     // members that have not entered
	each    int     // members that each of those that enter stands for
	there   int32   // all members before it have entered
	paces   []pace  // of each member; none where nothing keeps to steps
}

// A turn is which collective of a group is meant.
type turn struct {
	group int32
	nth   uint32
}

func newInstance(p *plan, number int32, members int) *Instance {
	in := &Instance{Number: number, plan: p, tracker: collective.NewTracker(p.schedule), entry: make([]int32, members), left: make([]int32, members)}
	if in.Paced() {
		in.paces = make([]pace, members)
	}
	return in
}

// begin sets an instance up for a collective.
func (in *Instance) begin(t turn, o *comm.Op) {
	in.tracker.Start(func(int32, int32) {})
	in.turn, in.Op, in.open, in.missing, in.there = t, *o, len(in.entry), len(in.entry), 0
	in.rewind()
	for i := range in.entry {
		in.entry[i] = -1
		in.left[i] = int32(len(in.plan.schedule.Ops[i]))
	}
}

// Missing is the number of members that have not entered.
func (in *Instance) Missing() int { return in.missing }

// lacks is the first member that has not entered; -1: all have. The search continues at its last
// position, because it is called for every rank.
func (in *Instance) lacks() int32 {
	if in.missing == 0 {
		return -1
	}
	for in.entry[in.there] >= 0 {
		in.there++
	}
	return in.there
}

// Each is the number of members that each of those that enter stands for; see Set.Stand.
func (in *Instance) Each() int { return in.each }

// Turn is the number of the collective within its communicator.
func (in *Instance) Turn() uint32 { return in.turn.nth }

// Members is the number of members.
func (in *Instance) Members() int { return len(in.entry) }

// Entry returns the operation with which a member has entered; -1 before that.
func (in *Instance) Entry(member int32) int32 { return in.entry[member] }

// First returns the parts of a member without dependencies.
func (in *Instance) First(member int32) []int32 { return in.plan.first[member] }

// Part returns a part of a member's schedule. Its Peer is a member.
func (in *Instance) Part(member, part int32) *collective.Op {
	return &in.plan.schedule.Ops[member][part]
}

// Through reports whether a member has no part left.
func (in *Instance) Through(member int32) bool { return in.left[member] == 0 }

// Done reports that a part of a member is done. It calls ready for each part that may start now,
// and returns whether it was the member's last part.
func (in *Instance) Done(member, part int32, ready func(member, part int32)) bool {
	in.tracker.Done(member, part, ready)
	in.left[member]--
	return in.left[member] == 0
}
