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

// elements is the time of an operator of the vector unit alone. Its operands are
// resident where they fit, unless copies are added.
func (m *Machine) elements(g *graph.Graph, op *graph.Op, names []string) Cost {
	f := g.Footprint(op)
	ops := op.VectorOps()
	if _, ok := op.Kind.(graph.Move); ok {
		ops = f.OutputElements // a load and a store of each
	}
	n := max(f.OutputElements, f.InputElements)
	if k, ok := op.Kind.(graph.Elementwise); ok {
		n = k.Elements
	}
	var c Cost
	c.Vector = m.work(names, n, ops)
	if n := f.Bytes(); m.Added || m.hosted(names) || n >= m.VMEM {
		c.Bytes = n
		c.Memory = float64(n) / m.rate(names)
	}
	return c
}

// hosted reports whether operators of that name are called by the host one at a time,
// so that their operands lie in memory.
func (m *Machine) hosted(names []string) bool {
	for _, n := range names {
		for _, h := range m.Hosted {
			if n == h {
				return true
			}
		}
	}
	return false
}
