package dataflow

import "github.com/causeway-sim/causeway/components/registry"

// An Array is a systolic array as its timing sees it.
type Array struct {
	Rows, Cols int
	// OverlapPreload: shadow registers let the next stationary tile load while
	// this one streams.
	OverlapPreload bool
	// OverlapDrain: the next tile follows in the wavefront right after the
	// last operand of this one, so that fill and drain are paid once.
	OverlapDrain bool
	// LoadRows is how many rows of a held tile enter the array per cycle; 0 is one, the
	// chain of shift registers from the edge. Output-stationary arrays hold none.
	LoadRows int
	// OverlapFirst: the first stationary tile of an operator is loaded during the end
	// of the operator before it, so that no operator waits for its first load.
	OverlapFirst bool
	// Stages of a processing element's multiplier and adder; 0 is 1. A product takes
	// so many cycles, one begins in each.
	Stages int
}

// PEs is the number of processing elements.
func (a Array) PEs() int64 { return int64(a.Rows) * int64(a.Cols) }

// pipe is the cycles by which a result comes later than from elements of one stage.
func (a Array) pipe() int64 { return int64(max(a.Stages, 1) - 1) }

// An Axis is one of the three dimensions of a matrix product.
type Axis uint8

// The axes of an M x K by K x N product.
const (
	M Axis = iota
	N
	K
)

// String is the axis's letter in loop orders: m, n or k.
func (x Axis) String() string { return "mnk"[x : x+1] }

// A Dataflow lays a matrix product over an array.
type Dataflow interface {
	// Name is the name in the registry.
	Name() string
	// Axes says which axis lies along the rows of the array, which along its
	// columns, and which passes by in time.
	Axes() (rows, cols, time Axis)
	// Timing is what a stationary tile costs besides its streaming.
	Timing(a Array) Timing
	// Skew is the registers at the edges of the array.
	Skew(a Array) Skew
	// Check says why the dataflow cannot run on an array; nil: it can.
	Check(a Array) error
}

// A Skew counts the registers at the edges of the array: those that delay operands before
// they enter, and those that delay results after they leave, so that the lanes of a
// wavefront line up.
type Skew struct {
	A, B int64 // of elements of the left (activations) and right (weights) operand
	Sums int64 // of partial sums
}

// Registers is the number of all of them.
func (s Skew) Registers() int64 { return s.A + s.B + s.Sums }

// triangle is the number of registers that delay lane i of n by i cycles.
func triangle(n int) int64 { return int64(n) * int64(n-1) / 2 }

// All holds the dataflows by name.
var All = registry.New[Dataflow]("dataflow")

// Dims is the size of an m x k by k x n product along the rows and columns of
// the array and in time.
func Dims(d Dataflow, m, n, k int64) (rows, cols, time int64) {
	size := [3]int64{m, n, k}
	r, c, t := d.Axes()
	return size[r], size[c], size[t]
}

// A Timing says what the folds (stationary tiles) of one operator cost on an
// array, in cycles. A sequence of folds with streaming times t[0..n-1] takes
//
//	Start + sum of Fold(t[i]) - (the padding to Min of the last fold) + End
//
// A fold that is fed in several pieces pays Lead before the first and Tail after
// the last piece only.
type Timing struct {
	Start int64 // once, before the first fold
	Lead  int64 // per fold, before its first operand
	Min   int64 // a fold that others follow streams at least so long
	Tail  int64 // per fold, after its last operand: the skew of the wavefront
	End   int64 // once, after the last fold: the skew
	// Full is when every element has an operand, counted from the first operand's
	// entry: with a fold that streams long enough the array is full from then on.
	Full int64
	// Clears: folds shorter than Min wait for results to leave, not for the next tile
	// to be loaded.
	Clears bool
}

// Fold is the length of one fold that streams t operands and that others
// follow.
func (x Timing) Fold(t int64) int64 { return x.Lead + max(t, x.Min) + x.Tail }

// Cycles is the length of folds that stream t operands each.
func (x Timing) Cycles(folds, t int64) int64 {
	if folds == 0 {
		return 0
	}
	return x.Start + folds*x.Fold(t) - max(0, x.Min-t) + x.End
}
