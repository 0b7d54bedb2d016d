package assign

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
)

// Limits is a rule by input size: operators of a class whose first operand has fewer bytes than a
// limit run on one executor, all others on another.
type Limits []Limit

// A Limit is the rule for one class of operators.
type Limit struct {
	Class        string
	Bytes        int64 // of the first operand
	Below, Above int   // executors
}

// rounds is how often Fit looks at each class again.
const rounds = 3

// Fit finds limits with a small sum of the objective over the problems, by local search. It starts
// from the best limits of each class alone, and from all classes on one executor, and improves the
// classes in turn by evaluating whole assignments, with handovers and waiting. An operator that
// its executor cannot run goes to the cheapest executor.
func Fit(problems []*Problem) Limits {
	f := fitter{problems: problems, executors: problems[0].Executors, by: map[string][]*Operator{}}
	for _, p := range problems {
		for i := range p.Ops {
			f.by[p.Ops[i].Class] = append(f.by[p.Ops[i].Class], &p.Ops[i])
		}
	}
	starts := make([]Limits, 1+f.executors)
	for _, name := range slices.Sorted(maps.Keys(f.by)) {
		slices.SortStableFunc(f.by[name], func(a, b *Operator) int { return cmp.Compare(a.Input, b.Input) })
		starts[0] = append(starts[0], f.alone(name))
		for e := range f.executors {
			starts[1+e] = append(starts[1+e], Limit{Class: name, Below: e, Above: e})
		}
	}
	best, least := Limits(nil), -1.0
	for _, l := range starts {
		if sum := f.improve(l); least < 0 || sum < least*(1-1e-12) {
			best, least = l, sum
		}
	}
	return best
}

// A fitter looks for limits.
type fitter struct {
	problems  []*Problem
	executors int
	by        map[string][]*Operator // by class, smallest first
}

// alone is the best limit of a class, operator by operator.
func (f *fitter) alone(class string) (best Limit) {
	p, least := f.problems[0], -1.0
	f.candidates(class, func(c Limit) {
		sum := 0.0
		for _, op := range f.by[class] {
			k := op.Cost[c.of(p, op)]
			sum += p.value(Total{k.Time, k.Energy})
		}
		if least < 0 || sum < least*(1-1e-12) {
			best, least = c, sum
		}
	})
	return best
}

// improve looks at each class in turn, given the limits of the others.
func (f *fitter) improve(l Limits) float64 {
	least := l.sum(f.problems)
	for range rounds {
		before := least
		for k := range l {
			best := l[k]
			f.candidates(best.Class, func(c Limit) {
				l[k] = c
				if sum := l.sum(f.problems); sum < least*(1-1e-12) {
					best, least = c, sum
				}
			})
			l[k] = best
		}
		if least == before {
			break
		}
	}
	return least
}

// sum is that of the objective over the problems.
func (l Limits) sum(problems []*Problem) (sum float64) {
	for _, p := range problems {
		sum += p.value(p.Evaluate(l.Apply(p)))
	}
	return sum
}

// candidates lists the limits that separate operators of a class.
func (f *fitter) candidates(class string, yield func(Limit)) {
	ops := f.by[class]
	for e := range f.executors {
		yield(Limit{Class: class, Below: e, Above: e})
	}
	for cut := 1; cut < len(ops); cut++ {
		if ops[cut].Input == ops[cut-1].Input {
			continue
		}
		at := ops[cut-1].Input + (ops[cut].Input-ops[cut-1].Input+1)/2
		for a := range f.executors {
			for b := range f.executors {
				if a != b {
					yield(Limit{class, at, a, b})
				}
			}
		}
	}
}

// of is the executor of an operator.
func (l *Limit) of(p *Problem, op *Operator) int {
	e := l.Above
	if op.Input < l.Bytes {
		e = l.Below
	}
	if op.Cost[e].Can {
		return e
	}
	best := -1
	for x, c := range op.Cost {
		if c.Can && (best < 0 || p.better(Total{c.Time, c.Energy}, Total{op.Cost[best].Time, op.Cost[best].Energy})) {
			best = x
		}
	}
	return best
}

// Apply assigns the operators of a problem by the rule; operators of other classes go to the
// cheapest executor.
func (l Limits) Apply(p *Problem) []int {
	on := make([]int, len(p.Ops))
	for i := range p.Ops {
		op := &p.Ops[i]
		if at := slices.IndexFunc(l, func(x Limit) bool { return x.Class == op.Class }); at >= 0 {
			on[i] = l[at].of(p, op)
			continue
		}
		for e, c := range op.Cost {
			b := op.Cost[on[i]]
			if c.Can && (!b.Can || p.better(Total{c.Time, c.Energy}, Total{b.Time, b.Energy})) {
				on[i] = e
			}
		}
	}
	return on
}

// Text describes the rule with the names of the executors.
func (l Limit) Text(names []string) string {
	if l.Below == l.Above {
		return fmt.Sprintf("%s to %s", l.Class, names[l.Above])
	}
	return fmt.Sprintf("%s below %s of input to %s, others to %s", l.Class, units.Bytes(l.Bytes), names[l.Below], names[l.Above])
}
