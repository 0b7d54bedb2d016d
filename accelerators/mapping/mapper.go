package mapping

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Mapper maps operators and remembers what it found, by shape and core. It is
// for one goroutine.
type Mapper struct {
	memo       map[memoKey]*memoValue
	attentions map[attentionKey]*attentionValue
	walks      map[*solution]int64 // Estimate of products whose epilogue was in question
	asked      memoKey             // of the mapping that was asked for last
	grids      map[gridKey]division
	cuts       cuts
	lays       []lay               // of the tensors of the graph that is split; nil: all in rows
	norms      map[*graph.Op]int64 // vector operations more or less, see norms
	homes      homes               // of the cores that were asked for last
	spare      []portion           // that no grid of divide has
	coarse     bool                // searches go through the coarse grid alone: of slices, and for what stays
	trial      bool                // searches are for the comparison of grids alone
	stays      []bool              // by tensor: those that stay on the chip; nil: none is known to
}

// lies is how a tensor lies in memory.
func (x *Mapper) lies(id graph.TensorID) lay {
	if x.lays == nil || id == graph.None {
		return lay{}
	}
	return x.lays[id]
}

// A memoKey is all that a mapping depends on: what the search and the walk of its steps read.
type memoKey struct {
	s      shape
	h      machine
	w      fixedChoice
	goal   goal
	gemv   int
	full   fullSize
	sum    int64 // cores that make parts of the sum
	coarse bool  // the search goes through the coarse grid alone
	trial  bool  // the same, on the whole array, and no neighbours are looked at
}

type memoValue struct {
	s   shape
	sol solution
	h   machine // that it is for
	err error
}

// NewMapper returns a mapper that remembers nothing yet.
func NewMapper() *Mapper {
	return &Mapper{memo: map[memoKey]*memoValue{}, attentions: map[attentionKey]*attentionValue{}, grids: map[gridKey]division{}, cuts: newCuts()}
}

// Known is how many mappings the mapper remembers.
func (x *Mapper) Known() int { return len(x.memo) + len(x.attentions) }

// Objectives lists the objectives of the search, the default first.
func Objectives() []string { return []string{"time", "traffic", "cycles"} }

// Map maps one operator of g onto one core, alone.
func Map(op *graph.Op, g *graph.Graph, core Core, objective string) (*Plan, error) {
	return NewMapper().Map(op, g, core, objective, Rule{})
}

// Map maps one operator of g onto one core. The rule fixes what it names.
func (x *Mapper) Map(op *graph.Op, g *graph.Graph, core Core, objective string, rule Rule) (*Plan, error) {
	return x.plan(op, g, core, objective, rule, nil, nil)
}

// plan maps the share of an operator; fused operators are applied to its
// results on their way out. A nil share is the whole operator.
func (x *Mapper) plan(op *graph.Op, g *graph.Graph, core Core, objective string, rule Rule, sh *share, fused []*graph.Op) (*Plan, error) {
	if _, ok := op.Kind.(graph.Attention); ok {
		return x.attention(op, g, core, objective, rule, sh)
	}
	m, ok := op.Matrix()
	if !ok {
		return x.stream(op, g, core, part{}, 0)
	}
	if core.Planner != nil {
		return x.planExternally(op, g, core, rule, sh, fused)
	}
	m = collapse(m)
	if sh == nil {
		all := whole(m)
		sh = &all
	}
	h, err := newMachine(core, g, op)
	if err != nil {
		return nil, err
	}
	bias, out, vector := folded(op, fused), op.Out[0], op.VectorOps()
	for _, f := range fused {
		out = f.Out[0]
		if _, ok := f.Kind.(graph.Norm); !ok {
			vector += f.VectorOps()
		}
	}
	vector += x.norms[op]
	s, err := shapeOf(g, op, m, *sh, core.Accumulator, bias, out)
	if err != nil {
		return nil, err
	}
	s.aLay, s.cLay = x.lies(op.In[0]), x.lies(out)
	others := sides(g, op, fused)
	for i := range others {
		others[i].lay = x.lies(others[i].tensor)
		if d := &others[i]; d.full {
			s.sides++
		} else {
			s.small += d.at(sh.row.to, m.M) - d.at(sh.row.from, m.M)
		}
	}
	by, ok := goals[objective]
	if !ok {
		return nil, fmt.Errorf("unknown objective %q (want one of: %s)", objective, strings.Join(Objectives(), ", "))
	}
	h.mem = core.Memory
	h.sharedA, h.sharedB = sh.casts[0].of, sh.casts[1].of
	at := place{a: op.In[0], b: op.In[1], bias: bias, c: out, batch0: sh.batch.from, image0: sh.image.from,
		m0: sh.row.from, n0: sh.n.from, k0: sh.k.from, fullSize: fullOf(m), sides: others}
	if all := m.MACs(); s.macs() != all { // the share's part of the vector work
		vector = scale(vector, s.macs(), all)
	}
	s.vector = vector + sh.sum.adds(&s)
	var keeps []graph.TensorID
	s.kept, keeps = x.kept(&at)
	h.lanes = int64(max(core.Lanes, 1))
	key := memoKey{s, h, fixedChoice{rule.Tile, rule.Order, rule.Resident}, by, core.Gemv, at.fullSize, sh.sum.of, x.coarse, x.trial}
	x.asked = key
	v, ok := x.memo[key]
	if !ok {
		v = x.solve(&key, core, func(s *shape, f finalist) *Plan {
			p := matrixPlan(op, s, &f.h, &f.sol, at)
			p.kept = keeps
			for i, c := range sh.casts { // cores in step have one mapping
				p.casts[i] = c.last()
			}
			p.sum = sh.sum.last()
			return p
		})
		x.memo[key] = v
	}
	if v.err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, v.err)
	}
	p := matrixPlan(op, &v.s, &v.h, &v.sol, at)
	p.kept = keeps
	if p.skips = core.Sparsity; !g.Sparsity(op).On() {
		p.skips = graph.Pattern{}
	}
	if p.casts = sh.casts; p.Multicast() {
		p.fetched()
	}
	if p.sum = sh.sum; p.sum.shared() {
		p.summed()
	}
	return p, nil
}

// solve finds the mapping of the key's shape; rows that a stride leaves out are read as well where that is faster.
func (x *Mapper) solve(key *memoKey, core Core, plan func(*shape, finalist) *Plan) *memoValue {
	search := func(s shape) *memoValue {
		v := &memoValue{s: s}
		v.search(&v.s, core, key, x.cuts, func(f finalist) *Plan { return plan(&v.s, f) })
		return v
	}
	best := search(key.s)
	if s := key.s; s.skipsRows() && s.aLay == (lay{}) && !s.kept.a && key.goal == leastTime {
		s.between = true
		if v := search(s); v.err == nil && (best.err != nil || v.sol.rank < best.sol.rank) {
			return v
		}
	}
	return best
}

// search finds the mapping of a shape on a core.
func (v *memoValue) search(s *shape, core Core, key *memoKey, known cuts, plan func(finalist) *Plan) {
	v.h = key.h
	if key.goal != leastTime {
		var sols []solution
		if sols, v.err = searchTiles(s, &v.h, key.w, key.goal, known); v.err == nil {
			v.sol = sols[0]
		}
		return
	}
	x := contest{s: s, core: &core, w: key.w, known: known, plan: plan, coarse: key.coarse || key.trial, trial: key.trial}
	best, err := x.run(&v.h)
	if err == nil && !key.trial {
		best, err = x.fixed(&v.h, &best.sol.c)
	}
	if v.err = err; err == nil {
		v.h, v.sol = best.h, best.sol
	}
}

// newMachine is what the search may know of a core that carries out op.
func newMachine(c Core, g *graph.Graph, op *graph.Op) (machine, error) {
	d, _ := g.Multiplied(op)
	rate, ok := c.Rates.at(d)
	if !ok {
		return machine{}, fmt.Errorf("%s: the array has no rate for products of %s (key pe has: %s)", op.Name, d, c.Rates.names())
	}
	if p := g.Sparsity(op); p.On() {
		if !p.Within(c.Sparsity) {
			return machine{}, fmt.Errorf("%s: the array cannot skip weights of %s (key sparsity)", op.Name, p)
		}
		rate.Num, rate.Den = rate.Num*int64(c.Sparsity.M), rate.Den*int64(c.Sparsity.N)
	}
	return newArray(c, rate)
}

// newArray is the core at the rate of an element type.
func newArray(c Core, rate Rate) (machine, error) {
	e, ok := dataflow.All.Entry(c.Dataflow)
	if !ok {
		return machine{}, fmt.Errorf("unknown dataflow %q (want one of: %s)", c.Dataflow, strings.Join(dataflow.All.Names(), ", "))
	}
	if c.Array.Rows < 1 || c.Array.Cols < 1 {
		return machine{}, fmt.Errorf("array of %d x %d (want at least 1 x 1)", c.Array.Rows, c.Array.Cols)
	}
	if err := e.New.Check(c.Array); err != nil {
		return machine{}, fmt.Errorf("dataflow %s: %w", c.Dataflow, err)
	}
	h := machine{rows: int64(c.Array.Rows), cols: int64(c.Array.Cols), ifmap: int64(c.SRAM.Ifmap / 2),
		filter: int64(c.SRAM.Filter / 2), ofmap: int64(c.SRAM.Ofmap / 2), timing: e.New.Timing(c.Array), rate: rate}
	h.rowAxis, h.colAxis, h.time = e.New.Axes()
	return h, nil
}
