package tile

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// An Operand says where the tensor of a nest lies in memory: element i of rank r is
// Stride[r] elements further on than element i-1. Elements below Shift and from
// Shift+Size on are padding, which is no data.
type Operand struct {
	Tensor              graph.TensorID
	Buffer              dma.Buffer
	Bits                int64
	Size, Stride, Shift []int64
	// Packed: tiles lie one after the other in the order in which they are first fetched,
	// as compilers store weights.
	Packed bool
}

// A box is a range of each rank.
type box struct{ lo, hi []int64 }

func newBox(ranks int) box { return box{make([]int64, ranks), make([]int64, ranks)} }

// words is how many elements a box has, padding included.
func (b *box) words() int64 {
	n := int64(1)
	for i := range b.lo {
		n *= b.hi[i] - b.lo[i]
	}
	return n
}

// A level of the addresses of a box: so many runs, so far apart.
type level struct{ count, stride int64 }

// transfers appends what moves the box, without padding, to dst, with elements of so many
// bits: at most most elements of it.
func (o *Operand) transfers(dst []dma.Transfer, tensor graph.TensorID, bits int64, b *box, most int64) []dma.Transfer {
	first, run := int64(0), int64(1)
	var levels [8]level
	n := 0
	for i := range b.lo {
		lo, hi := max(b.lo[i]-o.Shift[i], 0), min(b.hi[i]-o.Shift[i], o.Size[i])
		if hi <= lo {
			return dst
		}
		first += lo * o.Stride[i]
		if hi-lo > 1 {
			levels[n] = level{hi - lo, o.Stride[i]}
			n++
		}
	}
	list := levels[:n]
	slices.SortStableFunc(list, func(a, b level) int { return int(a.stride - b.stride) })
	for len(list) > 0 && list[0].stride == run {
		run *= list[0].count
		list = list[1:]
	}
	return runs(dst, dma.Transfer{Tensor: tensor, Buffer: o.Buffer}, list, first, run, bits, &most)
}

// runs cuts levels of addresses into transfers, which have two levels besides their run.
func runs(dst []dma.Transfer, t dma.Transfer, list []level, first, run, bits int64, most *int64) []dma.Transfer {
	if *most <= 0 {
		return dst
	}
	if k := len(list); k > 2 {
		outer := list[k-1]
		for i := range outer.count {
			dst = runs(dst, t, list[:k-1], first+i*outer.stride, run, bits, most)
		}
		return dst
	}
	t.Offset, t.RowBytes = first*bits/8, (run*bits+7)/8
	t.Rows, t.Planes = 1, 1
	if len(list) > 0 {
		t.Rows, t.Stride = list[0].count, list[0].stride*bits/8
	}
	if len(list) > 1 {
		t.Planes, t.PlaneStride = list[1].count, list[1].stride*bits/8
	}
	if run*t.Rows*t.Planes > *most {
		return part(dst, t, run, bits, most)
	}
	*most -= run * t.Rows * t.Planes
	return append(dst, t)
}

// part appends the first elements of a transfer: whole planes, rows of the next one, a
// part of a row.
func part(dst []dma.Transfer, t dma.Transfer, run, bits int64, most *int64) []dma.Transfer {
	whole := t
	if whole.Planes = *most / (run * t.Rows); whole.Planes > 0 {
		dst = append(dst, whole)
		*most -= run * t.Rows * whole.Planes
	}
	t.Offset += whole.Planes * t.PlaneStride
	t.Planes = 1
	whole = t
	if whole.Rows = *most / run; whole.Rows > 0 {
		dst = append(dst, whole)
		*most -= run * whole.Rows
	}
	t.Offset += whole.Rows * t.Stride
	if *most > 0 {
		t.Rows, t.RowBytes = 1, (*most*bits+7)/8
		dst = append(dst, t)
		*most = 0
	}
	return dst
}

// Run is how many elements that follow each other in memory a box of such sides has, away
// from the edges.
func (o *Operand) Run(sides ...int64) int64 {
	if o.Packed {
		n := int64(1)
		for _, s := range sides {
			n *= s
		}
		return n
	}
	run := int64(1)
	for range sides { // no more than each side once
		for i, s := range sides {
			if s = min(s, o.Size[i]); s > 1 && o.Stride[i] == run {
				run *= s
				break
			}
		}
	}
	return run
}

// held is how many elements of a box are data.
func (o *Operand) held(b *box) int64 {
	n := int64(1)
	for i := range b.lo {
		n *= max(0, min(b.hi[i]-o.Shift[i], o.Size[i])-max(b.lo[i]-o.Shift[i], 0))
	}
	return n
}

// Elements is how many the tensor has.
func (o *Operand) Elements() int64 {
	n := int64(1)
	for _, s := range o.Size {
		n *= s
	}
	return n
}
