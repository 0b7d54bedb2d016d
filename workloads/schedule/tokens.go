package schedule

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
)

// Tokens holds the keys of the policy tokens.
type Tokens struct {
	Level float64 `yaml:"level" jsonschema:"minimum=0,maximum=1" doc:"Share of the most tokens that a request needs to be chosen"`
}

// tokens gives requests tokens for what they have waited, in units of the time that they
// take alone, more of them with a higher priority. Of those that have many the one with the
// least work left goes on, operator by operator.
type tokens struct{ Tokens }

func (p *tokens) Next(s *State, e int) (ref Ref, ok bool) {
	most := 0.0
	for _, r := range s.Candidates() {
		if _, can := s.First(r, e); can {
			most = max(most, p.of(s, r))
		}
	}
	var least units.Time
	for _, r := range s.Candidates() {
		op, can := s.First(r, e)
		if !can || p.of(s, r) < p.Level*most {
			continue
		}
		m := &s.Models[r.Model]
		left := m.Least() * units.Time(len(m.Ops)-r.issued) / units.Time(len(m.Ops))
		if !ok || left < least {
			ref, least, ok = Ref{r.ID, op}, left, true
		}
	}
	return ref, ok
}

func (p *tokens) of(s *State, r *Request) float64 {
	m := &s.Models[r.Model]
	return float64(1+max(0, m.Priority)) * float64(s.Now-min(s.Now, r.Arrival)) / float64(max(1, m.Least()))
}

func init() {
	Policies.Add(registry.Entry[NewPolicy]{
		Name: "tokens", Doc: "Requests earn tokens by waiting, relative to the time they take alone and by priority; of those with the most the shortest goes on, operator by operator.",
		Source: "after Choi and Rhu, PREMA, HPCA 2020; what a change to another request costs is switch of the node",
		Spec:   Tokens{Level: 0.5},
		New:    func(spec any) Policy { return &tokens{spec.(Tokens)} },
	})
}
