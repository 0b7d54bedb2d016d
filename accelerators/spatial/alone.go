package spatial

import (
	"errors"
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/nest/tile"
	"github.com/causeway-sim/causeway/accelerators/systolic"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Alone is a node of fidelity tile with a problem of its own. A DMA engine moves the tiles of the
// nest between the accelerator and the memory at its port, which replaces the outermost level and
// its bandwidth.
//
// If two tiles fit, one loads while the other is computed; otherwise a tile loads after the one
// before has ended.
type Alone struct {
	sim.Component // the engine's
	counts        *Comp
	engine        *systolic.Tile
	share         work.Share
	ops           []tile.Operand
	at            configs.Value // what errors about the nest as a whole point at
	ahead         bool          // two tiles fit
}

// buildAlone makes such a node.
func buildAlone(env *system.Env, name string, s Spec, v configs.Value) (*Alone, error) {
	s.Behind = true
	c, err := counts(env, name, s, v)
	if err != nil {
		return nil, err
	}
	c.warnings = append(c.warnings, outermost(&s, v)...)
	core, err := s.core(c.in.Description, v)
	if err != nil {
		return nil, err
	}
	a := &Alone{counts: c, at: place(v), engine: systolic.NewPlanned(name, env.Engine, core, unplanned{}, s.priced(c.in.Description, true))}
	a.Component = a.engine
	d := c.in.Description
	a.ops = a.operands(&d.Problem, int64(d.Arch.Levels[0].WordBits))
	if c.mapping == nil {
		return a, nil // Start searches for one
	}
	if err := a.program(); err != nil {
		return nil, err
	}
	return a, nil
}

// program cuts the nest into the job that the engine is given.
func (a *Alone) program() error {
	plan, err := a.plan()
	if err != nil {
		return a.at.Errorf(nil, "%v", err)
	}
	job := mapping.Job{Plan: mapping.OwnPlan(plan, &a.share.Graph.Ops[0], a.counts.spec.Vector.Lanes, 0)}
	a.share.Program = mapping.Program{Jobs: []mapping.Job{job}, Scratch: plan.Scratch}
	return nil
}

// unplanned is the planner of a core that is given its plan: it refuses every product.
type unplanned struct{}

func (unplanned) Plan(*machine.Product) (*machine.Own, error)   { return nil, errUnplanned }
func (unplanned) Attend(*machine.Product) (*machine.Own, error) { return nil, errUnplanned }

var errUnplanned = errors.New("the node has a problem of its own")

// plan cuts the nest into steps.
func (a *Alone) plan() (*machine.Own, error) {
	d := a.counts.in.Description
	free := d.Arch
	free.Levels = append([]nest.Level(nil), free.Levels...)
	l := &free.Levels[0]
	l.ReadBandwidth, l.WriteBandwidth, l.SharedBandwidth = 0, 0, 0
	n, err := nest.New(&d.Problem, &free, d.Sparse, nest.Rules(a.counts.spec.Rules))
	if err != nil {
		return nil, err
	}
	r := nest.Result{}
	n.Evaluate(a.counts.mapping, &r)
	bits := int64(l.WordBits)
	p, err := tile.New(n, a.counts.mapping, &r, tile.Task{Operands: a.ops, Sums: bits, Bias: graph.None, MACs: int64(r.Computes)})
	if err != nil {
		return nil, err
	}
	o := &machine.Own{Steps: p.Steps, Cycles: p.Cycles, MACs: p.MACs, Units: free.Compute.Mesh.Count(), Used: int64(r.ComputeInstances),
		Traffic: p.Traffic, Scratch: p.Scratch, Compute: r.ComputeEnergy, Storage: r.OnChip()}
	if a.ahead = twice(n, &free, d.Sparse, a.counts.mapping); a.ahead {
		o.Walk = func() machine.Stepper { return p.Walk() }
	} else {
		o.Steps *= 2
		o.Walk = func() machine.Stepper { return &apart{steps: p.Walk()} }
	}
	return o, nil
}

// twice reports whether two tiles fit into every level that memory fills.
func twice(n *nest.Nest, a *nest.Arch, sparse *nest.Sparse, m *nest.Mapping) bool {
	x := *a
	x.Levels = append([]nest.Level(nil), a.Levels...)
	seen := nest.Mask(0)
	for l := 1; l < len(x.Levels); l++ {
		x.Levels[l].Keep, x.Levels[l].Bypass, x.Levels[l].Utilization = 0, 0, 0
		if m.Levels[l].Keep&^seen != 0 {
			x.Levels[l].Buffering = max(2, x.Levels[l].Buffering)
		}
		seen |= m.Levels[l].Keep
	}
	b, err := nest.New(n.Problem(), &x, sparse, nest.Rules2024)
	return err == nil && b.Legal(m) == nil
}

// operands lays the tensors out row by row, and makes the graph that holds them.
func (a *Alone) operands(p *nest.Problem, bits int64) (out []tile.Operand) {
	g := &graph.Graph{Name: p.Name}
	op := graph.Op{Name: "nest", Kind: graph.MatMul{Batch: 1, M: 1, N: 1, K: 1}}
	if p.Name != "" {
		op.Name = p.Name
	}
	for i := range p.Tensors {
		t := &p.Tensors[i]
		o := tile.Operand{Bits: bits, Buffer: dma.Ifmap}
		for _, r := range t.Ranks {
			n := int64(1)
			for _, x := range r {
				n += x.Coef * (p.Dims[x.Dim].Size - 1)
			}
			o.Size = append(o.Size, n)
		}
		o.Stride, o.Shift = make([]int64, len(o.Size)), make([]int64, len(o.Size))
		all := int64(1)
		for k := len(o.Size) - 1; k >= 0; k-- {
			o.Stride[k] = all
			all *= o.Size[k]
		}
		role := graph.Input
		if i == 0 {
			role, o.Buffer = graph.Weight, dma.Filter
		}
		if t.Written {
			role, o.Buffer = graph.Output, dma.Ofmap
		}
		o.Tensor = g.Add(graph.Tensor{Name: t.Name, Shape: []int{int((all*bits + 7) / 8)}, Role: role, DType: graph.Int8})
		if t.Written {
			op.Out = append(op.Out, o.Tensor)
		} else {
			op.In = append(op.In, o.Tensor)
		}
		out = append(out, o)
	}
	g.Append(op)
	a.share.Name, a.share.Graph = op.Name, g
	return out
}

// apart puts a step without work between two steps, so that loads of one wait until the
// one before is done.
type apart struct {
	steps *tile.Walker
	held  bool
}

// Next implements mapping.Stepper.
func (a *apart) Next(s *dma.Step) bool {
	if a.held {
		a.held = false
		s.Loads, s.Stores, s.Cycles, s.MACs = s.Loads[:0], s.Stores[:0], 0, 0
		return true
	}
	a.held = a.steps.Next(s)
	return a.held
}

// SetMap implements system.Requester. Tensors follow each other from the first address of the
// map.
func (a *Alone) SetMap(port string, m *memory.Map) error {
	if err := a.engine.SetMap(port, m); err != nil {
		return err
	}
	const align = 4096
	next := uint64(0)
	if r := m.Ranges(); len(r) > 0 {
		next = r[0].Base
	}
	base := make([]uint64, len(a.share.Graph.Tensors)+1)
	for i := range base {
		base[i] = next
		if i < len(a.share.Graph.Tensors) {
			next += (uint64(a.share.Graph.Tensors[i].Bytes()) + align - 1) / align * align
		}
	}
	a.share.Base = func(id graph.TensorID) uint64 {
		if id == dma.Scratch {
			return base[len(base)-1]
		}
		return base[id]
	}
	return nil
}

// PortSpecs implements system.Node: the memory port only; the node takes no operators.
func (a *Alone) PortSpecs() []system.PortSpec { return a.engine.PortSpecs()[:1] }

// Stats implements system.Node.
func (a *Alone) Stats() *stats.Group { return a.engine.Stats() }

// Clock implements system.Clocked.
func (a *Alone) Clock() clock.Clock { return a.engine.Clock() }

// Tasks implements task.Reporter.
func (a *Alone) Tasks() *task.Source { return a.engine.Tasks() }

// Waiting implements engine.Waiter.
func (a *Alone) Waiting() []engine.Wait { return a.engine.Waiting() }

// Layers implements system.Tabled.
func (a *Alone) Layers() *stats.Table { return a.engine.Layers() }

// Levels implements system.Leveled: the counts of the nest.
func (a *Alone) Levels() *stats.Table {
	if !a.counts.done {
		a.counts.nest.Evaluate(a.counts.mapping, &a.counts.result)
		a.counts.done = true
	}
	return a.counts.Levels()
}

// Mapping implements system.Mapped.
func (a *Alone) Mapping(form string) ([]byte, error) { return a.counts.Mapping(form) }

// Start implements system.Starter.
func (a *Alone) Start() error {
	if a.share.Program.Jobs == nil {
		if err := a.counts.find(); err != nil {
			return err
		}
		if err := a.program(); err != nil {
			return badInput{err}
		}
	}
	if err := work.IssueAll(a.engine, a.share); err != nil {
		return badInput{err}
	}
	return a.engine.Start()
}

// Assumptions implements system.Assumer.
func (a *Alone) Assumptions() []string {
	out := append(a.counts.Assumptions(), a.Name()+": tensors lie row by row in memory, one after the other")
	if !a.ahead {
		out = append(out, fmt.Sprintf("%s: two tiles do not fit, so that the next is loaded when the one before is done", a.Name()))
	}
	return out
}
