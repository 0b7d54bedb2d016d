package schedule

import (
	"cmp"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// A Policy chooses the next operator of an executor. A scheduler has one policy object, which may
// keep state; its choices must depend on the sequence of calls only.
type Policy interface {
	// Next chooses an operator for executor e, which has room for one: the State.First of one of
	// the State.Candidates. ok is false if e gets none now; Next is called again after the state
	// has changed.
	Next(s *State, e int) (ref Ref, ok bool)
}

// A Preemptor is a policy that revokes operators.
type Preemptor interface {
	Policy
	// Yields reports whether operators of q that are issued and have not begun are revoked for r,
	// which has just arrived.
	Yields(s *State, q, r *Request) bool
}

// A Dropper is a policy that drops requests before they begin.
type Dropper interface {
	Policy
	// Hopeless reports whether a request is to be dropped.
	Hopeless(s *State, r *Request) bool
}

// An Observer is a policy whose Ended is called for every request that ended or was dropped.
type Observer interface {
	Policy
	Ended(s *State, r *Request)
}

// A Steady policy decides only by an executor and the requests that it may execute. After a Next
// without an operator it is called again only when one of these has changed: a request has
// arrived, an operator was issued or is done, the executor has room.
type Steady interface {
	Policy
	Steady()
}

// NewPolicy makes a policy from the parameters of its entry.
type NewPolicy func(spec any) Policy

// Policies holds the scheduling policies by name.
var Policies = registry.New[NewPolicy]("scheduling policy")

// first is the operator that executor e may get of the candidate that comes first in an
// order; equal ones in the order of arrival. Requests of one model come in the order of arrival
// in any order that is given: of each model one with operators issued is asked, and one with none.
func first(s *State, e int, compare func(a, b *Request) int) (ref Ref, ok bool) {
	if s.batches != nil || s.periods != nil {
		return firstOfAll(s, e, compare)
	}
	var best *Request
	take := func(r *Request, op int32) {
		if best == nil || cmp.Or(compare(r, best), byArrival(r, best)) < 0 {
			best, ref = r, Ref{r.ID, op}
		}
	}
	for _, m := range s.on[e] {
		if r, op := s.readyOf(e, m); r != nil {
			take(r, op)
		}
		if f := s.fresh[m]; len(f) > 0 {
			if op, can := s.First(f[0], e); can {
				take(f[0], op)
			}
		}
	}
	return ref, best != nil
}

// firstOfAll is first by asking all candidates: where batches or periods say what may be issued.
func firstOfAll(s *State, e int, compare func(a, b *Request) int) (ref Ref, ok bool) {
	var best *Request
	for _, r := range s.candidatesOf(e) {
		if best != nil && compare(r, best) >= 0 {
			continue
		}
		if op, can := s.First(r, e); can {
			best, ref = r, Ref{r.ID, op}
		}
	}
	return ref, best != nil
}

// PolicyName names one of Policies.
type PolicyName struct{ named.Choice }

// UnmarshalConfig implements configs.Unmarshaler.
func (n *PolicyName) UnmarshalConfig(v configs.Value) (err error) {
	n.Choice, err = named.Read(v, "scheduling policy", Policies)
	return err
}

// New makes the policy.
func (n PolicyName) New() Policy {
	e, _ := Policies.Entry(n.Name)
	return e.New(n.Spec)
}

func init() {
	schema.RegisterFunc[PolicyName](func() schema.Schema { return named.Schema("a scheduling policy", Policies) })
	schema.RegisterFunc[ArrivalName](func() schema.Schema { return named.Schema("arrivals of requests", Arrivals) })
}

// byArrival is the order of arrival.
func byArrival(a, b *Request) int { return cmp.Compare(a.ID, b.ID) }

// Prioritizing lists the policies that use Model.Priority.
func Prioritizing() []string { return []string{"priority", "tokens"} }
