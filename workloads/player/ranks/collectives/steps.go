package collectives

import (
	"slices"

	"github.com/causeway-sim/causeway/noc/collective"
)

// steps are those of a member's sends, of a schedule that keeps to them: how many sends
// each has, without steps that have none, and which of these a send belongs to.
type steps struct {
	sends []int32
	of    []int32 // by operation
}

func stepsOf(ops []collective.Op) steps {
	var all []int32
	for i := range ops {
		if ops[i].Kind == collective.Send {
			all = append(all, ops[i].Step)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	s := steps{sends: make([]int32, len(all)), of: make([]int32, len(ops))}
	for i := range ops {
		if ops[i].Kind == collective.Send {
			k, _ := slices.BinarySearch(all, ops[i].Step)
			s.of[i] = int32(k)
			s.sends[k]++
		}
	}
	return s
}

// A pace is where a member is in its steps.
type pace struct {
	step  int32 // of the sends that may begin
	left  int32 // sends of it that have not begun
	under int32 // sends that have begun and not ended
}

// Paced reports whether the sends of members keep to the order of steps.
func (in *Instance) Paced() bool { return in.plan.steps != nil }

// InTurn reports whether the order of steps allows a send of a member to begin.
func (in *Instance) InTurn(member, part int32) bool {
	return !in.Paced() || in.plan.steps[member].of[part] <= in.paces[member].step
}

// Begun reports that a send of a member has begun.
func (in *Instance) Begun(member int32) {
	if in.Paced() {
		p := &in.paces[member]
		p.left--
		p.under++
		in.advance(member)
	}
}

// Ended reports that a send of a member has ended.
func (in *Instance) Ended(member int32) {
	if in.Paced() {
		in.paces[member].under--
		in.advance(member)
	}
}

// advance moves to the member's next step when all sends of its step have begun, or with strict
// steps have ended.
func (in *Instance) advance(member int32) {
	p, s := &in.paces[member], &in.plan.steps[member]
	strict := in.plan.schedule.Steps == collective.StepsStrict
	if p.left == 0 && (!strict || p.under == 0) && int(p.step)+1 < len(s.sends) {
		p.step++
		p.left = s.sends[p.step]
	}
}

// rewind puts all members before their first step.
func (in *Instance) rewind() {
	for i := range in.paces {
		in.paces[i] = pace{}
		if s := in.plan.steps[i].sends; len(s) > 0 {
			in.paces[i].left = s[0]
		}
	}
}
