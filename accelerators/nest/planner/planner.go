package planner

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/nest/design"
	"github.com/causeway-sim/causeway/accelerators/nest/relax"
	"github.com/causeway-sim/causeway/accelerators/nest/tile"
	"github.com/causeway-sim/causeway/accelerators/search"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Options say how products are mapped.
type Options struct {
	Rules     nest.Rules
	Objective string // of nest.Objectives; "": energy times time where there are energies, else time
	Search    search.Options
	// Fixed finds the mapping of an operator that need not be searched for; it may be nil.
	Fixed func(op string) (g FixedMapping, ok bool)
	// Place is where level l of the machine is described; it may be nil.
	Place func(l int) configs.Value
}

// A FixedMapping is a mapping that need not be searched for, with its place.
type FixedMapping struct {
	At      configs.Value
	Entries []design.Entry
}

// A Planner maps products onto one machine, and remembers mappings by shape.
type Planner struct {
	machine func(graph.DType) (*nest.Description, error)
	o       Options
	words   map[graph.DType]*nest.Description
	found   map[key]*found
}

// A key is what a mapping depends on.
type key struct {
	shape  shape
	dtype  graph.DType // of the first operand
	lies   layout
	memory machine.Memory
	inside bool // the outermost level on the chip holds all operands: there is no memory
}

// A found is a mapping with what it costs if the memory has no limit.
type found struct {
	nest    *nest.Nest
	mapping *nest.Mapping
	result  nest.Result
	cost    float64
	err     error
}

// New makes a planner for a machine, which is asked for with words as wide as a type of
// elements where levels give none.
func New(machine func(graph.DType) (*nest.Description, error), o Options) *Planner {
	return &Planner{machine: machine, o: o, words: map[graph.DType]*nest.Description{}, found: map[key]*found{}}
}

var _ machine.Planner = (*Planner)(nil)

// Plan implements mapping.Planner.
func (p *Planner) Plan(r *machine.Product) (*machine.Own, error) {
	s, err := shapeOf(&r.Matrix)
	if err != nil {
		return nil, err
	}
	if err := plain(r); err != nil {
		return nil, err
	}
	k := key{shape: s, dtype: r.Graph.Tensor(r.Op.In[0]).DType}
	ops := operands(r, &s)
	k.memory, k.lies = r.Memory, layoutOf(r, ops)
	f := p.fixedMapping(r.Op.Name, &k)
	if f == nil {
		f = p.of(&k, ops)
	}
	if f.err != nil {
		return nil, p.placed(r.Op.Name, f.err)
	}
	task := tile.Task{Operands: ops, MACs: int64(s.macs()), Sums: r.Sums.Bits(), Bias: r.Bias, Vector: r.Vector, Lanes: r.Lanes}
	if r.Bias != graph.None {
		task.BiasSize = r.Graph.Tensor(r.Bias).Bytes()
	}
	t, err := tile.New(f.nest, f.mapping, &f.result, task)
	if err != nil {
		return nil, err
	}
	return p.own(f, t, &task), nil
}

// placed gives an error about a level its place, and the operator that needs it.
func (p *Planner) placed(op string, err error) error {
	f, ok := errors.AsType[*nest.Fault](err)
	if !ok || p.o.Place == nil || configs.PosOf(err) != (configs.Pos{}) {
		return err
	}
	return p.o.Place(f.Level).Errorf(nil, "%s: %s", op, f.Msg)
}

// plain refuses formats whose elements share a scale: a box of them may be cut anywhere.
func plain(r *machine.Product) error {
	for _, id := range append(r.Op.In[:2:2], r.Out) {
		if d := r.Graph.Tensor(id).DType; d.Blocked() {
			return fmt.Errorf("elements of %s, which share scales, are not cut into boxes", d)
		}
	}
	return nil
}

// of is the mapping of a key, searched for once.
func (p *Planner) of(k *key, ops []tile.Operand) *found {
	f := p.found[*k]
	if f == nil {
		f = p.find(k, ops)
		p.found[*k] = f
	}
	return f
}

// own is the plan of a product in the words of the mapper.
func (p *Planner) own(f *found, t *tile.Plan, task *tile.Task) *machine.Own {
	_, e := f.nest.Outer(f.mapping)
	d := nest.Description{Problem: *f.nest.Problem(), Arch: *f.nest.Arch()}
	o := &machine.Own{
		Tile:  dma.Tile{Batch: e[1], M: e[0] * e[4] * e[5], N: e[2], K: e[3] * e[6] * e[7]},
		Steps: t.Steps, Cycles: t.Cycles, MACs: t.MACs, Units: f.nest.Arch().Compute.Mesh.Count(), Used: int64(f.result.ComputeInstances),
		Traffic: t.Traffic, Scratch: t.Scratch,
		Compute: f.result.ComputeEnergy, Storage: f.result.OnChip(),
		Walk: func() machine.Stepper { return t.Walk() },
		Text: string(design.PrintMapping(&d, f.mapping)),
	}
	for i, x := range []dma.Buffer{dma.Filter, dma.Ifmap, dma.Ofmap} {
		o.Footprint[x] = (t.Tile(i)*task.Operands[i].Bits + 7) / 8
	}
	return o
}

// nest is that of a shape, without a limit to what the memory moves.
func (p *Planner) nest(k *key, s shape) (*nest.Nest, *nest.Description, error) {
	d, err := p.description(k.dtype)
	if err != nil {
		return nil, nil, err
	}
	x := *d
	x.Problem = s.problem()
	x.Arch, x.Constraints = x.Search(), fitted(&x.Constraints, &x.Problem)
	if k.inside {
		x.Arch, x.Constraints = within(x.Arch, x.Constraints)
	} else {
		facing(&x.Arch, &x.Constraints)
	}
	l := &x.Arch.Levels[0]
	l.ReadBandwidth, l.WriteBandwidth, l.SharedBandwidth = 0, 0, 0
	n, err := nest.New(&x.Problem, &x.Arch, nil, p.o.Rules)
	if err == nil {
		err = room(&x.Arch)
	}
	return n, &x, err
}

// fixedMapping is the mapping of an operator that is not searched for; nil where there is none.
func (p *Planner) fixedMapping(op string, k *key) *found {
	if p.o.Fixed == nil {
		return nil
	}
	g, ok := p.o.Fixed(op)
	if !ok {
		return nil
	}
	n, d, err := p.nest(k, k.shape)
	if err != nil {
		return &found{err: err}
	}
	in, err := design.ReadEntries(d, g.At, g.Entries)
	if s, up := k.shape, false; err == nil {
		if s, up = s.reached(in.Mapping); up {
			if n, d, err = p.nest(k, s); err == nil {
				in, err = design.ReadEntries(d, g.At, g.Entries)
			}
		}
	}
	if err == nil {
		err = in.Legal(n)
	}
	if err != nil {
		return &found{err: err}
	}
	f := &found{nest: n, mapping: in.Mapping}
	n.Evaluate(f.mapping, &f.result)
	return f
}

// find searches for the mapping of a shape, and of one whose awkward sizes are rounded up:
// the better one.
func (p *Planner) find(k *key, ops []tile.Operand) *found {
	f := p.search(k, k.shape, ops)
	if s, up := k.shape.rounded(); up {
		if x := p.search(k, s, ops); x.err == nil && (f.err != nil || x.cost < f.cost) {
			return x
		}
	}
	return f
}

func (p *Planner) search(k *key, s shape, ops []tile.Operand) *found {
	n, d, err := p.nest(k, s)
	if err != nil {
		return &found{err: err}
	}
	objective := p.o.Objective
	if objective == "" {
		objective = "time"
		if d.Energies {
			objective = "edp"
		}
	}
	space, err := nest.NewSpace(n, d.Constraints, objective)
	if err != nil {
		return &found{err: err}
	}
	var memory *relax.Memory
	if !k.inside {
		space.Latency = float64(k.memory.Latency)
		memory = relaxed(n, ops, k.lies.sums, &k.memory)
		space.Outside = func(n *nest.Nest, r *nest.Result, moved []nest.Moved) float64 {
			return outside(n, r, ops, k.lies.sums, &k.memory, moved)
		}
	}
	o := p.o.Search
	o.Workers = runtime.GOMAXPROCS(0)
	m, report, err := search.Run(context.Background(), relax.Over(space, memory), o)
	if errors.Is(err, search.ErrNothing) {
		err = fmt.Errorf("no mapping was found that fits twice where memory fills it, after %d draws", report.Pruned)
	}
	if err != nil {
		return &found{err: err}
	}
	f := &found{nest: n, mapping: m, cost: report.Cost}
	n.Evaluate(m, &f.result)
	return f
}

// description is the machine for operands of a type.
func (p *Planner) description(word graph.DType) (*nest.Description, error) {
	if d := p.words[word]; d != nil {
		return d, nil
	}
	d, err := p.machine(word)
	if err != nil {
		return nil, err
	}
	p.words[word] = d
	return d, nil
}

// facing makes the outermost level that may keep a tensor keep it, and lets two tiles lie
// in each such level, since memory fills it.
func facing(a *nest.Arch, c *nest.Constraints) {
	seen, all := nest.Mask(0), nest.Mask(1)<<3-1
	for l := 1; l < len(a.Levels); l++ {
		lv := &a.Levels[l]
		mine := all &^ seen &^ lv.Bypass
		if mine != 0 {
			lv.Buffering = max(2, lv.Buffering)
		}
		lv.Keep |= mine
		c.Levels[l].Keep |= mine
		seen |= mine
	}
}

// room finds a level that cannot hold a word of each tensor that it has to keep.
func room(a *nest.Arch) error {
	for l := range a.Levels {
		lv := &a.Levels[l]
		if have, need := int(lv.Words/lv.Buffering), lv.Keep.Len(); lv.Words > 0 && have < need {
			return &nest.Fault{Level: l, Msg: fmt.Sprintf("level %s holds %g words, and in each of %g parts has to keep a word of %d tensors", lv.Name, lv.Words, lv.Buffering, need)}
		}
	}
	return nil
}

// fitted are constraints for one shape: fixed factors that do not divide a size bound
// it.
func fitted(c *nest.Constraints, p *nest.Problem) nest.Constraints {
	out := nest.Constraints{Levels: slices.Clone(c.Levels)}
	left := make([]int64, len(p.Dims))
	for d := range left {
		left[d] = p.Dims[d].Size
	}
	for i := range out.Levels {
		for _, x := range []*nest.LoopConstraints{&out.Levels[i].Temporal, &out.Levels[i].Spatial} {
			x.Factor, x.Most = slices.Clone(x.Factor), slices.Clone(x.Most)
			for d, f := range x.Factor {
				if f <= 1 {
					continue
				}
				if left[d]%f == 0 {
					left[d] /= f
				} else {
					x.Factor[d], x.Most[d] = 0, f
				}
			}
		}
	}
	return out
}
