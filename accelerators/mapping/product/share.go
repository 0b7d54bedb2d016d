package product

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Share is the part of an operator that one core does. The zero value of Part
// means all of it.
type Share struct {
	Batch, Image, Row, N Part
	K                    Part         // of the sum; empty: all of it
	Fetches              [2]dma.Fetch // of A and B
	Sum                  dma.Fetch    // which part of the results it adds up and stores, of a part of the sum
}

// A Part is the range [from, to) of an axis.
type Part struct{ From, To int64 }

func (p Part) Len() int64 { return p.To - p.From }

// Times scales a part by unit.
func (p Part) Times(unit int64) Part { return Part{p.From * unit, p.To * unit} }

// Cut divides a range evenly into n, in whole units.
func (p Part) Cut(unit int64, n int) []Part {
	out := Even(p.Len()/unit, n)
	for i := range out {
		out[i] = Part{p.From + out[i].From*unit, p.From + out[i].To*unit}
	}
	return out
}

// First is the first and largest of n parts of a range, in whole units.
func (p Part) First(unit int64, n int) Part {
	return Part{p.From, p.From + integer.Ceil(p.Len()/unit, int64(n))*unit}
}

// Even divides n into cores parts, remainders to the first.
func Even(n int64, cores int) []Part {
	out := make([]Part, cores)
	at := int64(0)
	for i := range out {
		size := n / int64(cores)
		if int64(i) < n%int64(cores) {
			size++
		}
		out[i] = Part{at, at + size}
		at += size
	}
	return out
}

// Size is the number of elements of the share's index space.
func (s *Share) Size() int64 { return s.Batch.Len() * s.Image.Len() * s.Row.Len() * s.N.Len() }

// Whole is the share that is the whole operator.
func Whole(m graph.Matrix) Share {
	s := Share{Batch: Part{0, int64(m.Batch)}, Image: Part{0, 1}, Row: Part{0, m.M}, N: Part{0, m.N}}
	if m.Conv != nil {
		s.Image.To = int64(m.Conv.N)
		s.Row.To = int64(m.Conv.OutH())
		if m.Conv.Transposed {
			s.Row.To = int64(m.Conv.H)
		}
	}
	return s
}

// WholeOf is the share that is all of op.
func WholeOf(op *graph.Op) Share {
	if k, ok := op.Kind.(graph.Attention); ok {
		return WholeAttention(k)
	}
	m, ok := op.Matrix()
	if !ok {
		return Share{}
	}
	return Whole(Collapse(m))
}

// WholeAttention is the share that is all of the operator.
func WholeAttention(k graph.Attention) Share {
	return Share{Batch: Part{0, int64(k.Batch)}, N: Part{0, int64(k.Group)}, Row: Part{0, int64(k.Queries)}}
}

// Collapse joins products that use the same B into one product of more rows:
// their A and their results lie one after the other. It keeps B on the chip for
// all of them, which never costs traffic.
func Collapse(m graph.Matrix) graph.Matrix {
	if s := m.SharedB; s > 1 && m.Batch%s == 0 {
		m.Batch, m.M, m.SharedB = m.Batch/s, m.M*int64(s), 1
	}
	return m
}

// OnArray reports whether op runs on the array: a convolution, a product, an attention.
func OnArray(op *graph.Op) bool {
	if _, ok := op.Kind.(graph.Attention); ok {
		return true
	}
	_, ok := op.Matrix()
	return ok
}
