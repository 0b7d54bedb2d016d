package systolic

import (
	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Energy picks the figures of components/energy; an energy given replaces the
// table's. A core counts what happens inside it. The energy of memory belongs to the
// memory.
type Energy struct {
	// Process of arithmetic and SRAM.
	Process string `yaml:"process" jsonschema:"enum=45nm,enum=15nm,enum=7nm,description=Process of arithmetic and SRAM"`

	MAC        *units.Energy `yaml:"mac,omitempty" jsonschema:"description=Per multiply-accumulate"`
	Vector     *units.Energy `yaml:"vector,omitempty" jsonschema:"description=Per operation of the vector unit"`
	Register   *units.Energy `yaml:"register,omitempty" jsonschema:"description=Per byte moved on in the array"`
	IfmapByte  *units.Energy `yaml:"ifmap_byte,omitempty" jsonschema:"description=Per byte read from or written to the ifmap buffer"`
	FilterByte *units.Energy `yaml:"filter_byte,omitempty" jsonschema:"description=Per byte read from or written to the filter buffer"`
	OfmapByte  *units.Energy `yaml:"ofmap_byte,omitempty" jsonschema:"description=Per byte read from or written to the ofmap buffer"`

	// Idle is for timings kernel and scalesim.
	Idle units.Power `yaml:"idle" jsonschema:"description=Power at rest from the start of the run to its end (timings kernel and scalesim)"`

	SkewByte *units.Energy `yaml:"skew_byte,omitempty" jsonschema:"description=Per byte of the registers that skew operands and results beside the array and cycle in which the array works; left out: not counted"`
	Cycle    *units.Energy `yaml:"cycle,omitempty" jsonschema:"description=Per processing element and cycle in which the array works: clock tree and leakage; left out: leakage of the process alone"`
}

// model settles the figures for products of type d.
func (s *Spec) model(d graph.DType) (energy.Model, error) {
	return energy.New(s.figures(), d, [buffers]units.Bytes{s.SRAM.Ifmap, s.SRAM.Filter, s.SRAM.Ofmap})
}

func (s *Spec) figures() energy.Spec {
	e := &s.Energy
	return energy.Spec{
		Process: e.Process, MAC: e.MAC, Vector: e.Vector, Register: e.Register,
		IfmapByte: e.IfmapByte, FilterByte: e.FilterByte, OfmapByte: e.OfmapByte,
		SkewByte: e.SkewByte, Cycle: e.Cycle,
	}
}

// energyUnused are the keys of energy that a timing does not use.
var energyUnused = map[string][]string{
	KernelTiming: {"ifmap_byte", "filter_byte", "ofmap_byte", "skew_byte", "cycle"},
	ScaleSim:     {"vector", "skew_byte", "cycle"},
	Physical:     {"idle"},
}

// energyFaults are keys of energy that have no effect with the timing.
func (s *Spec) energyFaults(v configs.Value) (errs configs.Errors) {
	for _, key := range energyUnused[s.Timing] {
		if x := v.Get("energy").Get(key); x.Exists() {
			errs = append(errs, x.Errorf(nil, "has no effect with timing %s", s.Timing))
		}
	}
	return errs
}

// spend is the energy of a layer. Products are made in the wider type of their
// operands. A product moves both of its streaming operands, or one and a
// partial sum, on by one register. Partial sums lie in the ofmap buffer at the
// width of the accumulator; every byte of the DMA passes a buffer once.
func (k *core) spend(l *layer) energy.Breakdown {
	op := &l.job.share.Graph.Ops[l.job.Op]
	p := l.job.Plan
	a, b, out := k.widths(l.job.share.Graph, op)
	acc, cycles := out, int64(0)
	wide := a
	if p.Matrix {
		acc, cycles = k.accumulator(a), p.Cycles
		if b.Bits() > a.Bits() {
			wide = b
		}
	}
	if k.planner != nil {
		return k.spent(p, wide)
	}
	perMAC := [3]int64{
		dataflow.K: a.Bits() + b.Bits(),   // output stationary
		dataflow.M: a.Bits() + acc.Bits(), // weight stationary
		dataflow.N: b.Bits() + acc.Bits(), // input stationary
	}[k.passing]
	done := p.MACs - p.Skipped()
	bytes := func(n int64, d graph.DType) int64 { return d.Bytes(n) }
	m, ok := k.models[wide]
	if !ok {
		var err error
		if m, err = k.spec.model(wide); err != nil {
			panic("systolic: " + k.Name() + ": unchecked Spec: " + err.Error())
		}
		k.models[wide] = m
	}
	return m.Energy(energy.Counts{
		Skew:   bytes(cycles*k.skew.A, a) + bytes(cycles*k.skew.B, b) + bytes(cycles*k.skew.Sums, acc),
		Cycles: cycles * int64(k.spec.Rows) * int64(k.spec.Cols),
		MACs:   done, Vector: p.Vector, Registers: (done*perMAC + 7) / 8,
		SRAM: [buffers]int64{
			bytes(p.SRAM.IfmapReads, a) + int64(l.read[0]),
			k.filterBytes(l, b) + int64(l.read[1]),
			bytes(p.SRAM.OfmapReads+p.SRAM.OfmapWrites, acc) + int64(l.read[2]+l.written.sum()),
		},
	})
}

// filterBytes is what the array reads of the filter buffer: of sparse weights, those that
// are kept and their indices.
func (k *core) filterBytes(l *layer, b graph.DType) int64 {
	g := l.job.share.Graph
	op := &g.Ops[l.job.Op]
	if g.Sparsity(op).On() {
		return g.Tensor(op.In[1]).Unit().Size(l.job.Plan.SRAM.FilterReads)
	}
	return b.Bytes(l.job.Plan.SRAM.FilterReads)
}

// widths are the types of the operands and of the result.
func (k *core) widths(g *graph.Graph, op *graph.Op) (a, b, out graph.DType) {
	of := func(ids []graph.TensorID, i int, other graph.DType) graph.DType {
		if i < len(ids) && ids[i] != graph.None {
			return g.Tensor(ids[i]).DType
		}
		return other
	}
	a = of(op.In, 0, graph.Int8)
	b = of(op.In, 1, a)
	return a, b, of(op.Out, 0, a)
}

// accumulator is the type of partial sums of products with inputs of type a.
func (k *core) accumulator(a graph.DType) graph.DType {
	if k.spec.Accumulator != nil {
		return *k.spec.Accumulator
	}
	return graph.Uniform(a).Accumulator
}

// energyParts are the parts of a breakdown as metrics and columns.
var energyParts = []struct {
	name, text string
	of         func(*energy.Breakdown) float64
}{
	{"energy", "Energy of the core: its array, static power included, vector unit and buffers, without memory.", func(b *energy.Breakdown) float64 { return b.Total() }},
	{"energy_mac", "Energy of multiply-accumulates.", func(b *energy.Breakdown) float64 { return b.MAC }},
	{"energy_vector", "Energy of the vector unit.", func(b *energy.Breakdown) float64 { return b.Vector }},
	{"energy_register", "Energy of moving operands and partial sums on in the array.", func(b *energy.Breakdown) float64 { return b.Register }},
	{"energy_skew", "Energy of the registers beside the array, where energy.skew_byte gives it.", func(b *energy.Breakdown) float64 { return b.Skew }},
	{"energy_clock", "Energy of the array that passes with its cycles, where energy.cycle gives it.", func(b *energy.Breakdown) float64 { return b.Cycle }},
	{"energy_static", "Energy that leaks from the arithmetic and the registers of the array; where energy.cycle is given it is in energy_clock.", func(b *energy.Breakdown) float64 { return b.Static }},
	{"energy_sram", "Energy of the three buffers.", func(b *energy.Breakdown) float64 { return b.SRAM[0] + b.SRAM[1] + b.SRAM[2] }},
}

// leaking is a breakdown with what leaks in so many cycles.
func (k *core) leaking(b energy.Breakdown, cycles uint64) *energy.Breakdown {
	b.Static = k.static(cycles)
	return &b
}

// plus adds up breakdowns, in the order of layers.
func plus(a, b energy.Breakdown) energy.Breakdown {
	a.MAC += b.MAC
	a.Vector += b.Vector
	a.Register += b.Register
	a.Skew += b.Skew
	a.Cycle += b.Cycle
	for i := range a.SRAM {
		a.SRAM[i] += b.SRAM[i]
	}
	return a
}
