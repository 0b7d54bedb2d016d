package mapping

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
)

// Parts divides the plan's cycles of the array: useful, mapping loss, fill, drain. It
// is zero for work of the vector unit.
func (p *Plan) Parts() dataflow.Parts {
	if !p.Matrix {
		return dataflow.Parts{}
	}
	if p.own != nil {
		return partsOfOwn(p.own)
	}
	return p.tiles.H.Timing.Parts(p.Cycles, p.Folds, p.Streams(), p.Work()/float64(p.tiles.H.Rows*p.tiles.H.Cols))
}

// Work is the multiply-accumulates of the plan in words of the array: half of them at a
// rate of 2.
func (p *Plan) Work() float64 {
	if !p.Matrix {
		return 0
	}
	return float64(p.MACs) * float64(p.tiles.H.Rate.Den) / float64(p.tiles.H.Rate.Num)
}

// Skipped is the multiply-accumulates with weights that are zero by their pattern and that
// the array left out.
func (p *Plan) Skipped() int64 {
	if s := p.skips; s.On() {
		return p.MACs - int64(float64(p.MACs)*float64(s.N)/float64(s.M))
	}
	return 0
}

// Axes are the axes along rows, along columns and in time of the array that the products are on.
func (p *Plan) Axes() [3]dataflow.Axis {
	h := p.tiles.H
	return [3]dataflow.Axis{h.RowAxis, h.ColAxis, h.Time}
}

// Rate is that of the element type of the products, with what is skipped.
func (p *Plan) Rate() machine.Rate { return p.tiles.H.Rate }

// Streams is the cycles of the array in which operands stream: neither load nor fill
// nor drain.
func (p *Plan) Streams() int64 {
	if p.attn != nil {
		return p.attn.Loop.Stream
	}
	return p.tiles.Sol.Cost.Stream
}

// Filled is the mean number of rows and columns of the array that a stationary tile
// fills. Products that lie side by side fill rows and columns of their own each, so
// that only a diagonal of blocks works.
func (p *Plan) Filled() (rows, cols float64) {
	if !p.Matrix {
		return 0, 0
	}
	if p.own != nil {
		return float64(p.own.Used), 1
	}
	if p.attn != nil {
		l := &p.attn.Loop
		return float64(l.Rows) / float64(l.Folds), float64(l.Cols) / float64(l.Folds)
	}
	side := float64(p.tiles.S.Batch) / float64(p.tiles.Sol.Cost.Groups)
	along := func(x dataflow.Axis) float64 {
		n := float64(p.tiles.H.Words(x, p.tiles.S.Axis(x))) / float64(p.tiles.Sol.C.Cut(x).Folds)
		if by := p.tiles.Sol.Cost.Packing; by.Serial && by.Along != x {
			return n
		}
		return n * side
	}
	return along(p.tiles.H.RowAxis), along(p.tiles.H.ColAxis)
}

// FilledText says which part of the array the stationary tiles fill: "8 of 128 rows",
// "all" for an array that is full, "all, by 3 products side by side" where blocks of products fill
// it and the rest of their rows and columns is idle, "" for work of the vector unit.
func (p *Plan) FilledText() string {
	if !p.Matrix {
		return ""
	}
	if o := p.own; o != nil {
		if o.Used == o.Units {
			return "all"
		}
		return fmt.Sprintf("%d of %d units", o.Used, o.Units)
	}
	var parts []string
	rows, cols := p.Filled()
	if rows < float64(p.tiles.H.Rows) {
		parts = append(parts, fmt.Sprintf("%.4g of %d rows", rows, p.tiles.H.Rows))
	}
	if cols < float64(p.tiles.H.Cols) {
		parts = append(parts, fmt.Sprintf("%.4g of %d columns", cols, p.tiles.H.Cols))
	}
	if len(parts) == 0 {
		parts = []string{"all"}
	}
	text := strings.Join(parts, " and ")
	if n := min(p.tiles.Sol.Cost.Pack, p.Tile.Batch); n > 1 {
		text += fmt.Sprintf(", by %d products side by side", n)
		if p.tiles.Sol.Cost.Serial {
			text += " that stream one after the other"
		}
	}
	return text
}
