package mapping

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/mapping/attention"
	"github.com/causeway-sim/causeway/accelerators/mapping/layout"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Mapper maps operators and remembers what it found, by shape and core. It is
// for one goroutine.
type Mapper struct {
	memo       map[tile.Key]*tile.Result
	attentions map[attention.Key]*attention.Result
	walks      map[*tile.Solution]int64 // Estimate of products whose epilogue was in question
	asked      tile.Key                 // of the mapping that was asked for last
	grids      map[gridKey]division
	cuts       tile.Cuts
	lays       []layout.Arrangement // of the tensors of the graph that is split; nil: all in rows
	norms      map[*graph.Op]int64  // vector operations more or less, see norms
	homes      homes                // of the cores that were asked for last
	spare      []portion            // that no grid of divide has
	coarse     bool                 // searches go through the coarse grid alone: of slices, and for what stays
	trial      bool                 // searches are for the comparison of grids alone
	stays      []bool               // by tensor: those that stay on the chip; nil: none is known to
}

// lies is how a tensor lies in memory.
func (x *Mapper) lies(id graph.TensorID) layout.Arrangement {
	if x.lays == nil || id == graph.None {
		return layout.Arrangement{}
	}
	return x.lays[id]
}

// NewMapper returns a mapper that remembers nothing yet.
func NewMapper() *Mapper {
	return &Mapper{memo: map[tile.Key]*tile.Result{}, attentions: map[attention.Key]*attention.Result{}, grids: map[gridKey]division{}, cuts: tile.NewCuts()}
}

// Known is how many mappings the mapper remembers.
func (x *Mapper) Known() int { return len(x.memo) + len(x.attentions) }

// Objectives lists the objectives of the search, the default first.
func Objectives() []string { return []string{"time", "traffic", "cycles"} }

// Map maps one operator of g onto one core, alone.
func Map(op *graph.Op, g *graph.Graph, core machine.Core, objective string) (*Plan, error) {
	return NewMapper().Map(op, g, core, objective, Rule{})
}

// Map maps one operator of g onto one core. The rule fixes what it names.
func (x *Mapper) Map(op *graph.Op, g *graph.Graph, core machine.Core, objective string, rule Rule) (*Plan, error) {
	return x.plan(op, g, core, objective, rule, nil, nil)
}

// plan maps the share of an operator; fused operators are applied to its
// results on their way out. A nil share is the whole operator.
func (x *Mapper) plan(op *graph.Op, g *graph.Graph, core machine.Core, objective string, rule Rule, sh *product.Share, fused []*graph.Op) (*Plan, error) {
	if _, ok := op.Kind.(graph.Attention); ok {
		return x.attention(op, g, core, objective, rule, sh)
	}
	m, ok := op.Matrix()
	if !ok {
		return x.stream(op, g, core, product.Part{}, 0)
	}
	if core.Planner != nil {
		return x.planExternally(op, g, core, rule, sh, fused)
	}
	m = product.Collapse(m)
	if sh == nil {
		all := product.Whole(m)
		sh = &all
	}
	h, err := machine.New(core, g, op)
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
	s, err := product.New(g, op, m, *sh, core.Accumulator, bias, out)
	if err != nil {
		return nil, err
	}
	s.ALayout, s.CLayout = x.lies(op.In[0]), x.lies(out)
	others := product.Sides(g, op, fused)
	for i := range others {
		others[i].Layout = x.lies(others[i].Tensor)
		if d := &others[i]; d.Full {
			s.Sides++
		} else {
			s.Small += d.At(sh.Row.To, m.M) - d.At(sh.Row.From, m.M)
		}
	}
	by, ok := tile.Goals[objective]
	if !ok {
		return nil, fmt.Errorf("unknown objective %q (want one of: %s)", objective, strings.Join(Objectives(), ", "))
	}
	h.Mem = core.Memory
	h.SharedA, h.SharedB = sh.Fetches[0].Of, sh.Fetches[1].Of
	at := product.Place{A: op.In[0], B: op.In[1], Bias: bias, C: out, Batch0: sh.Batch.From, Image0: sh.Image.From,
		M0: sh.Row.From, N0: sh.N.From, K0: sh.K.From, FullSize: product.FullOf(m), Sides: others}
	if all := m.MACs(); s.MACs() != all { // the share's part of the vector work
		vector = integer.Scale(vector, s.MACs(), all)
	}
	s.Vector = vector + sh.Sum.Adds(s.Batch*s.M()*s.N)
	var keeps []graph.TensorID
	s.Kept, keeps = x.kept(&at)
	h.Lanes = int64(max(core.Lanes, 1))
	key := tile.Key{S: s, H: h, W: tile.Choice{Tile: rule.Tile, Order: rule.Order, Resident: rule.Resident}, Goal: by, Gemv: core.Gemv, Full: at.FullSize, Sum: sh.Sum.Of, Coarse: x.coarse, Trial: x.trial}
	x.asked = key
	v, ok := x.memo[key]
	if !ok {
		v = tile.Solve(&key, core, x.cuts, func(s *product.Shape, f tile.Finalist) *tile.Schedule {
			t := tile.NewSchedule(s, &f.H, &f.Sol, at)
			t.Kept = keeps
			for i, c := range sh.Fetches { // cores in step have one mapping
				t.Fetches[i] = c.Last()
			}
			t.Sum = sh.Sum.Last()
			return &t
		})
		x.memo[key] = v
	}
	if v.Err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, v.Err)
	}
	p := matrixPlan(op, tile.NewSchedule(&v.S, &v.H, &v.Sol, at))
	p.tiles.Kept = keeps
	if p.skips = core.Sparsity; !g.Sparsity(op).On() {
		p.skips = graph.Pattern{}
	}
	if p.tiles.Fetches = sh.Fetches; p.Multicast() {
		p.fetched()
	}
	if p.tiles.Sum = sh.Sum; p.tiles.Sum.Shared() {
		p.summed()
	}
	return p, nil
}
