package schedule

import "github.com/causeway-sim/causeway/components/registry"

// greedy serves models in turn by their names: of each the oldest request that has not
// begun goes, as a whole, to the executor that does nothing and takes least for it.
// Executors get nothing ahead of a request's end.
type greedy struct {
	// least is the least cost of an executor for a request.
	least func(m *Model, e int) float64
	own   []*Request // by executor: under way
	idle  []int      // scratch
}

func (p *greedy) Next(s *State, e int) (Ref, bool) {
	if p.own == nil {
		p.own = make([]*Request, len(s.Executors))
	}
	busy := false
	if r := p.own[e]; r != nil && !r.Finished() {
		if op, ok := s.First(r, e); ok {
			return Ref{r.ID, op}, true
		}
		busy = true
	}
	if ref, ok := p.helps(s, e); ok || busy {
		return ref, ok
	}
	p.findIdle()
	for round := 0; ; round++ { // of each model its first request, then its second, ...
		any := false
		for m := range s.Models {
			if round >= len(s.fresh[m]) {
				continue
			}
			r := s.fresh[m][round]
			any = true
			at := -1
			for i, x := range p.idle {
				if _, ok := s.First(r, x); ok && (at < 0 || p.least(&s.Models[m], x) < p.least(&s.Models[m], p.idle[at])) {
					at = i
				}
			}
			if at < 0 {
				continue
			}
			if p.idle[at] == e {
				op, _ := s.First(r, e)
				p.own[e] = r
				return Ref{r.ID, op}, true
			}
			p.idle = append(p.idle[:at], p.idle[at+1:]...)
		}
		if !any || len(p.idle) == 0 {
			return Ref{}, false
		}
	}
}

// helps finds an operator of another executor's request that this executor alone can do.
func (p *greedy) helps(s *State, e int) (Ref, bool) {
	for i, r := range p.own {
		if r == nil || r.Finished() || i == e {
			continue
		}
		if op, ok := s.First(r, e); ok && !s.Models[r.Model].at(op, i).Can {
			return Ref{r.ID, op}, true
		}
	}
	return Ref{}, false
}

// findIdle lists the executors without a request.
func (p *greedy) findIdle() {
	p.idle = p.idle[:0]
	for i, r := range p.own {
		if r == nil || r.Finished() {
			p.idle = append(p.idle, i)
		}
	}
}

func init() {
	Policies.Add(registry.Entry[NewPolicy]{
		Name: "latency_greedy", Doc: "Models in turn by name; the oldest request of each goes to the idle executor that takes the least time for it.",
		Source: "Kwon et al., XRBench: An Extended Reality Machine Learning Benchmark Suite for the Metaverse, MLSys 2023; rules of XRBench-MLSys2023, commit 8915666",
		New: func(any) Policy {
			return &greedy{least: func(m *Model, e int) float64 { t, _ := m.Whole(e); return float64(t) }}
		},
	})
}
