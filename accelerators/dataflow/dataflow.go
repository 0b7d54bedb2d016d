package dataflow

import "github.com/causeway-sim/causeway/components/registry"

// An Array is the size of a systolic array and what its timing depends on.
type Array struct {
	Rows, Cols int
	// OverlapPreload: shadow registers let the next stationary tile load while
	// this one streams.
	OverlapPreload bool
	// OverlapDrain: the next tile follows in the wavefront right after the
	// last operand of this one, so that fill and drain are paid once.
	OverlapDrain bool
	// LoadRows is the rows of a stationary tile that enter the array per cycle; 0 means 1, a
	// chain of shift registers. An output-stationary array loads no tile.
	LoadRows int
	// OverlapFirst: the first stationary tile of an operator is loaded during the end
	// of the operator before it, so that no operator waits for its first load.
	OverlapFirst bool
	// Stages is the pipeline stages of a processing element; 0 means 1. An element begins one
	// product per cycle and finishes it Stages cycles later.
	Stages int
}

// PEs is the number of processing elements.
func (a Array) PEs() int64 { return int64(a.Rows) * int64(a.Cols) }

// pipe is the cycles that the pipeline of an element adds to a fold.
func (a Array) pipe() int64 { return int64(max(a.Stages, 1) - 1) }

// An Axis is one of the three dimensions of a matrix product.
type Axis uint8

// The axes of an M x K by K x N product.
const (
	M Axis = iota
	N
	K
)

// String returns m, n or k.
func (x Axis) String() string { return "mnk"[x : x+1] }

// A Dataflow maps the axes of a matrix product to rows, columns and time of an array.
type Dataflow interface {
	// Name is the name in the registry.
	Name() string
	// Axes returns the axis along the rows of the array, the one along its columns, and the one
	// in time.
	Axes() (rows, cols, time Axis)
	// Timing returns the cycles of a fold on an array besides its streaming.
	Timing(a Array) Timing
	// Skew counts the skew registers at the edges of the array.
	Skew(a Array) Skew
	// Check returns an error if the dataflow cannot run on an array.
	Check(a Array) error
}

// A Skew counts the registers at the edges of the array that align the lanes of a wavefront: they
// delay operands before they enter and results after they leave.
type Skew struct {
	A, B int64 // of elements of the left (activations) and right (weights) operand
	Sums int64 // of partial sums
}

// Registers returns the sum.
func (s Skew) Registers() int64 { return s.A + s.B + s.Sums }

// triangle is the number of registers that delay lane i of n by i cycles.
func triangle(n int) int64 { return int64(n) * int64(n-1) / 2 }

// All holds the dataflows by name.
var All = registry.New[Dataflow]("dataflow")

// Dims returns the elements of an m x k by k x n product along rows, columns and time of the
// array.
func Dims(d Dataflow, m, n, k int64) (rows, cols, time int64) {
	size := [3]int64{m, n, k}
	r, c, t := d.Axes()
	return size[r], size[c], size[t]
}

// A Timing holds the cycles of the folds (stationary tiles) of one operator. Folds that stream
// t[0..n-1] operands take
//
//	Start + sum of Fold(t[i]) - (the padding to Min of the last fold) + End
//
// A fold whose operands arrive in several pieces takes Lead once, before the first piece, and
// Tail once, after the last.
type Timing struct {
	Start int64 // once, before the first fold
	Lead  int64 // per fold, before its first operand
	Min   int64 // least streaming time of every fold but the last
	Tail  int64 // per fold, after its last operand: the skew of the wavefront
	End   int64 // once, after the last fold: the skew
	// Full is the cycles from the first operand's entry until every element has an operand, if
	// the fold streams that long.
	Full int64
	// Clears: a fold shorter than Min waits for results to leave; otherwise it waits for the next
	// tile to load.
	Clears bool
}

// Fold returns the cycles of a fold of t operands that another fold follows.
func (x Timing) Fold(t int64) int64 { return x.Lead + max(t, x.Min) + x.Tail }

// Cycles returns the cycles of an operator of equal folds that stream t operands each; 0 folds
// take 0.
func (x Timing) Cycles(folds, t int64) int64 {
	if folds == 0 {
		return 0
	}
	return x.Start + folds*x.Fold(t) - max(0, x.Min-t) + x.End
}
