package planner

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/nest/design"
	"github.com/causeway-sim/causeway/accelerators/nest/tile"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A shape is a convolution: sizes in the order N G M C P Q R S.
type shape struct {
	sizes            [8]int64
	stride, dilation [2]int64
}

func (s *shape) problem() nest.Problem { return design.Convolution(s.sizes, s.stride, s.dilation) }

func (s *shape) macs() float64 {
	n := 1.0
	for _, x := range s.sizes {
		n *= float64(x)
	}
	return n
}

// rounded is the shape with sizes that have a large prime factor rounded up to a multiple
// of 16, 8, 4 or 2, where that adds no more than a part in awkward; up is false where there
// are none. What is beyond a tensor's edge is computed and is no data.
func (s shape) rounded() (out shape, up bool) {
	const large, awkward = 7, 12
	for i, n := range s.sizes {
		p, rest := int64(1), n
		for d := int64(2); rest > 1; d++ {
			for ; rest%d == 0; rest /= d {
				p = d
			}
		}
		if p <= large {
			continue
		}
		for _, of := range []int64{16, 8, 4, 2} {
			if x := (n + of - 1) / of * of; (x-n)*awkward <= n {
				s.sizes[i], up = x, true
				break
			}
		}
	}
	return s, up
}

// reached is the shape as far as the factors of a mapping reach, where that is further.
func (s shape) reached(m *nest.Mapping) (out shape, up bool) {
	var to [8]int64
	for i := range to {
		to[i] = 1
	}
	for l := range m.Levels {
		for _, loops := range [2][]nest.Loop{m.Levels[l].Temporal, m.Levels[l].Spatial} {
			for _, x := range loops {
				if to[x.Dim] < 1<<40/max(1, x.Factor) {
					to[x.Dim] *= x.Factor
				}
			}
		}
	}
	for i, n := range to {
		if n > s.sizes[i] && n < 2*s.sizes[i] {
			s.sizes[i], up = n, true
		}
	}
	return s, up
}

// shapeOf is the convolution that a product is.
func shapeOf(m *graph.Matrix) (shape, error) {
	v := m.Conv
	if v == nil {
		return shape{sizes: [8]int64{m.M, int64(m.Batch), m.N, m.K, 1, 1, 1, 1}, stride: [2]int64{1, 1}, dilation: [2]int64{1, 1}}, nil
	}
	if v.Transposed {
		return shape{}, fmt.Errorf("a transposed convolution is not mapped onto loop nests")
	}
	g := int64(v.Groups)
	return shape{sizes: [8]int64{int64(v.N), g, int64(v.K) / g, int64(v.C) / g, int64(v.OutH()), int64(v.OutW()), int64(v.R), int64(v.S)},
		stride: [2]int64{int64(v.StrideH), int64(v.StrideW)}, dilation: [2]int64{int64(v.DilationH), int64(v.DilationW)}}, nil
}

// operands says where weights, inputs and outputs lie, in the order of the problem's
// tensors.
func operands(r *machine.Product, s *shape) []tile.Operand {
	g := r.Graph
	n, groups, m, c, p, q := s.sizes[0], s.sizes[1], s.sizes[2], s.sizes[3], s.sizes[4], s.sizes[5]
	a, b, out := g.Tensor(r.Op.In[0]), g.Tensor(r.Op.In[1]), g.Tensor(r.Out)
	w := tile.Operand{Tensor: r.Op.In[1], Buffer: dma.Filter, Bits: b.DType.Bits(), Packed: b.Role == graph.Weight || r.Matrix.Conv != nil,
		Size: []int64{groups, m, c, s.sizes[6], s.sizes[7]}, Shift: make([]int64, 5)}
	in := tile.Operand{Tensor: r.Op.In[0], Buffer: dma.Ifmap, Bits: a.DType.Bits(), Shift: make([]int64, 5)}
	sums := tile.Operand{Tensor: r.Out, Buffer: dma.Ofmap, Bits: out.DType.Bits(), Size: []int64{n, groups, m, p, q}, Shift: make([]int64, 5)}
	if v := r.Matrix.Conv; v != nil {
		h, width := int64(v.H), int64(v.W)
		w.Stride = []int64{m * c * s.sizes[6] * s.sizes[7], c * s.sizes[6] * s.sizes[7], s.sizes[6] * s.sizes[7], s.sizes[7], 1}
		in.Size, in.Stride = []int64{n, groups, c, h, width}, []int64{groups * c * h * width, c * h * width, h * width, width, 1}
		in.Shift[3], in.Shift[4] = int64(v.PadTop), int64(v.PadLeft)
		sums.Stride = []int64{groups * m * p * q, m * p * q, p * q, q, 1}
		return []tile.Operand{w, in, sums}
	}
	w.Stride = []int64{c * m, 1, m, 1, 1}
	if d := b.Shape; len(d) >= 2 && int64(d[len(d)-2]) == m && int64(d[len(d)-1]) == c && m != c {
		w.Stride = []int64{c * m, c, 1, 1, 1} // N rows of K, as keys lie
	}
	in.Size, in.Stride = []int64{n, groups, c, 1, 1}, []int64{c, n * c, 1, 1, 1}
	sums.Stride = []int64{m, n * m, 1, 1, 1}
	return []tile.Operand{w, in, sums}
}
