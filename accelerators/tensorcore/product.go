package tensorcore

import (
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Array returns the seconds of matrix products x in the arrays; exposed adds loading of
// stationary tiles that is not overlapped.
func (m *Machine) Array(x graph.Matrix, exposed bool) float64 {
	tiles := float64(int64(x.Batch) * integer.Ceil(x.K, int64(m.Rows)) * integer.Ceil(x.N, int64(m.Cols)))
	cycles := up(x.M, register)
	switch {
	case m.Preload:
		cycles = max(cycles, int64(m.Rows)) // the next tile is on its way
	case exposed:
		runs := int64(1)
		if m.Accumulators > 0 {
			runs = integer.Ceil(x.M, m.Accumulators)
		}
		cycles += runs * int64(m.Rows)
	}
	return tiles * float64(cycles) / (float64(max(m.Arrays, 1)) * m.Clock * or1(m.Sustained))
}

// product is the time of a matrix product, or of a convolution seen as one, launches included:
// the least over its ways, whole or in slices of its rows, of its batch or of both, of which each
// is a kernel. Only where copies are added may slices gain: those that are copied in whole need not
// wait for tiles. Products that share their second operand stay together.
func (m *Machine) product(g *graph.Graph, op *graph.Op, x graph.Matrix, names []string, p Passed) Cost {
	t := task{op: op, x: x, a: bytes(g, op.In[:1]), b: bytes(g, op.In[1:]), out: bytes(g, op.Out), passed: p.Out}
	best := m.slice(g, &t, names, 1, 1)
	if !best.Convert && !m.added(g, op) {
		return best
	}
	rows := func(batches int64) {
		for n := int64(1); n <= x.M; n *= 2 {
			if c := m.slice(g, &t, names, n, batches); c.Time() < best.Time() {
				best = c
			}
		}
	}
	apart := int64(x.Batch / max(x.SharedB, 1))
	for n := int64(1); n*n <= apart; n++ {
		if apart%n == 0 {
			rows(n)
			rows(apart / n)
		}
	}
	return best
}

// A task is a product with the bytes of its operands and results; passed never reach memory.
type task struct {
	op        *graph.Op
	x         graph.Matrix
	a, b, out int64
	passed    int64
}

// slice returns the time of a product cut into n slices of its rows, or of its batch, which n
// divides.
func (m *Machine) slice(g *graph.Graph, t *task, names []string, rows, batches int64) Cost {
	n := rows * batches
	x, a, b, out := t.x, integer.Ceil(t.a, n), integer.Ceil(t.b, batches), integer.Ceil(t.out, n)
	x.M, x.Batch = integer.Ceil(x.M, rows), x.Batch/int(batches)
	rate := m.rate(names)
	if x.N%int64(m.Cols) != 0 {
		rate *= or1(m.Ragged)
	}
	c := Cost{Convert: m.converted(g.Tensors[t.op.In[0]].DType), Read: a + b, Written: integer.Ceil(t.out-t.passed, n)}
	c.Launch = m.Launching(t.op)
	added, exposed := m.added(g, t.op) || c.Convert, !m.Preload
	switch {
	case added && a+b+out <= m.Resident:
		c.Read = max(a, b) + int64(max(m.Cores, 1))*min(a, b)
		c.Copy = float64(c.Bytes()) / rate
		c.Tiled = m.Tile > 0 && m.tile(x, a, b, out) > m.Tile
		exposed = false
	case added:
		c.Copy = m.first(x, b)/rate + float64(c.Written)/rate
		c.Memory = float64(c.Read) / rate
	default:
		if m.Hot && a+out < m.VMEM { // only the second operand comes from memory
			c.Read, c.Written = b, 0
		}
		c.Copy = m.first(x, b) / rate
		c.Memory = float64(c.Bytes()) / rate
	}
	if c.Convert {
		c.Launch += m.Launch[Convert]
	}
	if c.Tiled {
		c.Launch += m.Launch[Tiled]
	}
	return c.fastest(m.ways(g, t.op, x, names, exposed)).times(n)
}

// added reports whether copies of the operator's operands are added. Those of a type that takes
// several passes of the array come during the passes.
//
// assumption: of TPU v3, products of fp32 take less than array and copies together.
func (m *Machine) added(g *graph.Graph, op *graph.Op) bool {
	d, _ := g.Multiplied(op)
	return m.Added && or1(m.Passes[d]) <= 1
}

// first is the bytes of the first stripe of the second operand.
func (m *Machine) first(x graph.Matrix, b int64) float64 {
	return float64(b) * float64(min(int64(m.Cols), x.N)) / (float64(x.N) * float64(max(x.Batch, 1)))
}

// times is n equal kernels one after the other.
func (c Cost) times(n int64) Cost {
	k := float64(n)
	c.Launch, c.Copy, c.Array, c.Vector, c.Memory = k*c.Launch, k*c.Copy, k*c.Array, k*c.Vector, k*c.Memory
	c.Read, c.Written = n*c.Read, n*c.Written
	return c
}

// fastest is c with the work of the way that takes it the least time.
func (c Cost) fastest(ways []work) Cost {
	best := c
	for i, w := range ways {
		c.Array, c.Vector = w.array, w.vector
		if i == 0 || c.Time() < best.Time() {
			best = c
		}
	}
	return best
}

// tile is the bytes of a tile that holds all that a core does of a product: cores divide
// the rows of the first operand or, where each has whole stripes, the columns of the second.
func (m *Machine) tile(x graph.Matrix, a, b, out int64) int64 {
	cores := int64(max(m.Cores, 1))
	operands := a/cores + b
	if x.N%(cores*int64(m.Cols)) == 0 {
		operands = min(operands, a+b/cores)
	}
	sums := 4 * x.M * x.N * int64(max(x.Batch, 1))
	return 2*operands + (sums+2*out)/cores
}

// bytes of tensors.
func bytes(g *graph.Graph, ids []graph.TensorID) (n int64) {
	for _, id := range ids {
		if id != graph.None {
			n += g.Tensors[id].Bytes()
		}
	}
	return n
}
