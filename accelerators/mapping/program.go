package mapping

import (
	"errors"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Token stands for a job among those of all cores: what core Core does of operator Op,
// or of micro-batch Part of it.
type Token struct{ Op, Core, Part int32 }

// A Job is one operator, or one core's share of it.
type Job struct {
	Op      int   // index in Graph.Ops
	Fused   []int // operators applied to the results on their way out, in order
	Sums    []int // norms whose statistics are made of the results on their way out
	Part    int32 // micro-batch of a pipeline, else 0
	Plan    *Plan
	After   []*Join // jobs of other cores that must be done before it starts
	Awaited bool    // a job of another core comes after it
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

// Token stands for job i of the program.
func (p *Program) Token(i int) Token {
	j := &p.Jobs[i]
	return Token{int32(j.Op), int32(p.Core), j.Part}
}

// Whole is the program of a core that does all of g by itself and needs no mapping.
func Whole(g *graph.Graph) Program {
	p := Program{Jobs: make([]Job, len(g.Ops))}
	for i := range p.Jobs {
		p.Jobs[i].Op = i
	}
	return p
}

// Split maps every operator of g and shares the work out over cores: one program
// per core. Views and fused operators have no job. All faults are reported
// together.
func Split(g *graph.Graph, cores []machine.Core, spec Spec) ([]Program, error) {
	return NewMapper().Split(g, cores, spec)
}

// Split is Split with what the mapper remembers from before.
func (x *Mapper) Split(g *graph.Graph, cores []machine.Core, spec Spec) ([]Program, error) {
	if err := spec.checkCores(g, cores); err != nil {
		return nil, err
	}
	lays, _, errs := spec.Layout.Arrange(g, spec.block(cores))
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	x.lays = lays
	defer func() { x.lays, x.homes = nil, homes{} }()
	fused, by := x.epilogues(g, cores, spec)
	sums := x.sumsOfNorms(g, cores, fused)
	defer func() { x.norms = nil }()
	all := func(line *pipeline) ([]Program, []draft, error) {
		return x.jobs(g, cores, spec, line, fused, by, sums)
	}
	var line *pipeline
	if spec.Split == "layer" && spec.MicroBatches > 1 && len(cores) > 1 {
		line = x.newPipeline(newSplitter(g, spec.Split, len(cores)), cores, spec, fused, by)
	}
	whole, drafts, err := all(line)
	if err != nil || len(cores) > 1 || cores[0].OnChip == machine.KeepNone || cores[0].Planner != nil || spec.Objective != "time" || spec.peer() != nil {
		return whole, err
	}
	w := &single{x: x, g: g, cores: cores, spec: spec, fused: fused, by: by, jobs: all, known: map[walkKey]int64{}}
	return []Program{*w.best(&outline{p: &whole[0], drafts: drafts})}, nil
}

// jobs maps every operator that is not fused to another one, by a pipeline if there is one. Drafts are
// in the order of the jobs.
func (x *Mapper) jobs(g *graph.Graph, cores []machine.Core, spec Spec, line *pipeline, fused [][]int, by []int, sums [][]int) ([]Program, []draft, error) {
	var errs []error
	out := make([]Program, len(cores))
	for c := range out {
		out[c].Core = c
	}
	s := newSplitter(g, spec.Split, len(cores))
	s.line = line
	tok := newJoins(g, out)
	var drafts []draft
	for i := range g.Ops {
		op := &g.Ops[i]
		if by[i] >= 0 {
			continue
		}
		if _, ok := op.Kind.(graph.Transfer); ok {
			continue // for a network interface
		}
		if k, ok := op.Kind.(graph.Move); ok && k.Elements == 0 {
			tok.view(op)
			continue
		}
		portions, extra := x.portions(s, i, cores, spec, opsOf(g, fused[i])), opsOf(g, fused[i])
		plans, err := x.planAll(op, g, cores, spec, portions, extra)
		if err != nil {
			errs = append(errs, err)
		}
		made := portions[:0]
		for k, p := range plans {
			q := portions[k]
			if p.Steps == 0 {
				continue
			}
			made = append(made, q)
			out[q.core].Scratch = max(out[q.core].Scratch, p.Scratch)
			drafts = append(drafts, draft{Job{Op: i, Fused: fused[i], Sums: sums[i], Part: int32(q.micro()), Plan: p, Local: q.local && !q.pipelined}, q})
		}
		tok.made(i, fused[i], made)
	}
	if errs != nil {
		return nil, nil, errors.Join(errs...)
	}
	if s.line != nil {
		s.line.arrange(drafts)
	}
	tok.order(drafts)
	keepResults(g, out, cores, line != nil && line.sliced)
	return out, drafts, nil
}

// checkCores refuses what cannot be mapped onto these cores.
func (s *Spec) checkCores(g *graph.Graph, cores []machine.Core) error {
	if len(cores) == 0 {
		return errors.New("mapping: no cores to map onto")
	}
	if errs := s.check(g, len(cores)); errs != nil {
		return errors.Join(errs...)
	}
	for c := range cores {
		if err := cores[c].Rates.Lacks(g); err != nil {
			return err
		}
	}
	return nil
}

// A draft is a job before it is known whom it waits for.
type draft struct {
	job Job
	q   portion
}

func opsOf(g *graph.Graph, ids []int) (out []*graph.Op) {
	for _, f := range ids {
		out = append(out, &g.Ops[f])
	}
	return out
}

// portions shares out operator i: those that have something to do.
func (x *Mapper) portions(s *splitter, i int, cores []machine.Core, spec Spec, extra []*graph.Op) []portion {
	var all []portion
	dealt := false
	if rules := spec.peer(); rules != nil {
		all, dealt = x.deal(s, i, cores, rules)
	}
	switch op := &s.g.Ops[i]; {
	case dealt:
	case s.line != nil:
		all = s.line.portions(i)
	case spec.Split == "auto" && s.cores > 1 && product.OnArray(op):
		all = x.share(s, i, cores, spec, extra)
	case spec.Split == "auto" && s.cores > 1:
		all = x.shareVector(s.g, op, cores)
	default:
		all = s.portions(i)
		for c := range all {
			all[c].core, all[c].part = c, c
		}
	}
	all = slices.DeleteFunc(all, func(q portion) bool { return q.none() })
	for i := range all {
		all[i].together = min(len(all), len(cores))
		if spec.Split == "layer" && s.line == nil {
			all[i].together = 1
		} else if s.line != nil {
			all[i].together = s.cores
		}
	}
	return all
}

// planAll maps what all cores do of an operator; the first error is what all would say. Cores that fetch
// together what they share run in step, with the tiles of the slowest of them. Where those do not fit a core, or
// a rule fixes others, or that is faster, each fetches for itself.
func (x *Mapper) planAll(op *graph.Op, g *graph.Graph, cores []machine.Core, spec Spec, portions []portion, extra []*graph.Op) ([]*Plan, error) {
	plans, err := x.planEach(op, g, cores, spec, portions, extra)
	if err != nil || inStep(plans, portions) {
		return plans, err
	}
	together, apart := slices.Clone(portions), portions
	for i := range together {
		if rule := spec.ruleFor(op.Name, together[i].core); rule.fixesNothing() {
			p := slowest(plans, portions, together[i].sh.Batch)
			together[i].tile, together[i].order = p.Tile, p.Order
		}
	}
	for i := range apart {
		apart[i].sh.Fetches = [2]dma.Fetch{}
	}
	alone, err := x.planEach(op, g, cores, spec, apart, extra)
	if plans, e := x.planEach(op, g, cores, spec, together, extra); e == nil && inStep(plans, together) && (err != nil || longestTime(plans) <= longestTime(alone)) {
		copy(portions, together)
		return plans, nil
	}
	return alone, err
}

// planEach maps each portion by itself.
func (x *Mapper) planEach(op *graph.Op, g *graph.Graph, cores []machine.Core, spec Spec, portions []portion, extra []*graph.Op) (plans []*Plan, err error) {
	for i := range portions {
		p, err := x.planPortion(op, g, cores, spec, &portions[i], extra)
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// slowest is the plan that takes longest of those for the same products, which share operands.
func slowest(plans []*Plan, portions []portion, products product.Part) (most *Plan) {
	for i, p := range plans {
		if portions[i].sh.Batch == products && (most == nil || p.Time > most.Time) {
			most = p
		}
	}
	return most
}

// longestTime is that of the plan that takes longest.
func longestTime(plans []*Plan) (n int64) {
	for _, p := range plans {
		n = max(n, p.Time)
	}
	return n
}

// inStep reports whether no plans that fetch together differ in their tiles or the order of these.
func inStep(plans []*Plan, portions []portion) bool {
	first := map[product.Part]*Plan{}
	for i, p := range plans {
		if !p.Multicast() {
			continue
		}
		products := portions[i].sh.Batch
		if f, ok := first[products]; ok && (p.Tile != f.Tile || p.Order != f.Order) {
			return false
		}
		first[products] = p
	}
	return true
}

// planPortion maps what one core does of an operator. Cores that work at the same
// time share the bandwidth of their memory.
func (x *Mapper) planPortion(op *graph.Op, g *graph.Graph, cores []machine.Core, spec Spec, q *portion, extra []*graph.Op) (*Plan, error) {
	core := cores[q.core]
	core.Memory = core.Memory.Shared(min(q.together, x.sharers(cores, core.Memory.Home)))
	if product.OnArray(op) {
		return x.plan(op, g, core, spec.Objective, q.within(spec.ruleFor(op.Name, q.core)), &q.sh, extra)
	}
	return x.stream(op, g, core, q.cut, q.of)
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
func keeps(cores []machine.Core) bool {
	return !slices.ContainsFunc(cores, func(c machine.Core) bool { return c.OnChip == machine.KeepNone })
}
