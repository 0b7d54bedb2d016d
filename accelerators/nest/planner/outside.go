package planner

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/nest/relax"
	"github.com/causeway-sim/causeway/accelerators/nest/tile"
)

// A layout is what a mapping depends on of how tensors lie in memory.
type layout struct {
	bits   [3]int64 // of weights, inputs, outputs
	sums   int64    // bits of a partial sum
	packed bool
	h, w   int64 // of the input of a convolution
	column int64 // elements from one column of the second operand to the next
}

func layoutOf(r *machine.Product, ops []tile.Operand) layout {
	l := layout{sums: r.Sums.Bits(), packed: ops[0].Packed, column: ops[0].Stride[1]}
	for i := range ops {
		l.bits[i] = ops[i].Bits
	}
	if v := r.Matrix.Conv; v != nil {
		l.h, l.w = int64(v.H), int64(v.W)
	}
	return l
}

// inputs is what a tensor that is not written takes, where x is what it would away from the
// edges: padding is no data, a window that hangs over an edge breaks rows that would follow
// each other, and what is new of a tile may be narrow.
func inputs(n *nest.Nest, r *nest.Result, o *tile.Operand, i int, sides [5]int64, run, x float64, mem *machine.Memory) nest.Moved {
	m := nest.Moved{In: x * min(1, float64(o.Elements())/n.Whole(i))}
	if o.Packed || x == 0 {
		return m
	}
	size := float64(o.Bits) / 8
	slower := func() float64 {
		return mem.Time(1e6*size, float64(o.Run(sides[:]...))*size) / mem.Time(1e6*size, run*size)
	}
	for k := range sides {
		if sides[k] >= o.Size[k] && float64(sides[k]) < n.Span(i, k) {
			sides[k] = max(1, o.Size[k]-1)
		}
	}
	edge := slower()
	m.In *= edge
	dim, step, ok := n.Shared(r, i)
	if !ok {
		return m
	}
	for k, rank := range n.Problem().Tensors[i].Ranks {
		for _, y := range rank {
			if y.Dim == dim {
				sides[k] = min(sides[k], y.Coef*step)
			}
		}
	}
	m.Fresh = slower() / edge
	return m
}

// outside is how many cycles the memory is busy with what a mapping moves: bytes at its
// bandwidth, or requests where tiles are narrow. Operands take their times one after
// the other, as the engine fetches them.
func outside(n *nest.Nest, r *nest.Result, ops []tile.Operand, sums int64, mem *machine.Memory, moved []nest.Moved) float64 {
	t := 0.0
	for i := range ops {
		o, c := &ops[i], r.Of(0, i)
		var sides [5]int64
		for k := range sides {
			sides[k] = n.Reach(i, k)
		}
		run := float64(o.Run(sides[:]...))
		words := c.Actual.Reads
		moved[i] = nest.Moved{}
		if i == 2 {
			words = c.Actual.Updates - c.Actual.Reads
			again := 2 * c.Actual.Reads // out and back
			x := mem.Time(again*float64(sums)/8, run*float64(sums)/8)
			t += x
			moved[i] = nest.Moved{In: x / 2, Out: x / 2}
		}
		x := mem.Time(words*float64(o.Bits)/8, run*float64(o.Bits)/8)
		t += x
		if i == 2 {
			moved[i].Out += x
		} else {
			moved[i] = inputs(n, r, o, i, sides, run, x, mem)
		}
	}
	return t
}

// relaxed is the memory outside as a relaxed cost takes it. Windows that hang over edges are no
// different there.
func relaxed(n *nest.Nest, ops []tile.Operand, sums int64, mem *machine.Memory) *relax.Memory {
	m := &relax.Memory{}
	if mem.Outstanding > 0 {
		m.Request = max(1, float64(mem.Latency)/float64(mem.Outstanding))
	}
	for i := range ops {
		o := &ops[i]
		x := relax.Stored{Size: o.Size, Stride: o.Stride, Packed: o.Packed, Share: min(1, float64(o.Elements())/n.Whole(i))}
		if mem.Bandwidth > 0 {
			byteTime := float64(mem.Cycles) / float64(mem.Bandwidth)
			x.Word, x.Sum = byteTime*float64(o.Bits)/8, byteTime*float64(sums)/8
		}
		if mem.Burst > 0 {
			x.Burst = float64(8*mem.Burst) / float64(o.Bits)
		}
		m.Tensors = append(m.Tensors, x)
	}
	return m
}
