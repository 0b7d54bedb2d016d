package mapping

import (
	"errors"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Token is what cores tell each other: core Core has done its share of
// operator Op.
type Token struct{ Op, Core int32 }

// A Job is one operator, or one core's share of it.
type Job struct {
	Op      int   // index in Graph.Ops
	Fused   []int // operators applied to the results on their way out, in order
	Plan    *Plan
	Waits   []Token // must have been signalled before the job starts
	Signals []Token // given when the last store of the job is answered
	Local   bool    // a part that reads nothing which another core's part of a job wrote
}

// All is the operator and those fused to it, in order.
func (j *Job) All() []int { return append([]int{j.Op}, j.Fused...) }

// A Program is what one core does, job after job.
type Program struct {
	Core      int // position among the cores
	Jobs      []Job
	Scratch   int64      // bytes of scratch memory the core needs for spilled partial sums
	Residents *Residents // what stays on the chip; nil: nothing
}

// Split maps every operator of g and shares the work out over cores: one program
// per core. Views and fused operators have no job. All faults are reported
// together.
func Split(g *graph.Graph, cores []Core, spec Spec) ([]Program, error) {
	return NewMapper().Split(g, cores, spec)
}

// Split is Split with what the mapper remembers from before.
func (x *Mapper) Split(g *graph.Graph, cores []Core, spec Spec) ([]Program, error) {
	if len(cores) == 0 {
		return nil, errors.New("mapping: no cores to map onto")
	}
	if errs := spec.check(g, len(cores)); errs != nil {
		return nil, errors.Join(errs...)
	}
	out := make([]Program, len(cores))
	for c := range out {
		out[c].Core = c
	}
	s := newSplitter(g, spec.Split, len(cores))
	fused, by := fusible(g, spec.Fuse, keeps(cores))
	tok := newTokens(g, out)
	var errs []error
	for i := range g.Ops {
		op := &g.Ops[i]
		if by[i] >= 0 {
			continue
		}
		if k, ok := op.Kind.(graph.Move); ok && k.Elements == 0 {
			tok.view(op)
			continue
		}
		var extra []*graph.Op
		for _, f := range fused[i] {
			extra = append(extra, &g.Ops[f])
		}
		portions := s.portions(i)
		for c := range portions {
			q := &portions[c]
			if q.none() {
				continue
			}
			var p *Plan
			var err error
			if onArray(op) {
				p, err = x.plan(op, g, cores[c], spec.Objective, spec.ruleFor(op.Name, c), &q.sh, extra)
			} else {
				p, err = x.stream(op, g, cores[c], q.cut, q.of)
			}
			if err != nil {
				errs = append(errs, err)
				break // the other cores would say the same
			}
			if p.Steps == 0 {
				q.of = 0
				continue
			}
			out[c].Scratch = max(out[c].Scratch, p.Scratch)
			out[c].Jobs = append(out[c].Jobs, Job{Op: i, Fused: fused[i], Plan: p, Waits: tok.waits(inputs(op, extra), c, q.local), Local: q.local})
		}
		tok.made(i, fused[i], portions)
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	tok.signals()
	keepResults(g, out, cores)
	return out, nil
}

// tokens finds out which core waits for whom: a job waits for all shares of the
// operators that made its inputs, other than its own.
type tokens struct {
	g    *graph.Graph
	out  []Program
	by   [][]maker      // of each tensor
	seen [][]int        // [waiter][core]: the last operator of core waited for, so all before
	told map[Token]bool // somebody waits
}

type maker struct {
	op, core int
	local    bool
}

func newTokens(g *graph.Graph, out []Program) *tokens {
	t := &tokens{g: g, out: out, by: make([][]maker, len(g.Tensors)), told: map[Token]bool{}}
	for range out {
		s := make([]int, len(out))
		for i := range s {
			s[i] = -1
		}
		t.seen = append(t.seen, s)
	}
	return t
}

// view hands the makers of the operand on to the results.
func (t *tokens) view(op *graph.Op) {
	for _, id := range op.Out {
		t.by[id] = append(t.by[id], t.by[op.In[0]]...)
	}
}

// made notes who wrote the results of operator i.
func (t *tokens) made(i int, fused []int, portions []portion) {
	if len(t.out) == 1 {
		return
	}
	ids := t.g.Ops[i].Out
	if len(fused) > 0 {
		ids = t.g.Ops[fused[len(fused)-1]].Out
	}
	for _, id := range ids {
		for c := range portions {
			if !portions[c].none() {
				t.by[id] = append(t.by[id], maker{i, c, portions[c].local})
			}
		}
	}
}

// inputs is what an operator and those fused into it read.
func inputs(op *graph.Op, fused []*graph.Op) []graph.TensorID {
	in := op.In
	for _, f := range fused {
		in = append(slices.Clip(in), f.In...)
	}
	return in
}

// keeps reports whether all cores keep results on the chip.
func keeps(cores []Core) bool {
	return !slices.ContainsFunc(cores, func(c Core) bool { return c.OnChip == KeepNone })
}

// waits lists the tokens that core needs for an operator that reads in, the latest of each other core:
// a core gives its tokens in the order of the operators.
func (t *tokens) waits(in []graph.TensorID, core int, local bool) (out []Token) {
	need := make([]int, len(t.out))
	for c := range need {
		need[c] = -1
	}
	for _, id := range in {
		if id == graph.None {
			continue
		}
		for _, m := range t.by[id] {
			if m.core != core && !(local && m.local) {
				need[m.core] = max(need[m.core], m.op)
			}
		}
	}
	for c, o := range need {
		if o > t.seen[core][c] {
			t.seen[core][c] = o
			k := Token{int32(o), int32(c)}
			t.told[k] = true
			out = append(out, k)
		}
	}
	return out
}

// signals tells each job that somebody waits for to say so.
func (t *tokens) signals() {
	for c := range t.out {
		for j := range t.out[c].Jobs {
			job := &t.out[c].Jobs[j]
			if k := (Token{int32(job.Op), int32(c)}); t.told[k] {
				job.Signals = append(slices.Clip(job.Signals), k)
			}
		}
	}
}
