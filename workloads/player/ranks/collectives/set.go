package collectives

import (
	"fmt"

	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// A Set holds the collectives of a program.
type Set struct {
	program   *comm.Program
	schedule  Schedule
	members   []map[int32]int32 // of each group: the position of its ranks; nil for group 0
	nth       []map[int32]uint32
	turns     [][]uint32 // of each rank and operation: which one of its group it is
	plans     map[planKey]*plan
	instances []*Instance
	going     map[turn]*Instance
	begun     uint64
	stands    func(group int32) int // see Stand
}

// Stand makes each rank that enters a collective of a group enter and leave for so many members of
// the group that do the same, itself included.
func (s *Set) Stand(f func(group int32) int) { s.stands = f }

// New prepares the collectives of a program.
func New(p *comm.Program, schedule Schedule) *Set {
	s := &Set{
		program: p, schedule: schedule, members: make([]map[int32]int32, len(p.Groups)), turns: make([][]uint32, len(p.Ranks)), nth: make([]map[int32]uint32, len(p.Ranks)),
		plans: map[planKey]*plan{}, going: map[turn]*Instance{},
	}
	for g := 1; g < len(p.Groups); g++ {
		s.members[g] = map[int32]int32{}
		for i, r := range p.Groups[g] {
			s.members[g][r] = int32(i)
		}
	}
	for i := range p.Ranks {
		r := &p.Ranks[i]
		s.nth[i] = map[int32]uint32{}
		for op := range r.Len() {
			s.Extend(i, r.Op(op))
		}
	}
	return s
}

// Extend appends an operation to those of a rank.
func (s *Set) Extend(rank int, o *comm.Op) {
	turn := uint32(0)
	if o.Kind == comm.Collective {
		turn = s.nth[rank][o.Group]
		s.nth[rank][o.Group]++
	}
	s.turns[rank] = append(s.turns[rank], turn)
}

// Member returns the position of a rank in a group.
func (s *Set) Member(group, rank int32) int32 {
	if group == 0 {
		return rank
	}
	return s.members[group][rank]
}

// Rank returns the rank at a position of a group.
func (s *Set) Rank(group, member int32) int32 { return s.program.Groups[group][member] }

// Has reports whether a rank is in a group.
func (s *Set) Has(group, rank int32) bool {
	if group == 0 {
		return true
	}
	_, in := s.members[group][rank]
	return in
}

// At returns the instance with a number.
func (s *Set) At(number int32) *Instance { return s.instances[number] }

// Begun is the number of collectives that have begun.
func (s *Set) Begun() uint64 { return s.begun }

// Going is the number of collectives in progress.
func (s *Set) Going() int { return len(s.going) }

// Empty reports whether a collective sends no message.
func (s *Set) Empty(o *comm.Op) bool {
	return len(s.program.Groups[o.Group]) == 1 || o.Bytes == 0 && o.Coll != comm.Barrier
}

// Rooted reports whether a collective has a root, which is its Peer.
func Rooted(c comm.Coll) bool {
	return c == comm.Broadcast || c == comm.Reduce || c == comm.Gather || c == comm.Scatter
}

// Scratch returns the bytes of temporary memory that a rank's library allocates for a collective;
// 0 if it is Empty.
func (s *Set) Scratch(o *comm.Op) (uint64, error) {
	if s.Empty(o) {
		return 0, nil
	}
	p, err := s.plan(o)
	if err != nil {
		return 0, err
	}
	return uint64(p.schedule.Scratch), nil
}

// Combines reports whether the network computes the sums of a collective.
func (s *Set) Combines(o *comm.Op) bool {
	if s.Empty(o) {
		return false
	}
	p, err := s.plan(o)
	return err == nil && len(p.schedule.Ops[0]) > 0 && p.schedule.Ops[0][0].Kind == collective.Combine
}

// Plan makes the schedule of a collective that is not Empty, once for equal ones, so that errors
// of an algorithm are found before the run.
func (s *Set) Plan(o *comm.Op) error {
	_, err := s.plan(o)
	return err
}

func (s *Set) plan(o *comm.Op) (*plan, error) {
	k := planKey{o.Coll, len(s.program.Groups[o.Group]), o.Bytes, 0}
	if Rooted(o.Coll) {
		k.root = int(s.Member(o.Group, o.Peer))
	}
	p := s.plans[k]
	if p == nil {
		made, err := s.schedule(k.coll, k.n, k.bytes, k.root)
		if err != nil {
			return nil, err
		}
		p = newPlan(made)
		s.plans[k] = p
	}
	return p, nil
}

// A Disagreement is the error for ranks whose calls of a collective differ.
type Disagreement struct {
	Nth         uint32 // of the communicator
	Group, Rank int32
	Has, Others comm.Op // what the rank has, and what was there before it
}

func (d *Disagreement) Error() string {
	return fmt.Sprintf("ranks disagree about collective %d of communicator %d: rank %d has %s, another has %s", d.Nth, d.Group, d.Rank, &d.Has, &d.Others)
}

// BadInput marks the error as one of the input.
func (d *Disagreement) BadInput() {}

// Enter enters a rank into its collective op, which is not Empty. It returns the instance and the
// rank's member number.
func (s *Set) Enter(rank, op int32) (in *Instance, member int32, err error) {
	o := s.program.Ranks[rank].Op(int(op))
	t := turn{o.Group, s.turns[rank][op]}
	in = s.going[t]
	if in == nil {
		if in, err = s.begin(t, o); err != nil {
			return nil, 0, fmt.Errorf("rank %d, %s: %w", rank, s.program.Ranks[rank].Label(int(op)), err)
		}
	} else if in.Op.Coll != o.Coll || in.Op.Bytes != o.Bytes || in.Op.Peer != o.Peer {
		return nil, 0, &Disagreement{t.nth, t.group, rank, *o, in.Op}
	}
	member = s.Member(o.Group, rank)
	in.entry[member] = op
	in.missing -= in.each
	return in, member, nil
}

// begin makes an instance, or takes one that was left.
func (s *Set) begin(t turn, o *comm.Op) (*Instance, error) {
	p, err := s.plan(o)
	if err != nil {
		return nil, err
	}
	var in *Instance
	if l := len(p.idle); l > 0 {
		in = p.idle[l-1]
		p.idle = p.idle[:l-1]
	} else {
		in = newInstance(p, int32(len(s.instances)), len(s.program.Groups[o.Group]))
		s.instances = append(s.instances, in)
	}
	in.begin(t, o)
	if in.each = 1; s.stands != nil {
		in.each = s.stands(o.Group)
	}
	s.going[t] = in
	s.begun++
	return in, nil
}

// Leave removes a member without parts left; the last one ends the collective.
func (s *Set) Leave(in *Instance) {
	if in.open -= in.each; in.open == 0 {
		delete(s.going, in.turn)
		in.plan.idle = append(in.plan.idle, in)
	}
}

// Blocked finds a collective in which a rank has parts left. It returns the rank's operation, and
// a rank that has not entered (-1 if all have).
func (s *Set) Blocked(rank int32) (op, lacks int32, ok bool) {
	for _, in := range s.instances {
		if s.going[in.turn] != in || !s.Has(in.turn.group, rank) {
			continue
		}
		m := s.Member(in.turn.group, rank)
		if in.entry[m] < 0 || in.left[m] == 0 {
			continue
		}
		if other := in.lacks(); other >= 0 {
			return in.entry[m], s.Rank(in.turn.group, other), true
		}
		return in.entry[m], -1, true
	}
	return 0, 0, false
}
