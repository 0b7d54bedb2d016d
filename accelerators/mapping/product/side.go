package product

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/layout"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A side is an operand of a fused operator other than the results.
type side struct {
	Tensor   graph.TensorID
	Full     bool
	elements int64 // with those that fill up blocks
	Wide     graph.Unit
	Layout   layout.Arrangement
}

// Sides lists the operands of fused operators that the job has to read.
func Sides(g *graph.Graph, op *graph.Op, fused []*graph.Op) (out []side) {
	made := slices.Clone(op.Out)
	for _, f := range fused {
		if _, ok := f.Kind.(graph.Norm); !ok { // a batch norm is folded
			for i, id := range f.In {
				if id == graph.None || slices.Contains(made, id) || slices.Contains(f.In[:i], id) {
					continue
				}
				t := g.Tensor(id)
				out = append(out, side{Tensor: id, Full: t.Elements() == g.Tensor(op.Out[0]).Elements(), elements: t.Padded(), Wide: t.Unit()})
			}
		}
		made = append(made, f.Out...)
	}
	return out
}

// At is the byte at which row r of so many begins.
func (d *side) At(r, rows int64) int64 {
	if r == rows {
		return d.Wide.Size(d.elements)
	}
	return d.Wide.Offset(integer.Scale(d.elements, r, rows))
}

// LoadSides appends the tiles of the other operands of fused operators: of the box whose
// results leave, first tells that it is the first piece of columns of its tile.
func (s *Shape) LoadSides(dst []dma.Transfer, at *Place, x *Box, first bool) []dma.Transfer {
	for i := range at.Sides {
		d := &at.Sides[i]
		switch {
		case d.Full:
			from := len(dst)
			if d.Layout == s.CLayout {
				dst = s.StoreC(dst, at, x)
			} else {
				other := *s
				other.CLayout = d.Layout
				dst = other.StoreC(dst, at, x)
			}
			for j := from; j < len(dst); j++ {
				dst[j].Tensor = d.Tensor
			}
		case first:
			r := at.M0 + x.P0 + x.X0
			lo, hi := d.At(r, at.fullM), d.At(r+x.m(), at.fullM)
			if hi > lo {
				dst = append(dst, dma.Transfer{Tensor: d.Tensor, Buffer: dma.Ofmap, Offset: lo, RowBytes: hi - lo, Rows: 1, Planes: 1})
			}
		}
	}
	return dst
}
