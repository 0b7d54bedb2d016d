package tile

import (
	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/accelerators/mapping/walk"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Schedule is the steps of a product on a core: its tiles in the order of the loops, and where
// its tensors lie.
type Schedule struct {
	// Of all schedules of equal shares: those of a thousand cores have one shape and one solution.
	// Nothing writes to them.
	S   *product.Shape
	H   *machine.Machine
	Sol *Solution

	At      product.Place
	piece   [3]int64 // largest part of a tile per step, by axis
	Steps   int64
	Spills  bool             // partial sums go to scratch memory
	Lanes   int64            // of the vector unit
	Kept    []graph.TensorID // operands and results that the search took to stay on the chip
	Fetches [2]dma.Fetch     // of A and B
	Sum     dma.Fetch        // of the results, where cores make parts of a sum
}

// NewSchedule is the schedule of a solution.
func NewSchedule(s *product.Shape, h *machine.Machine, sol *Solution, at product.Place) Schedule {
	c := &sol.C
	t := Schedule{S: s, H: h, Sol: sol, At: at, Spills: c.spills(&Orders[c.Order]), Lanes: h.Lanes}
	t.cutPieces()
	return t
}

// walk is how many cycles the steps take, as walk.Run says.
func (p *Schedule) walk(steps, limit int64) (cycles, work, bytes int64) {
	w := Walk{}
	w.Reset(p)
	return walk.Run(&w, walk.Engine{Mem: &p.H.Mem, Kept: p.Kept}, steps, limit)
}

// stepsPerOp is how many steps an operator should have at least, so that the
// first load and the last store are a small part of it; tiles are fed in up to
// StepsPerTile pieces for that. Pieces neither load more nor compute longer.
// assumption: hardware hands data from DMA to array at finer grain than a tile.
const (
	stepsPerOp   = 32
	StepsPerTile = 16
	shortest     = 64 // cycles that a piece of a fold streams at least
)

// piecesOf is how long the parts are, by axis, in which a tile is fed to the array: fold
// by fold, and where a tile has few folds also in parts of the stream.
func piecesOf(s *product.Shape, h *machine.Machine, c *Mapping, tiles int64) (piece [3]int64) {
	piece = [3]int64{c.M.Size, c.N.Size, c.K.Size}
	want := min(StepsPerTile, stepsPerOp/tiles)
	if want <= 1 || s.Narrow() || s.Form == product.Transposed {
		return piece
	}
	split := func(x dataflow.Axis) bool { // true if all folds are apart
		along := h.Whole(x)
		folds := integer.Ceil(piece[x], along)
		if x == dataflow.M && c.M.cols < s.Cols {
			return folds == 1 // parts of a row stay whole
		}
		n := min(folds, max(want, 1))
		if along%s.Grain(x) > 0 {
			n = 1 // parts begin with a block
		}
		piece[x] = min(piece[x], integer.Ceil(folds, n)*along)
		want /= integer.Ceil(folds, integer.Ceil(folds, n))
		return integer.Ceil(folds, n) == 1
	}
	outer, inner := h.Nest()
	whole := split(outer) && split(inner)
	if t := h.Time; whole && want > 1 && (t != dataflow.M || c.M.cols == s.Cols) {
		part := max(integer.Ceil(piece[t], want), shortest)
		part = integer.Ceil(part, s.Grain(t)) * s.Grain(t)
		if t == dataflow.M && s.Form == product.Conv { // whole rows
			part = integer.Ceil(part, c.M.cols) * c.M.cols
		}
		piece[t] = min(piece[t], part)
	}
	return piece
}

// cutPieces decides how a tile is fed, and counts the steps.
func (p *Schedule) cutPieces() {
	c, s := &p.Sol.C, p.S
	p.piece = [3]int64{c.M.Size, c.N.Size, c.K.Size}
	if !p.Sol.whole {
		p.piece = piecesOf(s, p.H, c, p.Sol.Tiles)
	}
	n := integer.Ceil(s.Batch, c.BT)
	n *= c.N.sum(func(x int64) int64 { return integer.Ceil(x, p.piece[dataflow.N]) })
	n *= c.K.sum(func(x int64) int64 { return integer.Ceil(x, p.piece[dataflow.K]) })
	pieces := func(b, r, q int64) int64 { return integer.Ceil(b*r*q, p.piece[dataflow.M]) }
	var m int64
	lb, lr := s.Images-(integer.Ceil(s.Images, c.M.images)-1)*c.M.images, s.Rows-(integer.Ceil(s.Rows, c.M.rows)-1)*c.M.rows
	switch {
	case c.M.cols < s.Cols:
		m = c.M.trips
	case c.M.rows < s.Rows:
		m = s.Images * ((integer.Ceil(s.Rows, c.M.rows)-1)*pieces(1, c.M.rows, s.Cols) + pieces(1, lr, s.Cols))
	default:
		m = (c.M.trips-1)*pieces(c.M.images, s.Rows, s.Cols) + pieces(lb, s.Rows, s.Cols)
	}
	p.Steps = n * m
}
