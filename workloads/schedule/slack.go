package schedule

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
)

// enough serves requests in the order of their slack, each on the smallest executor that
// still meets its deadline: what Planaria does with pieces of one array, done with
// executors that are there.
type enough struct{ order []*Request }

func (p *enough) Next(s *State, e int) (Ref, bool) {
	p.order = append(p.order[:0], s.Candidates()...)
	slices.SortStableFunc(p.order, func(a, b *Request) int { return cmp.Compare(p.slack(s, a), p.slack(s, b)) })
	for _, r := range p.order {
		if op, ok := s.First(r, e); !ok {
			continue
		} else if at := p.pick(s, r); at == e || at < 0 { // -1: no executor can do all of r
			return Ref{r.ID, op}, true
		}
	}
	return Ref{}, false
}

// slack is the time that is left if the request ran now where it is fastest.
func (p *enough) slack(s *State, r *Request) int64 {
	if r.Deadline == 0 {
		return 1 << 62
	}
	m, least := &s.Models[r.Model], int64(1)<<62
	for e := range s.Executors {
		if t, ok := m.Whole(e); ok {
			least = min(least, int64(t))
		}
	}
	return int64(r.Deadline) - int64(s.Now) - least
}

// pick is the executor of a request: of those that would meet the deadline the one with
// the least energy, if there is none the one that ends it first.
func (p *enough) pick(s *State, r *Request) int {
	m := &s.Models[r.Model]
	at, meets := -1, false
	var end units.Time
	for e := range s.Executors {
		t, ok := m.Whole(e)
		if r.Executor >= 0 && r.Executor != e || !ok {
			continue
		}
		done := max(s.Executors[e].Free, s.Now) + t
		in := r.Deadline == 0 || done <= r.Deadline
		better := at < 0 || in && !meets
		if in == meets && at >= 0 {
			better = in && m.Energy(e) < m.Energy(at) || !in && done < end
		}
		if better {
			at, meets, end = e, in, done
		}
	}
	return at
}

// Blocks holds the keys of the policy layer_blocks.
type Blocks struct {
	Block units.Time `yaml:"block" doc:"Time of operators of one request that an executor carries out before another may come"`
}

// blocks lets requests take turns on an executor, a block of operators each.
type blocks struct {
	Blocks
	now   []turn // by executor
	ready bool
}

type turn struct {
	request int32
	given   units.Time
}

func (p *blocks) Next(s *State, e int) (Ref, bool) {
	if !p.ready {
		p.ready, p.now = true, make([]turn, len(s.Executors))
		for i := range p.now {
			p.now[i].request = -1
		}
	}
	t := &p.now[e]
	best, after := (*Request)(nil), (*Request)(nil) // the oldest, and the next after the one that has its turn
	for _, r := range s.Candidates() {
		op, ok := s.First(r, e)
		if !ok {
			continue
		}
		if r.ID == t.request && t.given < p.Block {
			return p.give(s, e, r, op), true
		}
		if best == nil {
			best = r
		}
		if after == nil && r.ID > t.request {
			after = r
		}
	}
	if after == nil {
		after = best
	}
	if after == nil {
		return Ref{}, false
	}
	op, _ := s.First(after, e)
	*t = turn{request: after.ID}
	return p.give(s, e, after, op), true
}

func (p *blocks) give(s *State, e int, r *Request, op int32) Ref {
	p.now[e].given += s.Models[r.Model].at(op, e).Time
	return Ref{r.ID, op}
}

func init() {
	Policies.Add(registry.Entry[NewPolicy]{
		Name: "least_slack", Doc: "Least slack first, each on the executor with the least energy that still meets the deadline.",
		Source: "after Ghodrati et al., Planaria, MICRO 2020, for executors of fixed size",
		New:    func(any) Policy { return &enough{} },
	})
	Policies.Add(registry.Entry[NewPolicy]{
		Name: "layer_blocks", Doc: "Requests take turns on an executor, a block of layers each; with grain operator.",
		Source: "after Liu et al., VELTAIR, ASPLOS 2022, with blocks of one size",
		Spec:   Blocks{Block: units.Millisecond},
		New:    func(spec any) Policy { return &blocks{Blocks: spec.(Blocks)} },
	})
}
