package serving

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// An Admission chooses the next request to join the batch. Each Engine has its own Admission,
// which may keep state; its choices must depend on the sequence of calls only.
type Admission interface {
	// Next returns the index of one of the waiting sequences, of which there is at least one. They
	// have no blocks, never ran, and are in the order of arrival. If there are too few blocks or
	// tokens for the chosen sequence, the step admits no other.
	Next(waiting []*Sequence) int
}

// A Preemption chooses a victim when a running sequence needs a block and none is free.
type Preemption interface {
	// Victim returns the index of the sequence to preempt. running holds the sequences without a
	// part in the step so far, in the order in which they began. The first one needs the block; if
	// it is the victim, it waits.
	Victim(running []*Sequence) int
	// Swaps reports whether entries of a victim move to host memory if there is room (Spec.Host).
	// Otherwise they are recomputed.
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
	schema.RegisterFunc[AdmissionName](func() schema.Schema { return named.Schema("an admission policy", Admissions) })
	schema.RegisterFunc[PreemptionName](func() schema.Schema { return named.Schema("a preemption policy", Preemptions) })
}
