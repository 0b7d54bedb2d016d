package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/schedule"
	"github.com/causeway-sim/causeway/workloads/schedule/assign"
)

// assign leaves each operator of the workloads only the executors that the section
// mapping.assign gives it.
func (a *Assignment) assign(j *Job, loads []work.Workload) error {
	at := a.Doc.Root.Get("mapping").Get("assign")
	if !at.Exists() {
		return nil
	}
	if a.Teams() {
		return at.Errorf(nil, "has no effect with mapping.split: all cores share every operator")
	}
	spec := a.Spec.Assign
	names := j.computing()
	problems := make([]*assign.Problem, len(loads))
	for i := range loads {
		problems[i] = a.problem(j, &loads[i])
	}
	if err := a.applyRules(j, at, problems, names); err != nil {
		return err
	}
	if v := at.Get("like"); spec.Like != "" {
		known := make([]string, len(loads))
		for i := range loads {
			known[i] = loads[i].Name
		}
		if !slices.Contains(known, spec.Like) {
			return v.Errorf(known, "unknown workload %q", spec.Like)
		}
		if spec.Search == "" || spec.Search == assign.ByPolicy {
			return v.Errorf(nil, "has no effect without a search")
		}
	}
	if err := a.search(j, at, loads, problems, names); err != nil {
		return err
	}
	for i := range loads {
		restrict(&loads[i], problems[i], j.Scheduler.Executors())
	}
	return nil
}

// computing are the names of the executors of the schedule, as a Problem numbers them.
func (j *Job) computing() (out []string) {
	for _, x := range j.Scheduler.Executors() {
		out = append(out, x.Name())
	}
	return out
}

// problem is a workload as a search sees it: pieces of one operator are one.
func (a *Assignment) problem(s *Job, w *work.Workload) *assign.Problem {
	executors := s.Scheduler.Executors()
	p := &assign.Problem{Executors: len(executors), Objective: a.Spec.Assign.Objective, Handover: a.Spec.Assign.Handover}
	after := work.AfterAll(w.Graph, w.Jobs, w.Before)
	at := wholes(w)
	for i, j := range w.Jobs {
		op := &w.Graph.Ops[j.Op]
		if at[i] == len(p.Ops) {
			o := assign.Operator{Name: op.Name, Type: op.Kind.Type(), Class: op.Kind.Type(), Cost: make([]schedule.Cost, len(executors))}
			if w.Source != nil {
				o.Name = w.Source[j.Op].Name
			}
			if c, ok := op.Kind.(graph.Conv); ok && c.Groups > 1 {
				o.Class = "grouped conv"
			}
			p.Ops = append(p.Ops, o)
		}
		o := &p.Ops[at[i]]
		if len(op.In) > 0 && op.In[0] != graph.None {
			o.Input += w.Graph.Tensor(op.In[0]).Bytes()
		}
		for _, b := range after[i] {
			if k := int32(at[b]); int(k) < at[i] && !slices.Contains(o.After, k) {
				o.After = append(o.After, k)
			}
		}
		for _, place := range w.On {
			if job := place.Job[i]; job >= 0 {
				c := place.Plan(w.ID, int(job))
				k := &o.Cost[slices.Index(executors, place.Executor)]
				k.Can, k.Time, k.Energy = true, k.Time+c.Time, k.Energy+c.Energy
			}
		}
	}
	return p
}

// wholes is, by job, the number of the operator that it is a piece of, in the order of
// first pieces.
func wholes(w *work.Workload) []int {
	out, number := make([]int, len(w.Jobs)), map[int]int{}
	for i, j := range w.Jobs {
		source := j.Op
		if w.Source != nil {
			source = w.Source[j.Op].Op
		}
		n, ok := number[source]
		if !ok {
			n = len(number)
			number[source] = n
		}
		out[i] = n
	}
	return out
}

// applyRules takes away the executors that a rule does not name.
func (a *Assignment) applyRules(j *Job, at configs.Value, problems []*assign.Problem, names []string) error {
	var errs configs.Errors
	for k := range a.Spec.Assign.Rules {
		r, v := &a.Spec.Assign.Rules[k], at.Get("rules").Items()[k]
		keep, err := a.coresOfRule(j, r, v, names)
		errs.Add(err)
		if r.Below > 0 && r.Below <= r.From {
			errs.Add(v.Get("below").Errorf(nil, "is %s, and from is %s: no operand has as many bytes", r.Below, r.From))
			continue
		}
		used := false
		for _, p := range problems {
			for i := range p.Ops {
				op := &p.Ops[i]
				if !r.Matches(op) || slices.ContainsFunc(a.Spec.Assign.Rules[:k], func(r assign.Rule) bool { return r.Matches(op) }) {
					continue
				}
				used = true
				if err == nil {
					errs.Add(keepOnly(op, keep, v.Get("core")))
				}
			}
		}
		if !used {
			errs.Add(unmatched(r, v, problems))
		}
	}
	return errs.Err()
}

// coresOfRule are the executors that a rule names.
func (a *Assignment) coresOfRule(j *Job, r *assign.Rule, v configs.Value, names []string) ([]bool, error) {
	if r.Core == "" {
		return nil, v.Errorf(names, "a rule has no core")
	}
	idx, err := a.Pick(v.Get("core"), r.Core)
	if err != nil {
		return nil, err
	}
	keep := make([]bool, len(names))
	for _, w := range idx {
		e := slices.Index(names, a.Workers[w].Name())
		if e < 0 {
			return nil, v.Get("core").Errorf(names, "%s is not linked to %s", a.Workers[w].Name(), j.Node.Name())
		}
		keep[e] = true
	}
	return keep, nil
}

// keepOnly leaves an operator the executors of a rule.
func keepOnly(op *assign.Operator, keep []bool, at configs.Value) error {
	any := false
	for e := range op.Cost {
		op.Cost[e].Can = op.Cost[e].Can && keep[e]
		any = any || op.Cost[e].Can
	}
	if !any {
		return at.Errorf(nil, "%s cannot carry out %s (cores of a workload say where it may run)", at.Text(), op.Name)
	}
	return nil
}

// unmatched is the error of a rule without a matching operator, with the place of the key that no
// operator matches.
func unmatched(r *assign.Rule, v configs.Value, problems []*assign.Problem) error {
	var names, types []string
	for _, p := range problems {
		for i := range p.Ops {
			names, types = append(names, p.Ops[i].Name), append(types, p.Ops[i].Type)
		}
	}
	slices.Sort(names)
	slices.Sort(types)
	names, types = slices.Compact(names), slices.Compact(types)
	if r.Type != "" && !slices.Contains(types, r.Type) {
		return v.Get("type").Errorf(types, "no operator of type %q", r.Type)
	}
	if named := (assign.Rule{Match: r.Match}); r.Match != "" && !slices.ContainsFunc(names, func(n string) bool { return named.Matches(&assign.Operator{Name: n}) }) {
		return v.Get("match").Errorf(names, "no operator %q", r.Match)
	}
	return v.Errorf(nil, "is for no operator: none is left by the rules before it, or none has an operand of that size")
}

// search chooses one executor for each operator.
func (a *Assignment) search(s *Job, at configs.Value, loads []work.Workload, problems []*assign.Problem, names []string) error {
	spec := a.Spec.Assign
	if spec.Search == "" && at.Get("search").Exists() {
		return nil // the section is wrong, as was said where it was read
	}
	if spec.Search == "" || spec.Search == assign.ByPolicy {
		for _, key := range []string{"objective", "handover"} {
			if v := at.Get(key); v.Exists() {
				return v.Errorf(nil, "has no effect: %s decides as the run goes on (want search: dp)", s.Node.Name())
			}
		}
		return nil
	}
	var limits assign.Limits
	if spec.Search == assign.ByInput {
		learn := problems
		if i := slices.IndexFunc(loads, func(w work.Workload) bool { return w.Name == spec.Like }); i >= 0 {
			learn = problems[i : i+1]
		}
		limits = assign.Fit(learn)
		var texts []string
		for _, l := range limits {
			texts = append(texts, l.Text(names))
		}
		a.Notes = append(a.Notes, "mapping.assign by input size: "+strings.Join(texts, "; "))
	}
	follow := map[string]int{} // by operator of the workload that others are like
	order := make([]int, len(loads))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return b2i(loads[j].Name == spec.Like) - b2i(loads[i].Name == spec.Like) })
	for _, i := range order {
		p := problems[i]
		on, err := choose(spec.Search, limits, p)
		if err != nil {
			return at.Get("search").Errorf(nil, "%s %v", loads[i].Name, err)
		}
		for k, e := range on {
			op := &p.Ops[k]
			if spec.Like == loads[i].Name {
				follow[op.Name] = e
			} else if f, ok := follow[op.Name]; ok && op.Cost[f].Can && spec.Search != assign.ByInput {
				e = f
			}
			for c := range op.Cost {
				op.Cost[c].Can = c == e
			}
		}
	}
	return nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func choose(search string, limits assign.Limits, p *assign.Problem) ([]int, error) {
	switch search {
	case assign.ByGreedy:
		return p.Greedy(), nil
	case assign.ByDynamic:
		return p.Dynamic(), nil
	case assign.ByAll:
		return p.Exhaustive()
	case assign.ByInput:
		return limits.Apply(p), nil
	}
	return nil, fmt.Errorf("is not searched by %q", search)
}

// restrict takes the operators from the executors that must not have them.
func restrict(w *work.Workload, p *assign.Problem, executors []work.Executor) {
	at := wholes(w)
	for k := range w.On {
		e := slices.Index(executors, w.On[k].Executor)
		for i := range w.Jobs {
			if !p.Ops[at[i]].Cost[e].Can {
				w.On[k].Job[i] = -1
			}
		}
	}
}
