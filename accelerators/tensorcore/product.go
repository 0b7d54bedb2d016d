package tensorcore

import "github.com/causeway-sim/causeway/workloads/graph"

// Array is the time of batch products of an m x k by a k x n matrix in the arrays; exposed
// adds the loading of stationary tiles that nothing hides.
func (m *Machine) Array(x graph.Matrix, exposed bool) float64 {
	tiles := float64(int64(x.Batch) * ceil(x.K, int64(m.Rows)) * ceil(x.N, int64(m.Cols)))
	cycles := up(x.M, register)
	switch {
	case m.Preload:
		cycles = max(cycles, int64(m.Rows)) // the next tile is on its way
	case exposed:
		runs := int64(1)
		if m.Accumulators > 0 {
			runs = ceil(x.M, m.Accumulators)
		}
		cycles += runs * int64(m.Rows)
	}
	return tiles * float64(cycles) / (float64(max(m.Arrays, 1)) * m.Clock * or1(m.Sustained))
}

// product is the time of a matrix product, or of a convolution seen as one.
func (m *Machine) product(g *graph.Graph, op *graph.Op, x graph.Matrix, names []string) Cost {
	a, b := bytes(g, op.In[:1]), bytes(g, op.In[1:])
	out := bytes(g, op.Out)
	rate := m.rate(names)
	if x.N%int64(m.Cols) != 0 {
		rate *= or1(m.Ragged)
	}
	c := Cost{Convert: m.converted(g.Tensors[op.In[0]].DType)}
	c.Bytes = a + b + out
	d, _ := g.Multiplied(op)
	passes := or1(m.Passes[d])
	if g.Sparsity(op).On() {
		passes *= or1(m.Sparse)
	}
	added := m.Added || c.Convert
	if added && a+b+out <= m.VMEM {
		each := max(a, b) + int64(max(m.Cores, 1))*min(a, b)
		c.Bytes = each + out
		c.Copy = float64(each+out) / rate
		c.Array = passes * m.Array(x, false)
		c.Tiled = m.Tile > 0 && m.tile(x, a, b, out) > m.Tile
		return c
	}
	c.Array = passes * m.Array(x, !m.Preload)
	c.Copy = float64(b) * float64(min(int64(m.Cols), x.N)) / (float64(x.N) * float64(max(x.Batch, 1))) / rate
	if added {
		c.Copy += float64(out) / rate
		c.Memory = float64(a+b) / rate
	} else {
		c.Memory = float64(max(a+b, out)) / rate // reads and writes at a time
	}
	return c
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
