package machine

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Machine is what the cost depends on besides the shape.
type Machine struct {
	Rows, Cols             int64
	Ifmap, Filter, Ofmap   int64 // half of each SRAM
	Rate                   Rate  // of the element type of the products
	Timing                 dataflow.Timing
	RowAxis, ColAxis, Time dataflow.Axis
	Mem                    Memory // for the estimate of time
	Lanes                  int64  // of the vector unit, for the estimate of time
	SharedA, SharedB       int64  // cores that fetch an operand together; 0 or 1: each its own
}

// Words is how many words of the array n elements along an axis take.
func (h *Machine) Words(x dataflow.Axis, n int64) int64 {
	if x == dataflow.K {
		return h.Rate.Words(n)
	}
	return n
}

// Along is the elements of an axis that fill the side of the array which the axis lies
// along, rounded down; 0 for the time axis.
func (h *Machine) Along(x dataflow.Axis) int64 {
	side := h.Side(x)
	if x == dataflow.K && side > 0 {
		return max(1, side*h.Rate.Num/h.Rate.Den)
	}
	return side
}

// Side is the side of the array that an axis lies along, in words; 0 for the time axis.
func (h *Machine) Side(x dataflow.Axis) int64 {
	switch x {
	case h.RowAxis:
		return h.Rows
	case h.ColAxis:
		return h.Cols
	}
	return 0
}

// Least is the shortest stream of a fold along axis x, 0 if x is not time.
func (h *Machine) Least(x dataflow.Axis) int64 {
	if x == h.Time {
		return h.Timing.Min
	}
	return 0
}

// Whole is the least elements of an axis that fill whole folds.
func (h *Machine) Whole(x dataflow.Axis) int64 {
	if x != dataflow.K || h.Rate.Num == h.Rate.Den {
		return h.Side(x)
	}
	n := h.Side(x) * h.Rate.Num
	for a, b := n, h.Rate.Den; ; a, b = b, a%b {
		if b == 0 {
			return n / a
		}
	}
}

// Nest is the order in which the folds of a tile pass: results of one outer
// index are complete before the next.
func (h *Machine) Nest() (outer, inner dataflow.Axis) {
	if h.RowAxis == dataflow.K { // reduction down the rows
		return h.ColAxis, h.RowAxis
	}
	return h.RowAxis, h.ColAxis
}

// New is what the search may know of a core that carries out op.
func New(c Core, g *graph.Graph, op *graph.Op) (Machine, error) {
	d, _ := g.Multiplied(op)
	rate, ok := c.Rates.at(d)
	if !ok {
		return Machine{}, fmt.Errorf("%s: the array has no rate for products of %s (key pe has: %s)", op.Name, d, c.Rates.names())
	}
	if p := g.Sparsity(op); p.On() {
		if !p.Within(c.Sparsity) {
			return Machine{}, fmt.Errorf("%s: the array cannot skip weights of %s (key sparsity)", op.Name, p)
		}
		rate.Num, rate.Den = rate.Num*int64(c.Sparsity.M), rate.Den*int64(c.Sparsity.N)
	}
	return newArray(c, rate)
}

// newArray is the core at the rate of an element type.
func newArray(c Core, rate Rate) (Machine, error) {
	e, err := dataflow.All.Find(c.Dataflow)
	if err != nil {
		return Machine{}, err
	}
	if c.Array.Rows < 1 || c.Array.Cols < 1 {
		return Machine{}, fmt.Errorf("array of %d x %d (want at least 1 x 1)", c.Array.Rows, c.Array.Cols)
	}
	if err := e.New.Check(c.Array); err != nil {
		return Machine{}, fmt.Errorf("dataflow %s: %w", c.Dataflow, err)
	}
	h := Machine{Rows: int64(c.Array.Rows), Cols: int64(c.Array.Cols), Ifmap: int64(c.SRAM.Ifmap / 2),
		Filter: int64(c.SRAM.Filter / 2), Ofmap: int64(c.SRAM.Ofmap / 2), Timing: e.New.Timing(c.Array), Rate: rate}
	h.RowAxis, h.ColAxis, h.Time = e.New.Axes()
	return h, nil
}
