package schedule

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
)

// Values of Options.Grain.
const (
	ByModel    = "model"
	ByOperator = "operator"
)

// Options of a State.
type Options struct {
	Grain string // ByModel or ByOperator
	Ahead int    // most operators of an executor, including the one in progress
	// Batching of requests of one model.
	Batching Batching
}

// DefaultOptions assigns whole models, with one operator waiting at each executor.
func DefaultOptions() Options { return Options{Grain: ByModel, Ahead: 2} }

// A Ref names an operator of a request.
type Ref struct{ Request, Op int32 }

// A Request is one execution of a model.
type Request struct {
	ID       int32 // in the order of arrival
	Nth      int32 // among those of its model
	Model    int32 // that is carried out
	Of       int32 // that it was requested as; differs from Model if a smaller form runs
	Arrival  units.Time
	Deadline units.Time // absolute; 0: none
	Begin    units.Time // of its first operator; valid once Begun
	End      units.Time // of its last one, or when it was dropped; valid once Finished or Dropped
	Executor int        // that it is bound to; -1: none
	Revoked  int        // operators that were revoked
	Energy   float64    // pJ of the operators that are done, by their costs
	Dropped  bool       // it was dropped before it began

	begun     bool
	done      int
	issued    int        // issued or done
	given     units.Time // cost of the operators that are issued or done, where they were issued
	missing   []int32    // by operator: of those it waits for, how many are not issued, or not done where nothing goes early
	state     []state
	on        []int16  // by operator: the executor it was issued to
	candidate []int32  // ascending: not issued, and nothing is missing
	listed    []uint64 // executors that have it in a list of State.lists
}

type state uint8

const (
	waiting state = iota
	issued
	revoking // issued, and asked for
	finished
)

// Begun reports whether an operator of the request has begun.
func (r *Request) Begun() bool { return r.begun }

// Finished reports whether all operators are done.
func (r *Request) Finished() bool { return r.state == nil && !r.Dropped }

// Missed reports whether a request was dropped, or ended after its deadline.
func (r *Request) Missed() bool { return r.Dropped || r.Deadline > 0 && r.End > r.Deadline }

// An Executor is the state of an executor that a policy may use.
type Executor struct {
	Name  string
	Queue []Ref      // issued and not done, in order
	Free  units.Time // when all of them will be done, by their costs
	Last  int32      // model of the operator it got last; -1: none
	left  int32      // request of that
	costs units.Time // of Queue
	Busy  units.Time // time with an operator in progress, up to the last one done
	// Concurrent is set if it begins every operator at once, as a network interface does. It has
	// no limit of operators. An operator is issued to it when its dependencies are done.
	Concurrent bool
	// Team is set if it stands for several executors that each do a part of every operator, and
	// may end operators in different orders. An operator is issued to it when its dependencies are
	// done.
	Team  bool
	spans spans // with Team: what Busy is of, since the queue was empty
}

// early reports whether an executor may get an operator that reads what another in its
// queue will make.
func (x *Executor) early() bool { return !x.Concurrent && !x.Team }

// kind is 1 of an executor that is Concurrent.
func (x *Executor) kind() int {
	if x.Concurrent {
		return 1
	}
	return 0
}

// State is what has been issued and done.
type State struct {
	Models    []Model
	Executors []Executor
	Now       units.Time

	options  Options
	batches  *batcher // nil: none
	policy   Policy
	requests []*Request
	order    []int // executors as they are asked
	revoke   []Issue
	live     int
	atWork   [2]int  // executors with a queue: those that are Concurrent are the second
	more     int     // operators, see More
	count    []int32 // requests by model
	// Requests with operators that are not issued, by ID: those of which some are, and
	// those of which none is, by model.
	started []*Request
	fresh   [][]*Request
	begun   [][]*Request // as started, by model that they were made of
	some    []*Request   // of Candidates
	marks   marks        // executors to be asked, with a Steady policy
	on      [][]int32    // by executor: models of which it may work on one
	byModel [][]*Request
	lists   *readyLists // nil: no policy has asked
	periods *periods    // nil: operators go by what they wait for alone
}

// An Issue is an operator to issue to an executor, or to revoke from it.
type Issue struct {
	Ref
	Executor int
	// Switch is set if the executor interrupts a request of another model for it.
	Switch bool
}

// New checks the models and returns a state without requests.
func New(models []Model, executors []string, p Policy, o Options) (*State, error) {
	if o.Ahead < 1 {
		return nil, fmt.Errorf("%d operators ahead (want 1 or more)", o.Ahead)
	}
	if o.Grain != ByModel && o.Grain != ByOperator {
		return nil, fmt.Errorf("grain %q (want one of: %s, %s)", o.Grain, ByModel, ByOperator)
	}
	s := &State{Models: models, policy: p, options: o, count: make([]int32, len(models)), fresh: make([][]*Request, len(models)), begun: make([][]*Request, len(models)), byModel: make([][]*Request, len(models))}
	for i, name := range executors {
		s.Executors = append(s.Executors, Executor{Name: name, Last: -1})
		s.order = append(s.order, i)
	}
	for i := range models {
		for _, f := range models[i].After {
			if f < 0 || f >= len(models) || f == i {
				return nil, fmt.Errorf("%s comes after model %d of %d", models[i].Name, f, len(models))
			}
		}
		for _, f := range models[i].Forms {
			if f < 0 || f >= len(models) || f == i || o.Batching.On() {
				return nil, fmt.Errorf("%s has model %d of %d as a form (without batching)", models[i].Name, f, len(models))
			}
		}
		if err := models[i].prepare(len(executors), o.Grain == ByModel); err != nil {
			return nil, err
		}
	}
	s.settleModels()
	if o.Batching.On() {
		var err error
		if s.batches, err = newBatcher(s, o.Batching); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Set replaces model i, which has no live request, or appends a model. Node kind serve makes
// models during the run.
func (s *State) Set(i int, m Model) error {
	if len(m.After) > 0 {
		return fmt.Errorf("%s comes after another model, and is made while time goes on", m.Name)
	}
	if err := m.prepare(len(s.Executors), s.options.Grain == ByModel); err != nil {
		return err
	}
	if i == len(s.Models) {
		s.Models, s.count = append(s.Models, m), append(s.count, 0)
		s.fresh, s.begun, s.byModel = append(s.fresh, nil), append(s.begun, nil), append(s.byModel, nil)
		s.settleModels()
		return nil
	}
	if slices.ContainsFunc(s.byModel[i], func(r *Request) bool { return !r.Finished() && !r.Dropped }) {
		return fmt.Errorf("%s is to take the place of %s, which has requests", m.Name, s.Models[i].Name)
	}
	s.Models[i], s.byModel[i] = m, nil
	s.settleModels()
	return nil
}

// Candidates returns the requests among which a policy chooses, in the order of arrival: those
// that are partly issued, and of each model the oldest with none issued. The list is valid until
// the next call.
func (s *State) Candidates() []*Request {
	s.some = append(s.some[:0], s.started...)
	for _, f := range s.fresh {
		if len(f) > 0 {
			s.some = append(s.some, f[0])
		}
	}
	slices.SortFunc(s.some, byArrival)
	return s.some
}

// Started returns the candidates with issued operators.
func (s *State) Started() []*Request { return s.started }

// Open is the number of requests with operators that are not issued.
func (s *State) Open() int {
	n := len(s.started)
	for _, f := range s.fresh {
		n += len(f)
	}
	return n
}

// Arrived is the number of requests so far.
func (s *State) Arrived() int { return len(s.requests) }

// Request is the request with that ID.
func (s *State) Request(id int32) *Request { return s.requests[id] }

// AtWork returns the number of executors with unfinished operators: sequential ones and Concurrent
// ones.
func (s *State) AtWork() (ordered, concurrent int) { return s.atWork[0], s.atWork[1] }

// Live is the number of requests that have arrived and are not finished.
func (s *State) Live() int { return s.live }

// Arrive adds a request. A model without operators is done at once. Revocations then has the
// operators that the policy revokes for it.
func (s *State) Arrive(now units.Time, model int) *Request {
	return s.ArriveAs(now, model, s.count[model])
}

// ArriveAs is like Arrive with the number nth of the request within its model, which decides on
// Model.After. Numbers ascend and may have gaps.
func (s *State) ArriveAs(now units.Time, model int, nth int32) *Request {
	s.Now = now
	s.touch()
	m := &s.Models[model]
	r := &Request{ID: int32(len(s.requests)), Nth: nth, Model: int32(model), Of: int32(model), Arrival: now, Executor: -1}
	s.count[model] = nth + 1
	if m.Deadline > 0 {
		r.Deadline = now + m.Deadline
	}
	s.requests = append(s.requests, r)
	s.byModel[model] = append(s.byModel[model], r)
	if len(m.Ops) == 0 {
		r.Begin, r.End, r.begun = now, now, true
		return r
	}
	s.live++
	r.open(m)
	s.fresh[model] = append(s.fresh[model], r)
	s.wake(r)
	s.periods.add(m)
	if p, ok := s.policy.(Preemptor); ok {
		s.preempt(p, r)
	}
	return r
}

// open makes all operators of a model those that the request has to do.
func (r *Request) open(m *Model) {
	r.missing, r.state, r.on = make([]int32, len(m.Ops)), make([]state, len(m.Ops)), make([]int16, len(m.Ops))
	r.candidate = r.candidate[:0]
	for i := range m.Ops {
		if r.missing[i] = int32(len(m.Ops[i].After)); r.missing[i] == 0 {
			r.candidate = append(r.candidate, int32(i))
		}
	}
}

// Switch replaces the model of a request without issued operators by one of its Forms. A policy
// calls it in Next before it returns an operator of the request.
func (s *State) Switch(r *Request, form int) {
	if r.issued > 0 || int32(form) != r.Of && !slices.Contains(s.Models[r.Of].Forms, form) {
		panic(fmt.Sprintf("schedule: request %d of %s is switched to %s, which it may not be", r.ID, s.Models[r.Of].Name, s.Models[form].Name))
	}
	s.more += len(s.Models[form].Ops) - len(s.Models[r.Model].Ops)
	r.Model = int32(form)
	r.open(&s.Models[form])
	s.wake(r)
}

// More returns the number of operators added by Switch since the last call.
func (s *State) More() (n int) {
	n, s.more = s.more, 0
	return n
}

// preempt revokes operators in favour of r. The head of a queue is in progress, or about to be.
func (s *State) preempt(p Preemptor, r *Request) {
	for e := range s.Executors {
		q := s.Executors[e].Queue
		if !s.Models[r.Model].Allowed(e) || !s.Executors[e].early() {
			continue
		}
		for i := len(q) - 1; i > 0; i-- {
			x := s.requests[q[i].Request]
			if x.state[q[i].Op] == issued && p.Yields(s, x, r) {
				x.state[q[i].Op] = revoking
				s.revoke = append(s.revoke, Issue{Ref: q[i], Executor: e})
			}
		}
	}
}

// Revocations returns the operators to revoke since the last call. The caller then calls Revoked
// for each, or Done if it had begun.
func (s *State) Revocations() []Issue {
	out := s.revoke
	s.revoke = nil
	return out
}

// First returns the first operator of a request that may be issued to executor e now.
//
// With batching it is the next operator of the batch of that executor, for the first request of
// the batch.
func (s *State) First(r *Request, e int) (op int32, ok bool) {
	m := &s.Models[r.Model]
	if s.batches != nil {
		k, ok := s.batches.pick(r.Model, e)
		return k.op, ok && k.members[0] == r
	}
	if !m.allowed[e] || s.options.Grain == ByModel && r.Executor >= 0 && r.Executor != e {
		return 0, false
	}
	if r.issued == 0 && !s.ready(r) {
		return 0, false
	}
next:
	for _, op := range r.candidate {
		if !m.at(op, e).Can || !s.periods.may(m.Ops[op].Period) {
			continue
		}
		for _, a := range m.Ops[op].After {
			if r.state[a] != finished && (!s.Executors[e].early() || r.state[a] != issued || int(r.on[a]) != e) {
				continue next
			}
		}
		return op, true
	}
	return 0, false
}
