package mapping

import (
	"iter"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Tile is the size of a memory tile: Batch products of M x K by K x N.
type Tile struct {
	Batch int64 `yaml:"batch,omitempty" sets:"choice" try:"1 2 4 16"`
	M     int64 `yaml:"m,omitempty" sets:"choice" try:"1 8 32 64 128 256 512 3136 12544"`
	N     int64 `yaml:"n,omitempty" sets:"choice" try:"16 32 64 128 256 384 512 768 1024 2048 4096 8192"`
	K     int64 `yaml:"k,omitempty" sets:"choice" try:"64 128 256 384 512 576 768 1024 1152 2048 2304 4096 8192"`
}

// Accesses counts what the array or the vector unit reads from and writes to
// the buffers, in elements. What the DMA moves is counted in Traffic.
type Accesses struct {
	IfmapReads, FilterReads int64
	OfmapReads, OfmapWrites int64 // partial sums that are added to count as both
}

// Traffic is the bytes that move between memory and the buffers.
type Traffic struct {
	Ifmap  int64 // inputs read
	Filter int64 // second operands read: weights, keys, values
	Psum   int64 // biases and spilled partial sums read
	Spill  int64 // partial sums written to scratch
	Output int64 // results written
}

// Total is the sum of all parts.
func (t Traffic) Total() int64 { return t.Ifmap + t.Filter + t.Psum + t.Spill + t.Output }

// A Plan says how one core executes one operator or its share of it.
type Plan struct {
	Op     *graph.Op
	Matrix bool   // runs on the array; else on the vector unit
	Tile   Tile   // of matrix work
	Order  string // memory loops from the outside in, for example "nmk"
	Folds  int64  // stationary tiles that pass through the array
	Steps  int64
	// Cycles of the array or the vector unit, never waiting. Steps of matrix
	// work take longer in sum where fused operators need the vector unit for
	// longer than the array works.
	Cycles  int64
	MACs    int64
	Vector  int64 // vector operations, fused ones included
	SRAM    Accesses
	Traffic Traffic
	Scratch int64 // bytes of scratch memory for spilled partial sums
	Time    int64 // estimated cycles, with memory and array in parallel

	// Of all plans of equal shares: those of a thousand cores have one shape and one solution.
	// Nothing writes to them.
	s   *shape
	h   *machine
	sol *solution

	at     place
	piece  [3]int64 // largest part of a tile per step, by axis
	spills bool
	lanes  int64
	work   *stream // of the vector unit
	attn   *attentionPlan
	kept   []graph.TensorID  // operands and results that the search took to stay on the chip
	own    *Own              // of a core that maps in its own way
	skips  graph.Pattern     // of the weights
	casts  [2]multicastShare // of A and B
	sum    multicastShare    // of the results, where cores make parts of a sum
	into   [2]int64          // with a cast: bytes that enter the ifmap and the filter buffer
}

// What plans have that are not the array's own.
var (
	noShape    shape
	noMachine  machine
	noSolution solution
)

// All yields the steps in order. The step and its slices hold until the next
// one.
func (p *Plan) All() iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		w, s := p.Walk(), Step{}
		for w.Next(&s) && yield(&s) {
		}
	}
}

// Resident is the operand that stays while the innermost memory loop runs.
func (p *Plan) Resident() string {
	if p.Matrix && p.own == nil {
		for _, r := range []string{"ifmap", "filter", "ofmap"} {
			if residents[r] == p.Order[2:] {
				return r
			}
		}
	}
	return ""
}

// tiled reports whether the search found the tiles of a product: plans of one solution are alike.
func (p *Plan) tiled() bool { return p.Matrix && p.attn == nil && p.own == nil }

// matrixPlan turns a solution into a plan.
func matrixPlan(op *graph.Op, s *shape, h *machine, sol *solution, at place) *Plan {
	c := sol.c
	p := &Plan{Op: op, Matrix: true, Tile: c.tile(),
		Order: orders[c.order].String(), Folds: sol.cost.folds, Cycles: sol.cost.cycles, MACs: s.macs(),
		Vector: s.vector, SRAM: s.accesses(h, &c, sol.cost), Traffic: sol.traffic,
		Time: sol.time, s: s, h: h, sol: sol, at: at, spills: c.spills(&orders[c.order]), lanes: h.lanes}
	if p.spills {
		p.Scratch = c.bt * size(s.m()*s.n, s.acc)
	}
	p.cutPieces()
	return p
}

// stepsPerOp is how many steps an operator should have at least, so that the
// first load and the last store are a small part of it; tiles are fed in up to
// stepsPerTile pieces for that. Pieces neither load more nor compute longer.
// assumption: hardware hands data from DMA to array at finer grain than a tile.
const (
	stepsPerOp   = 32
	stepsPerTile = 16
	shortest     = 64 // cycles that a piece of a fold streams at least
)

// pieces is how long the parts are, by axis, in which a tile is fed to the array: fold
// by fold, and where a tile has few folds also in parts of the stream.
func (s *shape) pieces(h *machine, c *candidate, tiles int64) (piece [3]int64) {
	piece = [3]int64{c.m.size, c.n.size, c.k.size}
	want := min(stepsPerTile, stepsPerOp/tiles)
	if want <= 1 || s.narrow() || s.form == transposed {
		return piece
	}
	split := func(x dataflow.Axis) bool { // true if all folds are apart
		along := h.whole(x)
		folds := ceil(piece[x], along)
		if x == dataflow.M && c.m.cols < s.cols {
			return folds == 1 // parts of a row stay whole
		}
		n := min(folds, max(want, 1))
		if along%s.grain(x) > 0 {
			n = 1 // parts begin with a block
		}
		piece[x] = min(piece[x], ceil(folds, n)*along)
		want /= ceil(folds, ceil(folds, n))
		return ceil(folds, n) == 1
	}
	outer, inner := h.nest()
	whole := split(outer) && split(inner)
	if t := h.time; whole && want > 1 && (t != dataflow.M || c.m.cols == s.cols) {
		part := max(ceil(piece[t], want), shortest)
		part = ceil(part, s.grain(t)) * s.grain(t)
		if t == dataflow.M && s.form == conv { // whole rows
			part = ceil(part, c.m.cols) * c.m.cols
		}
		piece[t] = min(piece[t], part)
	}
	return piece
}

// cutPieces decides how a tile is fed, and counts the steps.
func (p *Plan) cutPieces() {
	c, s := &p.sol.c, p.s
	p.piece = [3]int64{c.m.size, c.n.size, c.k.size}
	if !p.sol.whole {
		p.piece = s.pieces(p.h, c, p.sol.tiles)
	}
	n := ceil(s.batch, c.bt)
	n *= c.n.sum(func(x int64) int64 { return ceil(x, p.piece[dataflow.N]) })
	n *= c.k.sum(func(x int64) int64 { return ceil(x, p.piece[dataflow.K]) })
	pieces := func(b, r, q int64) int64 { return ceil(b*r*q, p.piece[dataflow.M]) }
	var m int64
	lb, lr := s.images-(ceil(s.images, c.m.images)-1)*c.m.images, s.rows-(ceil(s.rows, c.m.rows)-1)*c.m.rows
	switch {
	case c.m.cols < s.cols:
		m = c.m.trips
	case c.m.rows < s.rows:
		m = s.images * ((ceil(s.rows, c.m.rows)-1)*pieces(1, c.m.rows, s.cols) + pieces(1, lr, s.cols))
	default:
		m = (c.m.trips-1)*pieces(c.m.images, s.rows, s.cols) + pieces(lb, s.rows, s.cols)
	}
	p.Steps = n * m
}

// whole is the least elements of an axis that fill whole folds.
func (h *machine) whole(x dataflow.Axis) int64 {
	if x != dataflow.K || h.rate.Num == h.rate.Den {
		return h.side(x)
	}
	n := h.side(x) * h.rate.Num
	for a, b := n, h.rate.Den; ; a, b = b, a%b {
		if b == 0 {
			return n / a
		}
	}
}

// nest is the order in which the folds of a tile pass: results of one outer
// index are complete before the next.
func (h *machine) nest() (outer, inner dataflow.Axis) {
	if h.rowAxis == dataflow.K { // reduction down the rows
		return h.colAxis, h.rowAxis
	}
	return h.rowAxis, h.colAxis
}
