package planner

import (
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/nest"
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

func layoutOf(r *mapping.Product, ops []tile.Operand) layout {
	l := layout{sums: r.Sums.Bits(), packed: ops[0].Packed, column: ops[0].Stride[1]}
	for i := range ops {
		l.bits[i] = ops[i].Bits
	}
	if v := r.Matrix.Conv; v != nil {
		l.h, l.w = int64(v.H), int64(v.W)
	}
	return l
}

// outside is how many cycles the memory is busy with what a mapping moves: bytes at its
// bandwidth, or requests where tiles are narrow. Operands take their times one after
// the other, as the engine fetches them.
func outside(n *nest.Nest, r *nest.Result, ops []tile.Operand, sums int64, mem *mapping.Memory) float64 {
	t := 0.0
	for i := range ops {
		o, c := &ops[i], r.Of(0, i)
		var sides [5]int64
		for k := range sides {
			sides[k] = n.Reach(i, k)
		}
		run := float64(o.Run(sides[:]...))
		words := c.Actual.Reads
		if i == 2 {
			words = c.Actual.Updates - c.Actual.Reads
			again := 2 * c.Actual.Reads // out and back
			t += mem.Time(again*float64(sums)/8, run*float64(sums)/8)
		}
		t += mem.Time(words*float64(o.Bits)/8, run*float64(o.Bits)/8)
	}
	return t
}
