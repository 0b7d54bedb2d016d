package schedule

import (
	"math"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
)

// Dream holds the keys of the policy dream.
type Dream struct {
	Starvation float64 `yaml:"starvation" doc:"Weight of the time a request has waited; where the search begins"`
	Energy     float64 `yaml:"energy" doc:"Weight of energy; where the search begins"`
	Search     bool    `yaml:"search" doc:"Search the two weights while the run goes on"`
	Window     int     `yaml:"window" jsonschema:"minimum=1,maximum=1048576" doc:"Requests after which the search takes its next step"`
	Switch     bool    `yaml:"switch" doc:"Carry requests out as the largest form (form_of of a workload) that would end before the deadline after what has begun, or the smallest"`
	Drop       bool    `yaml:"drop" doc:"Give up requests that have not begun and could not meet their deadline if each operator ran at once where it is fastest"`
}

// dream gives an executor the operator of the request with the highest score:
//
//	urgency x preference + starvation weight x waiting + energy weight x thrift
//
// urgency is the work left (mean over executors) over the time left; preference the sum of
// an operator's times on all executors over its time on this one; waiting the time since
// the request's last operator over the mean time of the next; thrift the same as preference
// of energy, less what it costs to switch to another model.
type dream struct {
	Dream
	last map[int32]units.Time // when the request last got an operator
	tune tuner
}

func (p *dream) Next(s *State, e int) (ref Ref, ok bool) {
	best := math.Inf(-1)
	for _, r := range s.Candidates() {
		op, can := s.First(r, e)
		if !can {
			continue
		}
		if v := p.score(s, r, op, e); v > best {
			best, ref, ok = v, Ref{r.ID, op}, true
		}
	}
	if !ok {
		return ref, false
	}
	p.last[ref.Request] = s.Now
	if r := s.Request(ref.Request); p.Switch && r.issued == 0 && len(s.Models[r.Of].Forms) > 0 {
		if f := p.form(s, r, e); f != int(r.Model) {
			s.Switch(r, f)
			if ref.Op, ok = s.First(r, e); !ok { // the executor cannot begin with the form
				s.Switch(r, int(r.Of))
				ref.Op, ok = s.First(r, e)
			}
		}
	}
	return ref, ok
}

// load is the work of requests that have begun, shared out evenly.
func (p *dream) load(s *State) (t units.Time) {
	for _, q := range s.Started() {
		m := &s.Models[q.Model]
		t += m.Least() * units.Time(len(m.Ops)-q.issued) / units.Time(len(m.Ops))
	}
	return t / units.Time(len(s.Executors))
}

// form is how a request is to be carried out on an executor: as the largest network that
// would end in time if what has begun were shared out evenly and came first.
func (p *dream) form(s *State, r *Request, e int) int {
	forms := append([]int{int(r.Of)}, s.Models[r.Of].Forms...)
	if r.Deadline == 0 {
		return forms[0]
	}
	load := p.load(s)
	for _, f := range forms {
		if s.Models[f].Allowed(e) && s.Now+load+s.Models[f].Least() <= r.Deadline {
			return f
		}
	}
	return forms[len(forms)-1]
}

func (p *dream) score(s *State, r *Request, op int32, e int) float64 {
	m := &s.Models[r.Model]
	mine := m.at(op, e)
	var time, energy float64
	n := 0
	for _, i := range m.places {
		if c := m.at(op, i); c.Can {
			time, energy, n = time+float64(c.Time), energy+c.Energy, n+1
		}
	}
	urgency := 0.0
	if r.Deadline > 0 {
		slack := math.Max(float64(int64(r.Deadline)-int64(s.Now)), float64(units.Microsecond))
		urgency = p.left(s, r) / slack
	}
	preference := time / math.Max(float64(mine.Time), 1)
	since, ok := p.last[r.ID]
	if !ok {
		since = r.Arrival
	}
	waiting := float64(s.Now-min(since, s.Now)) / math.Max(time/float64(n), 1)
	thrift := 0.0
	if mine.Energy > 0 {
		thrift = energy / mine.Energy
	}
	if s.Executors[e].Last != r.Model {
		thrift--
	}
	return urgency*preference + p.tune.at[0]*waiting + p.tune.at[1]*thrift
}

// left is the time of the operators of a request that are not issued, as the mean over
// the executors that can carry out all of it.
func (p *dream) left(s *State, r *Request) float64 {
	m := &s.Models[r.Model]
	sum, n := 0.0, 0
	for e := range s.Executors {
		if t, ok := m.Whole(e); ok {
			sum, n = sum+float64(t), n+1
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n) * float64(len(m.Ops)-r.issued) / float64(len(m.Ops))
}

// Hopeless implements Dropper.
func (p *dream) Hopeless(s *State, r *Request) bool {
	if !p.Drop || r.Deadline == 0 {
		return false
	}
	least := s.Models[r.Of].Least()
	if f := s.Models[r.Of].Forms; p.Switch && len(f) > 0 {
		least = s.Models[f[len(f)-1]].Least() + p.load(s)
	}
	return s.Now+least > r.Deadline
}

// Ended implements Observer: the search sees what a window of requests came to.
func (p *dream) Ended(s *State, r *Request) {
	delete(p.last, r.ID)
	if !p.Search {
		return
	}
	m := &s.Models[r.Of]
	worst := 0.0
	for e := range s.Executors {
		if m.Allowed(e) {
			worst = max(worst, m.Energy(e))
		}
	}
	p.tune.see(r.Missed(), r.Energy, worst, p.Window)
}

// A tuner walks over the two weights: it tries a step from the best point so far in one
// direction after the other, each for a window of requests, keeps what costs less, and
// halves the step when none of the four directions does.
type tuner struct {
	at, best        [2]float64
	cost            float64 // of the best point; 0: not known yet
	step            float64
	direction       int
	failed          int
	requests        int
	missed          float64
	energy, highest float64
}

func (t *tuner) see(missed bool, energy, worst float64, window int) {
	t.requests++
	if missed {
		t.missed++
	}
	t.energy += energy
	t.highest += worst
	if t.requests < window {
		return
	}
	cost := max(t.missed, 0.5) / float64(t.requests)
	if t.highest > 0 {
		cost *= max(t.energy, t.highest*1e-3) / t.highest
	}
	t.requests, t.missed, t.energy, t.highest = 0, 0, 0, 0
	switch {
	case t.cost == 0 || cost < t.cost:
		t.cost, t.best, t.failed = cost, t.at, 0
	default:
		t.direction, t.failed = (t.direction+1)%4, t.failed+1
		if t.failed == 4 {
			t.step, t.failed = t.step/2, 0
		}
	}
	t.at = t.best
	t.at[t.direction/2] = max(0, t.at[t.direction/2]+t.step*float64(1-2*(t.direction%2)))
}

func init() {
	Policies.Add(registry.Entry[NewPolicy]{
		Name: "dream", Doc: "The request with the highest score of urgency, preference of the executor, waiting and energy; the weights of the last two are searched while the run goes on.",
		Source: "after Kim et al., DREAM, ASPLOS 2023, doi 10.1145/3623278.3624753 (no code is public: our reading of the score and of when a smaller network will do)",
		Spec:   Dream{Starvation: 0.5, Energy: 0.5, Search: true, Window: 20, Drop: true},
		New: func(spec any) Policy {
			d := spec.(Dream)
			start := [2]float64{d.Starvation, d.Energy}
			return &dream{Dream: d, last: map[int32]units.Time{}, tune: tuner{at: start, best: start, step: 0.5}}
		},
	})
}
