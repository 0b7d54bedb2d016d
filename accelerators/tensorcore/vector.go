package tensorcore

import "github.com/causeway-sim/causeway/workloads/graph"

// work is the time of the vector unit: its operations over its lanes, and no more elements
// per cycle than the rate of the name.
func (m *Machine) work(names []string, elements, ops int64) float64 {
	cycles := float64(ops) / max(m.Vector.Lanes, 1)
	if r := look(m.Vector.Rates, names, 0); r > 0 {
		cycles = max(cycles, float64(elements)/r)
	}
	if n, g := float64(m.Vector.Units), float64(m.Vector.Grain); n > 1 && g > 0 {
		busy := min(n, max(1, float64(elements)/g))
		cycles *= n / busy
	}
	return cycles / m.Clock
}

// elements is the time of an operator of the vector unit alone. The memory works at the same time.
func (m *Machine) elements(g *graph.Graph, op *graph.Op, names []string, p Passed) Cost {
	f := g.Footprint(op)
	ops := op.VectorOps()
	if _, ok := op.Kind.(graph.Move); ok {
		ops = f.OutputElements // a load and a store of each
	}
	n := max(f.OutputElements, f.InputElements)
	if k, ok := op.Kind.(graph.Elementwise); ok {
		n = k.Elements
	}
	c := Cost{Vector: m.work(names, n, ops)}
	if m.Hot && f.Bytes() < m.VMEM {
		return c
	}
	c.Read, c.Written = max(0, f.Bytes()-f.OutputBytes-p.In), max(0, f.OutputBytes-p.Out)
	c.Memory = float64(c.Bytes()) / m.rate(names)
	return c
}
