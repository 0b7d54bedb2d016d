package schedule

import "github.com/causeway-sim/causeway/components/registry"

// static gives each model one executor for good.
type static struct{ of []int }

func (p *static) Next(s *State, e int) (ref Ref, ok bool) {
	if p.of == nil {
		p.assign(s)
	}
	for _, r := range s.Candidates() {
		if at := p.of[r.Model]; at >= 0 && at != e {
			continue
		}
		if op, can := s.First(r, e); can {
			return Ref{r.ID, op}, true
		}
	}
	return Ref{}, false
}

// assign takes turns among the executors that can carry out all of a model. If none can, any
// executor that can carry out an operator gets it.
func (p *static) assign(s *State) {
	p.of = make([]int, len(s.Models))
	for m := range s.Models {
		var may []int
		for e := range s.Executors {
			if s.Models[m].all[e] {
				may = append(may, e)
			}
		}
		p.of[m] = -1
		if len(may) > 0 {
			p.of[m] = may[m%len(may)]
		}
	}
}

func init() {
	Policies.Add(registry.Entry[NewPolicy]{
		Name: "static", Doc: "Each workload has one executor: the workloads in turn over those that their cores names, first come first served at each.",
		Source: "none: the baseline",
		New:    func(any) Policy { return &static{} },
	})
}
