package dataflow

import "github.com/causeway-sim/causeway/components/registry"

// weightStationary and inputStationary hold one operand tile in the array and
// reduce along the rows.
type weightStationary struct{}
type inputStationary struct{}

func (weightStationary) Name() string                  { return "ws" }
func (weightStationary) Axes() (rows, cols, time Axis) { return K, N, M }
func (weightStationary) Timing(a Array) Timing         { return heldOperand(a, a.Rows+a.Cols-1) }
func (weightStationary) Skew(a Array) Skew             { return Skew{A: triangle(a.Rows), Sums: triangle(a.Cols)} }
func (weightStationary) Check(Array) error             { return nil }

func (inputStationary) Name() string                  { return "is" }
func (inputStationary) Axes() (rows, cols, time Axis) { return K, M, N }
func (inputStationary) Timing(a Array) Timing         { return heldOperand(a, a.Rows+a.Cols-1) }
func (inputStationary) Skew(a Array) Skew             { return Skew{B: triangle(a.Rows), Sums: triangle(a.Cols)} }
func (inputStationary) Check(Array) error             { return nil }

// heldOperand returns the timing of a dataflow that shifts a tile into the array row by row (Rows
// cycles) and then streams operands past it in a wavefront, which takes full cycles to reach
// every element.
//
// With both overlaps a tile must stream at least as long as the next one takes
// to load. With the overlap of the drain alone the load follows directly after
// the last operand: the row it reaches first is the row that is done first.
func heldOperand(a Array, full int) Timing {
	load, skew := int64(a.Rows), int64(full-1)+a.pipe()
	if n := int64(a.LoadRows); n > 1 {
		load = (load + n - 1) / n
	}
	first := load
	if a.OverlapFirst {
		first = 0
	}
	x := Timing{Full: int64(full)}
	switch {
	case a.OverlapPreload && a.OverlapDrain:
		x.Start, x.Min, x.End = first, load, skew
	case a.OverlapPreload: // streaming and skew outlast the load of the next tile
		x.Start, x.Min, x.Tail = first, max(0, load-skew), skew
	case a.OverlapDrain:
		x.Lead, x.End = load, skew
	default:
		x.Lead, x.Tail = load, skew
	}
	return x
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
