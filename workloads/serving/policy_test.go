package serving

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/registry/named"
)

func admission(name string) AdmissionName {
	e, _ := Admissions.Entry(name)
	return AdmissionName{named.Choice{Name: name, Spec: e.Spec}}
}

func preemption(name string) PreemptionName {
	e, _ := Preemptions.Entry(name)
	return PreemptionName{named.Choice{Name: name, Spec: e.Spec}}
}

// anyAdmission and anyPreemption draw a policy, so that the random servers of this package hold
// their contract for every entry.
func anyAdmission(r *rand.Rand) AdmissionName {
	all := Admissions.Names()
	return admission(all[r.IntN(len(all))])
}

func anyPreemption(r *rand.Rand) PreemptionName {
	all := Preemptions.Names()
	return preemption(all[r.IntN(len(all))])
}

// Contract: a policy names one of the sequences that it is given, and an equal one names the
// same.
func TestPoliciesNameOneOfThose(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		all := make([]*Sequence, 1+r.IntN(9))
		for i := range all {
			all[i] = &Sequence{index: i, Request: &Request{Prompt: 1 + r.IntN(5), Output: 1 + r.IntN(5)}}
		}
		for _, name := range Admissions.Names() {
			k := admission(name).New().Next(all)
			require.True(t, k >= 0 && k < len(all), name)
			require.Equal(t, k, admission(name).New().Next(all), name)
		}
		for _, name := range Preemptions.Names() {
			k := preemption(name).New().Victim(all)
			require.True(t, k >= 0 && k < len(all), name)
			require.Equal(t, k, preemption(name).New().Victim(all), name)
		}
	}
}

// An engine asks its policies: one that admits the request that came last does so, but those that
// were preempted go first.
func TestEngineAsksItsPolicies(t *testing.T) {
	register(t, Admissions, "last", func(any) Admission { return lastAdmission{} })
	s := small()
	s.Sequences, s.Blocks, s.Admit = 1, []int{8}, admission("last")
	_, lines := run(t, s, []Request{{Prompt: 4, Output: 1}, {Prompt: 5, Output: 1}, {Prompt: 6, Output: 1}})
	require.Equal(t, []string{"0: 2/6@0*", "1: 1/5@0*", "2: 0/4@0*"}, lines)

	register(t, Preemptions, "first", func(any) Preemption { return firstVictim{} })
	s = small()
	s.Blocks, s.Prefix = []int{4}, false
	requests := []Request{{Prompt: 7, Output: 3}, {Prompt: 6, Output: 6}}
	e, _ := run(t, s, requests)
	require.Equal(t, []int{0, 1}, []int{e.Sequence(0).Preempted, e.Sequence(1).Preempted})
	s.Preempt = preemption("first")
	e, _ = run(t, s, requests)
	require.Equal(t, []int{1, 0}, []int{e.Sequence(0).Preempted, e.Sequence(1).Preempted})
}

type lastAdmission struct{}

func (lastAdmission) Next(waiting []*Sequence) int { return len(waiting) - 1 }

type firstVictim struct{}

func (firstVictim) Victim([]*Sequence) int { return 0 }
func (firstVictim) Swaps() bool            { return false }

// register adds a policy of this test alone.
func register[F any](t *testing.T, all *registry.Registry[F], name string, make F) {
	before := *all
	changed := registry.New[F]("policy of a test")
	for _, e := range before.Entries() {
		changed.Add(e)
	}
	changed.Add(registry.Entry[F]{Name: name, Doc: "Of a test.", New: make})
	*all = *changed
	t.Cleanup(func() { *all = before })
}

func TestUnknownPolicies(t *testing.T) {
	s := small()
	s.Admit.Name = "lifo"
	_, err := New(s, nil)
	require.ErrorContains(t, err, `serving: admission "lifo" (want one of: fcfs`)
	s = small()
	s.Preempt.Name = "drop"
	_, err = New(s, nil)
	require.ErrorContains(t, err, `serving: preemption "drop" (want one of: recompute, swap)`)
	require.Equal(t, []string{"swap"}, Swapping())
}
