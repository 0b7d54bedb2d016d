package serving

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/configs"
)

// An Admission decides which request gets blocks and joins the batch next. An Engine has its
// own, which may keep state; the choice must follow from the calls alone.
type Admission interface {
	// Next is the index of one of the sequences that wait. They have no blocks, never ran,
	// and are in the order of arrival; there is one at least. Where blocks or tokens are
	// missing for that sequence, the step admits no other.
	Next(waiting []*Sequence) int
}

// A Preemption makes room when a running sequence needs a block and none is free.
type Preemption interface {
	// Victim is the index of the sequence that gives all its blocks up. Running are those
	// without a part in the step so far, in the order in which they began. The first of them
	// needs the block; where it is the victim, it waits.
	Victim(running []*Sequence) int
	// Swaps reports whether the entries of the victim go to host memory while there is room
	// (Spec.Host). The others are computed again.
	Swaps() bool
}

// Admissions and Preemptions are the policies of servers. The value of an entry makes a policy
// from the parameters that the entry's Spec declares.
var (
	Admissions  = registry.New[func(spec any) Admission]("admission policy")
	Preemptions = registry.New[func(spec any) Preemption]("preemption policy")
)

// AdmissionName names one of Admissions.
type AdmissionName struct{ named.Choice }

// PreemptionName names one of Preemptions.
type PreemptionName struct{ named.Choice }

// UnmarshalConfig implements configs.Unmarshaler.
func (n *AdmissionName) UnmarshalConfig(v configs.Value) (err error) {
	n.Choice, err = named.Read(v, "admission policy", Admissions)
	return err
}

// UnmarshalConfig implements configs.Unmarshaler.
func (n *PreemptionName) UnmarshalConfig(v configs.Value) (err error) {
	n.Choice, err = named.Read(v, "preemption policy", Preemptions)
	return err
}

// New makes the policy; nil where there is none of that name.
func (n AdmissionName) New() Admission {
	if e, ok := Admissions.Entry(n.Name); ok {
		return e.New(n.Spec)
	}
	return nil
}

// New makes the policy; nil where there is none of that name.
func (n PreemptionName) New() Preemption {
	if e, ok := Preemptions.Entry(n.Name); ok {
		return e.New(n.Spec)
	}
	return nil
}

// Swapping lists the preemption policies that use host memory.
func Swapping() (names []string) {
	for _, e := range Preemptions.Entries() {
		if e.New(e.Spec).Swaps() {
			names = append(names, e.Name)
		}
	}
	return names
}

func init() {
	configs.RegisterSchemaFunc[AdmissionName](func() configs.Schema { return named.Schema("an admission policy", Admissions) })
	configs.RegisterSchemaFunc[PreemptionName](func() configs.Schema { return named.Schema("a preemption policy", Preemptions) })
}
