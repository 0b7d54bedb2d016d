package dataflow

import "github.com/causeway-sim/causeway/components/registry"

// weightStationary and inputStationary hold one operand tile in the array and
// reduce along the rows.
type weightStationary struct{}
type inputStationary struct{}

func (weightStationary) Name() string                  { return "ws" }
func (weightStationary) Axes() (rows, cols, time Axis) { return K, N, M }
func (weightStationary) Timing(a Array) Timing         { return heldOperand(a) }

func (inputStationary) Name() string                  { return "is" }
func (inputStationary) Axes() (rows, cols, time Axis) { return K, M, N }
func (inputStationary) Timing(a Array) Timing         { return heldOperand(a) }

// heldOperand is the timing of a dataflow that shifts a tile into the array row
// by row (Rows cycles) and then streams operands past it, skewed by one cycle
// per row and per column.
//
// With both overlaps a tile must stream at least as long as the next one takes
// to load. With the overlap of the drain alone the load follows directly after
// the last operand: the row it reaches first is the row that is done first.
func heldOperand(a Array) Timing {
	load, skew := int64(a.Rows), int64(a.Rows+a.Cols-2)
	if n := int64(a.LoadRows); n > 1 {
		load = (load + n - 1) / n
	}
	switch {
	case a.OverlapPreload && a.OverlapDrain:
		return Timing{Start: load, Min: load, End: skew}
	case a.OverlapPreload: // streaming and skew always outlast the load
		return Timing{Start: load, Tail: skew}
	case a.OverlapDrain:
		return Timing{Lead: load, End: skew}
	}
	return Timing{Lead: load, Tail: skew}
}

func init() {
	All.Add(registry.Entry[Dataflow]{
		Name:   "ws",
		Doc:    "Weight stationary: weights are held in the array, inputs stream, partial sums move down the columns.",
		Source: "Jouppi et al., In-Datacenter Performance Analysis of a Tensor Processing Unit, ISCA 2017, section 2",
		New:    weightStationary{},
	})
	All.Add(registry.Entry[Dataflow]{
		Name:   "is",
		Doc:    "Input stationary: inputs are held in the array, weights stream, partial sums move down the columns.",
		Source: "Samajdar et al., SCALE-Sim, ISPASS 2020, section III-B",
		New:    inputStationary{},
	})
}
