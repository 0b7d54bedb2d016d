package dataflow

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
)

// diagonal is the weight-stationary dataflow whose inputs move along diagonals: a row of
// inputs enters all columns at once and goes down one row per cycle, rotated by one
// column, and the weights lie permuted so that element (i, j) holds the weight of the
// input it sees, W[(i+j) mod N][j]. Nothing has to be delayed on the way in or out.
type diagonal struct{}

func (diagonal) Name() string                  { return "dip" }
func (diagonal) Axes() (rows, cols, time Axis) { return K, N, M }
func (diagonal) Timing(a Array) Timing         { return heldOperand(a, a.Rows) }
func (diagonal) Skew(Array) Skew               { return Skew{} }

// Check wants a square: a row of inputs has one element per row of weights, and enters
// one per column.
func (diagonal) Check(a Array) error {
	if a.Rows != a.Cols {
		return fmt.Errorf("%d rows and %d columns (want a square array: inputs rotate through as many columns as there are rows)", a.Rows, a.Cols)
	}
	return nil
}

func init() {
	All.Add(registry.Entry[Dataflow]{
		Name:   "dip",
		Doc:    "Diagonal input, permuted weights held in the array: inputs rotate by one column per row, without registers for skew; square arrays.",
		Source: "Abdelmaksoud et al., DiP: A Scalable, Energy-Efficient Systolic Array for Matrix Multiplication Acceleration, arXiv 2412.09709, sections III and IV",
		New:    diagonal{},
	})
}
