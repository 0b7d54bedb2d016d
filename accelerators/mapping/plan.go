package mapping

import (
	"iter"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Tile is the size of a memory tile: Batch products of M x K by K x N.
type Tile struct {
	Batch int64 `yaml:"batch,omitempty"`
	M     int64 `yaml:"m,omitempty"`
	N     int64 `yaml:"n,omitempty"`
	K     int64 `yaml:"k,omitempty"`
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
	Op      *graph.Op
	Matrix  bool   // runs on the array; else on the vector unit
	Tile    Tile   // of matrix work
	Order   string // memory loops from the outside in, for example "nmk"
	Folds   int64  // stationary tiles that pass through the array
	Steps   int64
	Cycles  int64 // of all steps: the array or vector unit never waiting
	MACs    int64
	Vector  int64 // vector operations, fused ones included
	SRAM    Accesses
	Traffic Traffic
	Scratch int64 // bytes of scratch memory for spilled partial sums

	Timing dataflow.Timing
}

// A Walker yields the steps of a plan in order, without allocating per step.
type Walker struct {
	p *Plan
}

// Walk starts a walk over the plan's steps.
func (p *Plan) Walk() *Walker { return &Walker{p: p} }

// Next fills s with the next step; false at the end.
func (w *Walker) Next(s *Step) bool { return false }

// All yields the steps in order. The slices of a step hold until the next one.
func (p *Plan) All() iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		w, s := p.Walk(), Step{}
		for w.Next(&s) && yield(&s) {
		}
	}
}
